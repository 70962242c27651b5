/* SPDX-License-Identifier: 0BSD */
/* Coverage: which places of the code were reached, by -fsanitize-coverage=trace-pc. */
#include "clear.h"
#include "gate.h"
#include "hook.h"
#include "table.h"

#if MPROF_COVERAGE_SIZE

/* A place is a field of that many bits, and 32 bits have that many fields. */
#define BITS   MPROF_COVERAGE_BITS
#define FIELDS MPROF_COVERAGE_FIELDS
#define FULL   (0xffffffffU >> (32 - BITS))

/* An entry of the block. */
struct entry {
    uint32_t fields;
} __attribute__((may_alias));

void __sanitizer_cov_trace_pc(void);

/* Counts a place in its field, up to the largest number. An interrupt may count another place of
 * the same entry meanwhile. */
MPROF_INLINE void count_in(volatile struct entry *entry, unsigned shift)
{
    mprof_port_add_if(entry, fields, (uint32_t)1 << shift, (entry->fields >> shift & FULL) != FULL,
                      return );
}

/* Apart, so that the hook of a place that was reached before saves no registers. */
MPROF_CODE MPROF_APART static void count_first(volatile struct entry *entry, unsigned shift)
{
    count_in(entry, shift);
}

MPROF_CODE MPROF_APART static void count_outside(struct mprof_prof *prof)
{
    mprof_port_add(prof, coverage_lead.outside, 1);
}

MPROF_INLINE void count(struct mprof_prof *prof, uintptr_t offset)
{
    uintptr_t place = offset >> MPROF_LOG2(MPROF_COVERAGE_ERR);

    if (MPROF_RARELY(offset >= (MPROF_COVERAGE_SIZE))) {
        count_outside(prof);
        return;
    }
    volatile struct entry *entry = (volatile struct entry *)&prof->coverage[place / FIELDS];
    unsigned shift = (unsigned)(place % FIELDS * BITS);

    if (BITS != 1)
        count_in(entry, shift);
    else if (MPROF_RARELY((entry->fields >> shift & 1) == 0))
        count_first(entry, shift);
}

/* The host asks for something, or mprof_init() has not run yet. What is reached before that counts
 * as well. */
MPROF_CODE MPROF_APART static void asked(uintptr_t offset)
{
    struct mprof_prof *prof = MPROF_PROF;

    (void)mprof_gate(prof, 0);
    count(prof, offset);
}

/* Compilers call it where a block of code begins: where it returns to says which one. No switch of
 * the host or the firmware keeps it from counting, or what is not counted would not mean that it
 * was never reached. */
MPROF_HOOK void __sanitizer_cov_trace_pc(void)
{
    struct mprof_prof *prof = MPROF_PROF;
    uintptr_t offset = (uintptr_t)__builtin_return_address(0) - (uintptr_t)(MPROF_COVERAGE_BASE);

    if (MPROF_RARELY(
            !(((volatile struct mprof_header *)&prof->header)->enable & MPROF_ENABLE_CALM)))
        asked(offset);
    else
        count(prof, offset);
}

MPROF_CODE void mprof_coverage_clear(struct mprof_prof *prof)
{
    volatile uint32_t *word = prof->coverage;

    for (uint32_t i = 0; i < MPROF_COVERAGE_WORDS; i++)
        word[i] = 0;
    ((volatile struct mprof_coverage_lead *)&prof->coverage_lead)->outside = 0;
}

MPROF_UNHOOKED void mprof_coverage_begin(struct mprof_prof *prof)
{
    volatile struct mprof_coverage_lead *lead = &prof->coverage_lead;

    if (lead->begun != 0)
        mprof_coverage_clear(prof);
    lead->begun = MPROF_COVERAGE_BEGUN;
    lead->base_low = (uint32_t)(uintptr_t)(MPROF_COVERAGE_BASE);
    lead->base_high = (uint32_t)((uint64_t)(uintptr_t)(MPROF_COVERAGE_BASE) >> 32);
}

#endif
