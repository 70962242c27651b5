/* SPDX-License-Identifier: 0BSD */
/* The guardian of a link through a gdb: asks that gdb what the target does, lets it go, and ends
 * the gdb if it is ours. */
#include "mi_guard.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "stream.h"
#include "stream_pty.h"

/* A gdb may still read symbols; the guardian's own life is the limit of it all. */
#define ANSWER_MS 60000
/* For the stop that an interrupt brings; and for that of an interrupt which our process may not
 * have sent, where another one does no harm. */
#define STOP_MS  10000
#define MAYBE_MS 1000
#define EXIT_MS  10000
#define LINE_MAX 4096
/* Above any of our process's, whose answers may still come. */
#define FIRST_TOKEN 900000000U

enum { OURS = 1, HELD_BEFORE = 2, KNOWN = 4, NATIVE = 8, PLAIN_QEMU = 16, LIVE = 32 };

enum target { TARGET_GONE, TARGET_RUNNING, TARGET_STOPPED };

struct mi_guard {
    struct guardian_stream stream;
    const struct guardian_page *page;
    int flags;
    enum guardian_state state;
    struct mi_greeting greeting;
    bool stopped;       /* there was a stop */
    bool stop_is_other; /* that was not of our making */
    unsigned token;
    char line[LINE_MAX]; /* as much of it as fits */
    size_t len;
    char in[1024];
    size_t in_at, in_len;
};

void mi_guard_note(const struct mi_link *link)
{
    struct guardian *guardian = link->port.io.stream->guardian;
    const char *resume = mi_resume_command(link);
    int flags = (link->ours ? OURS : 0) | (link->known ? KNOWN : 0);

    if (link->known && !link->remote)
        flags |= NATIVE;
    if (link->server == MI_SERVER_QEMU && link->breakpoints == 0)
        flags |= PLAIN_QEMU;
    if (link->base.info.live)
        flags |= LIVE;
    guardian_say_variant(guardian, flags);
    guardian_resume_by(guardian, resume, strlen(resume));
}

/* The text behind a name in a record: up to the next quote. */
static void copy_field(const char *line, const char *name, char *text, size_t capacity)
{
    const char *at = strstr(line, name);

    at = at != NULL ? at + strlen(name) : "";
    snprintf(text, capacity, "%.*s", (int)strcspn(at, "\""), at);
}

static void note_stop(struct mi_guard *g)
{
    char reason[32];
    char signal[16];

    copy_field(g->line, "reason=\"", reason, sizeof(reason));
    copy_field(g->line, "signal-name=\"", signal, sizeof(signal));
    g->stopped = true;
    /* One that we hold was stopped before; then we look only at what others did. */
    g->stop_is_other = g->state != GUARDIAN_OPENING &&
                       (g->state != GUARDIAN_HALTING || !mi_is_stop_ours(reason, signal));
}

static void note_line(struct mi_guard *g)
{
    if (strncmp(g->line, "&\"", 2) == 0) {
        size_t len = strlen(g->line);
        bool ends = len > 5 && strcmp(g->line + len - 3, "\\n\"") == 0;
        mi_note_log(&g->greeting, g->line + 2, len - (ends ? 5 : 3));
        if (ends)
            mi_note_log(&g->greeting, "\n", 1);
    } else if (strncmp(g->line, "*running", 8) == 0) {
        g->stopped = g->stop_is_other = false;
    } else if (strncmp(g->line, "*stopped", 8) == 0) {
        note_stop(g);
    }
}

/* Takes bytes up to the end of a line, of which note_line() gets to know; true: line is whole. */
static bool take_byte(struct mi_guard *g, char byte)
{
    if (byte != '\n') {
        if (g->len < sizeof(g->line) - 1 && byte != '\r')
            g->line[g->len++] = byte;
        return false;
    }
    g->line[g->len] = '\0';
    g->len = 0;
    note_line(g);
    return true;
}

/* False: gdb is gone, or the time is over. */
static bool next_line(struct mi_guard *g, uint64_t deadline)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};

    for (;;) {
        while (g->in_at < g->in_len) {
            if (take_byte(g, g->in[g->in_at++]))
                return true;
        }
        int len = stream_read(&g->stream.base, g->in, sizeof(g->in), deadline, &ignored);
        if (len <= 0)
            return false;
        g->in_at = 0;
        g->in_len = (size_t)len;
    }
}

static void await_stop(struct mi_guard *g, int timeout_ms)
{
    uint64_t deadline = clock_deadline(timeout_ms);

    while (!g->stopped && next_line(g, deadline))
        continue;
}

/* The answer is in line then, behind its token; "" none came. What our process had begun to write
 * ends where the command begins. */
