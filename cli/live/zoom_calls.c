/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arcs around a function, by a sampler of their own. */
#include "zoom_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/monotonic.h>
#include <profile/delta.h>

#define READ_S 1.0

static bool has_arcs(const struct profile *profile)
{
    return profile->source == DECODE_ARCS && profile->row_count > 0;
}

static bool is_allowed(const struct session *s)
{
    return s->server.live || s->server.simulator;
}

struct zoom_arcs *zoom_arcs_new(void)
{
    struct zoom_arcs *arcs = calloc(1, sizeof(*arcs));

    if (arcs)
        profile_init(&arcs->profile);
    return arcs;
}

void zoom_arcs_free(struct zoom_arcs *arcs)
{
    if (!arcs)
        return;
    sampler_table_free(arcs->sampler);
    profile_free(&arcs->profile);
    free(arcs);
}

static void say(struct zoom_arcs *a, const char *note)
{
    snprintf(a->note, sizeof(a->note), "%s", note);
}

/* Counts of one firmware mean nothing to another. */
static void follow_session(struct zoom_arcs *a, const struct session *s)
{
    const struct elf_file *elf = &s->elf;

    if (a->sampler && a->link == s->link && a->symtab == elf->symtab &&
        file_stamp_same(&a->stamp, &elf->loaded))
        return;
    if (a->symtab != elf->symtab || !file_stamp_same(&a->stamp, &elf->loaded)) {
        profile_free(&a->profile);
        profile_init(&a->profile);
    }
    sampler_table_free(a->sampler);
    a->sampler = NULL;
    a->link = s->link;
    a->symtab = elf->symtab;
    a->stamp = elf->loaded;
}

/* A sampler of the link as it is now; false: there is none, and the note says why. */
static bool have_sampler(struct zoom_arcs *a, const struct session *s)
{
    const struct elf_file *elf = &s->elf;

    follow_session(a, s);
    if (a->sampler)
        return true;
    if (elf->kind == SYMTAB_TABLE_HEADERLESS) {
        say(a, "no callers and callees: a table without a header has no arcs");
        return false;
    }
    if (!is_allowed(s)) {
        say(a, "callers and callees are not read, as each read halts this target; --sampler arcs "
               "--by arc reads them instead of samples");
        return false;
    }
    a->sampler = sampler_table_new(s->link, elf->table_addr, elf->table_size,
                                   symtab_elf(elf->symtab)->addr_size, SAMPLER_ARCS);
    if (!a->sampler)
        say(a, "out of memory");
    return a->sampler != NULL;
}

/* A link that fails here fails the next poll, too, which says so. */
void zoom_arcs_read(struct zoom_arcs *arcs, const struct session *session)
{
    struct zoom_arcs *a = arcs;
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    a->note[0] = '\0';
    a->later = !session->link;
    if (a->later)
        say(a, "callers and callees not read yet");
    if (a->later || !have_sampler(a, session))
        return;
    enum sampler_code code = sampler_table_poll(a->sampler, &a->profile, monotonic_s(), &state);
    a->later = code != SAMPLER_OK && code != SAMPLER_ETABLE && code != SAMPLER_ENOMEM;
    if (code == SAMPLER_ETABLE)
        snprintf(a->note, sizeof(a->note), "no callers and callees: %s (target-stub/README.md)",
                 sampler_table_text(a->sampler));
    else if (code == SAMPLER_ENOMEM)
        say(a, "out of memory");
    else if (a->later)
        say(a, "callers and callees not read yet");
}

bool zoom_wants_arcs(const struct zoom *zoom, const struct profile *profile)
{
    return zoom->shows_calls && zoom->function && monotonic_s() >= zoom->calls.due_s &&
           !has_arcs(profile);
}

bool zoom_take_arcs(struct zoom *zoom, const struct zoom_arcs *arcs)
{
    struct zoom_calls *c = &zoom->calls;
    struct profile profile;

    c->due_s = monotonic_s() + READ_S;
    if (arcs->later && c->known)
        return true;
    memcpy(c->note, arcs->note, sizeof(c->note));
    if (c->note[0])
        return true;
    if (!profile_copy(&arcs->profile, &profile))
        return false;
    profile_free(&c->profile);
    c->profile = profile;
    return true;
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

    if (has_arcs(profile)) {
        c->note[0] = '\0';
        return pick(c, watch, profile, function);
    }
    return c->note[0] != '\0' || c->profile.row_count == 0 || pick(c, watch, &c->profile, function);
}

void zoom_calls_drop(struct zoom_calls *calls)
{
    view_calls_free(&calls->calls);
    profile_free(&calls->profile);
    *calls = (struct zoom_calls){.known = false};
    profile_init(&calls->profile);
}
