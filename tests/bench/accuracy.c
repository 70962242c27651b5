/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How true the stub's tables are: simulated streams of events with known counts, the stub itself,
 * built natively, and the articles' table beside it. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mprof/mprof.h>
#include <profile/decode.h>
#include <ranking/rows.h>

#include "accuracy_stream.h"
#include "reference.h"

#define EVENTS 200000
#define SEEDS  20
#define TOP    10

static const struct stream streams[] = {
    {"Zipf 0.8", SHUFFLED, 0.8, true},
    {"Zipf 1.0", SHUFFLED, 1.0, true},
    {"Zipf 1.2", SHUFFLED, 1.2, true},
    {"Zipf 1.5", SHUFFLED, 1.5, true},
    {"bursty, Zipf 0.8", BURSTY, 0.8, false},
    {"bursty, Zipf 1.0", BURSTY, 1.0, true},
    {"round robin, 0.8", ROUND_ROBIN, 0.8, true},
    {"round robin, 1.0", ROUND_ROBIN, 1.0, true},
};

#define STREAMS (sizeof(streams) / sizeof(streams[0]))

/* A block that spans several functions is divided by bytes, as mprof's rows are. */
static void add_block(const struct simulation *s, uint64_t addr, uint64_t hits, uint32_t block_size,
                      double counts[FUNCTIONS])
{
    for (uint64_t at = addr; at < addr + block_size; at += 2)
        counts[function_at(s, at)] += (double)hits * 2 / block_size;
}

static double top_limit(const double counts[FUNCTIONS])
{
    double sorted[FUNCTIONS];

    memcpy(sorted, counts, sizeof(sorted));
    for (size_t i = 0; i < TOP; i++) {
        for (size_t j = i + 1; j < FUNCTIONS; j++) {
            if (sorted[j] > sorted[i]) {
                double other = sorted[i];
                sorted[i] = sorted[j];
                sorted[j] = other;
            }
        }
    }
    return sorted[TOP - 1];
}

struct quality {
    double recall, error; /* of the true top ten; mean relative error of their counts */
};

static void judge(const struct simulation *s, const double counts[FUNCTIONS], struct quality *sum)
{
    double truth[FUNCTIONS], found = 0, error = 0;

    for (size_t i = 0; i < FUNCTIONS; i++)
        truth[i] = s->functions[i].truth;
    double true_limit = top_limit(truth), limit = top_limit(counts);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (truth[i] < true_limit)
            continue;
        found += counts[i] > 0 && counts[i] >= limit;
        error += fabs(counts[i] - truth[i]) / truth[i];
    }
    double top = 0;
    for (size_t i = 0; i < FUNCTIONS; i++)
        top += truth[i] >= true_limit;
    sum->recall += found / top / SEEDS;
    sum->error += error / top / SEEDS;
}

/* Of rows of samples: those whose bounds hold the true count, those whose interval holds the share
 * that the stream was made with, and how wide it is, beside that of an exact count. */
struct honesty {
    size_t rows, bounded, large, covered;
    double width, exact_width;
};

/* Rows of a share above this are counted. */
#define LARGE 0.005

struct decoded {
    struct decode_header header;
    const uint8_t *bytes;
};

static void decode(struct decoded *d, enum decode_source source)
{
    char text[200];
    size_t need;

    d->bytes = (const uint8_t *)&s_prof;
    if (decode_header(d->bytes, sizeof(s_prof), &d->header, &need, text, sizeof(text)) !=
            DECODE_OK ||
        !decode_select(d->bytes, &d->header, source)) {
        fprintf(stderr, "accuracy: s_prof cannot be read\n");
        exit(1);
    }
}

/* The simulated functions as a source of names, ordered by address. */
static struct symtab_function known[FUNCTIONS];

