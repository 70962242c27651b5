/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds a recording to a trace file: chunks of records. */
#define _DEFAULT_SOURCE /* flock() */

#include <trace/writer.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <trace/reader.h>

#include "records.h"

/* A chunk is written when it has this number of bytes. */
#define CHUNK_SIZE 65536

/* Most bytes of our own chunk that was cut off: one long name may be the last thing in it. */
#define CUT_MAX (2 * CHUNK_SIZE)

struct trace_writer {
    int fd;
    char *path; /* owned */
    struct trace_about about;
    bool made;                 /* there was no file */
    bool empty;                /* it was empty */
    bool begun;                /* the recording is in the file */
    uint64_t whole;            /* where it begins, or where the next chunk does */
    uint64_t begun_at;         /* where the recording begins */
    struct record_bytes file;  /* chunks that are not written yet */
    struct record_bytes chunk; /* the records of the next chunk */
    size_t points, functions;  /* those that are in the file */
    size_t names;
    bool exceptions[TRACE_EXCEPTIONS];
    int64_t ticks[TRACE_CORES];
    int error; /* errno of the first failure */
};

static bool is_good(struct trace_writer *w, bool good)
{
    if (!good && w->error == 0)
        w->error = errno ? errno : EIO;
    return w->error == 0;
}

static bool write_all(struct trace_writer *w)
{
    const uint8_t *at = w->file.bytes;
    size_t left = w->file.len;

    if (w->file.failed || w->chunk.failed)
        errno = ENOMEM;
    bool good = !w->file.failed && !w->chunk.failed;
    while (good && left != 0) {
        ssize_t put = pwrite(w->fd, at, left, (off_t)w->whole);
        if (put < 0 && errno == EINTR)
            continue;
        good = put > 0;
        if (!good)
            break;
        at += put;
        left -= (size_t)put;
        w->whole += (uint64_t)put;
    }
    w->file.len = 0;
    return is_good(w, good);
}

/* Ends the chunk, which gets the kind. */
static void add_chunk(struct trace_writer *w, uint32_t kind)
{
    uint8_t header[RECORDS_CHUNK];

    record_put32(header, kind);
    record_put32(header + 4, (uint32_t)w->chunk.len);
    record_put32(header + 8, record_sum(kind, w->chunk.bytes, w->chunk.len));
    record_add(&w->file, header, sizeof(header));
    record_add(&w->file, w->chunk.bytes, w->chunk.len);
    w->chunk.len = 0;
}

bool trace_writer_flush(struct trace_writer *writer)
{
    if (writer->error != 0)
        return false;
    if (writer->chunk.len != 0)
        add_chunk(writer, RECORDS_EVENTS);
    return write_all(writer);
}

/* Writes what the recording is of, after all that is whole in the file. */
static bool begin(struct trace_writer *w)
{
    uint8_t header[RECORDS_HEADER];

    w->begun = true;
    w->begun_at = w->whole;
    if (!is_good(w, ftruncate(w->fd, (off_t)w->whole) == 0))
        return false;
    record_header(header);
    if (w->empty)
        record_add(&w->file, header, sizeof(header));
    record_number(&w->chunk, (uint64_t)w->about.time_ns);
    record_number(&w->chunk, w->about.addr_size);
    record_number(&w->chunk, w->about.cores);
    record_number(&w->chunk, (w->about.threads ? RECORDS_THREADS : 0) |
                                 (w->about.big_endian ? RECORDS_BIG_ENDIAN : 0));
    record_string(&w->chunk, w->about.build);
    record_string(&w->chunk, w->about.elf);
    add_chunk(w, RECORDS_RUN);
    return write_all(w);
}

/* Adds a record with its length, and frees its contents. */
static void end_record(struct trace_writer *w, enum record_kind kind, struct record_bytes *contents)
{
    record_number(&w->chunk, kind);
    record_number(&w->chunk, contents->len);
    record_add(&w->chunk, contents->bytes, contents->len);
    w->chunk.failed |= contents->failed;
    free(contents->bytes);
}

/* Types up to the last one that has one. always: also if there is none. */
static void add_types(struct record_bytes *r, const uint32_t *types, unsigned count, bool always)
{
    while (count != 0 && types[count - 1] == TRACE_PLAIN)
        count--;
    if (count != 0 || always)
        record_number(r, count);
    for (unsigned i = 0; i < count; i++)
        record_number(r, types[i]);
}

static void add_function(struct trace_writer *w, const struct trace_function *f)
{
    struct record_bytes r = {.bytes = NULL};

    record_number(&r, f->addr);
    record_number(&r, f->line);
    record_string(&r, f->name);
    record_string(&r, f->file);
    record_string(&r, f->parameters);
    bool layout = f->layout[0] != '\0';
    add_types(&r, f->types, TRACE_PARAMETERS, layout);
    if (layout) {
        record_string(&r, f->layout);
        add_types(&r, f->member_types, TRACE_MEMBERS, true);
    }
    end_record(w, RECORD_FUNCTION, &r);
}

