/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presents a stream of program counters, which QEMU has loaded, to the stub's table or to the old
 * one, and prints what became of them. */
#include <mprof/mprof.h>

#include "old_table.h"
#include "semihost.h"
#include "work.h"

#ifndef STREAM_AT
#define STREAM_AT 0x20000U
#endif

/* The number of events, and the events. */
#define STREAM ((const volatile uint32_t *)STREAM_AT)

KEEP_APART void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART void mark_end(void)
{
    __asm__ volatile("");
}

#ifdef OLD_TABLE

static void table_init(void)
{
    old_init();
}

static void table_sample(uint32_t pc)
{
    old_sample_in_time(pc, 0, 0);
}

static uint32_t lost(void)
{
    return old_prof.dropped;
}

static void print_row(uint32_t i)
{
    const struct old_row *row = &old_prof.rows[i / OLD_WAYS][i % OLD_WAYS];

    print_number(row->addr, " ");
    print_number(row->hits, "\n");
}

static uint32_t rows_in_use(void)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < MPROF_CNT; i++)
        used += old_prof.rows[i / OLD_WAYS][i % OLD_WAYS].hits != 0;
    return used;
}

#else

void mprof_sample_in_time(uintptr_t pc, uintptr_t lr, uint32_t exception);

static void table_init(void)
{
    mprof_init();
}

static void table_sample(uint32_t pc)
{
    mprof_sample_in_time(pc, 0, 0);
}

static uint32_t lost(void)
{
    uint32_t sum = 0;

    if (!s_prof.items_lead.spilled)
        return 0;
    for (uint32_t i = 0; i < MPROF_CNT / 2; i++)
        sum += s_prof.items_rest[i];
    return sum;
}

static void print_row(uint32_t i)
{
    print_number((uint32_t)s_prof.items[i].addr, " ");
    print_number(s_prof.items[i].hits, "\n");
}

static uint32_t rows_in_use(void)
{
    return MPROF_CNT - s_prof.items_lead.free;
}

#endif

int main(void)
{
    uint32_t events = STREAM[0];
    uint32_t filled = 0;

    table_init();
    mark_begin();
    for (uint32_t i = 1; i <= events; i++) {
        table_sample(STREAM[i]);
        if (filled == 0 && lost() != 0)
            filled = rows_in_use();
    }
    mark_end();
    print_number(events, " ");
    print_number(lost(), " ");
    print_number(filled, "\n"); /* rows in use at the first loss, 0: none */
    for (uint32_t i = 0; i < MPROF_CNT; i++)
        print_row(i);
    quit();
}
