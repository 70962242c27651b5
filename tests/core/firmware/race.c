/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event that comes at every instruction of another one, and what the table looks like then. */
#include <stdbool.h>

#include <mprof/mprof.h>

#include "alarm.h"
#include "race_kind.h"
#include "race_table.h"
#include "semihost.h"
#include "work.h"

#define EVENTS_COUNT 6 /* four that fill a set, and two more */

/* Behind the longest path, with the call and the inner event's entry. */
#define DELAY_MAX (ALARM_STEP * 260U)

/* What the interrupted call does when nothing comes between, and with what rows in its set. */
enum outer { HIT_FIRST, HIT_LAST, INSERT, REPLACE, DROP, OUTER_COUNT };

/* What comes between: the same address, another one that has a row, one that gets a row if it can,
 * one that does not; the row to be replaced and then the same address; the host's request
 * to clear all, and the same address. */
enum inner { SAME, PRESENT, NEW, REFUSED, TWO, RESET, INNER_COUNT };

static const char *const outer_names[OUTER_COUNT] = {"hit-first", "hit-last", "insert", "replace",
                                                     "drop"};
static const char *const inner_names[INNER_COUNT] = {"same",    "present", "new",
                                                     "refused", "two",     "reset"};

struct result {
    uint32_t trials;
    uint32_t lost;       /* trials after which hits and dropped are not the events */
    uint32_t invalid;    /* trials that left a row nobody wrote, or a stamp out of range */
    uint32_t duplicates; /* trials that left two rows of one address */
    uint32_t dropped;    /* events */
    uint32_t waited;     /* resets that were left to the next event */
};

#define LANDED_MAX 256U

static uint32_t events[EVENTS_COUNT][2]; /* in one set: four that fill it, and two more */
static struct {
    uint32_t event;
    enum outer outer;
    enum inner inner;
    volatile bool done;
} tick;
static uint32_t presented[EVENTS_COUNT];
static uint32_t landed[LANDED_MAX];
static uint32_t landed_count;

KEEP_APART void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART void mark_end(void)
{
    __asm__ volatile("");
}

static void note_landing(uintptr_t pc)
{
    uint32_t i = 0;

    while (i < landed_count && landed[i] != pc)
        i++;
    if (i == landed_count && landed_count < LANDED_MAX)
        landed[landed_count++] = (uint32_t)pc;
}

/* An event goes through here, so that it is known how many there were. */
static void sample(uint32_t event)
{
    presented[event]++;
    present(events[event]);
}

/* What the host does, and what it takes back when it sees the answer. */
static void ask_for_reset(void)
{
    s_prof.header.reset_request++;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
}

static void inner_event(void)
{
    race_admit(tick.inner == NEW);
    switch (tick.inner) {
    case RESET:
        ask_for_reset();
        sample(tick.event);
        break;
    case SAME:
        sample(tick.event);
        break;
    case PRESENT:
        sample(1);
        break;
    case TWO:
        sample(0);
        race_admit(1);
        sample(tick.event);
        break;
    default:
        sample(5);
        break;
    }
    race_admit(tick.outer == REPLACE);
}

void on_alarm(uintptr_t pc)
{
    note_landing(pc);
    inner_event();
    tick.done = true;
}

/* Rows for the outer event: two of the set for an insertion, else all four, with two hits each.
 * Returns the number of events. */
static uint32_t prepare(enum outer outer)
{
    uint32_t rows = outer == INSERT ? 2 : 4;
    uint32_t count = 0;

    mprof_init();
    for (uint32_t i = 0; i < EVENTS_COUNT; i++)
        presented[i] = 0;
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t hits = 0; hits < 2; hits++, count++)
            sample(i);
    }
    race_admit(outer == REPLACE);
    return count;
}

static uint32_t outer_event(enum outer outer)
{
    if (outer == HIT_FIRST)
        return 0;
    return outer == HIT_LAST ? 3 : 4;
}

/* The row's own hits are not more than the events that it stands for. */
static bool plausible(const row_t *row)
{
    for (uint32_t i = 0; i < EVENTS_COUNT; i++) {
        if (IS_OF(row, events[i]))
            return row->hits - INHERITED(row) <= presented[i];
    }
    return false;
}

