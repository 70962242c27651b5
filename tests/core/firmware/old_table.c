/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's table until ABI 1.1, without what a host could ask of it. */
#include "admit.h"

#include "old_table.h"

struct old_prof old_prof;

typedef volatile struct old_row row_t;

void old_init(void)
{
    old_prof = (struct old_prof){.enable = MPROF_ENABLE_ALL};
    for (uint32_t i = 0; i < MPROF_CNT; i++)
        old_prof.rows[i / OLD_WAYS][i % OLD_WAYS].addr = MPROF_EMPTY;
}

MPROF_INLINE row_t *set_of(struct old_prof *prof, uint32_t addr)
{
    uint32_t factor = 0x9E3779B1U;

    __asm__("" : "+r"(factor));
    row_t *set = prof->rows[addr * factor >> (32 - MPROF_LOG2(OLD_SETS))];
    __asm__("" : "+r"(set));
    return set;
}

MPROF_INLINE void stamp(struct old_prof *prof, row_t *row)
{
    uint32_t generation = mprof_port_add(prof, generation, 1);

    mprof_port_barrier();
    row->stamp = generation;
}

MPROF_INLINE int fill(struct old_prof *prof, row_t *row, uint32_t addr)
{
    mprof_port_add_if(row, hits, 1, row->hits == 0 && row->addr == MPROF_EMPTY, return 0);
    row->stamp = 0;
    row->inherited = 0;
    row->addr = addr;
    stamp(prof, row);
    return 1;
}

MPROF_INLINE int take_over(struct old_prof *prof, row_t *row, uint32_t addr)
{
    uint32_t before;

    mprof_port_add(prof, displaced, 1);
    mprof_port_add_if(row, stamp, -before, (before = row->stamp) != 0, goto lost);
    mprof_port_barrier();
    row->addr = addr;
    row->inherited = mprof_port_add(row, hits, 1) - 1;
    stamp(prof, row);
    return 1;
lost:
    mprof_port_add(prof, displaced, -1);
    return 0;
}

/* Counts the hit of an address that has no row. */
MPROF_APART static void old_miss(row_t *set, uint32_t addr, uint32_t beat)
{
    struct old_prof *prof = &old_prof;
    row_t *least = &set[0];
    uint32_t hits = set[0].hits;

    for (unsigned way = 1; way < OLD_WAYS; way++) {
        uint32_t others = set[way].hits;

        if (others < hits) {
            hits = others;
            least = &set[way];
        }
    }
    if (hits == 0 && fill(prof, least, addr))
        return;
    if (mprof_admitted(beat, hits) && take_over(prof, least, addr))
        return;
    mprof_port_add(prof, dropped, 1);
}

MPROF_APART static void old_come_late(void)
{
    mprof_port_add(&old_prof, dropped, 1);
}

#define HIT(n) mprof_port_add_if(&set[n], hits, 1, set[n].addr == addr, goto late)

__attribute__((used, noinline)) void old_sample_in_time(uintptr_t pc, uintptr_t lr,
                                                        uint32_t exception)
{
    struct old_prof *prof = &old_prof;
    uint32_t addr = (uint32_t)pc & ~(uint32_t)(MPROF_ERR - 1);

    (void)lr, (void)exception;
    MPROF_AFRESH(prof);
    if (((volatile struct old_prof *)prof)->enable != MPROF_ENABLE_ALL)
        return;
    uint32_t beat = mprof_port_add(prof, events, 1);
    row_t *set = set_of(prof, addr);

    if (set[0].addr == addr)
        HIT(0);
    else if (set[1].addr == addr)
        HIT(1);
    else if (set[2].addr == addr)
        HIT(2);
    else if (set[3].addr == addr)
        HIT(3);
    else
        old_miss(set, addr, beat);
    return;
late:
    old_come_late();
}
