/* SPDX-License-Identifier: 0BSD */
/* Streams whose bytes are written to a record as they go by. */
#include "recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "record_mask.h"

#define NS_PER_US 1000U
#define US_PER_S  1000000U
/* Between two lines; a program that does not use its link reads the clock for nothing else. */
#define TIMES_MAX 4096

struct recorded {
    struct gdbmi_stream base;
    struct recorder *recorder;
    struct gdbmi_stream *inner;
    bool masked;
    struct record_mask mask;
    struct buffer shown; /* what is left of the bytes of a gdb */
    size_t number;
    char address[300];
};

static uint64_t passed_us(const struct recorder *r)
{
    return (clock_system_ns() - r->since_ns) / NS_PER_US;
}

/* A line at a time reaches the file: what comes after a kill is missing, and nothing else. */
static void put(struct recorder *r, const struct buffer *line)
{
    if (r->error != 0)
        return;
    if (line->failed)
        r->error = ENOMEM;
    else if (fwrite(line->data, 1, line->len, r->file) != line->len || fflush(r->file) != 0)
        r->error = errno != 0 ? errno : EIO;
}

/* An ELF file that is named by mistake must not be overwritten. */
static bool is_other_file(const char *path)
{
    char begin[sizeof(RECORD_MAGIC)] = "";
    struct stat info;

    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        return false;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return true;
    size_t len = fread(begin, 1, sizeof(begin) - 1, file);
    fclose(file);
    return len < sizeof(begin) - 1 || memcmp(begin, RECORD_MAGIC, len) != 0;
}

int recorder_open(struct recorder *recorder, const char *path, const struct buffer *head)
{
    if (is_other_file(path))
        return EEXIST;
    FILE *file = fopen(path, "we");

    if (file == NULL)
        return errno;
    *recorder = (struct recorder){.file = file, .since_ns = clock_system_ns()};
    put(recorder, head);
    if (recorder->error != 0)
        fclose(file);
    return recorder->error;
}

static void begin(struct buffer *line, uint64_t us, size_t stream, enum record_kind kind)
{
    char text[64];

    int len = snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64 " %zu %s", us / US_PER_S,
                       us % US_PER_S, stream, record_words[kind]);
    buffer_add(line, text, (size_t)len);
}

uint64_t recorder_now_ns(struct recorder *recorder)
{
    uint64_t us = passed_us(recorder);
    char text[24];

    if (!recorder->inside && recorder->times_count < TIMES_MAX) {
        if (recorder->times_count++ == 0) {
            begin(&recorder->times, us, 0, RECORD_CLOCK);
            recorder->time_us = us;
        }
        int len = snprintf(text, sizeof(text), " %" PRIu64, us - recorder->time_us);
        buffer_add(&recorder->times, text, (size_t)len);
        recorder->time_us = us;
    }
    return recorder->since_ns + us * NS_PER_US;
}

static void write_times(struct recorder *r)
{
    if (r->times_count == 0)
        return;
    buffer_add(&r->times, "\n", 1);
    put(r, &r->times);
    r->times.len = 0;
    r->times_count = 0;
}

static void begin_line(struct recorder *r, size_t stream, enum record_kind kind)
{
    write_times(r);
    r->line.len = 0;
    begin(&r->line, passed_us(r), stream, kind);
}

static void end_line(struct recorder *r)
{
    buffer_add(&r->line, "\n", 1);
    put(r, &r->line);
}

void recorder_write(struct recorder *recorder, size_t stream, enum record_kind kind,
                    const void *bytes, size_t len)
{
    begin_line(recorder, stream, kind);
    if (len > 0)
        buffer_add(&recorder->line, " ", 1);
    record_escape(&recorder->line, bytes, len);
    end_line(recorder);
}

int recorder_end(struct recorder *recorder)
{
    recorder_write(recorder, 0, RECORD_END, "", 0);
    if (fclose(recorder->file) != 0 && recorder->error == 0)
        recorder->error = errno;
    buffer_free(&recorder->line);
    buffer_free(&recorder->times);
    return recorder->error;
}