static bool has_duplicate(const row_t *row)
{
    for (const row_t *other = ROWS; other < row; other++) {
        if (other->stamp != 0 && IS_TWIN(other, row))
            return true;
    }
    return false;
}

/* A row is either empty or complete. A reset may come before the last store to a row, that of its
 * stamp: an empty row is empty whatever its stamp. */
static bool valid(const row_t *row)
{
    if (row->stamp == 0 || (tick.inner == RESET && IS_EMPTY(row)))
        return IS_EMPTY(row);
    return row->stamp <= s_prof.header.generation && INHERITED(row) < row->hits && plausible(row);
}

/* All rows; is the sum of their hits. */
static uint32_t check_rows(struct result *result)
{
    uint32_t hits = 0;
    uint32_t newcomers = 0;
    bool invalid = false;
    bool duplicate = false;

    for (const row_t *row = ROWS; row < ROWS + ROWS_CNT; row++) {
        hits += row->hits;
        newcomers += IS_OF(row, events[4]) || IS_OF(row, events[5]);
        invalid |= !valid(row);
        duplicate |= row->stamp != 0 && has_duplicate(row);
    }
    /* A newcomer has more hits than the rest, so it gives way only to who chose its row before. */
    if (tick.outer != INSERT && (tick.inner == PRESENT || tick.inner == REFUSED))
        invalid |= newcomers != s_prof.header.displaced;
    result->invalid += invalid;
    result->duplicates += duplicate;
    return hits;
}

static void check(struct result *result, uint32_t count)
{
    uint32_t hits = check_rows(result);

    result->trials++;
    result->lost += hits + s_prof.header.dropped != s_prof.header.heartbeat ||
                    (tick.inner != RESET && s_prof.header.heartbeat != count);
    result->dropped += s_prof.header.dropped;
}

/* A reset that had to wait is carried out by the next event, and then only that is counted. */
static void check_reset(struct result *result)
{
    bool waited = s_prof.header.reset_done != s_prof.header.reset_request;

    result->waited += waited;
    sample(0);
    result->lost += s_prof.header.reset_done != s_prof.header.reset_request ||
                    (waited && s_prof.header.heartbeat != 1);
    result->lost += check_rows(result) + s_prof.header.dropped != s_prof.header.heartbeat;
}

static void trial(uint32_t delay, struct result *result)
{
    uint32_t count = prepare(tick.outer) + 2 + (tick.inner == TWO);

    tick.event = outer_event(tick.outer);
    tick.done = false;
    presented[tick.event]++;
    alarm_set(delay);
    present(events[tick.event]);
    while (!tick.done)
        ;
    check(result, count);
    if (tick.inner == RESET)
        check_reset(result);
}

static void report(const struct result *result)
{
    print("race ");
    print(outer_names[tick.outer]);
    print(" ");
    print(inner_names[tick.inner]);
    print(" ");
    print_number(result->trials, " ");
    print_number(result->lost, " ");
    print_number(result->invalid, " ");
    print_number(result->duplicates, " ");
    print_number(result->dropped, " ");
    print_number(result->waited, "\n");
}

/* The path of the outer event as it is without an interrupt, for the plugin; then all trials. */
static void race(enum outer outer)
{
    prepare(outer);
    mark_begin();
    present(events[outer_event(outer)]);
    mark_end();
    tick.outer = outer;
    landed_count = 0;
    for (uint32_t inner = 0; inner < INNER_COUNT; inner++) {
        struct result result = {.trials = 0};

        tick.inner = (enum inner)inner;
        for (uint32_t delay = ALARM_STEP; delay < DELAY_MAX; delay += ALARM_STEP)
            trial(delay, &result);
        report(&result);
    }
    print("landed ");
    print(outer_names[outer]);
    for (uint32_t i = 0; i < landed_count; i++) {
        print(" ");
        print_number(landed[i], "");
    }
    print("\n");
}

int main(void)
{
    choose_events(events, EVENTS_COUNT);
    for (uint32_t outer = 0; outer < OUTER_COUNT; outer++)
        race((enum outer)outer);
    quit();
}
