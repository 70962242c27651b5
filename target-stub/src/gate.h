/* SPDX-License-Identifier: 0BSD */
/* Whether an event is let in: one word decides, nearly always. */
#ifndef MPROF_GATE_H
#define MPROF_GATE_H

#include <mprof/mprof.h>

/* Call hooks save integer registers only. clang must be told so by -mgeneral-regs-only. */
#if !defined(__clang__) && __GNUC__ >= 11 && (defined(__arm__) || defined(__x86_64__))
#pragma GCC target("general-regs-only")
#endif

#include "unhooked.h"

#include "port.h"

#define MPROF_RARELY(condition) __builtin_expect(!!(condition), 0)
/* Lets the compiler forget that it has had this pointer in a register, which it would have to save
 * for it. */
#define MPROF_AFRESH(pointer) __asm__("" : "+r"(pointer))

#define MPROF_APART __attribute__((noinline))
#ifdef __clang__
#define MPROF_ENTRY MPROF_CODE __attribute__((used, noinline))
#else
#define MPROF_ENTRY MPROF_CODE __attribute__((used, noinline, noclone))
#endif
#define MPROF_INLINE static inline MPROF_UNHOOKED __attribute__((always_inline))

/* What an event does when not all is on: looks at the host's requests, and says which blocks are to
 * count it, MPROF_ENABLE_...; 0: none. source is the event's, MPROF_ENABLE_TIMER or _CALLS. */
uint32_t mprof_gate(struct mprof_prof *prof, uint32_t source);

/* The switches of the trace: the host's, and the firmware's. */
#define MPROF_TRACE_ON (MPROF_ENABLE_TRACE | MPROF_ENABLE_TRACING | MPROF_ENABLE_UNFROZEN)

/* The word that tells whether mprof_gate() must be asked: not if it is as MPROF_OPEN. */
#define MPROF_OPEN (MPROF_SMALL ? MPROF_MAGIC : MPROF_ENABLE_ALL)

MPROF_INLINE uint32_t mprof_state(struct mprof_prof *prof)
{
    return MPROF_SMALL ? *(volatile uint32_t *)&prof->header.magic
                       : *(volatile uint32_t *)&prof->header.enable;
}

/* All is on. */
MPROF_INLINE int mprof_is_open(struct mprof_prof *prof)
{
    return mprof_state(prof) == MPROF_OPEN;
}

/* Whether s_prof is of this build. Until mprof_init(), RAM may hold another build's, whose links
 * lead anywhere. */
MPROF_INLINE int mprof_is_ours(struct mprof_prof *prof)
{
    return *(volatile uint32_t *)&prof->header.total_size == sizeof(struct mprof_prof);
}

/* mprof_sample_from_isr() of a sample that did not come late: for sources that know. */
void mprof_sample_in_time(uintptr_t pc, uintptr_t lr, uint32_t exception);

/* Whether addr lies in a range to be ignored. */
MPROF_INLINE int mprof_is_ignored(struct mprof_prof *prof, uintptr_t addr)
{
#if MPROF_IGNORE_CNT
    volatile mprof_range_t *range = prof->ignore;

    for (unsigned i = 0; i < MPROF_IGNORE_CNT; i++, range++) {
        if (addr >= range->start && addr < range->end)
            return 1;
    }
#else
    (void)prof, (void)addr;
#endif
    return 0;
}

#endif
