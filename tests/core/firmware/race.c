/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event that comes at every instruction of another one, and what the table looks like then. */
#include <stdbool.h>

#include <mprof/mprof.h>

#include "race_table.h"
#include "semihost.h"
#include "set.h"
#include "work.h"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)
#define ICSR     (*(volatile uint32_t *)0xE000ED04U)

#define CSR_START      0x7U
#define ICSR_PENDSTCLR 0x02000000U

/* Under -icount shift=10 an instruction takes 25.6 of SysTick's cycles. A step of 20 leaves none
 * out; the longest delay is behind the longest path, with the call and the inner event's entry. */
#define DELAY_STEP 20U
#define DELAY_MAX  4400U

/* What the interrupted call does when nothing comes between, and with what rows in its set. */
enum outer { HIT_FIRST, HIT_LAST, INSERT, REPLACE, DROP, OUTER_COUNT };

/* What comes between: the same address, another one that has a row, one that gets a row if it can,
 * one that does not; the row to be replaced and then the same address. */
enum inner { SAME, PRESENT, NEW, REFUSED, TWO, INNER_COUNT };

static const char *const outer_names[OUTER_COUNT] = {"hit-first", "hit-last", "insert", "replace",
                                                     "drop"};
static const char *const inner_names[INNER_COUNT] = {"same", "present", "new", "refused", "two"};

struct result {
    uint32_t trials;
    uint32_t lost;       /* trials after which hits and dropped are not the events */
    uint32_t invalid;    /* trials that left a row nobody wrote, or a stamp out of range */
    uint32_t duplicates; /* trials that left two rows of one address */
    uint32_t dropped;    /* events */
};

#define LANDED_MAX 256U

static uint32_t addrs[6]; /* in one set: four that fill it, and two more */
static struct {
    uint32_t addr;
    enum outer outer;
    enum inner inner;
    volatile bool done;
} tick;
static uint32_t presented[6];
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

static void note_landing(uint32_t pc)
{
    uint32_t i = 0;

    while (i < landed_count && landed[i] != pc)
        i++;
    if (i == landed_count && landed_count < LANDED_MAX)
        landed[landed_count++] = pc;
}

/* An event at addr goes through here, so that it is known how many there were. */
static void sample(uint32_t addr)
{
    for (uint32_t i = 0; i < 6; i++)
        presented[i] += addrs[i] == addr;
    mprof_sample(addr);
}

static void inner_event(void)
{
    race_admit(tick.inner == NEW);
    switch (tick.inner) {
    case SAME:
        sample(tick.addr);
        break;
    case PRESENT:
        sample(addrs[1]);
        break;
    case TWO:
        sample(addrs[0]);
        race_admit(1);
        sample(tick.addr);
        break;
    default:
        sample(addrs[5]);
        break;
    }
    race_admit(tick.outer == REPLACE);
}

__attribute__((used)) static void on_tick(const uint32_t *frame)
{
    SYST_CSR = 0;
    ICSR = ICSR_PENDSTCLR; /* a short delay ends again before it is stopped */
    note_landing(frame[6]);
    inner_event();
    tick.done = true;
}

__attribute__((naked)) void SysTick_Handler(void)
{
    __asm__("mov r0, sp\n\t"
            "b on_tick");
}

/* Rows for the outer event: two of the set for an insertion, else all four, with two hits each.
 * Returns the number of events. */
static uint32_t prepare(enum outer outer)
{
    uint32_t rows = outer == INSERT ? 2 : 4;
    uint32_t events = 0;

    mprof_init();
    for (uint32_t i = 0; i < 6; i++)
        presented[i] = 0;
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t hits = 0; hits < 2; hits++, events++)
            sample(addrs[i]);
    }
    race_admit(outer == REPLACE);
    return events;
}

static uint32_t outer_addr(enum outer outer)
{
    if (outer == HIT_FIRST)
        return addrs[0];
    return outer == HIT_LAST ? addrs[3] : addrs[4];
}

/* The row's own hits are not more than the events at its address. */
static bool plausible(const struct mprof_item32 *row)
{
    for (uint32_t i = 0; i < 6; i++) {
        if (addrs[i] == row->addr)
            return row->hits - row->inherited <= presented[i];
    }
    return false;
}

static bool has_duplicate(const struct mprof_item32 *row)
{
    for (const struct mprof_item32 *other = s_prof.items; other < row; other++) {
        if (other->stamp != 0 && other->addr == row->addr)
            return true;
    }
    return false;
}

/* A row is either as mprof_init() left it or complete. */
static bool valid(const struct mprof_item32 *row)
{
    if (row->stamp == 0)
        return row->addr == 1 && row->hits == 0;
    return row->stamp <= s_prof.header.generation && row->inherited < row->hits && plausible(row);
}

static void check(struct result *result, uint32_t events)
{
    uint32_t hits = 0;
    uint32_t newcomers = 0;
    bool invalid = false;
    bool duplicate = false;

    for (const struct mprof_item32 *row = s_prof.items; row < s_prof.items + MPROF_CNT; row++) {
        hits += row->hits;
        newcomers += row->addr == addrs[4] || row->addr == addrs[5];
        invalid |= !valid(row);
        duplicate |= row->stamp != 0 && has_duplicate(row);
    }
    /* A newcomer has more hits than the rest, so it gives way only to who chose its row before. */
    if (tick.outer != INSERT && (tick.inner == PRESENT || tick.inner == REFUSED))
        invalid |= newcomers != s_prof.header.displaced;
    result->trials++;
    result->lost += hits + s_prof.header.dropped != events || s_prof.header.heartbeat != events;
    result->invalid += invalid;
    result->duplicates += duplicate;
    result->dropped += s_prof.header.dropped;
}

static void trial(uint32_t delay, struct result *result)
{
    uint32_t events = prepare(tick.outer) + 2 + (tick.inner == TWO);

    tick.addr = outer_addr(tick.outer);
    tick.done = false;
    presented[tick.outer == HIT_FIRST ? 0 : tick.outer == HIT_LAST ? 3 : 4]++;
    SYST_RVR = delay;
    SYST_CVR = 0;
    SYST_CSR = CSR_START;
    mprof_sample(tick.addr);
    while (!tick.done)
        ;
    check(result, events);
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
    print_number(result->dropped, "\n");
}

/* The path of the outer event as it is without an interrupt, for the plugin; then all trials. */
static void race(enum outer outer)
{
    prepare(outer);
    mark_begin();
    mprof_sample(outer_addr(outer));
    mark_end();
    tick.outer = outer;
    landed_count = 0;
    for (uint32_t inner = 0; inner < INNER_COUNT; inner++) {
        struct result result = {.trials = 0};

        tick.inner = (enum inner)inner;
        for (uint32_t delay = DELAY_STEP; delay < DELAY_MAX; delay += DELAY_STEP)
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
    addrs[0] = 0x1000;
    for (uint32_t i = 1; i < 6; i++)
        addrs[i] = next_in_set(addrs[i - 1]);
    for (uint32_t outer = 0; outer < OUTER_COUNT; outer++)
        race((enum outer)outer);
    quit();
}
