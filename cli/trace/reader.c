/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a trace file chunk by chunk, and finds the next recording after what is damaged. */
#define _POSIX_C_SOURCE 200809L

#include <trace/reader.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/file.h>
#include <base/vec.h>

#include "records.h"

/* The first chunk of a recording is small, so that looking for one takes little. */
#define RUN_MAX     4096
#define SEARCH_SIZE 65536

/* Ticks that no clock reaches: differences of times cannot overflow. */
#define TICKS_MAX ((int64_t)1 << 60)

struct trace_reader {
    int fd;
    uint64_t size;  /* bytes of the file */
    uint64_t at;    /* where the next chunk begins */
    uint64_t begun; /* where the last one does */
    uint8_t *chunk; /* owned; contents of the last one */
    size_t capacity;
    struct record_cursor cursor; /* in it */
    struct trace_points *points; /* owned */
    struct trace_about about;    /* its strings are owned */
    char *build, *elf;
    int64_t ticks[TRACE_CORES];
    bool in_run;
    struct trace_state state;
};

struct chunk_header {
    uint32_t kind, len, sum;
};

static bool is_failed(struct trace_reader *r, bool good)
{
    if (!good)
        r->state.failure = "out of memory";
    return !good;
}

/* Reads len bytes at a place in the file. */
static bool read_at(struct trace_reader *r, uint64_t at, void *bytes, size_t len)
{
    size_t have = 0;

    while (have < len) {
        ssize_t got = pread(r->fd, (uint8_t *)bytes + have, len - have, (off_t)(at + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            r->state.failure = got == 0 ? "it became shorter" : strerror(errno);
            return false;
        }
        have += (size_t)got;
    }
    return true;
}

static bool read_header(struct trace_reader *r, uint64_t at, struct chunk_header *header)
{
    uint8_t bytes[RECORDS_CHUNK];

    if (!read_at(r, at, bytes, sizeof(bytes)))
        return false;
    *header = (struct chunk_header){record_get32(bytes), record_get32(bytes + 4),
                                    record_get32(bytes + 8)};
    return true;
}

enum chunk {
    CHUNK_WHOLE,
    CHUNK_CUT, /* the file ends in it */
    CHUNK_BAD, /* its checksum is wrong, or reading failed */
};

/* Reads the chunk at a place, of at most most bytes. */
static enum chunk read_chunk(struct trace_reader *r, uint64_t at, size_t most,
                             struct chunk_header *header)
{
    uint64_t left = r->size - at;

    if (left < RECORDS_CHUNK)
        return CHUNK_CUT;
    if (!read_header(r, at, header) || header->len > most)
        return CHUNK_BAD;
    if (header->len > left - RECORDS_CHUNK)
        return CHUNK_CUT;
    if (is_failed(r, VEC_ROOM(r->chunk, r->capacity, 0, (size_t)header->len + 1)) ||
        !read_at(r, at + RECORDS_CHUNK, r->chunk, header->len) ||
        record_sum(header->kind, r->chunk, header->len) != header->sum)
        return CHUNK_BAD;
    return CHUNK_WHOLE;
}

/* Returns where the first chunk of a recording is, from a place on; the end: there is none. */
static uint64_t find_run(struct trace_reader *r, uint64_t from)
{
    uint8_t letters[4], *block = malloc(SEARCH_SIZE);
    struct chunk_header header;
    uint64_t found = r->size;

    record_put32(letters, RECORDS_RUN);
    (void)is_failed(r, block != NULL);
    while (found == r->size && !r->state.failure && r->size - from >= RECORDS_CHUNK) {
        size_t len = r->size - from < SEARCH_SIZE ? (size_t)(r->size - from) : SEARCH_SIZE;
        if (!read_at(r, from, block, len))
            break;
        for (size_t i = 0; found == r->size && i + sizeof(letters) <= len; i++) {
            if (memcmp(block + i, letters, sizeof(letters)) == 0 &&
                read_chunk(r, from + i, RUN_MAX, &header) == CHUNK_WHOLE)
                found = from + i;
        }
        from += len - (sizeof(letters) - 1);
    }
    free(block);
    return found;
}

static void end_run(struct trace_reader *r)
{
    r->in_run = false;
    r->cursor = (struct record_cursor){.at = NULL};
}

/* What is at the last chunk cannot be used. Goes on at the next recording. Without one, bytes that
 * are not a whole chunk were cut off. Returns whether there is an event. */
static bool pass_over(struct trace_reader *r, bool may_be_cut, struct trace_event *event)
{
    uint64_t from = r->begun;
    uint64_t next = find_run(r, from + 1 < r->size ? from + 1 : r->size);

    end_run(r);
    r->at = next;
    if (r->state.failure)
        return false;
    if (may_be_cut && next == r->size) {
        r->state.cut = r->size - from;
        return false;
    }
    if (r->state.damaged == 0)
        r->state.damaged_at = from;
    r->state.damaged += next - from;
    *event = (struct trace_event){.kind = TRACE_DAMAGED, .count = next - from};
    return true;
}

static bool begin_run(struct trace_reader *r)
{
    struct record_cursor *c = &r->cursor;

    free(r->build);
    free(r->elf);
    r->about.time_ns = (int64_t)record_take(c);
    r->about.addr_size = (unsigned)record_take_below(c, 9);
    r->about.cores = (unsigned)record_take_below(c, TRACE_CORES + 1);
    r->about.threads = record_take_below(c, 2) != 0;
    r->build = record_take_string(c);
    r->elf = record_take_string(c);
    r->about.build = r->build ? r->build : "";
    r->about.elf = r->elf ? r->elf : "";
    trace_points_clear(r->points);
    memset(r->ticks, 0, sizeof(r->ticks));
    if (c->bad || is_failed(r, r->build && r->elf))
        return false;
    r->in_run = true;
    r->state.runs++;
    r->state.unended++;
    c->at = c->end;
    return true;
}

/* Takes a chunk that is whole. Returns false if its contents are wrong. */
static bool take_chunk(struct trace_reader *r, const struct chunk_header *header,
                       struct trace_event *event)
{
    r->cursor = (struct record_cursor){.at = r->chunk, .end = r->chunk + header->len};
    if (header->kind == RECORDS_RUN) {
        *event = (struct trace_event){.kind = TRACE_RUN};
        return begin_run(r);
    }
    if (header->kind == RECORDS_EVENTS)
        return r->in_run;
    if (header->kind == RECORDS_END && r->in_run) {
        r->state.unended--;
        end_run(r);
    }
    r->cursor.at = r->cursor.end;
    return true;
}

static bool take_function(struct trace_reader *r, struct record_cursor *c)
{
    struct trace_function f = {.addr = record_take(c)};
    uint64_t line = record_take_below(c, UINT32_MAX);
    char *name = record_take_string(c), *file = record_take_string(c);
    size_t before = trace_functions_count(r->points);
    uint32_t index;
    bool done = !c->bad && !is_failed(r, name && file);

    if (done) {
        f.line = (unsigned)line;
        f.name = name;
        f.file = file;
        done = !is_failed(r, trace_add_function(r->points, &f, &index)) && index == before;
    }
    free(name);
    free(file);
    return done;
}

static bool take_exception(struct trace_reader *r, struct record_cursor *c)
{
    unsigned number = (unsigned)record_take_below(c, TRACE_EXCEPTIONS);
    char *name = record_take_string(c);
    bool done = !c->bad && !is_failed(r, name && trace_name_exception(r->points, number, name));

    free(name);
    return done;
}

static bool take_point(struct trace_reader *r, struct record_cursor *c)
{
    uint64_t functions = trace_functions_count(r->points);
    size_t before = trace_points_count(r->points);
    struct trace_point p;
    uint32_t index;
    bool added;

    p.core = (unsigned)record_take_below(c, TRACE_CORES);
    p.exception = (unsigned)record_take_below(c, TRACE_EXCEPTIONS);
    p.exit = record_take_below(c, 2) != 0;
    p.callee = record_take(c);
    p.caller = record_take(c);
    p.function = (uint32_t)record_take_below(c, functions);
    uint64_t caller_function = record_take_below(c, functions + 1);
    p.caller_function = caller_function == 0 ? TRACE_NO_FUNCTION : (uint32_t)(caller_function - 1);
    return !c->bad && !is_failed(r, trace_add_point(r->points, &p, &index, &added)) &&
           index == before;
}

static bool take_lost(struct record_cursor *c, struct trace_event *event)
{
    unsigned core = (unsigned)record_take_below(c, TRACE_CORES);
    uint64_t kind = record_take_below(c, TRACE_FULL + 1), count = record_take(c);

    *event = (struct trace_event){.kind = (enum trace_kind)kind, .core = core, .count = count};
    return !c->bad && kind != TRACE_CALL;
}

static bool take_restart(struct trace_reader *r, struct record_cursor *c, struct trace_event *event)
{
    unsigned core = (unsigned)record_take_below(c, TRACE_CORES);

    *event = (struct trace_event){.kind = TRACE_RESTART, .core = core};
    r->ticks[core] = 0;
    return !c->bad;
}

static bool take_clock(struct record_cursor *c, struct trace_event *event)
{
    unsigned core = (unsigned)record_take_below(c, TRACE_CORES);
    bool timed = record_take_below(c, 2) != 0;
    uint32_t hz = (uint32_t)record_take_below(c, UINT32_MAX);

    *event = (struct trace_event){.kind = TRACE_CLOCK, .core = core, .timed = timed, .hz = hz};
    return !c->bad;
}

/* A record with a length, which may have more than is known of its kind. Sets *has_event. Returns
 * false if it is wrong. */
static bool take_other(struct trace_reader *r, enum record_kind kind, struct trace_event *event,
                       bool *has_event)
{
    uint64_t len = record_take(&r->cursor);
    struct record_cursor c = r->cursor;

    *has_event = kind == RECORD_LOST || kind == RECORD_RESTART || kind == RECORD_CLOCK;
    if (c.bad || len > (size_t)(c.end - c.at))
        return false;
    c.end = c.at + len;
    r->cursor.at = c.end;
    switch (kind) {
    case RECORD_FUNCTION:
        return take_function(r, &c);
    case RECORD_EXCEPTION:
        return take_exception(r, &c);
    case RECORD_POINT:
        return take_point(r, &c);
    case RECORD_LOST:
        return take_lost(&c, event);
    case RECORD_RESTART:
        return take_restart(r, &c, event);
    case RECORD_CLOCK:
        return take_clock(&c, event);
    default:
        return true;
    }
}

static bool take_call(struct trace_reader *r, uint64_t point, struct trace_event *event)
{
    int64_t step = record_take_signed(&r->cursor);

    if (point >= trace_points_count(r->points) || r->cursor.bad)
        return false;
    unsigned core = trace_point_at(r->points, (uint32_t)point)->core;
    if (step < -TICKS_MAX || step > TICKS_MAX)
        return false;
    r->ticks[core] += step;
    if (r->ticks[core] < -TICKS_MAX || r->ticks[core] > TICKS_MAX)
        return false;
    *event = (struct trace_event){
        .kind = TRACE_CALL, .core = core, .point = (uint32_t)point, .ticks = r->ticks[core]};
    return true;
}

/* Reads records until there is an event or the chunk ends. Returns false if they are wrong. */
static bool take_records(struct trace_reader *r, struct trace_event *event, bool *has_event)
{
    while (r->cursor.at < r->cursor.end && !*has_event) {
        uint64_t kind = record_take(&r->cursor);
        if (r->cursor.bad)
            return false;
        if (kind >= RECORD_CALL) {
            *has_event = true;
            return take_call(r, kind - RECORD_CALL, event);
        }
        if (!take_other(r, (enum record_kind)kind, event, has_event))
            return false;
    }
    return true;
}

/* Reads the next chunk. Returns false at the end; else an event may have come. */
static bool next_chunk(struct trace_reader *r, struct trace_event *event, bool *has_event)
{
    struct chunk_header header;

    if (r->at == r->size)
        return false;
    r->begun = r->at;
    enum chunk chunk = read_chunk(r, r->at, RECORDS_CHUNK_MAX, &header);
    if (chunk == CHUNK_WHOLE) {
        r->at += RECORDS_CHUNK + header.len;
        *has_event = header.kind == RECORDS_RUN;
        if (take_chunk(r, &header, event)) {
            r->state.whole = r->at;
            return true;
        }
    }
    *has_event = !r->state.failure && pass_over(r, chunk == CHUNK_CUT, event);
    return *has_event;
}

bool trace_reader_next(struct trace_reader *reader, struct trace_event *event)
{
    struct trace_reader *r = reader;
    bool has_event = false;

    while (!r->state.failure) {
        if (!take_records(r, event, &has_event))
            return !r->state.failure && pass_over(r, false, event);
        if (has_event)
            return true;
        if (!next_chunk(r, event, &has_event))
            return false;
        if (has_event)
            return true;
    }
    return false;
}

bool trace_reader_skip(struct trace_reader *reader)
{
    struct trace_event event;
    bool has_event;

    reader->cursor.at = reader->cursor.end;
    return !reader->state.failure && next_chunk(reader, &event, &has_event);
}

const struct trace_points *trace_reader_points(const struct trace_reader *reader)
{
    return reader->points;
}

const struct trace_about *trace_reader_about(const struct trace_reader *reader)
{
    return &reader->about;
}

struct trace_state trace_reader_state(const struct trace_reader *reader)
{
    return reader->state;
}

bool trace_file_is(const char *path)
{
    uint8_t header[RECORDS_HEADER];
    struct stat about;
    size_t have = 0;
    unsigned major;
    int fd = file_open(path, "a trace", &about, NULL);

    if (fd < 0)
        return false;
    bool is = file_read(fd, header, sizeof(header), &have) && have == sizeof(header) &&
              record_is_header(header, &major);
    close(fd);
    return is;
}

/* Reads the header of the file. */
static bool open_file(struct trace_reader *r, const char *path, char text[TRACE_TEXT])
{
    char why[FILE_WHY_MAX];
    uint8_t header[RECORDS_HEADER];
    struct stat about;
    unsigned major;

    r->fd = file_open(path, "a trace", &about, why);
    if (r->fd < 0) {
        snprintf(text, TRACE_TEXT, "%s: %s", path, why);
        return false;
    }
    r->size = (uint64_t)about.st_size;
    r->at = RECORDS_HEADER;
    r->state.whole = RECORDS_HEADER;
    if (r->size < RECORDS_HEADER || !read_at(r, 0, header, sizeof(header)) ||
        !record_is_header(header, &major))
        snprintf(text, TRACE_TEXT, "%s: this is not a trace: 'mprof trace --record' writes them",
                 path);
    else if (major != RECORDS_MAJOR)
        snprintf(text, TRACE_TEXT,
                 "%s: the file has version %u, this mprof reads version %u: use a later mprof",
                 path, major, RECORDS_MAJOR);
    else
        return true;
    return false;
}

struct trace_reader *trace_reader_open(const char *path, char text[TRACE_TEXT])
{
    struct trace_reader *r = calloc(1, sizeof(*r));

    if (r) {
        r->fd = -1;
        r->about.build = r->about.elf = "";
        r->points = trace_points_new();
    }
    if (!r || !r->points)
        snprintf(text, TRACE_TEXT, "out of memory");
    else if (open_file(r, path, text))
        return r;
    trace_reader_close(r);
    return NULL;
}

void trace_reader_close(struct trace_reader *reader)
{
    if (!reader)
        return;
    if (reader->fd >= 0)
        close(reader->fd);
    trace_points_free(reader->points);
    free(reader->build);
    free(reader->elf);
    free(reader->chunk);
    free(reader);
}
