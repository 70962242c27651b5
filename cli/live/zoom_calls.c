/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arcs around a function, by a sampler of their own. */
#include "zoom_private.h"

#include <stdio.h>

#include <base/monotonic.h>
#include <base/signals.h>

#define READ_S 1.0

static bool is_allowed(const struct session *s)
{
    return s->server.live || s->server.simulator;
}

static void say(struct zoom_calls *c, const char *note)
{
    snprintf(c->note, sizeof(c->note), "%s", note);
}

/* A sampler of the link as it is now; false: there is none, and the note says why. */
static bool have_sampler(struct zoom_calls *c, const struct session *s)
{
    const struct elf_file *elf = &s->elf;

    if (c->sampler && c->link == s->link)
        return true;
    sampler_table_free(c->sampler);
    c->sampler = NULL;
    if (!s->link)
        return false;
    if (elf->kind == SYMTAB_TABLE_HEADERLESS) {
        say(c, "no callers and callees: a table without a header has no arcs");
        return false;
    }
    if (!is_allowed(s)) {
        say(c, "callers and callees are not read, as each read halts this target; --sampler arcs "
               "--by arc reads them instead of samples");
        return false;
    }
    c->sampler = sampler_table_new(s->link, elf->table_addr, elf->table_size,
                                   symtab_elf(elf->symtab)->addr_size, SAMPLER_ARCS);
    c->link = s->link;
    if (!c->sampler)
        say(c, "out of memory");
    return c->sampler != NULL;
}

/* A link that fails here fails the next poll, too, which says so. */
static void read_arcs(struct zoom_calls *c, const struct session *s)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    if (monotonic_s() < c->due_s || !have_sampler(c, s))
        return;
    signals_hold(true);
    enum sampler_code code = sampler_table_poll(c->sampler, &c->profile, monotonic_s(), &state);
    signals_hold(false);
    c->due_s = monotonic_s() + READ_S;
    if (code == SAMPLER_OK)
        c->note[0] = '\0';
    else if (code == SAMPLER_ETABLE)
        snprintf(c->note, sizeof(c->note), "no callers and callees: %s (target-stub/README.md)",
                 sampler_table_text(c->sampler));
    else if (code == SAMPLER_ENOMEM)
        say(c, "out of memory");
    else if (!c->known)
        say(c, "callers and callees not read yet");
}

static bool pick(struct zoom_calls *c, const struct watch *watch, const struct profile *profile,
                 const struct symtab_function *function)
{
    struct view_rows rows;
    struct view_calls calls;

    if (!view_rows_build(profile, watch->session.elf.symtab, VIEW_BY_ARC, NULL, &rows))
        return false;
    bool done = view_calls_build(&rows, function, &calls);
    view_rows_free(&rows);
    if (!done)
        return false;
    view_calls_free(&c->calls);
    c->calls = calls;
    c->known = true;
    return true;
}

bool zoom_calls_update(struct zoom_calls *calls, const struct watch *watch,
                       const struct profile *profile, const struct symtab_function *function)
{
    struct zoom_calls *c = calls;

    if (profile->source == DECODE_ARCS && profile->row_count > 0) {
        c->note[0] = '\0';
        return pick(c, watch, profile, function);
    }
    read_arcs(c, &watch->session);
    return c->note[0] != '\0' || c->profile.row_count == 0 || pick(c, watch, &c->profile, function);
}

void zoom_calls_drop(struct zoom_calls *calls)
{
    sampler_table_free(calls->sampler);
    view_calls_free(&calls->calls);
    profile_free(&calls->profile);
    *calls = (struct zoom_calls){.sampler = NULL};
    profile_init(&calls->profile);
}
