/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the table of the firmware "churn" over a link, again and again, and judges each row that
 * the decoder accepts: the same stub gets the same events here, so what each stamp stands for is
 * known.
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

/* Stamps that are remembered: those of many rounds. */
#define STAMPS 65536U

/* Rows must be replaced, not only filled. */
#define GENERATIONS_MIN 257

/* A busy machine is no fault. */
#define ANSWER_MS 300000

/* On the core an item has 16 bytes. */
#define TABLE_SIZE (offsetof(struct mprof_prof, items) + MPROF_CNT * sizeof(struct mprof_item32))

/* What the row of each stamp was when it was admitted. */
struct truth {
    uint32_t stamp;
    uint32_t addr;
    uint32_t inherited;
};

struct tally {
    uint64_t rows;      /* in use */
    uint64_t fresh;     /* accepted */
    uint64_t inside;    /* held back: they were being written */
    uint64_t torn;      /* held back: they changed under the read */
    uint64_t torn_lies; /* of them, those that would have been wrong */
    uint64_t wrong;     /* accepted, and wrong */
    uint64_t blank;     /* reads during mprof_init() */
    uint32_t generations;
};

static struct truth truths[STAMPS];
static struct churn churn = CHURN_START;

/* The row of the newest stamp. */
static void remember(uint32_t stamp)
{
    for (size_t i = 0; i < MPROF_CNT; i++) {
        if (s_prof.items[i].stamp == stamp)
            truths[stamp % STAMPS] =
                (struct truth){stamp, (uint32_t)s_prof.items[i].addr, s_prof.items[i].inherited};
    }
}

/* Goes on with the events until the row of that stamp was admitted. */
static void replay(uint32_t stamp)
{
    while ((int32_t)(s_prof.header.generation - stamp) < 0) {
        uint32_t before = s_prof.header.generation;
        churn_event(&churn);
        if (s_prof.header.generation != before)
            remember(s_prof.header.generation);
    }
}

/* A stamp that is far ahead is none: it would be replayed for hours. */
static bool is_true(const struct decode_item *item)
{
    if (item->stamp - s_prof.header.generation < 1U << 30)
        replay(item->stamp);
    const struct truth *truth = &truths[item->stamp % STAMPS];
    return item->stamp == truth->stamp && item->addr == truth->addr &&
           item->inherited == truth->inherited && item->hits > item->inherited;
}

static void judge(const struct decode_item *item, enum decode_row row, struct tally *tally)
{
    bool unused = row == DECODE_ROW_EMPTY && item->addr == 1;

    tally->rows += !unused;
    switch (row) {
    case DECODE_ROW_FRESH:
        tally->fresh++;
        tally->wrong += !is_true(item);
        break;
    case DECODE_ROW_TORN:
        tally->torn++;
        tally->torn_lies += !is_true(item);
        break;
    case DECODE_ROW_EMPTY:
        tally->inside += !unused;
        break;
    }
}

static enum decode_code judge_table(const uint8_t *bytes, struct tally *tally)
{
    struct decode_header header;
    size_t need;
    char text[160];

    enum decode_code code = decode_header(bytes, TABLE_SIZE, &header, &need, text, sizeof(text));
    if (code != DECODE_OK)
        return code;
    for (size_t i = 0; i < header.item_count; i++) {
        struct decode_item item;
        enum decode_row row = decode_item(bytes, &header, i, &item);
        judge(&item, row, tally);
    }
    tally->generations = header.generation;
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

static bool read_all(struct gdbmi_link *link, uint64_t table, uint64_t reads, const char *name,
                     struct tally *tally)
{
    const uint64_t *wanted = find_wanted(tally, name);
    uint8_t bytes[TABLE_SIZE];
    uint64_t done = 0;

    while (done < reads || tally->generations < GENERATIONS_MIN || *wanted == 0) {
        if (gdbmi_link_read(link, table, bytes, sizeof(bytes)) != GDBMI_OK) {
            fprintf(stderr, "torn-reader: %s\n", gdbmi_link_error(link)->text);
            return false;
        }
        if (judge_table(bytes, tally) == DECODE_OK)
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
    bool done =
        read_all(link, strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0), argv[5], &tally);
    done = gdbmi_link_close(link, &error) == GDBMI_OK && done;
    printf("{\"rows\": %" PRIu64 ", \"fresh\": %" PRIu64 ", \"inside\": %" PRIu64
           ", \"torn\": %" PRIu64 ", \"torn_lies\": %" PRIu64 ", \"wrong\": %" PRIu64
           ", \"blank\": %" PRIu64 ", \"generations\": %" PRIu32 "}\n",
           tally.rows, tally.fresh, tally.inside, tally.torn, tally.torn_lies, tally.wrong,
           tally.blank, tally.generations);
    return done ? 0 : 1;
}
