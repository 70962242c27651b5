/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of each kind between marks; the plugin counts what it executes. */
#include <mprof/mprof.h>

#include "reference.h"
#include "semihost.h"
#include "set.h"
#include "work.h"

#define ICSR           (*(volatile uint32_t *)0xE000ED04U)
#define ICSR_PENDSTSET 0x04000000U
#define FIRST          0x1000U
#define RATE_OF_TICKS  2U /* so slow that none comes on its own: the longest period */

KEEP_APART void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART void mark_end(void)
{
    __asm__ volatile("");
}

/* 10 instructions, its return among them. */
__attribute__((naked, noinline)) void control(void)
{
    __asm__("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tbx lr");
}

static void sample(uint32_t addr)
{
    mark_begin();
    mprof_sample_from_isr(addr, 0, 0);
    mark_end();
}

static void reference(uint32_t addr)
{
    mark_begin();
    reference_sample(addr);
    mark_end();
}

/* Fills the four ways of a set, then hits each, then misses until both kinds of misses were seen.
 */
static void bench_table(void)
{
    static const char *const inserts[4] = {"insert, way 1\n", "insert, way 2\n", "insert, way 3\n",
                                           "insert, way 4\n"};
    static const char *const hits[4] = {"hit, way 1\n", "hit, way 2\n", "hit, way 3\n",
                                        "hit, way 4\n"};
    uint32_t addr = FIRST;

    mprof_init();
    for (uint32_t way = 0; way < 4; way++, addr = next_in_set(addr)) {
        sample(addr);
        print(inserts[way]);
    }
    addr = FIRST;
    for (uint32_t way = 0; way < 4; way++, addr = next_in_set(addr)) {
        sample(addr);
        print(hits[way]);
    }
    for (uint32_t i = 0; i < 64; i++, addr = next_in_set(addr)) {
        uint32_t dropped = s_prof.header.dropped;

        sample(addr);
        print(s_prof.header.dropped != dropped ? "miss, dropped\n" : "miss, replaced\n");
    }
}

static void bench_reference(void)
{
    uint32_t addr = FIRST;

    for (uint32_t i = 0; i < REFERENCE_CNT; i++, addr += 16)
        reference_sample(addr);
    reference(reference_prof.items[0].base_addr);
    print("reference hit, first row\n");
    reference_sample(reference_prof.items[0].base_addr);
    reference(reference_prof.items[REFERENCE_CNT / 2].base_addr);
    print("reference hit, middle row rising\n");
    reference_prof.items[0].hit_cnt = 1;
    reference_prof.items[1].hit_cnt = 1;
    reference(reference_prof.items[REFERENCE_CNT - 1].base_addr);
    print("reference hit, last row rising\n");
    reference(addr);
    print("reference miss\n");
}

/* Always interrupted at the same address. */
KEEP_APART static void pend_tick(void)
{
    ICSR = ICSR_PENDSTSET;
    __asm__ volatile("dsb\n\tisb");
}

/* The first tick makes the row that the second one hits. */
static void bench_entry(void)
{
    mprof_init();
    mprof_systick_start(CPU_HZ, RATE_OF_TICKS);
    for (uint32_t i = 0; i < 2; i++) {
        mark_begin();
        pend_tick();
        mark_end();
        print(i == 0 ? "tick, insert\n" : "tick, hit\n");
    }
}

int main(void)
{
    mark_begin();
    control();
    mark_end();
    print("control\n");
    bench_table();
    bench_reference();
    bench_entry();
    quit();
}