void recorder_failed(struct recorder *recorder, const char *label, const char *address,
                     const struct gdbmi_error *why)
{
    begin_line(recorder, ++recorder->streams, RECORD_FAILED);
    buffer_add(&recorder->line, " ", 1);
    record_escape(&recorder->line, label, strlen(label));
    buffer_add(&recorder->line, " ", 1);
    record_write_error(&recorder->line, why, address);
    end_line(recorder);
}

static void write_error(struct recorded *s, enum record_kind kind, const struct gdbmi_error *why)
{
    begin_line(s->recorder, s->number, kind);
    buffer_add(&s->recorder->line, " ", 1);
    record_write_error(&s->recorder->line, why, s->address);
    end_line(s->recorder);
}

/* Of a gdb only whole lines are written, when they are whole. */
static void write_received(struct recorded *s, const void *bytes, size_t len)
{
    if (s->masked) {
        s->shown.len = 0;
        record_mask_received(&s->mask, bytes, len, &s->shown);
        bytes = s->shown.data;
        len = s->shown.len;
    }
    if (len > 0)
        recorder_write(s->recorder, s->number, RECORD_RECEIVED, bytes, len);
}

static int recorded_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                         struct gdbmi_error *error)
{
    struct recorded *s = (struct recorded *)base;
    struct gdbmi_error why = {.code = GDBMI_OK};

    s->recorder->inside = true;
    int len = s->inner->ops->read(s->inner, bytes, capacity, timeout_ms, &why);
    s->recorder->inside = false;
    if (len == 0) {
        recorder_write(s->recorder, s->number, RECORD_SILENT, "", 0);
    } else if (len < 0) {
        write_error(s, RECORD_LOST, &why);
        gdbmi_error_take(error, &why);
    } else {
        write_received(s, bytes, (size_t)len);
    }
    return len;
}

static int recorded_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                          struct gdbmi_error *error)
{
    struct recorded *s = (struct recorded *)base;
    struct gdbmi_error why = {.code = GDBMI_OK};

    s->recorder->inside = true;
    int result = s->inner->ops->write(s->inner, bytes, len, timeout_ms, &why);
    s->recorder->inside = false;
    if (len > 0)
        recorder_write(s->recorder, s->number, RECORD_SENT, bytes, len);
    if (s->masked)
        record_mask_sent(&s->mask, bytes, len);
    if (result != 0) {
        write_error(s, RECORD_UNSENT, &why);
        gdbmi_error_take(error, &why);
    }
    return result;
}

static int recorded_descriptor(const struct gdbmi_stream *base)
{
    return gdbmi_stream_descriptor(((const struct recorded *)base)->inner);
}

/* The guardian is dismissed by who closes the outer stream. */
static void recorded_close(struct gdbmi_stream *base)
{
    struct recorded *s = (struct recorded *)base;

    s->inner->guardian = base->guardian;
    s->inner->linger_ms = base->linger_ms;
    s->recorder->inside = true;
    s->inner->ops->close(s->inner);
    s->recorder->inside = false;
    recorder_write(s->recorder, s->number, RECORD_CLOSED, "", 0);
    record_mask_free(&s->mask);
    buffer_free(&s->shown);
    free(s);
}

static const struct gdbmi_stream_ops recorded_ops = {
    .read = recorded_read,
    .write = recorded_write,
    .descriptor = recorded_descriptor,
    .close = recorded_close,
};

struct gdbmi_stream *recorder_wrap(struct recorder *recorder, const char *label,
                                   const char *address, bool masked, struct gdbmi_stream *inner)
{
    struct recorded *made = calloc(1, sizeof(*made));

    if (made == NULL)
        return NULL;
    made->base.ops = &recorded_ops;
    made->base.guardian = inner->guardian;
    made->recorder = recorder;
    made->masked = masked;
    made->inner = inner;
    made->number = ++recorder->streams;
    snprintf(made->address, sizeof(made->address), "%s", address);
    recorder_write(recorder, made->number, RECORD_OPEN, label, strlen(label));
    return &made->base;
}