/* What it returns, if that is known. */
static void add_result(struct trace_writer *w, const struct trace_function *f)
{
    struct record_bytes r = {.bytes = NULL};

    if (!f->result[0])
        return;
    record_number(&r, RECORD_MORE_RESULT);
    record_number(&r, w->functions);
    record_string(&r, f->result);
    record_number(&r, f->result_type);
    end_record(w, RECORD_MORE, &r);
}

static void add_outside(struct trace_writer *w, const struct trace_function *f)
{
    struct record_bytes r = {.bytes = NULL};

    if (f->outside == 0)
        return;
    record_number(&r, RECORD_MORE_OUTSIDE);
    record_number(&r, w->functions);
    record_signed(&r, f->outside);
    end_record(w, RECORD_MORE, &r);
}

static void add_exception(struct trace_writer *w, const struct trace_points *points,
                          unsigned exception)
{
    const char *name = trace_exception_name(points, exception);
    struct record_bytes r = {.bytes = NULL};

    if (!name || w->exceptions[exception])
        return;
    w->exceptions[exception] = true;
    record_number(&r, exception);
    record_string(&r, name);
    end_record(w, RECORD_EXCEPTION, &r);
}

/* To a reader that does not know it, the point is a mark. */
static void add_sleep(struct trace_writer *w, const struct trace_point *p)
{
    struct record_bytes r = {.bytes = NULL};

    if (p->sleep == TRACE_NO_SLEEP)
        return;
    record_number(&r, RECORD_MORE_SLEEP);
    record_number(&r, p->sleep);
    end_record(w, RECORD_MORE, &r);
}

static void add_point(struct trace_writer *w, const struct trace_point *p)
{
    struct record_bytes r = {.bytes = NULL};

    add_sleep(w, p);
    record_number(&r, p->core);
    record_number(&r, p->exception);
    record_number(&r, p->kind);
    record_number(&r, p->callee);
    record_number(&r, p->caller);
    bool named = p->kind != TRACE_MARK, called = named && p->caller_function != TRACE_NO_FUNCTION;
    record_number(&r, named ? p->function : 0);
    record_number(&r, called ? (uint64_t)p->caller_function + 1 : 0);
    end_record(w, RECORD_POINT, &r);
}

/* Adds the points up to one, and what they refer to. */
static void define(struct trace_writer *w, const struct trace_points *points, uint32_t last)
{
    size_t functions = trace_functions_count(points);

    for (; w->functions < functions; w->functions++) {
        const struct trace_function *f = trace_function_at(points, (uint32_t)w->functions);
        add_function(w, f);
        add_result(w, f);
        add_outside(w, f);
    }
    for (; w->points <= last; w->points++) {
        const struct trace_point *p = trace_point_at(points, (uint32_t)w->points);
        add_exception(w, points, p->exception);
        add_point(w, p);
    }
}

/* Adds what is new since the last call. */
static void add_names(struct trace_writer *w, const struct trace_points *points)
{
    for (size_t count = trace_names_count(points); w->names < count; w->names++) {
        const struct trace_name *name = trace_name_at(points, w->names);
        struct record_bytes r = {.bytes = NULL};
        record_number(&r, RECORD_MORE_NAME);
        record_number(&r, name->type);
        record_number(&r, name->first);
        record_number(&r, name->size);
        record_string(&r, name->text);
        end_record(w, RECORD_MORE, &r);
    }
}

/* To a reader that does not know results, an exit has no words. */
static void add_words(struct trace_writer *w, const struct trace_event *e, bool exit)
{
    struct record_bytes r = {.bytes = NULL};

    record_number(&r, e->has_task);
    if (e->has_task)
        record_number(&r, e->task);
    if (exit)
        record_number(&r, 0);
    if (!exit || e->argument_count != 0)
        record_number(&r, e->argument_count);
    for (unsigned i = 0; i < e->argument_count; i++)
        record_number(&r, e->arguments[i]);
    end_record(w, RECORD_WORDS, &r);
}

static void add_jump(struct trace_writer *w)
{
    struct record_bytes r = {.bytes = NULL};

    record_number(&r, RECORD_MORE_JUMP);
    end_record(w, RECORD_MORE, &r);
}

static void add_call(struct trace_writer *w, const struct trace_points *points,
                     const struct trace_event *e)
{
    if (e->point >= w->points)
        define(w, points, e->point);
    add_names(w, points);
    if (e->has_task || e->argument_count != 0)
        add_words(w, e, trace_point_at(points, e->point)->kind == TRACE_EXIT);
    if (e->jump)
        add_jump(w);
    record_number(&w->chunk, (uint64_t)e->point + RECORD_CALL);
    record_signed(&w->chunk, (int64_t)((uint64_t)e->ticks - (uint64_t)w->ticks[e->core]));
    w->ticks[e->core] = e->ticks;
}

