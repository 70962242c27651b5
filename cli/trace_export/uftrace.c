/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of uftrace: info, task.txt, and for each track its records, memory map and session; one
 * file of symbols. A track is a task of uftrace with its own session, which gives it its name. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/identifier.h>
#include <base/path.h>
#include <base/vec.h>
#include <export/clean.h>
#include <trace/arguments.h>

#include "bytes.h"
#include "formats.h"

#define INFO_VERSION 4
#define INFO_SIZE    40
#define MAX_STACK    1024

/* Bits of its masks. */
#define FEATURE_SESSIONS  (1u << 1)
#define FEATURE_RESULTS   (1u << 4)
#define FEATURE_MAX_STACK (1u << 6)
#define FEATURE_EVENTS    (1u << 7)
#define INFO_EXE_NAME     (1u << 0)
#define INFO_COMMAND      (1u << 3)
#define INFO_TASKS        (1u << 7)
#define INFO_ARGUMENTS    (1u << 10)

/* A record: 64 bits of time; type, magic, depth and address in 64 more; and those of a result. */
enum record { RECORD_ENTRY, RECORD_EXIT, RECORD_LOST, RECORD_EVENT, RECORD_RESULT = 4 };

#define RECORD_MAGIC  5
#define RECORD_DEPTHS 1024
#define RECORD_ADDR   ((UINT64_C(1) << 48) - 1)

/* Numbers of a user's events: a loss, which replay does not show of a record, the marks of sleep,
 * and other marks from there on. */
#define EVENT_LOST   1000000
#define EVENT_ASLEEP 1000001
#define EVENT_AWAKE  1000002
#define EVENT_MARK   1000003

/* Bytes of a program's name. */
#define PROGRAM_TEXT 200

/* Bytes that are written at once. */
#define WRITTEN 65536

/* Marks that have a name. */
#define MARKS_MAX 65536

struct uftrace {
    struct track_bytes tracks;
    bool results;    /* some exit has one */
    uint64_t *marks; /* owned; their ids */
    size_t count, capacity;
};

static bool write_track(struct trace_export *x, size_t track, struct bytes *bytes)
{
    char name[40];

    snprintf(name, sizeof(name), "%zu.dat", track + 1);
    return trace_export_append(x, name, bytes);
}

static bool put(struct trace_export *x, const struct span_track *track, unsigned type, size_t depth,
                uint64_t addr, int64_t ns)
{
    struct uftrace *u = x->state;
    struct bytes *to = track_bytes_at(&u->tracks, track->index);

    if (!to)
        return false;
    bytes_number(to, (uint64_t)ns, 8);
    bytes_number(
        to, (uint64_t)type | RECORD_MAGIC << 3 | (uint64_t)depth << 6 | (addr & RECORD_ADDR) << 16,
        8);
    return !to->failed && (to->count < WRITTEN || write_track(x, track->index, to));
}

static uint64_t addr_of(const struct trace_export *x, uint32_t function)
{
    return x->functions.functions[function].addr;
}

static bool enter(void *context, const struct span *span)
{
    struct trace_export *x = context;

    if (span->depth < RECORD_DEPTHS)
        return put(x, span->track, RECORD_ENTRY, span->depth, addr_of(x, span->function), span->ns);
    x->left.deep++;
    return true;
}

/* How uftrace shows a result, by the letter of its type; NULL: it does not. A function is told by
 * its name, which could be a pattern. */
static const char *result_format(const struct trace_function *f)
{
    static const char letters[] = "iupr";
    static const char *const formats[] = {"i", "u", "x", "f"};
    const char *letter = f->result[0] ? strchr(letters, f->result[0]) : NULL;
    size_t len = 0;

    while (identifier_has(f->name[len]))
        len++;
    return letter && len != 0 && f->name[len] == '\0' ? formats[letter - letters] : NULL;
}

/* The result of a call that has returned, as the function's first one is described. */
static bool find_result(const struct trace_export *x, const struct span *span, uint64_t *value)
{
    const struct trace_function *f = &x->functions.functions[span->function], *own;
    struct trace_argument a;

    if (span->end != SPAN_RETURNED || span->event->argument_count == 0 || !result_format(f))
        return false;
    own = trace_function_at(x->points, trace_point_at(x->points, span->event->point)->function);
    struct trace_arguments walk = trace_arguments_of(x->recording, x->points, own, span->event);
    if (strcmp(own->result, f->result) != 0 || !trace_arguments_next(&walk, &a) || !a.known)
        return false;
    *value = a.value;
    return true;
}