static int order_functions(const void *a, const void *b)
{
    const struct symtab_function *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

static const struct symtab_function *all_functions(void *context, size_t *count)
{
    (void)context;
    *count = FUNCTIONS;
    return known;
}

static const struct symtab_function *find_known(void *context, uint64_t addr)
{
    size_t low = 0, high = FUNCTIONS;

    (void)context;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (known[middle].addr + known[middle].size <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low < FUNCTIONS && known[low].addr <= addr ? &known[low] : NULL;
}

static void know(const struct simulation *s)
{
    static char names[FUNCTIONS][8];

    for (size_t i = 0; i < FUNCTIONS; i++) {
        snprintf(names[i], sizeof(names[i]), "f%zu", i);
        known[i] = (struct symtab_function){
            .addr = s->functions[i].addr, .size = s->functions[i].size, .name = names[i]};
    }
    qsort(known, FUNCTIONS, sizeof(known[0]), order_functions);
}

static void judge_interval(const struct simulation *s, const struct function *f,
                           const struct view_row *row, struct honesty *h)
{
    double made = f->weight / s->sums[FUNCTIONS - 1];
    const struct stats_share exact = stats_wilson(f->truth, EVENTS);

    h->rows++;
    h->bounded +=
        f->truth >= row->least + row->unseen.least && f->truth <= row->most + row->unseen.most;
    if (made < LARGE)
        return;
    h->large++;
    h->covered += made >= row->share.low && made <= row->share.high;
    h->width += row->share.high - row->share.low;
    h->exact_width += exact.high - exact.low;
}

/* What the program shows: hits, and what is likely of those that no row has. */
static void read_rows(const struct simulation *s, enum decode_source source,
                      double counts[FUNCTIONS], struct honesty *honesty)
{
    const struct symbol_naming names = {.find = find_known, .functions = all_functions};
    struct profile profile;
    struct view_rows rows;
    struct decoded d;

    know(s);
    decode(&d, source);
    const struct profile_object object = {.bytes = d.bytes, .header = &d.header};
    profile_init(&profile);
    if (!profile_update(&profile, &object, 1, 1) ||
        !view_rows_build_named(&profile, &names, VIEW_BY_FUNCTION, NULL, &rows))
        exit(1);
    for (size_t i = 0; i < rows.count; i++) {
        const struct view_row *row = &rows.rows[i];
        if (!row->function)
            continue;
        const struct function *f = &s->functions[atoi(row->function + 1)];
        counts[f - s->functions] += (double)row->hits + row->unseen.likely;
        judge_interval(s, f, row, honesty);
    }
    view_rows_free(&rows);
    profile_free(&profile);
}

static void read_reference(const struct simulation *s, double counts[FUNCTIONS])
{
    for (size_t i = 0; i < REFERENCE_CNT; i++) {
        if (reference_prof.items[i].hit_cnt != 0)
            add_block(s, reference_prof.items[i].base_addr, reference_prof.items[i].hit_cnt, 16,
                      counts);
    }
}

/* What a host does that polls often enough. */
static void drain(const struct simulation *s, uint32_t *tail, double counts[FUNCTIONS])
{
    struct decoded d;
    struct decode_sample sample;

    decode(&d, DECODE_STREAM);
    uint32_t head = decode_stream_head(d.bytes, &d.header);
    for (; *tail != head; *tail = decode_stream_next(*tail, 1)) {
        if (decode_stream_record(d.bytes, &d.header, *tail, &sample) == DECODE_RECORD_WHOLE)
            counts[function_at(s, sample.pc)]++;
    }
}

struct result {
    struct quality calls, table, stream, reference_calls, reference_table;
    struct honesty of_calls, of_table;
};

static void start_tables(void)
{
    memset(&reference_prof, 0, sizeof(reference_prof));
    mprof_init();
    MPROF_PROF->header.flags |= MPROF_FLAG_JITTERED; /* of the stream that is fed */
}

static void simulate_calls(struct simulation *s, const struct stream *stream, struct result *sum)
{
    double ours[FUNCTIONS] = {0}, theirs[FUNCTIONS] = {0};
    struct function *f = NULL;

    start_tables();
    for (size_t i = 0; i < EVENTS; i++) {
        f = next_function(s, stream->order, f);
        f->truth++;
        mprof_call(f->addr, 0);
        reference_sample(f->addr);
    }
    read_rows(s, DECODE_CALLS, ours, &sum->of_calls);
    for (size_t i = 0; i < REFERENCE_CNT; i++)
        theirs[function_at(s, reference_prof.items[i].base_addr + 15)] +=
            reference_prof.items[i].hit_cnt;
    judge(s, ours, &sum->calls);
    judge(s, theirs, &sum->reference_calls);
}

static void simulate_samples(struct simulation *s, const struct stream *stream, struct result *sum)
{
    double table[FUNCTIONS] = {0}, raw[FUNCTIONS] = {0}, theirs[FUNCTIONS] = {0};
    struct function *f = NULL;
    struct decoded d;

    start_tables();
    decode(&d, DECODE_STREAM);
    uint32_t tail = decode_stream_head(d.bytes, &d.header);
    for (size_t i = 0; i < EVENTS; i++) {
        f = next_function(s, stream->order, f);
        f->truth++;
        uint32_t pc = place_in(s, f);
        mprof_sample(pc);
        reference_sample(pc);
        if (i % (MPROF_STREAM_CNT / 2) == 0)
            drain(s, &tail, raw);
    }
    drain(s, &tail, raw);
    read_rows(s, DECODE_TABLE, table, &sum->of_table);
    read_reference(s, theirs);
    judge(s, table, &sum->table);
    judge(s, raw, &sum->stream);
    judge(s, theirs, &sum->reference_table);
}

static struct result simulate(const struct stream *stream)
{
    static struct simulation s;
    struct result sum = {.calls = {0}};

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        start_simulation(&s, stream, seed);
        simulate_calls(&s, stream, &sum);
        start_simulation(&s, stream, seed);
        simulate_samples(&s, stream, &sum);
    }
    return sum;
}

static void write_rows(FILE *file, const char *feeder, const struct stream *stream,
                       const struct quality *ours, const struct quality *reference, bool last)
{
    fprintf(file,
            "{\"name\": \"%s, %s, recall\", \"value\": %.4f, \"unit\": \"of the top ten\", "
            "\"reference\": \"articles' table\", \"reference_value\": %.4f, \"ratio\": null},\n"
            "{\"name\": \"%s, %s, error\", \"value\": %.4f, \"unit\": \"relative\", "
            "\"reference\": \"articles' table\", \"reference_value\": %.4f, \"ratio\": null}%s\n",
            feeder, stream->name, ours->recall, reference->recall, feeder, stream->name,
            ours->error, reference->error, last ? "" : ",");
}

static bool write_json(const char *path, const struct result results[STREAMS])
{
    FILE *file = fopen(path, "w");

    if (!file)
        return false;
    fputs("[\n", file);
    for (size_t i = 0; i < STREAMS; i++) {
        const struct result *r = &results[i];
        write_rows(file, "calls", &streams[i], &r->calls, &r->reference_calls, false);
        write_rows(file, "table", &streams[i], &r->table, &r->reference_table, false);
        write_rows(file, "stream", &streams[i], &r->stream, &r->reference_table, i + 1 == STREAMS);
    }
    fputs("]\n", file);
    return fclose(file) == 0;
}

/* What the stub promises (in the mean over the seeds); sums of fractions are not exact. */
static bool holds(const struct result *r)
{
    return r->calls.recall >= 0.93 && r->calls.error <= 0.04 && r->table.recall >= 0.94 &&
           r->table.error <= 0.11 && r->stream.recall > 1 - 1e-9 && r->stream.error < 1e-9;
}

static void print(const struct stream *stream, const struct result *r)
{
    printf("%-18s %6.3f %6.3f (%5.2f %5.2f)   %6.3f %6.3f (%5.2f %5.2f)   %6.3f %6.3f%s\n",
           stream->name, r->calls.recall, r->calls.error, r->reference_calls.recall,
           r->reference_calls.error, r->table.recall, r->table.error, r->reference_table.recall,
           r->reference_table.error, r->stream.recall, r->stream.error,
           holds(r)           ? ""
           : stream->promised ? "   BELOW THE PROMISE"
                              : "   (not promised)");
}

static void print_honesty(const struct stream *stream, const struct result *r)
{
    const struct honesty *calls = &r->of_calls, *table = &r->of_table;

    printf("%-18s %7zu of %-7zu %7zu of %-7zu   %7zu of %-7zu   %6.3f (%.3f)\n", stream->name,
           calls->bounded, calls->rows, table->bounded, table->rows, table->covered, table->large,
           100 * table->width / (double)table->large,
           100 * table->exact_width / (double)table->large);
}

/* Bounds hold always. An interval holds the share in 95 % of cases or more, where samples do not
 * depend on each other; four standard errors below are no chance. */
static bool is_honest(const struct stream *stream, const struct result *r)
{
    const struct honesty *table = &r->of_table;
    double n = (double)table->large;

    return r->of_calls.bounded == r->of_calls.rows && table->bounded == table->rows &&
           (stream->order != SHUFFLED ||
            (double)table->covered >= 0.95 * n - 4 * sqrt(0.95 * 0.05 * n));
}

/* accuracy [--check] [JSON] */
int main(int argc, char **argv)
{
    struct result results[STREAMS];
    bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
    bool kept = true;

    printf("recall of the true top %d of %d functions, and mean relative error of their counts;\n"
           "%d events, mean of %d seeds; in brackets the articles' table of %d items\n\n",
           TOP, FUNCTIONS, EVENTS, SEEDS, REFERENCE_CNT);
    printf("%-18s %-29s   %-29s   %s\n", "", "calls, 64 items", "samples, 256 items", "stream");
    for (size_t i = 0; i < STREAMS; i++) {
        results[i] = simulate(&streams[i]);
        print(&streams[i], &results[i]);
        kept = kept && (holds(&results[i]) || !streams[i].promised);
    }
    printf(
        "\nrows whose true count is between what they have and what they may have; samples of more "
        "than %g %%\nwhose interval holds the share that the stream was made with, its width in "
        "percentage points, and\nthat of an exact count\n\n%-18s %-18s %-20s %-20s %s\n",
        100 * LARGE, "", "calls", "samples", "intervals", "width");
    for (size_t i = 0; i < STREAMS; i++) {
        print_honesty(&streams[i], &results[i]);
        kept = kept && is_honest(&streams[i], &results[i]);
    }
    if (argc > 1 + check && !write_json(argv[1 + check], results)) {
        perror(argv[1 + check]);
        return 1;
    }
    return check && !kept;
}
