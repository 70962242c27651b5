/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof shell: where its commands come from, and the connection that they share. */
#define _POSIX_C_SOURCE 200809L

#include <shell/shell.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <options/options.h>

#include "shell_inner.h"

/* A script on its way. */
struct script {
    int fd, wake_fd;
    unsigned long number; /* of the line */
    char bytes[4096];
    size_t at, len;
    char line[SHELL_LINE_MAX + 1];
};

enum script_code {
    SCRIPT_LINE,
    SCRIPT_END,
    SCRIPT_BAD, /* everything is said */
};

/* false: the end, or a failure with errno set, or EINTR: a signal that asks us to end. */
static bool fill(struct script *s)
{
    struct pollfd fds[] = {{.fd = s->fd, .events = POLLIN}, {.fd = s->wake_fd, .events = POLLIN}};

    s->at = s->len = 0;
    for (;;) {
        errno = 0;
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return false;
        if (signals_pending()) {
            errno = EINTR;
            return false;
        }
        if (!(fds[0].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)))
            continue;
        ssize_t got = read(s->fd, s->bytes, sizeof(s->bytes));
        if (got < 0 && errno == EINTR)
            continue;
        s->len = got > 0 ? (size_t)got : 0;
        return got > 0;
    }
}

static enum script_code bad(const char *why)
{
    complain("%s", why);
    return SCRIPT_BAD;
}

/* The next line, without its end. */
static enum script_code next_line(struct script *s, char where[32])
{
    size_t len = 0;
    bool any = false;

    snprintf(where, 32, "line %lu", ++s->number);
    for (;;) {
        if (s->at == s->len && !fill(s)) {
            if (errno)
                return bad(errno == EINTR ? "interrupted" : strerror(errno));
            s->line[len] = '\0';
            return any ? SCRIPT_LINE : SCRIPT_END;
        }
        char c = s->bytes[s->at++];
        any = true;
        if (c == '\0')
            return bad("a zero byte: not text");
        if (c == '\n')
            break;
        if (len == SHELL_LINE_MAX)
            return bad("longer than 65536 bytes");
        s->line[len++] = c;
    }
    s->line[len] = '\0';
    return SCRIPT_LINE;
}

/* Whether a script goes on behind a line of that status. */
static bool goes_on(int status, bool keep_going)
{
    if (status == SHELL_QUIT || status > SHELL_SIGNAL || output_is_left())
        return false;
    return status == STATUS_DONE || keep_going;
}

/* The status of the whole. */
static int result_of(int status)
{
    int failure = shell_first_failure();

    if (status > SHELL_SIGNAL)
        return status;
    if (failure != STATUS_DONE)
        return failure;
    return status == SHELL_QUIT ? STATUS_DONE : status;
}

static int run_stdin(const struct options *o, int wake_fd)
{
    static struct script script; /* too large for a stack */
    enum script_code code;
    char where[32] = "";
    int status = STATUS_DONE;

    script = (struct script){.fd = STDIN_FILENO, .wake_fd = wake_fd};
    complain_at(where);
    while ((code = next_line(&script, where)) == SCRIPT_LINE) {
        status = shell_run(script.line, NULL, NULL);
        if (!goes_on(status, o->keep_going))
            break;
    }
    complain_at(NULL);
    status = result_of(status);
    if (code != SCRIPT_BAD || status != STATUS_DONE)
        return status;
    return signals_pending() ? SHELL_SIGNAL + signals_pending() : STATUS_USAGE;
}

static int run_text(const struct options *o)
{
    bool several = strchr(o->script, '\n') != NULL;
    unsigned long number = 0;
    int status = STATUS_DONE;
    char where[32] = "";
    char *copy = strdup(o->script);

    if (!copy)
        return fail("out of memory");
    for (char *line = copy, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        snprintf(where, sizeof(where), "line %lu", ++number);
        complain_at(several ? where : NULL);
        status = shell_run(line, NULL, NULL);
        if (!goes_on(status, o->keep_going))
            break;
    }
    complain_at(NULL);
    free(copy);
    return result_of(status);
}

static int run(const struct options *o, int wake_fd)
{
    bool person = !o->script && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

    (void)shell_keep_going(o->keep_going);
    (void)shell_first_failure();
    if (o->script)
        return run_text(o);
    return person ? console_run(wake_fd) : run_stdin(o, wake_fd);
}

int command_shell(const struct command *self, int argc, char **argv)
{
    struct session kept = {.idle = true};
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    int wake_fd = signals_begin();
    if (wake_fd < 0)
        return STATUS_FAILED;
    (void)session_keep(&kept);
    status = run(&options, wake_fd);
    (void)session_keep(NULL);
    signals_hold(true);
    int closed = session_close(&kept);
    signals_hold(false);
    if (status > SHELL_SIGNAL) {
        signals_die(status - SHELL_SIGNAL);
        return STATUS_FAILED;
    }
    return status == STATUS_DONE ? closed : status;
}