static void add_clock(struct record_bytes *r, const struct trace_event *e)
{
    record_number(r, e->timed);
    record_number(r, e->hz);
    if (e->cost.call > 0 || e->cost.instruction > 0 || e->cost.jump > 0 || e->one_clock) {
        record_number(r, (uint64_t)(e->cost.inside * TRACE_COST_UNIT));
        record_number(r, (uint64_t)(e->cost.call * TRACE_COST_UNIT));
    }
    if (e->one_clock || e->cost.instruction > 0 || e->cost.jump > 0)
        record_number(r, e->one_clock);
    if (e->cost.instruction > 0 || e->cost.jump > 0)
        record_number(r, (uint64_t)(e->cost.instruction * TRACE_COST_UNIT));
    if (e->cost.jump > 0) {
        record_number(r, (uint64_t)(e->cost.jump_from * TRACE_COST_UNIT));
        record_number(r, (uint64_t)(e->cost.jump_to * TRACE_COST_UNIT));
        record_number(r, (uint64_t)(e->cost.jump * TRACE_COST_UNIT));
    }
}

static void add_other(struct trace_writer *w, const struct trace_event *e)
{
    struct record_bytes r = {.bytes = NULL};

    record_number(&r, e->core);
    if (e->kind == TRACE_RESTART) {
        w->ticks[e->core] = 0;
        end_record(w, RECORD_RESTART, &r);
    } else if (e->kind == TRACE_CLOCK) {
        add_clock(&r, e);
        end_record(w, RECORD_CLOCK, &r);
    } else {
        record_number(&r, e->kind);
        record_number(&r, e->count);
        end_record(w, RECORD_LOST, &r);
    }
}

bool trace_writer_put(struct trace_writer *writer, const struct trace_points *points,
                      const struct trace_event *event)
{
    struct trace_writer *w = writer;

    if (w->error != 0 || (!w->begun && !begin(w)))
        return false;
    if (event->kind == TRACE_CALL)
        add_call(w, points, event);
    else
        add_other(w, event);
    return w->chunk.len < CHUNK_SIZE || trace_writer_flush(w);
}

uint64_t trace_writer_bytes(const struct trace_writer *writer)
{
    return writer->begun ? writer->whole - writer->begun_at : 0;
}

/* Why a file that has recordings is refused; *text is unchanged if it is not. */
static bool is_refused(const struct trace_writer *w, const struct trace_reader *r,
                       char text[TRACE_TEXT])
{
    const struct trace_about *have = trace_reader_about(r);
    const struct trace_state state = trace_reader_state(r);

    if (state.failure)
        snprintf(text, TRACE_TEXT, "%s: %s", w->path, state.failure);
    else if (state.damaged != 0 || state.cut > CUT_MAX)
        snprintf(text, TRACE_TEXT, "%s is damaged: record to another file", w->path);
    else if (state.runs != 0 && strcmp(have->build, w->about.build) != 0)
        snprintf(text, TRACE_TEXT,
                 "%s has a trace of another build of %.100s: record to another file", w->path,
                 have->elf);
    else
        return false;
    return true;
}

/* Looks at the recordings that the file has. */
static bool check_file(struct trace_writer *w, char text[TRACE_TEXT])
{
    struct trace_reader *r = trace_reader_open(w->path, text);

    if (!r)
        return false;
    while (trace_reader_skip(r))
        ;
    w->whole = trace_reader_state(r).whole;
    bool good = !is_refused(w, r, text);
    trace_reader_close(r);
    return good;
}

static bool open_file(struct trace_writer *w, char text[TRACE_TEXT])
{
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat about;

    w->fd = open(w->path, flags | O_EXCL, 0666);
    w->made = w->fd >= 0;
    if (!w->made && errno == EEXIST)
        w->fd = open(w->path, flags, 0666);
    if (w->fd < 0 || fstat(w->fd, &about) != 0)
        snprintf(text, TRACE_TEXT, "%s: %s", w->path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        snprintf(text, TRACE_TEXT, "%s: this is not a regular file: record to one", w->path);
    else if (flock(w->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        snprintf(text, TRACE_TEXT, "%s: another mprof records to it", w->path);
    else if (about.st_size != 0)
        return check_file(w, text);
    else
        return w->empty = true;
    return false;
}

static void free_writer(struct trace_writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    free(w->path);
    free(w->file.bytes);
    free(w->chunk.bytes);
    free(w);
}

struct trace_writer *trace_writer_open(const char *path, const struct trace_about *about,
                                       char text[TRACE_TEXT])
{
    struct trace_writer *w = calloc(1, sizeof(*w));

    if (w) {
        w->fd = -1;
        w->about = *about;
        w->path = strdup(path);
    }
    if (!w || !w->path)
        snprintf(text, TRACE_TEXT, "out of memory");
    else if (open_file(w, text))
        return w;
    if (w)
        free_writer(w);
    return NULL;
}

bool trace_writer_close(struct trace_writer *writer, char text[TRACE_TEXT])
{
    struct trace_writer *w = writer;

    if (w->begun && trace_writer_flush(w)) {
        add_chunk(w, RECORDS_END);
        (void)write_all(w);
    }
    if (w->made && !w->begun)
        (void)unlink(w->path);
    bool good = w->error == 0;
    if (!good)
        snprintf(text, TRACE_TEXT, "%s: %s", w->path, strerror(w->error));
    free_writer(w);
    return good;
}
