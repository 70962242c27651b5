/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the table of the firmware "churn" over a link, again and again, and judges each row that
 * the decoder accepts: the same stub gets the same events here, so what each row was is known.
 *
 *   torn-reader gdb|tcl|qmp ADDRESS TABLE READS [inside|torn|torn_lies]
 *
 * prints one line of JSON. It reads READS times at least, until rows were replaced often, and until
 * a row was held back for the reason that is named. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gdbmi/link.h>
#include <mprof/mprof.h>
#include <profile/decode.h>

#include "churn.h"

/* Rows must be replaced, not only filled. */
#define GENERATIONS_MIN 257

/* A busy machine is no fault. */
#define ANSWER_MS 300000

/* What s_prof takes on the core, whose rows have 12 bytes, up to the heads. */
#define TABLE_AT   144U
#define TABLE_SIZE (TABLE_AT + 12 * (MPROF_CNT + 1) + MPROF_CNT / 2 * 4 + MPROF_CNT * 2)
#define PROF_SIZE  ((TABLE_SIZE + 31) / 32 * 32)

/* The same events here: each row as it is, and as it was before its last event. */
struct state {
    uint32_t addr, hits;
};

struct tally {
    uint64_t rows;        /* in use */
    uint64_t fresh;       /* accepted */
    uint64_t inside;      /* held back: they were being written */
    uint64_t torn;        /* held back: they changed under the read */
    uint64_t torn_lies;   /* of them, those that would have been wrong */
    uint64_t wrong;       /* accepted, and wrong */
    uint64_t blank;       /* reads during mprof_init() */
    uint32_t generations; /* how far it went on since the first read */
};

static struct state now[MPROF_CNT], before[MPROF_CNT];
static struct churn churn = CHURN_START;

/* How it was so few generations before the last read, which the next one may still find: a core
 * that got no time in between. */
#define KEPT_GENERATIONS 8
static struct {
    struct mprof_prof prof;
    struct state now[MPROF_CNT], before[MPROF_CNT];
    struct churn churn;
} kept = {.churn = CHURN_START};

static void keep(void)
{
    kept.prof = s_prof;
    memcpy(kept.now, now, sizeof(now));
    memcpy(kept.before, before, sizeof(before));
    kept.churn = churn;
}

static void go_back(void)
{
    s_prof = kept.prof;
    memcpy(now, kept.now, sizeof(now));
    memcpy(before, kept.before, sizeof(before));
    churn = kept.churn;
}

static struct state state_of(const mprof_row_t *row)
{
    return (struct state){(uint32_t)row->addr, row->hits};
}

static bool same(struct state a, struct state b)
{
    return a.addr == b.addr && a.hits == b.hits;
}

/* One event, and which rows have been as they were read. */
static void replay_event(const struct state *wanted, bool *seen)
{
    churn_event(&churn);
    for (size_t i = 0; i < MPROF_CNT; i++) {
        struct state state = state_of(&s_prof.items[i]);
        if (same(state, now[i]))
            continue;
        before[i] = now[i];
        now[i] = state;
        /* A row that was just taken has its address before its first hit. */
        seen[i] |= same(state, wanted[i]) || same((struct state){state.addr, 0}, wanted[i]);
    }
}

/* Goes on with the events up to the generation that was read after the rows, and one event more.
 * The state that this begins with is not later than the read. */
static void replay(const struct state *wanted, bool *seen, uint32_t last)
{
    go_back();
    for (size_t i = 0; i < MPROF_CNT; i++)
        seen[i] = same(now[i], wanted[i]) || same(before[i], wanted[i]) ||
                  same((struct state){now[i].addr, 0}, wanted[i]);
    for (int32_t left; (left = (int32_t)(last - s_prof.header.generation)) >= 0;) {
        if (left > 0 && left <= KEPT_GENERATIONS)
            keep();
        replay_event(wanted, seen);
    }
}

static void judge(enum decode_row row, bool is_true, struct tally *tally)
{
    tally->rows++;
    switch (row) {
    case DECODE_ROW_FRESH:
        tally->fresh++;
        tally->wrong += !is_true;
        break;
    case DECODE_ROW_TORN:
        tally->torn++;
        tally->torn_lies += !is_true;
        break;
    case DECODE_ROW_EMPTY:
        tally->inside++;
        break;
    }
}

