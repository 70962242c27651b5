/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program complains of. All of this is a thread's own, so that two may complain at once.
 */
#include <base/say.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output_size.h>
#include <base/text.h>
#include <base/utf8.h>

/* What a server or a file said is part of it: no second line, nothing that a terminal obeys. It is
 * as in tables, but for white space, which was between lines. What has no room is left out. */
static void clean(const char *line, char *to, size_t room)
{
    char buffer[UTF8_SHOWN_MAX];
    size_t used = 0;

    for (struct utf8_char c; *line; line += c.len) {
        c = utf8_next(line);
        const char *shown = strchr("\t\n\v\f\r", *line) ? " " : utf8_shown(c.code, buffer);
        size_t more = shown ? strlen(shown) : c.len;
        if (more >= room - used)
            break;
        memcpy(to + used, shown ? shown : line, more);
        used += more;
    }
    to[used] = '\0';
}

static _Thread_local const char *said_at;

void complain_at(const char *where)
{
    said_at = where;
}

static _Thread_local char last[1024];

static _Thread_local bool complaints_held;
static _Thread_local unsigned complaint_count;

static _Thread_local void (*take_line)(void *context, const char *line);
static _Thread_local void *take_context;

unsigned complaints(void)
{
    return complaint_count;
}

void complain_hold(bool hold)
{
    complaints_held = hold;
}

void complain_to(void (*take)(void *context, const char *line), void *context)
{
    take_line = take;
    take_context = context;
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

/* A terminal would break it within a word; files and pipes have no edge. */
static void print(const char *message)
{
    unsigned width = output_width(STDERR_FILENO);
    struct text t = {.bytes = NULL};

    text_printf(&t, "mprof: %s%s%s", said_at ? said_at : "", said_at ? ": " : "", message);
    width = width ? width : UINT_MAX;
    for (const char *line = t.failed ? message : t.bytes; *line; line = text_next_line(line, width))
        fprintf(stderr, "%.*s\n", (int)text_line_len(line, width), line);
    free(t.bytes);
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
    if (take_line)
        take_line(take_context, whole ? whole : last);
    else if (!complaints_held)
        print(whole ? whole : last);
    free(whole);
}

void complain_more(const char *line)
{
    if (take_line)
        take_line(take_context, line);
    else if (!complaints_held)
        fprintf(stderr, "%s\n", line);
}

const char *complained(void)
{
    return last;
}

void complaint_forget(void)
{
    last[0] = '\0';
}

int fail(const char *text)
{
    complain("%s", text);
    return STATUS_FAILED;
}
