/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing a session. */
#include "session_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/say.h>
#include <base/signals.h>
#include <load/elf_apply.h>
#include <load/near_names.h>
#include <target/link_record.h>

/* Whether mprof can sample a target whose firmware has no table. */
static bool needs_table(const struct options *o)
{
    bool any = o->sampler == SAMPLER_AUTO || o->sampler == SAMPLER_TOTAL ||
               sampler_kind_is_taken(o->sampler);

    return !o->can_sample || !any || target_is_dump(o) || o->link.pid != 0;
}

static int load_elf(struct session *s, const struct options *o)
{
    char text[SESSION_TEXT];

    if (s->elf.symtab && s->elf.no_table[0] && o->sampler == SAMPLER_TRACE) {
        complain("%s: no symbol 's_prof': link the stub (target-stub/) with MPROF_TRACE_CNT and "
                 "compile functions with a call hook, like -pg; or give a ring of calls of the "
                 "firmware's own with --symbol",
                 s->elf.path);
        return STATUS_FAILED;
    }
    if (s->elf.symtab && s->elf.no_table[0] && needs_table(o)) {
        complain("%s", s->elf.no_table);
        return STATUS_FAILED;
    }
    if (s->elf.symtab)
        return STATUS_DONE;
    if (elf_file_load_written(&s->elf, o->elf, o->symbol, text, sizeof(text)) &&
        elf_apply(&o->map, s->elf.symtab, text, sizeof(text))) {
        elf_apply_say(s->elf.symtab);
        return s->elf.no_table[0] ? load_elf(s, o) : STATUS_DONE;
    }
    if (signals_pending() != 0)
        signals_die(signals_pending());
    else
        complain("%s", text);
    return STATUS_FAILED;
}

/* What is longer or shorter than the table is a dump of something else, or of another build. */
static int check_dump(const struct session *s, const struct options *o)
{
    struct stat about;

    if (!o->link.raw || s->elf.table_size == 0 || stat(o->link.raw, &about) != 0 ||
        !S_ISREG(about.st_mode) || about.st_size == 0 ||
        (uint64_t)about.st_size == s->elf.table_size || session_dump_has_tail(s))
        return STATUS_DONE;
    bool ring = s->elf.kind == SYMTAB_TABLE_RING;
    complain("%s has %jd bytes, but %s in %s has %" PRIu64 ": dump all of it%s, from a target that "
             "runs this build",
             o->link.raw, (intmax_t)about.st_size, o->symbol, s->elf.path, s->elf.table_size,
             ring ? ", the ring and then its counter" : "");
    return STATUS_FAILED;
}

/* A process has its program where the loader put it. */
static int locate(struct session *s)
{
    uint64_t address, entry;
    char text[SESSION_TEXT];

    if (!session_locate(s, text)) {
        complain("%s", text);
        return STATUS_FAILED;
    }
    if (!session_read_tail(s, &address, &entry) || address == s->elf.table_addr)
        return STATUS_DONE;
    complain("%s is of another build than %s: give the program that has written it with --elf",
             s->options->link.raw, s->elf.path);
    return STATUS_FAILED;
}

/* Unless a link was taken over; whose server may be lost meanwhile. */
static int connect_link(struct session *s, bool may_await)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (s->link && !session_link_works(s))
        session_lose(s);
    else if (s->link)
        return STATUS_DONE;
    else if (!s->past.held)
        return session_open_link(s, s->options, may_await);
    if (session_reconnect(s, &error))
        return STATUS_DONE;
    session_say_link_error(&error);
    s->said = true;
    return STATUS_FAILED;
}

static bool is_link_stopped(const struct session *s)
{
    return s->link && gdbmi_link_error(s->link)->code == GDBMI_ESTOPPED;
}

/* mprof was stopped in a halt of the comparison, which it has said. */
static int compare_again(struct session *s, bool any)
{
    session_lose(s);
    s->said = false;
    int status = connect_link(s, any);
    return status == STATUS_DONE && s->link ? session_compare_first(s, any) : status;
}

static int connect_and_compare(struct session *s, bool any)
{
    int status = connect_link(s, any);

    session_note_keys(s);
    if (status == STATUS_DONE && s->link)
        status = locate(s);
    if (status == STATUS_DONE && !session_make_contexts(s))
        status = STATUS_FAILED;
    if (status == STATUS_DONE)
        near_check_ignore(&s->options->ignore, s->elf.symtab);
    if (status == STATUS_DONE && s->link)
        status = session_compare_first(s, any);
    while (status == STATUS_FAILED && is_link_stopped(s))
        status = compare_again(s, any);
    return status;
}

/* What arguments and results point to is in no file. */
static void open_program(struct session *s)
{
    const struct options *o = s->options;
    const struct gdbmi_options by_pid = {.pid = o->program};
    struct gdbmi_error error;

    if (o->program != 0 && (o->arguments || o->results) &&
        gdbmi_link_open(&by_pid, &s->program, &error) != GDBMI_OK)
        s->program = NULL;
}

static int open_session(struct session *session, const struct options *options, bool any)
{
    char text[SESSION_TEXT];

    *session = (struct session){.options = options};
    int status = link_record_begin(options);
    if (status != STATUS_DONE)
        return status;
    session_take(session);
    status = load_elf(session, options);
    if (status == STATUS_DONE)
        status = check_dump(session, options);
    if (status == STATUS_DONE)
        status = connect_and_compare(session, any);
    if (status == STATUS_DONE && session->link && !session_make_sampler(session, text)) {
        complain("%s", text);
        status = STATUS_FAILED;
    }
    if (status == STATUS_DONE)
        open_program(session);
    else
        (void)session_close(session);
    return status;
}

int session_open(struct session *session, const struct options *options)
{
    return open_session(session, options, false);
}

int session_open_any(struct session *session, const struct options *options)
{
    return open_session(session, options, true);
}

int session_close(struct session *session)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    int status = STATUS_DONE;

    sampler_table_free(session->sampler);
    session_give_back(session);
    if (session->link && gdbmi_link_close(session->link, &error) != GDBMI_OK) {
        if (!session->said)
            session_say_link_error(&error);
        status = STATUS_FAILED;
    }
    if (session->program)
        (void)gdbmi_link_close(session->program, NULL);
    if (!session->link && session->past.held) {
        if (!session->said)
            complain("%s", session->lost);
        status = STATUS_FAILED;
    }
    session_settle(session);
    view_contexts_free(session->contexts);
    view_contexts_free(session->unnamed);
    free(session->stacks.list);
    if (!session->borrows_elf) {
        if (!signals_pending())
            elf_say_trouble(session->elf.symtab);
        elf_file_free(&session->elf);
    }
    free(session->link_key);
    free(session->elf_path);
    free(session->elf_key);
    *session = (struct session){.options = NULL};
    return status;
}

const char *session_arch(const struct session *session)
{
    const struct symtab_elf *elf = symtab_elf(session->elf.symtab);
    const char *arch = session->server.arch[0] ? session->server.arch : elf->arch;

    return strcmp(arch, "i386") == 0 && elf->addr_size == 8 ? "i386:x86-64" : arch;
}
