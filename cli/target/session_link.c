/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The link of a session: opened, lost, opened again. */
#include "session_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/say.h>
#include <base/signals.h>
#include <profile/decode.h>

static void keep(char *copy, size_t capacity, const char *text)
{
    snprintf(copy, capacity, "%.*s", (int)capacity - 1, text);
}

static void know_server(struct session *s)
{
    const struct gdbmi_info *info = gdbmi_link_info(s->link);
    struct session_server *server = &s->server;

    keep(server->kind, sizeof(server->kind), info->kind);
    keep(server->name, sizeof(server->name), info->server);
    keep(server->address, sizeof(server->address), info->address);
    keep(server->target, sizeof(server->target), info->target);
    keep(server->arch, sizeof(server->arch), info->arch);
    link_why(info, server->why);
    server->live = info->live;
    server->simulator = info->simulator;
    server->openocd_tcl = info->openocd_tcl;
    server->entry = info->entry;
}

static void tell(void *context, enum gdbmi_hint hint, const char *line)
{
    struct session *s = context;

    complain("%s%s", line, link_hint(hint));
    if (hint == GDBMI_HINT_TYPE)
        s->asked = complaints();
}

static bool is_cancelled(void *context)
{
    (void)context;
    return signals_pending() != 0 || signals_stop();
}

static bool is_given_up(void *context)
{
    (void)context;
    return signals_given_up();
}

bool session_dump_has_tail(const struct session *s)
{
    struct stat about;

    return s->options->link.raw && s->elf.table_size != 0 &&
           stat(s->options->link.raw, &about) == 0 && S_ISREG(about.st_mode) &&
           (uint64_t)about.st_size == s->elf.table_size + DECODE_TAIL_SIZE;
}

bool session_read_tail(const struct session *s, uint64_t *address, uint64_t *entry)
{
    uint8_t bytes[DECODE_TAIL_SIZE];
    FILE *file = session_dump_has_tail(s) ? fopen(s->options->link.raw, "re") : NULL;

    bool done = file && fseek(file, -DECODE_TAIL_SIZE, SEEK_END) == 0 &&
                fread(bytes, sizeof(bytes), 1, file) == 1 && decode_tail(bytes, address, entry);
    if (file)
        fclose(file);
    return done;
}

static struct gdbmi_options link_options(struct session *s)
{
    struct gdbmi_options link = s->options->link;

    link.raw_addr = s->elf.table_addr;
    (void)session_read_tail(s, &link.raw_addr, &link.raw_entry);
    link.tell = tell;
    link.context = s;
    link.cancelled = is_cancelled;
    link.given_up = is_given_up;
    return link;
}

/* Whether nobody is there yet who may come. */
static bool await(struct session *s, const struct gdbmi_error *error)
{
    if (error->hint != GDBMI_HINT_REFUSED || !session_may_return(s, false))
        return false;
    link_words(error, s->lost);
    s->match = IDENTITY_LINK;
    s->awaited = true;
    return true;
}

int session_open_link(struct session *s, const struct options *o, bool may_await)
{
    struct gdbmi_options link = link_options(s);
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (gdbmi_link_open(&link, &s->link, &error) != GDBMI_OK) {
        s->link = NULL;
        if (may_await && await(s, &error))
            return STATUS_DONE;
        session_say_link_error(&error);
        if (signals_pending() != 0)
            signals_die(signals_pending());
        return error.code == GDBMI_EARG ? STATUS_USAGE : STATUS_FAILED;
    }
    if (s->asked == complaints())
        complaint_forget();
    know_server(s);
    if (o->verbose)
        complain("%s", s->server.why);
    return STATUS_DONE;
}

struct gdbmi_stats session_stats(const struct session *session)
{
    struct gdbmi_stats sum = session->past;

    if (session->link) {
        struct gdbmi_stats now = gdbmi_link_stats(session->link);
        sum.halts += now.halts;
        sum.halted_ns += now.halted_ns;
        if (now.longest_ns > sum.longest_ns)
            sum.longest_ns = now.longest_ns;
        sum.age_ns += now.age_ns;
        sum.held |= now.held;
        sum.short_failures += now.short_failures;
    }
    return sum;
}

/* The sampler, which borrows it, waits for another one. */
static void drop_link(struct session *s)
{
    (void)gdbmi_link_close(s->link, NULL);
    s->link = NULL;
    if (s->sampler)
        sampler_table_relink(s->sampler, NULL);
}

void session_lose(struct session *session)
{
    link_words(gdbmi_link_error(session->link), session->lost);
    session->past = session_stats(session);
    drop_link(session);
}

/* What somebody else halted meanwhile cannot be told from what we left halted. */
static bool let_go(struct session *s, struct gdbmi_error *error)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    enum gdbmi_code code = gdbmi_link_state(s->link, &state);
    if (code == GDBMI_OK && state == GDBMI_STATE_HALTED)
        code = gdbmi_link_resume(s->link);
    s->past.held = code != GDBMI_OK;
    if (code != GDBMI_OK)
        *error = *gdbmi_link_error(s->link);
    return code == GDBMI_OK;
}

static bool use_link(struct session *s, struct gdbmi_error *error)
{
    char text[SESSION_TEXT];

    if (s->sampler) {
        sampler_table_relink(s->sampler, s->link);
        return true;
    }
    if (!session_locate(s, text)) {
        gdbmi_error_set(error, GDBMI_ETARGET, "%s", text);
        return false;
    }
    if (!session_make_sampler(s, text)) {
        gdbmi_error_set(error, GDBMI_ETARGET, "%s", text);
        return false;
    }
    return true;
}

bool session_reconnect(struct session *session, struct gdbmi_error *error)
{
    struct gdbmi_options link = link_options(session);

    link.held = session->past.held;
    /* An OpenOCD that is not quite there yet must not be reached by its gdb port, which halts. */
    if (session->server.openocd_tcl && !link.play)
        link.tcl = session->server.address;
    if (gdbmi_link_open(&link, &session->link, error) != GDBMI_OK) {
        session->link = NULL;
        return false;
    }
    bool done = !session->past.held || let_go(session, error);
    if (done) {
        know_server(session);
        done = use_link(session, error);
    }
    session->awaited &= !done;
    if (!done)
        drop_link(session);
    return done;
}

/* A server's command that makes the target start again; NULL: not known. */
static const char *reset_command(const char *server)
{
    if (strstr(server, "Open On-Chip Debugger"))
        return "reset run";
    return strstr(server, "QEMU") ? "system_reset" : NULL;
}

int session_reset_target(struct session *session)
{
    const char *command = reset_command(session->server.name);
    char *answer = NULL;

    if (!command)
        return fail(
            "--reset-target works with OpenOCD and QEMU; reset the target by hand, and take "
            "one snapshot after each reset");
    enum gdbmi_code code = gdbmi_link_command(session->link, command, &answer);
    free(answer);
    return code == GDBMI_OK ? STATUS_DONE : session_link_failed(session);
}
