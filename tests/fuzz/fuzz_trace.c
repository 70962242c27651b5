/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace file: as it is, or its records in a file whose checksums are right. What is read is
 * printed, added up, and written again to a file with the same events. */
#define _GNU_SOURCE /* memfd_create() */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <table/call_columns.h>
#include <trace/call_filter.h>
#include <trace/reader.h>
#include <trace_view/latency.h>
#include <trace_view/trace_graph.h>
#include <trace_view/trace_lines.h>

#include "records.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* A file in memory. */
struct file {
    int fd;
    char path[40];
};

/* What was read, to be compared. */
struct sum {
    uint64_t events, calls, ticks, counts, words;
    bool worded, marked; /* an event has words; there is a mark */
};

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "this does not hold: %s\n", what);
    abort();
}

static struct file new_file(void)
{
    struct file f = {.fd = memfd_create("trace", MFD_CLOEXEC)};

    must(f.fd >= 0, "there is a file");
    snprintf(f.path, sizeof(f.path), "/proc/self/fd/%d", f.fd);
    return f;
}

static void put(const struct file *f, const void *bytes, size_t len)
{
    must(write(f->fd, bytes, len) == (ssize_t)len, "the file takes it");
}

static void put_chunk(const struct file *f, uint32_t kind, const uint8_t *bytes, size_t len)
{
    uint8_t header[RECORDS_CHUNK];

    record_put32(header, kind);
    record_put32(header + 4, (uint32_t)len);
    record_put32(header + 8, record_sum(kind, bytes, len));
    put(f, header, sizeof(header));
    put(f, bytes, len);
}

/* Chunks of the input: a length, a kind, and the contents. */
static void put_chunks(const struct file *f, const uint8_t *bytes, size_t len)
{
    static const uint32_t kinds[] = {RECORDS_EVENTS, RECORDS_RUN, RECORDS_END,
                                     RECORDS_LETTERS('N', 'E', 'W', ' ')};
    static const uint8_t run[] = {0, 4, 1, 0, 0, 0};
    uint8_t header[RECORDS_HEADER];

    record_header(header);
    put(f, header, sizeof(header));
    put_chunk(f, RECORDS_RUN, run, sizeof(run));
    while (len > 2) {
        size_t part = bytes[0] * 4u < len - 2 ? bytes[0] * 4u : len - 2;
        put_chunk(f, kinds[bytes[1] % 4], bytes + 2, part);
        bytes += 2 + part;
        len -= 2 + part;
    }
}

static void add_words(struct sum *sum, const struct trace_event *e)
{
    sum->worded |= e->has_task && e->argument_count != 0;
    sum->words = sum->words * 31 + e->argument_count;
    sum->words = sum->words * 31 + (e->has_task ? e->task + 1 : 0);
    for (unsigned i = 0; i < e->argument_count; i++)
        sum->words = sum->words * 31 + e->arguments[i];
}

static void add(struct sum *sum, const struct trace_points *points, const struct trace_event *e)
{
    if (e->kind == TRACE_RUN || e->kind == TRACE_DAMAGED || e->kind == TRACE_END)
        return;
    sum->events++;
    sum->calls += e->kind == TRACE_CALL;
    if (e->kind == TRACE_CALL) {
        sum->marked |= trace_point_at(points, e->point)->kind == TRACE_MARK;
        add_words(sum, e);
    }
    sum->ticks = sum->ticks * 31 + (uint64_t)e->ticks + e->core;
    sum->counts = sum->counts * 31 + e->count + e->hz;
}

/* The tables of what was read. */
static void show(struct trace_calls *calls)
{
    size_t count;
    struct trace_call_row *rows = trace_calls_rows(calls, &count);
    const struct view_calls view = {.rows = rows,
                                    .count = count,
                                    .state = trace_calls_state(calls),
                                    .file = "fuzz",
                                    .elf = "",
                                    .build = ""};

    for (int format = FORMAT_TABLE; format <= FORMAT_MARKDOWN; format++)
        free(view_calls(&view, (enum view_format)format, NULL));
    for (size_t i = 0; i < count; i++) {
        must(rows[i].timed <= rows[i].calls, "a call has one duration");
        must(rows[i].timed == 0 || (rows[i].min <= rows[i].max && rows[i].min >= 0),
             "durations are not negative");
    }
    free(rows);
}

static unsigned choose(void *context, const struct trace_function *f)
{
    (void)context;
    return f->addr % 4 == 3 ? 0 : TRACE_CHOSEN | (f->addr % 4 == 1 ? TRACE_TOP : 0u);
}

static int count_shown(void *shown, const struct trace_event *event)
{
    *(uint64_t *)shown += event->kind != TRACE_CLOCK;
    return 0;
}