static bool leave(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct uftrace *u = x->state;
    uint64_t value;

    if (span->depth >= RECORD_DEPTHS)
        return true;
    bool has = find_result(x, span, &value);
    if (!put(x, span->track, has ? RECORD_EXIT | RECORD_RESULT : RECORD_EXIT, span->depth,
             addr_of(x, span->function), span->ns))
        return false;
    u->results |= has;
    if (has)
        bytes_number(track_bytes_at(&u->tracks, span->track->index), value, 8);
    return true;
}

static bool mark(void *context, const struct span_track *track, const struct trace_event *event,
                 int64_t ns)
{
    struct trace_export *x = context;
    struct uftrace *u = x->state;
    uint64_t id = trace_point_at(x->points, event->point)->callee;
    size_t i = 0;

    while (i < u->count && u->marks[i] != id)
        i++;
    if (i == MARKS_MAX)
        return true;
    if (i == u->count) {
        if (!VEC_ROOM(u->marks, u->capacity, u->count, 1))
            return false;
        u->marks[u->count++] = id;
    }
    return put(x, track, RECORD_EVENT, 0, EVENT_MARK + i, ns);
}

static bool mark_sleep(void *context, const struct span_sleep *sleep)
{
    return put(context, sleep->track, RECORD_EVENT, 0,
               sleep->what == TRACE_ASLEEP ? EVENT_ASLEEP : EVENT_AWAKE, sleep->ns);
}

static bool other(void *context, const struct trace_event *event, int64_t ns)
{
    struct trace_export *x = context;
    const struct span_track *track = spans_last_track(x->spans, event->core);

    return !track || !trace_export_loss(event) ||
           (put(x, track, RECORD_LOST, 0, event->count, ns) &&
            put(x, track, RECORD_EVENT, 0, EVENT_LOST, ns));
}

/* The program's name, which is also that of its file of symbols: no path, and no longer than a file
 * may be called. */
static void program(const struct trace_export *x, char name[PROGRAM_TEXT])
{
    size_t len = 0;

    for (const char *at = path_base_name(x->recording->elf); *at && len < PROGRAM_TEXT - 1; at++)
        name[len++] = (char)(isalnum((unsigned char)*at) || strchr("._+-", *at) ? *at : '_');
    name[len] = '\0';
    if (len == 0)
        strcpy(name, "target");
}