static void judge_rows(const uint8_t *bytes, const struct decode_header *header,
                       struct tally *tally)
{
    struct state wanted[MPROF_CNT] = {{0, 0}};
    enum decode_row rows[MPROF_CNT];
    bool seen[MPROF_CNT];

    for (size_t i = 0; i < header->items_in_use; i++) {
        struct decode_item item;
        rows[i] = decode_item(bytes, header, i, &item);
        wanted[i] = (struct state){(uint32_t)item.addr, item.hits};
    }
    replay(wanted, seen, header->generation_after);
    for (size_t i = 0; i < header->items_in_use; i++)
        judge(rows[i], seen[i], tally);
}

static enum decode_code judge_table(const uint8_t *bytes, uint32_t last, struct tally *tally)
{
    static uint32_t first;
    struct decode_header header;
    size_t need;
    char text[160];

    enum decode_code code = decode_header(bytes, PROF_SIZE, &header, &need, text, sizeof(text));
    if (code != DECODE_OK)
        return code;
    header.generation_after = last;
    if (first == 0)
        first = header.generation;
    judge_rows(bytes, &header, tally);
    tally->generations = last - first;
    return DECODE_OK;
}

/* Never: no such reason. */
static const uint64_t *find_wanted(const struct tally *tally, const char *name)
{
    static const uint64_t never = 0, always = 1;

    if (name == NULL)
        return &always;
    if (strcmp(name, "inside") == 0)
        return &tally->inside;
    if (strcmp(name, "torn") == 0)
        return &tally->torn;
    return strcmp(name, "torn_lies") == 0 ? &tally->torn_lies : &never;
}

static bool read_all(struct gdbmi_link *link, bool halts, uint64_t table, uint64_t reads,
                     const char *name, struct tally *tally)
{
    const uint64_t *wanted = find_wanted(tally, name);
    uint8_t bytes[PROF_SIZE], word[4];
    uint64_t done = 0;

    while (done < reads || tally->generations < GENERATIONS_MIN || *wanted == 0) {
        if (gdbmi_link_read(link, table, bytes, sizeof(bytes)) != GDBMI_OK ||
            gdbmi_link_read(link, table + DECODE_GENERATION_AT, word, sizeof(word)) != GDBMI_OK) {
            fprintf(stderr, "torn-reader: %s\n", gdbmi_link_error(link)->text);
            return false;
        }
        /* A halted core has one generation, but it goes on between the two reads. */
        if (halts)
            memcpy(word, bytes + DECODE_GENERATION_AT, sizeof(word));
        uint32_t last =
            word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 | (uint32_t)word[3] << 24;
        if (judge_table(bytes, last, tally) == DECODE_OK)
            done++;
        else
            tally->blank++;
    }
    return true;
}

static struct gdbmi_options options_of(const char *kind, const char *address)
{
    if (strcmp(kind, "tcl") == 0)
        return (struct gdbmi_options){.tcl = address, .timeout_ms = ANSWER_MS};
    if (strcmp(kind, "qmp") == 0)
        return (struct gdbmi_options){.qmp = address, .timeout_ms = ANSWER_MS};
    return (struct gdbmi_options){.gdb = address, .tcl = "none", .timeout_ms = ANSWER_MS};
}

int main(int argc, char **argv)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    struct tally tally = {.rows = 0};

    if (argc < 5)
        return 2;
    struct gdbmi_options options = options_of(argv[1], argv[2]);
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK) {
        fprintf(stderr, "torn-reader: %s\n", error.text);
        return 1;
    }
    bool done = read_all(link, strcmp(argv[1], "gdb") == 0, strtoull(argv[3], NULL, 0),
                         strtoull(argv[4], NULL, 0), argv[5], &tally);
    done = gdbmi_link_close(link, &error) == GDBMI_OK && done;
    printf("{\"rows\": %" PRIu64 ", \"fresh\": %" PRIu64 ", \"inside\": %" PRIu64
           ", \"torn\": %" PRIu64 ", \"torn_lies\": %" PRIu64 ", \"wrong\": %" PRIu64
           ", \"blank\": %" PRIu64 ", \"generations\": %" PRIu32 "}\n",
           tally.rows, tally.fresh, tally.inside, tally.torn, tally.torn_lies, tally.wrong,
           tally.blank, tally.generations);
    return done ? 0 : 1;
}
