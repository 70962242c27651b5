/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of verbs. */
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <view/text.h>

#include "options.h"
#include "signals.h"

/* Of a target that is looked at. */
#define LIVE (OPTION_ELF | OPTION_TARGET | OPTION_SAMPLER)

/* Of a ranking that is printed. */
#define RANKING (OPTION_ROWS | OPTION_FORMAT | OPTION_OUTPUT)

const struct command commands[] = {
    {.name = "top",
     .summary = "live ranking of where the time goes",
     .options = LIVE | RANKING | OPTION_REFRESH | OPTION_SCREEN | OPTION_STORE | OPTION_ANNOTATE,
     .run = command_top},
    {.name = "stat",
     .summary = "tasks, interrupts and idle time, one line a second",
     .options = LIVE | OPTION_FORMAT | OPTION_OUTPUT | OPTION_REFRESH | OPTION_CONTEXT,
     .run = command_stat},
    {.name = "report",
     .summary = "one ranking, of a target, a dump, or files of snapshots",
     .options = LIVE | RANKING | OPTION_TYPE | OPTION_STORE,
     .files = true,
     .operands = "{FILE... | --elf FILE --gdb HOST:PORT}",
     .run = command_report},
    {.name = "annotate",
     .summary = "a function's source lines and instructions with their hits",
     .options = LIVE | OPTION_FORMAT | OPTION_OUTPUT | OPTION_TYPE | OPTION_STORE | OPTION_ANNOTATE,
     .files = true,
     .subject = true,
     .operands = "FUNC {FILE... | --elf FILE --gdb HOST:PORT}",
     .run = command_annotate},
    {.name = "diff",
     .summary = "what changed between two profiles, and what is only noise",
     .options = OPTION_ELF | OPTION_CHANGES | OPTION_FORMAT | OPTION_OUTPUT | OPTION_TYPE |
                OPTION_SIDES | OPTION_GATE | OPTION_STORE,
     .operands = "OLD NEW | --base FILE... --new FILE...",
     .run = command_diff},
    {.name = "snapshot",
     .alias = "record",
     .summary = "a profile into a file: now, or over a time",
     .options = LIVE | OPTION_OUTPUT | OPTION_RECORD | OPTION_STORE,
     .run = command_snapshot},
    {.name = "log",
     .summary = "the snapshots of a folder, or the trend of functions in them",
     .options = OPTION_STORE | OPTION_FORMAT | OPTION_OUTPUT | OPTION_LIMIT,
     .operands = "[FUNCTION]",
     .run = command_log},
    {.name = "export",
     .summary = "files of snapshots in the formats of other tools",
     .options = OPTION_ELF | OPTION_TYPE | OPTION_EXPORT | OPTION_OUTPUT | OPTION_STORE,
     .operands = "--format NAME FILE...",
     .run = command_export},
    {.name = "control",
     .summary = "switch, reset and filter the stub, or say how it stands",
     .options = OPTION_ELF | OPTION_TARGET,
     .operands = "[status | on WHAT... | off WHAT... | reset | ignore WHAT... | phase NUMBER|all]",
     .run = command_control},
    {.name = "shell",
     .summary = "a prompt for these commands, with one connection for all of them",
     .options = LIVE | OPTION_ROWS | OPTION_FORMAT | OPTION_REFRESH | OPTION_SCREEN | OPTION_TYPE |
                OPTION_STORE | OPTION_ANNOTATE | OPTION_SHELL,
     .run = command_shell},
    {.name = NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0 || (c->alias && strcmp(c->alias, name) == 0))
            return c;
    }
    return NULL;
}

/* What a server or a file said is part of it: no second line, nothing that a terminal obeys. It is
 * as in tables, but for white space, which was between lines. What has no room is left out. */
static void clean(const char *line, char *to, size_t room)
{
    char buffer[LAYOUT_SHOWN_MAX];
    size_t used = 0;

    for (const char *from = line; *from;) {
        size_t len = text_char_len(from);
        const char *shown = strchr("\t\n\v\f\r", *from) ? " " : text_shown(from, len, buffer);
        size_t more = shown ? strlen(shown) : len;
        if (more >= room - used)
            break;
        memcpy(to + used, shown ? shown : from, more);
        used += more;
        from += len;
    }
    to[used] = '\0';
}

static const char *said_at;

void complain_at(const char *where)
{
    said_at = where;
}

/* What was said last is the state of the process, as its stderr is. */
static char last[1024];

static bool complaints_held;
static unsigned complaint_count;

unsigned complaints(void)
{
    return complaint_count;
}

void complain_hold(bool hold)
{
    complaints_held = hold;
}

/* What is said of it all; NULL: no memory. What stands for a character has at most four times its
 * bytes. */
__attribute__((format(printf, 1, 0))) static char *format_whole(const char *format, va_list args,
                                                                size_t len)
{
    char *raw = malloc(len + 1), *whole = malloc(4 * len + 1);

    if (raw && whole) {
        vsnprintf(raw, len + 1, format, args);
        clean(raw, whole, 4 * len + 1);
    }
    bool good = raw && whole;
    free(raw);
    if (good)
        return whole;
    free(whole);
    return NULL;
}

void complain(const char *format, ...)
{
    va_list args, again;
    char cut[sizeof(last)];

    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(cut, sizeof(cut), format, args);
    va_end(args);
    clean(cut, last, sizeof(last));
    /* Names in it may be of any length; without memory it is cut. */
    char *whole = len < 0 ? NULL : format_whole(format, again, (size_t)len);
    va_end(again);
    complaint_count++;
    if (!complaints_held)
        fprintf(stderr, "mprof: %s%s%s\n", said_at ? said_at : "", said_at ? ": " : "",
                whole ? whole : last);
    free(whole);
}

const char *complained(void)
{
    return last;
}

int fail(const char *text)
{
    complain("%s", text);
    return STATUS_FAILED;
}

static bool reader_left;

static bool has_reader(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};

    return poll(&p, 1, 0) != 1 || !(p.revents & POLLERR);
}

int output_failed(const char *path, const char *why)
{
    if (!path && !has_reader(STDOUT_FILENO))
        reader_left = true;
    else
        complain("%s could not be written%s%s", path ? path : "the output", why ? ": " : "",
                 why ? why : "");
    return STATUS_FAILED;
}

bool output_is_left(void)
{
    return reader_left;
}

int command_end(int status)
{
    if (reader_left)
        signals_die(SIGPIPE);
    return status;
}