static int compare_names(const void *a, const void *b)
{
    const struct trace_function *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* What results are, each name once. */
static bool put_results(const struct trace_export *x, FILE *file)
{
    size_t count = x->functions.count;
    const struct trace_function **sorted = malloc((count + 1) * sizeof(const void *));
    bool any = false;

    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = &x->functions.functions[i];
    if (sorted)
        qsort(sorted, count, sizeof(const void *), compare_names);
    fputs("argspec:lines=1\nretspec:", file);
    for (size_t i = 0; sorted && i < count; i++) {
        const struct trace_function *f = sorted[i];
        const char *format = result_format(f);
        if (!format || (i != 0 && strcmp(f->name, sorted[i - 1]->name) == 0))
            continue;
        fprintf(file, "%s%s@retval/%s%d", any ? ";" : "", f->name, format,
                8 * (f->result[1] - '0'));
        any = true;
    }
    putc('\n', file);
    free(sorted);
    return sorted != NULL;
}

static bool put_info(struct trace_export *x)
{
    const struct uftrace *u = x->state;
    size_t tracks = spans_track_count(x->spans);
    struct bytes head = {.count = 0};
    char name[PROGRAM_TEXT];
    FILE *file = trace_export_file(x, "info", "wb");

    if (!file)
        return false;
    bytes_add(&head, "Ftrace!", 8);
    bytes_number(&head, INFO_VERSION, 4);
    bytes_number(&head, INFO_SIZE, 2);
    bytes_number(&head, 1, 1); /* little-endian */
    bytes_number(&head, 2, 1); /* of 64 bits */
    bytes_number(&head,
                 FEATURE_SESSIONS | FEATURE_MAX_STACK | FEATURE_EVENTS |
                     (u->results ? FEATURE_RESULTS : 0),
                 8);
    bytes_number(&head,
                 INFO_EXE_NAME | INFO_COMMAND | INFO_TASKS | (u->results ? INFO_ARGUMENTS : 0), 8);
    bytes_number(&head, MAX_STACK, 2);
    bytes_number(&head, 0, 6);
    (void)!fwrite(head.bytes, 1, head.count, file);
    program(x, name);
    fprintf(file, "exename:%s\ncmdline:mprof export --format uftrace ", name);
    clean_line(file, x->source.title, "");
    fprintf(file, "\ntaskinfo:lines=2\ntaskinfo:nr_tid=%zu\ntaskinfo:tids=", tracks);
    for (size_t i = 0; i < tracks; i++)
        fprintf(file, "%s%zu", i ? "," : "", i + 1);
    putc('\n', file);
    free(head.bytes);
    bool good = !u->results || put_results(x, file);
    return trace_export_close(x, "info", file) && good && !head.failed;
}

/* A task has the name of its session's program. */
static bool put_tasks(struct trace_export *x)
{
    FILE *file = trace_export_file(x, "task.txt", "w");

    if (!file)
        return false;
    for (size_t i = 0; i < spans_track_count(x->spans); i++) {
        fprintf(file, "SESS timestamp=0.000000000 pid=%zu sid=%016zx exename=\"", i + 1, i + 1);
        clean_line(file, spans_track_at(x->spans, i)->name, "\"/");
        fprintf(file, "\"\nTASK timestamp=0.000000000 tid=%zu pid=%zu\n", i + 1, i + 1);
    }
    return trace_export_close(x, "task.txt", file);
}

static bool put_map(struct trace_export *x, size_t track)
{
    char name[60], of[PROGRAM_TEXT];

    program(x, of);
    snprintf(name, sizeof(name), "sid-%016zx.map", track + 1);
    FILE *file = trace_export_file(x, name, "w");
    if (!file)
        return false;
    fprintf(file, "000000000000-7fffff000000 r-xp 00000000 00:00 0 %s\n", of);
    /* By the place of the stack, uftrace knows which addresses are not the kernel's. */
    fputs("7fffff000000-7ffffffff000 rw-p 00000000 00:00 0 [stack]\n", file);
    return trace_export_close(x, name, file);
}

static int compare_addrs(const void *a, const void *b)
{
    const struct trace_function *const *x = a, *const *y = b;

    return (*x)->addr < (*y)->addr ? -1 : (*x)->addr > (*y)->addr;
}

static void put_symbol(const struct trace_export *x, FILE *file, const struct trace_function *f)
{
    char buffer[TRACE_EXPORT_ADDRESS];

    fprintf(file, "%016" PRIx64 " T ", f->addr & RECORD_ADDR);
    clean_line(file, trace_export_name(x, (uint32_t)(f - x->functions.functions), buffer), "");
    putc('\n', file);
}

/* Each symbol goes up to the next one. */
static bool put_symbols(struct trace_export *x)
{
    size_t count = x->functions.count;
    const struct trace_function **sorted = malloc((count + 1) * sizeof(const void *));
    char name[PROGRAM_TEXT + 4];

    program(x, name);
    strcat(name, ".sym");
    FILE *file = sorted ? trace_export_file(x, name, "w") : NULL;
    for (size_t i = 0; file && i < count; i++)
        sorted[i] = &x->functions.functions[i];
    if (file) {
        qsort(sorted, count, sizeof(const void *), compare_addrs);
        fprintf(file, "# symbols: %zu\n", count);
        for (size_t i = 0; i < count; i++)
            put_symbol(x, file, sorted[i]);
        fprintf(file, "%016" PRIx64 " ? __sym_end\n",
                count ? (sorted[count - 1]->addr & RECORD_ADDR) + 2 : 0);
    }
    free(sorted);
    return file && trace_export_close(x, name, file);
}

static bool put_events(struct trace_export *x)
{
    const struct uftrace *u = x->state;
    FILE *file = trace_export_file(x, "events.txt", "w");

    if (!file)
        return false;
    fprintf(file, "EVENT: %d mprof:lost\nEVENT: %d mprof:asleep\nEVENT: %d mprof:awake\n",
            EVENT_LOST, EVENT_ASLEEP, EVENT_AWAKE);
    for (size_t i = 0; i < u->count; i++)
        fprintf(file, "EVENT: %zu mprof:mark_%" PRIu64 "\n", EVENT_MARK + i, u->marks[i]);
    return trace_export_close(x, "events.txt", file);
}

static bool end(struct trace_export *x)
{
    struct uftrace *u = x->state;
    bool good = put_info(x) && put_tasks(x) && put_symbols(x) && put_events(x);

    for (size_t i = 0; i < spans_track_count(x->spans) && good; i++) {
        struct bytes *bytes = track_bytes_at(&u->tracks, i);
        good = bytes && write_track(x, i, bytes) && put_map(x, i);
    }
    return good;
}

static void clean(struct trace_export *x)
{
    struct uftrace *u = x->state;

    track_bytes_free(&u->tracks);
    free(u->marks);
}

const struct trace_export_ops uftrace_trace_ops = {
    .name = "uftrace",
    .state_size = sizeof(struct uftrace),
    .walk = {.enter = enter, .leave = leave, .mark = mark, .sleep = mark_sleep, .other = other},
    .end = end,
    .clean = clean,
};