static const char *run(struct mi_guard *g, const char *command, size_t len)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    uint64_t deadline = clock_deadline(ANSWER_MS);
    char text[GUARDIAN_RESUME_MAX + 32];
    char token[16];

    size_t token_len = (size_t)snprintf(token, sizeof(token), "%u^", ++g->token);
    int text_len = snprintf(text, sizeof(text), "\n%u%.*s\n", g->token, (int)len, command);
    if (g->stream.base.ops->write(&g->stream.base, text, (size_t)text_len, STOP_MS, &ignored) != 0)
        return "";
    while (next_line(g, deadline)) {
        if (strncmp(g->line, token, token_len) == 0)
            return g->line + token_len;
    }
    return "";
}

static void tell(struct mi_guard *g, const char *command)
{
    (void)run(g, command, strlen(command));
}

static enum target ask(struct mi_guard *g)
{
    static const char command[] = "-thread-info";
    const char *answer = run(g, command, strlen(command));

    if (strncmp(answer, "error", 5) == 0)
        return strstr(answer, "running") != NULL ? TARGET_RUNNING : TARGET_GONE;
    if (strstr(answer, "state=\"running\"") != NULL)
        return TARGET_RUNNING;
    return strstr(answer, "state=\"") != NULL ? TARGET_STOPPED : TARGET_GONE;
}

/* Of a target that is stopped now. */
static bool is_to_run(const struct mi_guard *g)
{
    if (g->state == GUARDIAN_OPENING)
        return (g->flags & HELD_BEFORE) != 0 || mi_was_running(&g->greeting);
    return g->state != GUARDIAN_FREE && !g->stop_is_other;
}

/* As detach_running() in mi_link.c; the command is OpenOCD's, and others refuse it. */
static void detach_to_run(struct mi_guard *g)
{
    if ((g->flags & PLAIN_QEMU) == 0)
        tell(g, "-interpreter-exec console \"monitor resume\"");
    tell(g, "-target-detach");
}

static void leave_running(struct mi_guard *g)
{
    if ((g->flags & LIVE) != 0) {
        tell(g, "-target-detach");
    } else if ((g->flags & PLAIN_QEMU) != 0 && g->state != GUARDIAN_HALTING) {
        tell(g, "-target-disconnect");
    } else {
        g->stopped = false;
        tell(g, "-exec-interrupt");
        await_stop(g, STOP_MS);
        detach_to_run(g);
    }
}

/* A gdb of ours goes. By itself it would let a target of QEMU's run that was halted, and leave one
 * of OpenOCD's halted that ran; with a process of this machine it does the right thing. */
static void end_gdb(struct mi_guard *g, enum target target)
{
    uint64_t deadline;

    if (target == TARGET_RUNNING)
        leave_running(g);
    else if (target == TARGET_STOPPED && is_to_run(g))
        detach_to_run(g);
    else if (target == TARGET_STOPPED)
        tell(g, "-target-disconnect");
    tell(g, "-gdb-exit");
    deadline = clock_deadline(EXIT_MS);
    while (next_line(g, deadline))
        continue;
}

static bool is_native(const struct mi_guard *g)
{
    return (g->flags & KNOWN) != 0 ? (g->flags & NATIVE) != 0
                                   : g->greeting.since_ns == 0 && g->state == GUARDIAN_OPENING;
}

static void let_go(struct mi_guard *g)
{
    const struct guardian_text *resume = &g->page->resumes[atomic_load(&g->page->resume)];
    enum target target = ask(g);

    if (g->state == GUARDIAN_HALTING && target == TARGET_RUNNING) {
        await_stop(g, (g->flags & OURS) != 0 ? MAYBE_MS : STOP_MS);
        target = ask(g);
    }
    if ((g->flags & OURS) != 0)
        end_gdb(g, is_native(g) ? TARGET_GONE : target);
    else if (target == TARGET_STOPPED && is_to_run(g))
        (void)run(g, resume->bytes, resume->len);
}

static void undo(const struct guardian_page *page, const int *fds, size_t count, void *context)
{
    struct mi_guard *g = context;

    g->page = page;
    g->flags |= atomic_load(&page->variant);
    g->state = (enum guardian_state)atomic_load(&page->state);
    guardian_stream_init(&g->stream, fds, count);
    for (size_t i = 0; i < sizeof(page->heard) && page->heard[i] != '\0'; i++)
        (void)take_byte(g, page->heard[i]);
    if ((g->flags & OURS) != 0 || g->state != GUARDIAN_FREE)
        let_go(g);
    if ((g->flags & OURS) == 0)
        pty_take_leave(fds[0]);
    g->stream.base.ops->close(&g->stream.base);
}

struct guardian *mi_guard_start(bool ours, bool held)
{
    struct mi_guard g = {
        .flags = (ours ? OURS : 0) | (ours && held ? HELD_BEFORE : 0),
        .greeting = {.signal = -1},
        .token = FIRST_TOKEN,
    };

    struct guardian *guardian = guardian_start(ours ? GUARDIAN_OPENING : GUARDIAN_FREE, undo, &g);
    guardian_always(guardian);
    return guardian;
}
