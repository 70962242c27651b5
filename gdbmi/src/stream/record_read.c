/* SPDX-License-Identifier: 0BSD */
/* Reads the lines of a record: first those of its beginning, then one for each event. */
#include "record_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define US_PER_S 1000000U
#define LONGEST  (1U << 30) /* bytes of a file */
#define TIME_MAX (UINT64_MAX / 4096)

struct reader {
    struct record_script *script;
    const char *name;
    size_t line;
    struct gdbmi_error *error;
};

static enum gdbmi_code damaged(struct reader *r)
{
    return gdbmi_error_set(r->error, GDBMI_EPLAY, "%.150s: line %zu is damaged", r->name, r->line);
}

static enum gdbmi_code out_of_memory(struct reader *r)
{
    return gdbmi_error_set(r->error, GDBMI_ENOMEM, "%.150s: out of memory", r->name);
}

/* Room for one more. False: no memory. */
static bool grow(void **array, size_t *room, size_t count, size_t size)
{
    size_t larger = *room > 0 ? 2 * *room : 64;

    if (count < *room)
        return true;
    void *made = larger <= SIZE_MAX / size ? realloc(*array, larger * size) : NULL;
    if (made == NULL)
        return false;
    *array = made;
    *room = larger;
    return true;
}

/* A decimal number, which *at is moved behind; at most digits of them. */
static bool take_number(const char **at, int digits, uint64_t *number)
{
    int count = 0;

    *number = 0;
    for (; **at >= '0' && **at <= '9' && count < digits; ++*at, count++)
        *number = *number * 10 + (uint64_t)(**at - '0');
    return count > 0 && (**at < '0' || **at > '9');
}

/* "12.000345 ": s and µs. */
static bool take_time(const char **at, uint64_t *us)
{
    uint64_t seconds;
    uint64_t part;

    if (!take_number(at, 9, &seconds) || **at != '.')
        return false;
    const char *digits = ++*at;
    if (!take_number(at, 6, &part) || *at - digits != 6 || **at != ' ')
        return false;
    ++*at;
    *us = seconds * US_PER_S + part;
    return true;
}

static bool take_kind(const char **at, enum record_kind *kind)
{
    size_t len = strcspn(*at, " ");

    for (size_t i = 0; i < RECORD_KINDS; i++) {
        if (strlen(record_words[i]) != len || strncmp(record_words[i], *at, len) != 0)
            continue;
        *at += len;
        *kind = (enum record_kind)i;
        return true;
    }
    return false;
}

static enum gdbmi_code take_clock(struct reader *r, const char *at, uint64_t us)
{
    struct record_script *s = r->script;
    uint64_t more;

    while (*at == ' ') {
        at++;
        if (!take_number(&at, 12, &more) || us > TIME_MAX)
            return damaged(r);
        us += more;
        if (!grow((void **)&s->times, &s->time_room, s->time_count, sizeof(*s->times)))
            return out_of_memory(r);
        s->times[s->time_count++] = us;
        s->events[s->count - 1].clock_count++;
    }
    return *at == '\0' ? GDBMI_OK : damaged(r);
}

static enum gdbmi_code add_event(struct reader *r, const struct record_event *event)
{
    struct record_script *s = r->script;

    if (!grow((void **)&s->events, &s->event_room, s->count, sizeof(*s->events)))
        return out_of_memory(r);
    s->events[s->count] = *event;
    s->events[s->count].next = RECORD_NONE;
    s->events[s->count++].clock = s->time_count;
    return GDBMI_OK;
}

/* Connections are numbered in their order, and have no events after their end. */
static enum gdbmi_code join(struct reader *r)
{
    struct record_script *s = r->script;
    size_t number = s->events[s->count - 1].stream;
    enum record_kind kind = s->events[s->count - 1].kind;
    bool begins = kind == RECORD_OPEN || kind == RECORD_FAILED;

    if (begins && number != s->streams + 1)
        return damaged(r);
    if (begins) {
        if (!grow((void **)&s->last, &s->last_room, s->streams, sizeof(*s->last)))
            return out_of_memory(r);
        s->streams++;
    } else {
        if (number == 0 || number > s->streams)
            return damaged(r);
        struct record_event *before = &s->events[s->last[number - 1]];
        if (before->kind == RECORD_FAILED || before->kind == RECORD_CLOSED)
            return damaged(r);
        before->next = s->count - 1;
    }
    s->last[number - 1] = s->count - 1;
    return GDBMI_OK;
}

static enum gdbmi_code take_event(struct reader *r, char *line, size_t len)
{
    struct record_event event = {.line = r->line};
    uint64_t stream;
    const char *at = line;

    if (!take_time(&at, &event.us) || !take_number(&at, 6, &stream) || *at != ' ')
        return damaged(r);
    at++;
    if (!take_kind(&at, &event.kind))
        return damaged(r);
    if (event.kind == RECORD_CLOCK)
        return take_clock(r, at, event.us);
    at += *at == ' ';
    char *text = line + (at - line);
    event.len = len - (size_t)(at - line);
    if (!record_unescape(text, &event.len))
        return damaged(r);
    text[event.len] = '\0';
    event.text = text;
    event.stream = stream;
    if ((event.kind == RECORD_SENT || event.kind == RECORD_RECEIVED) && event.len == 0)
        return damaged(r);
    enum gdbmi_code code = add_event(r, &event);
    bool of_stream = event.kind != RECORD_CHOSEN && event.kind != RECORD_END;
    return code == GDBMI_OK && of_stream ? join(r) : code;
}

