/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing a session, and the one line that each failure gets. */
#include "session.h"

#include <inttypes.h>

#include <sampler/identity.h>

#define TEXT_MAX 320

static int load_elf(struct session *s, const struct options *o, uint64_t *size)
{
    char text[TEXT_MAX];

    if (symtab_load(o->elf, &s->symtab, text, sizeof(text)) != SYMTAB_OK) {
        complain("%s", text);
        return STATUS_FAILED;
    }
    if (!symtab_object(s->symtab, o->symbol, &s->table_addr, size)) {
        complain("%s: no symbol '%s': link the stub (target-stub/) into the firmware and call "
                 "mprof_init() and mprof_systick_start(), as the README shows",
                 o->elf, o->symbol);
        return STATUS_FAILED;
    }
    s->symbol = o->symbol;
    return STATUS_DONE;
}

static int open_link(struct session *s, const struct options *o)
{
    struct gdbmi_options link = o->link;
    struct gdbmi_error error = {.code = GDBMI_OK};

    link.raw_addr = s->table_addr;
    if (gdbmi_link_open(&link, &s->link, &error) != GDBMI_OK) {
        complain("%s", error.text);
        return error.code == GDBMI_EARG ? STATUS_USAGE : STATUS_FAILED;
    }
    if (o->verbose)
        complain("%s", gdbmi_link_info(s->link)->why);
    return STATUS_DONE;
}

int session_link_failed(struct session *session)
{
    if (!session->said)
        complain("%s", gdbmi_link_error(session->link)->text);
    session->said = true;
    return STATUS_FAILED;
}

static int compare(struct session *s, const struct options *o)
{
    char text[TEXT_MAX];

    switch (identity_check(s->link, s->symtab, text, sizeof(text))) {
    case IDENTITY_SAME:
        s->identity = "= flash";
        return STATUS_DONE;
    case IDENTITY_UNREADABLE:
    case IDENTITY_NOTHING:
        s->identity = "not compared";
        snprintf(s->doubt, sizeof(s->doubt), "%.*s", (int)sizeof(s->doubt) - 1, text);
        return STATUS_DONE;
    case IDENTITY_DIFFERS:
        complain("%s is not the firmware in the target: %s; flash this build, or name the ELF file "
                 "of the one that runs",
                 o->elf, text);
        return STATUS_FAILED;
    case IDENTITY_MACHINE:
        complain("%s cannot run on this target: %s", o->elf, text);
        return STATUS_FAILED;
    case IDENTITY_LINK:
        break;
    }
    return session_link_failed(s);
}

int session_open(struct session *session, const struct options *options)
{
    uint64_t size = 0;

    *session = (struct session){.identity = ""};
    int status = load_elf(session, options, &size);
    if (status == STATUS_DONE)
        status = open_link(session, options);
    if (status == STATUS_DONE)
        status = compare(session, options);
    if (status == STATUS_DONE) {
        session->sampler = sampler_table_new(session->link, session->table_addr, size,
                                             symtab_elf(session->symtab)->addr_size);
        if (!session->sampler) {
            complain("out of memory");
            status = STATUS_FAILED;
        }
    }
    if (status != STATUS_DONE)
        (void)session_close(session);
    return status;
}

int session_close(struct session *session)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    int status = STATUS_DONE;

    sampler_table_free(session->sampler);
    if (session->link && gdbmi_link_close(session->link, &error) != GDBMI_OK) {
        if (!session->said)
            complain("%s", error.text);
        status = STATUS_FAILED;
    }
    symtab_free(session->symtab);
    *session = (struct session){.identity = ""};
    return status;
}
