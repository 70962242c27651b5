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

#include "reference.h"

#define FUNCTIONS 500
#define EVENTS    200000
#define SEEDS     20
#define TOP       10
#define TEXT      0x8000000u

/* Mean length of a burst. */
#define BURST 20

enum order { SHUFFLED, BURSTY, ROUND_ROBIN };

struct stream {
    const char *name;
    enum order order;
    double zipf;
    bool promised; /* else it is shown to know where the tables end */
};

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

struct function {
    uint32_t addr;
    uint32_t size;
    uint32_t hot; /* first byte of the loop in which most of its time goes */
    double weight;
    double due; /* round robin: when it is called next */
    uint32_t truth;
};

struct simulation {
    uint64_t random;
    struct function functions[FUNCTIONS];
    double sums[FUNCTIONS];          /* of the weights up to here */
    struct function *due[FUNCTIONS]; /* a heap: none is due before the first */
};

/* Steele, Lea and Flood's SplitMix64. */
static uint64_t next(struct simulation *s)
{
    uint64_t z = s->random += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double uniform(struct simulation *s)
{
    return (double)(next(s) >> 11) * 0x1p-53;
}

static void shuffle_weights(struct simulation *s)
{
    for (size_t i = FUNCTIONS - 1; i > 0; i--) {
        size_t j = (size_t)(uniform(s) * (double)(i + 1));
        double weight = s->functions[i].weight;
        s->functions[i].weight = s->functions[j].weight;
        s->functions[j].weight = weight;
    }
}

/* Lets the function at that place of the heap sink to where it belongs. */
static void sink(struct simulation *s, size_t at)
{
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= FUNCTIONS)
            return;
        if (child + 1 < FUNCTIONS && s->due[child + 1]->due < s->due[child]->due)
            child++;
        if (s->due[at]->due <= s->due[child]->due)
            return;
        struct function *other = s->due[at];
        s->due[at] = s->due[child];
        s->due[child] = other;
        at = child;
    }
}

static void begin_turns(struct simulation *s)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        s->due[i] = &s->functions[i];
    for (size_t i = FUNCTIONS; i-- > 0;)
        sink(s, i);
}

/* Sizes from 32 bytes to 1 KB, half of them under 180. */
static void begin(struct simulation *s, const struct stream *stream, uint64_t seed)
{
    uint32_t addr = TEXT;
    double sum = 0;

    s->random = seed * 1000003;
    for (size_t i = 0; i < FUNCTIONS; i++)
        s->functions[i].weight = pow((double)(i + 1), -stream->zipf);
    shuffle_weights(s);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        struct function *f = &s->functions[i];
        f->addr = addr;
        f->size = (uint32_t)(32 * exp2(5 * uniform(s))) & ~1u;
        f->hot = (uint32_t)(uniform(s) * f->size) / 2;
        f->due = uniform(s) / f->weight;
        f->truth = 0;
        addr += (f->size + 3) & ~3u;
        s->sums[i] = sum += f->weight;
    }
    begin_turns(s);
}

static struct function *pick(struct simulation *s)
{
    double at = uniform(s) * s->sums[FUNCTIONS - 1];
    size_t low = 0, high = FUNCTIONS - 1;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return &s->functions[low];
}

/* Each function comes after equal times, the more often the heavier it is. */
static struct function *take_turn(struct simulation *s)
{
    struct function *first = s->due[0];

    first->due += 1 / first->weight;
    sink(s, 0);
    return first;
}

static struct function *next_function(struct simulation *s, enum order order,
                                      struct function *current)
{
    if (order == ROUND_ROBIN)
        return take_turn(s);
    if (order == BURSTY && current && uniform(s) > 1.0 / BURST)
        return current;
    return pick(s);
}

/* Four samples of five lie in a loop of an eighth of the function. */
static uint32_t place_in(struct simulation *s, const struct function *f)
{
    bool looping = uniform(s) < 0.8;
    uint32_t start = looping ? f->hot : 0;
    uint32_t size = looping ? f->size / 8 + 16 : f->size;
    uint32_t at = start + (uint32_t)(uniform(s) * size);

    return f->addr + (at < f->size ? at : f->size - 1);
}

static size_t function_at(const struct simulation *s, uint64_t addr)
{
    size_t low = 0, high = FUNCTIONS - 1;

    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (s->functions[middle].addr <= addr)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* A block that spans several functions is divided by bytes, as mprof's rows are. */
static void add_block(const struct simulation *s, uint64_t addr, uint64_t hits, uint32_t grain,
                      double counts[FUNCTIONS])
{
    for (uint64_t at = addr; at < addr + grain; at += 2)
        counts[function_at(s, at)] += (double)hits * 2 / grain;
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

static void read_rows(const struct simulation *s, enum decode_source source,
                      double counts[FUNCTIONS])
{
    struct decoded d;

    decode(&d, source);
    for (size_t i = 0; i < d.header.item_count; i++) {
        struct decode_item item;
        if (decode_item(d.bytes, &d.header, i, &item) == DECODE_ROW_FRESH)
            add_block(s, item.addr, item.hits, d.header.grain, counts);
    }
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
};

static void start(void)
{
    memset(&reference_prof, 0, sizeof(reference_prof));
    mprof_init();
}

static void simulate_calls(struct simulation *s, const struct stream *stream, struct result *sum)
{
    double ours[FUNCTIONS] = {0}, theirs[FUNCTIONS] = {0};
    struct function *f = NULL;

    start();
    for (size_t i = 0; i < EVENTS; i++) {
        f = next_function(s, stream->order, f);
        f->truth++;
        mprof_call(f->addr, 0);
        reference_sample(f->addr);
    }
    read_rows(s, DECODE_CALLS, ours);
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

    start();
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
    read_rows(s, DECODE_TABLE, table);
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
        begin(&s, stream, seed);
        simulate_calls(&s, stream, &sum);
        begin(&s, stream, seed);
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
    return r->calls.recall >= 0.97 && r->calls.error <= 0.03 && r->table.recall >= 0.93 &&
           r->table.error <= 0.22 && r->stream.recall > 1 - 1e-9 && r->stream.error < 1e-9;
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
    if (argc > 1 + check && !write_json(argv[1 + check], results)) {
        perror(argv[1 + check]);
        return 1;
    }
    return check && !kept;
}