/* "link gdb localhost:3333": one member of the options. */
static bool take_option(struct gdbmi_options *o, const char *line)
{
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"gdb ", &o->gdb},
                 {"tcl ", &o->tcl},
                 {"target ", &o->target},
                 {"qmp ", &o->qmp},
                 {"mi ", &o->mi}};
    static const char timeout[] = "timeout ";
    uint64_t ms;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        size_t len = strlen(texts[i].name);
        if (strncmp(line, texts[i].name, len) == 0) {
            *texts[i].text = line + len;
            return line[len] != '\0';
        }
    }
    if (strncmp(line, timeout, strlen(timeout)) == 0) {
        line += strlen(timeout);
        bool good = take_number(&line, 9, &ms) && *line == '\0';
        o->timeout_ms = good ? (int)ms : 0;
        return good;
    }
    o->allow_halt |= strcmp(line, "allow-halt") == 0;
    o->mi_attach |= strcmp(line, "mi-attach") == 0;
    return strcmp(line, "allow-halt") == 0 || strcmp(line, "mi-attach") == 0;
}

/* The first line. */
static enum gdbmi_code take_magic(struct reader *r, const char *line)
{
    const char *at = line + strlen(RECORD_MAGIC);
    uint64_t version;

    if (strncmp(line, RECORD_MAGIC, strlen(RECORD_MAGIC)) != 0 || !take_number(&at, 6, &version) ||
        *at != '\0')
        return gdbmi_error_set(r->error, GDBMI_EPLAY, "%.150s: this is not a record of a link",
                               r->name);
    if (version != RECORD_VERSION)
        return gdbmi_error_set(r->error, GDBMI_EPLAY,
                               "%.150s: the record has version %u of its format, and only version "
                               "%d can be played",
                               r->name, (unsigned)version, RECORD_VERSION);
    /* Before anything happens: an event of its own, for the times that are read then. */
    return add_event(r, &(struct record_event){.kind = RECORD_KINDS, .text = ""});
}

static enum gdbmi_code take_line(struct reader *r, char *line, size_t len)
{
    static const char link[] = "link ";
    static const char program[] = "program ";

    if (strlen(line) != len)
        return damaged(r);
    if (r->line == 1)
        return take_magic(r, line);
    if (line[0] >= '0' && line[0] <= '9')
        return take_event(r, line, len);
    if (strncmp(line, program, strlen(program)) == 0)
        return GDBMI_OK;
    if (strncmp(line, link, strlen(link)) == 0 &&
        take_option(&r->script->options, line + strlen(link)))
        return GDBMI_OK;
    return damaged(r);
}

enum gdbmi_code record_parse(struct record_script *script, char *bytes, size_t len,
                             const char *name, struct gdbmi_error *error)
{
    struct reader r = {.script = script, .name = name, .error = error};
    enum gdbmi_code code = GDBMI_OK;
    char *at = bytes;

    *script = (struct record_script){.text = bytes};
    while (code == GDBMI_OK) {
        char *end = memchr(at, '\n', len - (size_t)(at - bytes));
        if (end == NULL)
            break;
        *end = '\0';
        r.line++;
        code = take_line(&r, at, (size_t)(end - at));
        at = end + 1;
    }
    if (code == GDBMI_OK && r.line == 0)
        code = gdbmi_error_set(error, GDBMI_EPLAY, "%.150s: this is not a record of a link", name);
    if (code == GDBMI_OK && script->count == 1)
        code = gdbmi_error_set(error, GDBMI_EPLAY,
                               "%.150s: the record is cut short: no connection is in it", name);
    if (code != GDBMI_OK)
        record_free(script);
    return code;
}

static enum gdbmi_code unreadable(const char *path, const char *why, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_EPLAY, "%.150s: %s", path, why);
}

static enum gdbmi_code read_all(FILE *file, const char *path, struct record_script *script,
                                struct gdbmi_error *error)
{
    struct stat info;

    if (fstat(fileno(file), &info) != 0)
        return unreadable(path, strerror(errno), error);
    if (!S_ISREG(info.st_mode))
        return unreadable(path, "this is not a file", error);
    if (info.st_size > LONGEST)
        return unreadable(path, "this is not a record of a link: it is too long", error);
    size_t size = (size_t)info.st_size;
    char *bytes = malloc(size + 1);
    if (bytes == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%.150s: out of memory", path);
    size_t len = fread(bytes, 1, size, file);
    if (ferror(file)) {
        free(bytes);
        return unreadable(path, strerror(errno), error);
    }
    return record_parse(script, bytes, len, path, error);
}

enum gdbmi_code record_load(struct record_script *script, const char *path,
                            struct gdbmi_error *error)
{
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return unreadable(path, strerror(errno), error);
    enum gdbmi_code code = read_all(file, path, script, error);
    fclose(file);
    return code;
}

void record_free(struct record_script *script)
{
    free(script->events);
    free(script->times);
    free(script->last);
    free(script->text);
    *script = (struct record_script){.text = NULL};
}