/* What is let through of a file, and in which numbers. */
static void filter_file(const struct file *f, const struct trace_limits *wanted)
{
    char text[TRACE_TEXT] = "";
    struct trace_reader *r = trace_reader_open(f->path, text);
    uint64_t shown = 0, events = 0;
    struct trace_limits limits = *wanted;
    struct trace_event e;
    int status = 0;

    if (!r)
        return;
    limits.choose = choose;
    limits.put = count_shown;
    limits.context = &shown;
    struct call_filter *filter =
        call_filter_new(&limits, trace_reader_points(r), trace_reader_about(r));
    while (status == 0 && trace_reader_next(r, &e)) {
        status = call_filter_put(filter, &e);
        events++;
    }
    if (status == 0)
        status = call_filter_end(filter);
    must(status <= 0 && status != TRACE_NO_MEMORY, "there is memory");
    must(shown <= events, "no event is shown twice");
    call_filter_free(filter);
    trace_reader_close(r);
}

static void choose_times(void *context, const struct trace_point *p, bool *begins, bool *ends)
{
    (void)context;
    *begins = p->callee % 4 < 2;
    *ends = p->callee % 4 > 0;
}

/* The times of a file. */
static void find_times(const struct file *f, bool calls)
{
    const struct latency_rules rules = {.calls = calls, .choose = choose_times};
    char text[TRACE_TEXT] = "";
    struct trace_reader *r = trace_reader_open(f->path, text);
    uint64_t events = 0;
    struct trace_event e;

    if (!r)
        return;
    struct latency *l = latency_new(&rules, trace_reader_points(r), trace_reader_about(r));
    for (; trace_reader_next(r, &e); events++)
        must(latency_put(l, &e), "there is memory");
    must(latency_end(l) == 0, "times end");
    const struct latency_state s = latency_state(l);
    must(s.durations->count == 0 || (s.worst.first <= s.worst.last && s.worst.last < events &&
                                     s.worst.ticks == s.durations->max),
         "the longest time is one of the file");
    const struct view_latency view = {
        .file = "fuzz", .origin = "fuzz", .elf = "", .build = "", .from = "a", .to = calls ? NULL : "b", .state = s};
    if (s.durations->count != 0) {
        free(view_latency_text(&view));
        free(view_latency_json(&view, "{}\n", 0));
    }
    latency_free(l);
    trace_reader_close(r);
}

/* Reads a file; again: written with the recordings after one another, NULL: not written. */
static struct sum read_file(const struct file *f, const struct file *again)
{
    char text[TRACE_TEXT] = "";
    struct trace_reader *r = trace_reader_open(f->path, text);
    struct trace_event e;
    struct trace_writer *w = NULL;
    struct sum sum = {.events = 0};

    must((r != NULL) != (text[0] != '\0'), "a file that is refused has a text");
    if (!r)
        return sum;
    const struct trace_points *points = trace_reader_points(r);
    FILE *null = fopen("/dev/null", "w");
    struct trace_calls *calls = trace_calls_new();
    struct trace_lines *lines =
        trace_lines_new(null, again ? FORMAT_JSON : FORMAT_TABLE, points, trace_reader_about(r));
    struct trace_graph *graph =
        trace_graph_new(null, again ? FORMAT_JSON : FORMAT_TABLE, points, trace_reader_about(r));
    while (trace_reader_next(r, &e)) {
        must(trace_lines_put(lines, &e) && trace_calls_put(calls, points, &e), "there is memory");
        must(trace_graph_put(graph, &e), "there is memory");
        add(&sum, points, &e);
        if (again && (e.kind == TRACE_RUN || e.kind == TRACE_DAMAGED)) {
            must(!w || trace_writer_close(w, text), "the file can be written");
            const struct trace_about about = {.build = "", .elf = "", .addr_size = 4, .cores = 1};
            w = trace_writer_open(again->path, &about, text);
            must(w != NULL, "a file that was written gets another recording");
        } else if (w && e.kind != TRACE_END)
            must(trace_writer_put(w, points, &e), "the file can be written");
    }
    must(!w || trace_writer_close(w, text), "the file can be written");
    trace_calls_end(calls);
    show(calls);
    const struct trace_state s = trace_reader_state(r);
    must(!s.failure, "the file can be read");
    must(s.whole + s.cut <= (uint64_t)lseek(f->fd, 0, SEEK_END), "no byte counts twice");
    must(trace_graph_flush(graph), "the graph can be written");
    trace_graph_free(graph);
    trace_lines_free(lines);
    trace_calls_free(calls);
    fclose(null);
    trace_reader_close(r);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct file f = new_file(), again = new_file();

    if (len != 0 && bytes[0] % 2 == 0)
        put(&f, bytes + 1, len - 1);
    else if (len != 0)
        put_chunks(&f, bytes + 1, len - 1);
    const struct sum first = read_file(&f, &again);
    must(!getenv("MPROF_SOUND") || (first.calls != 0 && first.worded && first.marked),
         "a sound seed has calls, words and a mark");
    filter_file(&f, &(struct trace_limits){.depth = 2});
    filter_file(&f, &(struct trace_limits){.below = true, .depth = 1, .min_s = 1e-6});
    filter_file(&f, &(struct trace_limits){.min_s = 1e-3});
    find_times(&f, false);
    find_times(&f, true);
    if (first.events != 0) {
        const struct sum second = read_file(&again, NULL);
        must(first.events == second.events && first.calls == second.calls &&
                 first.ticks == second.ticks && first.counts == second.counts &&
                 first.words == second.words && first.marked == second.marked,
             "what was read is written and read again");
    }
    close(f.fd);
    close(again.fd);
    return 0;
}
