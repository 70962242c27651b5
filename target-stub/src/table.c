/* SPDX-License-Identifier: 0BSD */
/* The item table: finds or makes the row of an address and counts a hit in it. */
#include <mprof/mprof.h>

#include "gate.h"
#include "mprof_port.h"
#include "table.h"

/*
 * Who may change what, so that interrupts at any instruction lose nothing:
 * - hits only ever goes up, by an exclusive store, in whatever row addr stands in at that moment;
 * - an empty row (addr is MPROF_EMPTY) is taken by an exclusive store of addr;
 * - a full row is taken by an exclusive store of 0 in stamp, and given back by a new stamp. So
 *   stamp 0 with another addr than MPROF_EMPTY is a row that somebody is writing: not to be taken.
 * A row is taken only if no other event came since ours was counted in heartbeat: then the set is
 * still as it was searched. An address can get a second row only if two events come between the two
 * stores that take a full row, or if threads preempt each other inside an insertion. The host adds
 * up rows of one address.
 */

typedef volatile mprof_item_t row_t;

#define SETS  (MPROF_CNT / MPROF_WAYS)
#define HASH  0x9E3779B1U
#define GRAIN ((uintptr_t)MPROF_ERR - 1)

/* State of the generator that admits new rows. Lost updates only make it less random. */
static uint32_t s_random;

/* The set of addr, as if its rows were the first ones of s_prof: so the offset of a row is part of
 * each load and store. The two empty statements keep the compiler from seeing through that, and
 * from pushing a register for the factor; together they save a fifth of a hit. */
static inline volatile struct mprof_prof *set_of(uintptr_t addr)
{
    volatile char *set = (volatile char *)&s_prof;
    uint32_t hash = HASH;

    __asm__("" : "+r"(hash));
    hash *= (uint32_t)(addr >> MPROF_GRAIN_SHIFT);
    if (SETS > 1)
        set += sizeof(mprof_item_t) * MPROF_WAYS * (hash >> (32 - MPROF_LOG2(SETS)) % 32);
    __asm__("" : "+r"(set));
    return (volatile struct mprof_prof *)set;
}

/* The first of the rows with the fewest hits: an empty one if there is one. */
static inline row_t *smallest(row_t *row, uint32_t *hits)
{
    row_t *least = row;
    uint32_t least_hits = row->hits;

    for (unsigned way = 1; way < MPROF_WAYS; way++) {
        uint32_t way_hits = row[way].hits;

        if (way_hits < least_hits) {
            least_hits = way_hits;
            least = &row[way];
        }
    }
    *hits = least_hits;
    return least;
}

/* True once in hits + 1 times. */
static inline int admitted(uint32_t hits)
{
    s_random = s_random * HASH + HASH;
    return ((uint64_t)s_random * (hits + 1)) >> 32 == 0;
}

static inline int undisturbed(uint32_t beat)
{
    return *(volatile uint32_t *)&s_prof.header.heartbeat == beat;
}

static inline int take_empty(row_t *row, uintptr_t addr, uint32_t beat)
{
    do {
        if (mprof_port_load(row, addr) != MPROF_EMPTY || !undisturbed(beat))
            return 0;
    } while (mprof_port_store(row, addr, MPROF_EMPTY, addr) != 0);
    return 1;
}

static inline int take_full(row_t *row, uint32_t beat)
{
    uint32_t stamp;

    do {
        stamp = mprof_port_load(row, stamp);
        if (stamp == 0 || !undisturbed(beat))
            return 0;
    } while (mprof_port_store(row, stamp, stamp, 0) != 0);
    return 1;
}

static inline uint32_t next_generation(void)
{
    uint32_t old;
    uint32_t next;

    do {
        old = mprof_port_load(&s_prof, header.generation);
        next = old + 1 + (old == UINT32_MAX);
    } while (mprof_port_store(&s_prof, header.generation, old, next) != 0);
    return next;
}

static __attribute__((noinline)) void drop(void)
{
    mprof_port_count(&s_prof, header.dropped);
}

/* Counts the hit of an address that has no row: in a row that it gets, or as dropped. */
static __attribute__((noinline)) void miss(volatile struct mprof_prof *set, uintptr_t addr,
                                           uint32_t beat)
{
    uint32_t hits;
    row_t *row = smallest(set->items, &hits);

    if (hits == 0 && take_empty(row, addr, beat)) {
        mprof_port_count(row, hits);
    } else if (admitted(hits) && take_full(row, beat)) {
        mprof_port_barrier();
        row->addr = addr;
        row->inherited = mprof_port_count(row, hits) - 1;
        mprof_port_count(&s_prof, header.displaced);
    } else {
        mprof_port_count(&s_prof, header.dropped);
        return;
    }
    uint32_t stamp = next_generation();
    mprof_port_barrier();
    row->stamp = stamp;
}

/* Counts a hit in a row that held addr a moment ago. Interrupting code that takes the row changes
 * addr in one store, so looking at it again between load and store is enough. */
#define HIT(set, row, addr_)                                            \
    do {                                                                \
        uint32_t old_;                                                  \
        do {                                                            \
            old_ = mprof_port_load(set, row.hits);                      \
            if ((set)->row.addr != (addr_)) {                           \
                drop();                                                 \
                return;                                                 \
            }                                                           \
        } while (mprof_port_store(set, row.hits, old_, old_ + 1) != 0); \
    } while (0)

static inline void count(struct mprof_prof *prof, uintptr_t pc, uint32_t beat)
{
    uintptr_t addr = pc & ~GRAIN;
    volatile struct mprof_prof *set = set_of(addr);

    (void)prof;
    if (set->items[0].addr == addr)
        HIT(set, items[0], addr);
    else if (set->items[1].addr == addr)
        HIT(set, items[1], addr);
    else if (set->items[2].addr == addr)
        HIT(set, items[2], addr);
    else if (set->items[3].addr == addr)
        HIT(set, items[3], addr);
    else
        miss(set, addr, beat);
}

/* Kept for the entries in assembly, which link-time optimisation does not see. */
__attribute__((used)) MPROF_CODE void mprof_sample_from_isr(uintptr_t pc, uintptr_t lr,
                                                            uint32_t exception)
{
    struct mprof_prof *prof = MPROF_PROF;
    uint32_t on = mprof_gate_open(prof, MPROF_ENABLE_TIMER);

    if (on == 0)
        return;
    uint32_t beat = mprof_port_count(prof, header.heartbeat);
    if (mprof_is_ignored(prof, pc)) {
        mprof_port_count(prof, header.ignored);
        return;
    }
    (void)lr, (void)exception;
    count(prof, pc, beat);
}

void mprof_sample(uintptr_t pc)
{
    mprof_sample_from_isr(pc, 0, 0);
}
