/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main program and two interrupts that nest count events, each at any instruction of the one
 * below, while a reader takes one word of a row at each interrupt. What it accepts by the rule of
 * layout.h must be true; what it would accept without stamps is the control. */
#include <stdbool.h>

#include <mprof/mprof.h>

#include "alarm.h"
#include "race_kind.h"
#include "semihost.h"
#include "work.h"

#define BLOCKS 200U
#define LEVELS 3U
#ifndef INTERRUPTS
#define INTERRUPTS 400000U
#endif
/* Another one gives other moments. */
#ifndef SEED
#define SEED 0U
#endif

/* Behind the end of an event, sometimes. */
#define DELAY_MAX 200U

static uint32_t presented[LEVELS][BLOCKS];
static uint32_t seeds[LEVELS] = {2463534242U + SEED, 88172645U + SEED, 362436069U + SEED};
static uint32_t alarm_seed = 521288629U + SEED;
static volatile uint32_t level;
static volatile uint32_t interrupts;

/* The reader, at one word of a row after the other, and what it cannot know. */
static struct {
    uint32_t step;
    uint32_t index;
    uint32_t first;
    row_t row;
    row_t before; /* when the address was read */
    bool is_true; /* the hits were those of the address when they were read */
} reader;

static struct {
    uint32_t rows;
    uint32_t fresh;
    uint32_t writing; /* held back: the address was odd */
    uint32_t stale;   /* held back: the stamp is too new */
    uint32_t wrong;   /* accepted, and wrong */
    uint32_t naive;   /* would have been accepted without stamps, and wrong */
} tally;

/* Skewed, so that some rows stay and most give way. */
static void make_block(uint32_t *event, uint32_t block)
{
#ifdef RACE_ARCS
    event[0] = 0x1000 + 0x40 * (block % 16);
    event[1] = 0x2000 + 4 * block;
#else
    event[0] = 0x1000 + MPROF_ERR * block;
    event[1] = 0;
#endif
}

/* The second word of an arc's address. */
static bool has_second_of(const row_t *row, const row_t *other)
{
#ifdef RACE_ARCS
    return row->caller == other->caller;
#else
    (void)row, (void)other;
    return true;
#endif
}

static void take_second(const volatile row_t *row)
{
#ifdef RACE_ARCS
    reader.row.caller = row->caller;
#else
    (void)row;
#endif
}

static void count(uint32_t at)
{
    uint32_t event[2];
    uint32_t random = seeds[at] = next_random(seeds[at]);
    uint32_t block = (random & 0xff) * (random >> 8 & 0xff) / 256 * (random >> 16 & 0xff) / 328;

    presented[at][block]++;
    make_block(event, block);
    present(event);
}

static void judge(uint32_t last)
{
    uint16_t ahead = (uint16_t)(reader.row.stamp - reader.first);
    bool stale = reader.row.stamp != 0 && ahead >= 2 && ahead <= last - reader.first + 2;

    tally.rows++;
    if (ROW_ADDR(&reader.row) & 1) {
        tally.writing++;
        return;
    }
    tally.fresh += !stale;
    tally.stale += stale;
    tally.wrong += !stale && !reader.is_true;
    tally.naive += !reader.is_true;
}

/* A row that is being renamed still has its former hits, or the new ones already, which are not
 * more. */
static void take_hits(const row_t *row)
{
    reader.row.hits = row->hits;
    if (ROW_ADDR(row) == ROW_ADDR(&reader.row))
        reader.is_true = has_second_of(row, &reader.row);
    else if (ROW_ADDR(row) == (ROW_ADDR(&reader.row) | 1))
        reader.is_true =
            row->hits >= reader.before.hits && has_second_of(&reader.before, &reader.row);
    else
        reader.is_true = false;
}

static void read_word(void)
{
    const volatile row_t *row = &ROWS[reader.index];

    switch (reader.step++) {
    case 0:
        alarm_seed = next_random(alarm_seed);
        reader.index = rows_in_use() ? (alarm_seed >> 8) % rows_in_use() : 0;
        reader.first = s_prof.header.generation;
        break;
    case 1:
        reader.before = *row;
        ROW_ADDR(&reader.row) = ROW_ADDR(&reader.before);
        break;
    case 2:
        take_second(row);
        break;
    case 3:
        take_hits((const row_t *)row);
        break;
    case 4:
        reader.row.stamp = row->stamp;
        break;
    default:
        judge(s_prof.header.generation);
        reader.step = 0;
        break;
    }
}

static uint32_t next_delay(void)
{
    alarm_seed = next_random(alarm_seed);
    return ALARM_STEP * (1 + (alarm_seed >> 8) % DELAY_MAX);
}

#ifdef __arm__

void External_Handler(void);

#define ISER0 (*(volatile uint32_t *)0xE000E100U)
#define ISPR0 (*(volatile uint32_t *)0xE000E200U)
#define IPR0  (*(volatile uint32_t *)0xE000E400U)

/* The interrupt below the alarm's. */
void External_Handler(void)
{
    level = 1;
    count(1);
    level = 0;
}

static void prepare_levels(void)
{
    IPR0 = 0xff;
    ISER0 = 1;
}

void on_alarm(uintptr_t pc)
{
    (void)pc;
    interrupts++;
    read_word();
    if (level == 0)
        ISPR0 = 1;
    else
        count(2);
    if (interrupts < INTERRUPTS)
        alarm_set(next_delay());
}

#else

static void prepare_levels(void)
{
}

static void set_next(void)
{
    mtimer_start(next_delay());
}

/* An interrupt of its own kind may interrupt it, once. */
void on_alarm(uintptr_t pc)
{
    uintptr_t status;

    interrupts++;
    read_word();
    __asm__ volatile("csrr %0, mstatus" : "=r"(status));
    if (level == 0) {
        level = 1;
        set_next();
        __asm__ volatile("csrsi mstatus, 8" : : : "memory");
        count(1);
        __asm__ volatile("csrci mstatus, 8" : : : "memory");
        level = 0;
    } else {
        count(2);
    }
    if (interrupts < INTERRUPTS)
        set_next();
    else
        mtimer_stop();
    __asm__ volatile("csrw mepc, %0\n\tcsrw mstatus, %1" : : "r"(pc), "r"(status) : "memory");
}

#endif

static uint32_t presented_at_all(uint32_t block)
{
    uint32_t sum = 0;

    for (uint32_t at = 0; at < LEVELS; at++)
        sum += presented[at][block];
    return sum;
}

static void report(void)
{
    struct judgement judgement = {.unbound = 0};
    uint32_t events = 0;

    for (uint32_t block = 0; block < BLOCKS; block++) {
        uint32_t event[2];

        make_block(event, block);
        events += presented_at_all(block);
        judge_event(&judgement, event, presented_at_all(block));
    }
    print("reader ");
    print_number(events, " ");
    print_number(events - s_prof.header.heartbeat, " ");
    print_number(events - sum_of_rows() - sum_of_rest(), " ");
    print_number(!chains_are_sound(), " ");
    print_number(judgement.unbound, " ");
    print_number(judgement.promised, " ");
    print_number(tally.rows, " ");
    print_number(tally.fresh, " ");
    print_number(tally.writing, " ");
    print_number(tally.stale, " ");
    print_number(tally.wrong, " ");
    print_number(tally.naive, "\n");
}

int main(void)
{
    mprof_init();
    prepare_levels();
    alarm_set(next_delay());
    while (interrupts < INTERRUPTS)
        count(0);
    report();
    quit();
}
