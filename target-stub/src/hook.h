/* SPDX-License-Identifier: 0BSD */
/* What the compilers' call hooks have in common. */
#ifndef MPROF_HOOK_H
#define MPROF_HOOK_H

#include <mprof/mprof.h>

#include "unhooked.h"

/*
 * A hook looks at header.enable. If all is on it calls mprof_call_open(), which counts; if calls
 * are on it calls mprof_call(), which looks at the rest; else it returns. Before mprof_init() the
 * word is whatever RAM holds: at worst mprof_call() is called in vain, or an event counts in what
 * an earlier run of the same build left there, which mprof_init() then clears.
 *
 * Hooks are never instrumented, and are seen by the linker although no C code calls them.
 */
#define MPROF_HOOK MPROF_CODE __attribute__((used))

/* Without a block that counts calls there are no hooks, so that who does not want them, and links
 * these files all the same, pays nothing. */
#define MPROF_COUNTS_CALLS ((MPROF_CALL_CNT) != 0 || (MPROF_ARC_CNT) != 0 || (MPROF_TRACE_CNT) != 0)

/* What 'mprof instrument' writes calls of, into functions that start with nops. No compiler calls
 * it. port/ARCH/patched.c says what it finds in the registers. */
void mprof_patched_entry(void);

#define MPROF_TEXT_OF_(x) #x
#define MPROF_TEXT_OF(x)  MPROF_TEXT_OF_(x)

/* For assembly: where enable stands in s_prof, its bit for calls, and what makes 0 of "all is on"
 * if it is added. */
#define MPROF_HOOK_OFFSET 64
#define MPROF_HOOK_BIT    9
#define MPROF_HOOK_ADDEND 0x55

MPROF_STATIC_ASSERT(offsetof(struct mprof_header, enable) == MPROF_HOOK_OFFSET, "as hooks load it");
MPROF_STATIC_ASSERT(MPROF_ENABLE_CALLS == 1U << MPROF_HOOK_BIT, "as hooks test it");
MPROF_STATIC_ASSERT(MPROF_ENABLE_ALL == 0xffffffffU - MPROF_HOOK_ADDEND + 1U, "as hooks test it");

/* mprof_call() when all is on. callee is even: a hook knows whether bit 0 has to be cleared. */
void mprof_call_open(uintptr_t callee, uintptr_t caller);

#if MPROF_TRACE_RETURNS
/* The same, and the return is hooked: they return the address that the function is to return to.
 * frame: see returns.h. args: where the registers of arguments were saved; of no meaning without
 * MPROF_TRACE_ARGS. */
uintptr_t mprof_entered_open(uintptr_t callee, uintptr_t caller, uintptr_t frame,
                             const uintptr_t *args);
uintptr_t mprof_entered(uintptr_t callee, uintptr_t caller, uintptr_t frame, const uintptr_t *args);

/* A function whose return was hooked has returned: records its exit, and returns where to go on.
 * results: where its first two registers of results were saved; of no meaning without
 * MPROF_TRACE_RESULTS. entry: where the call of 4 bytes ends by which it came; of no meaning if
 * there is one table of returns. */
uintptr_t mprof_left(uintptr_t frame, const uintptr_t *results, uintptr_t entry);

/* Where hooked functions return to: the port's, no function. With several tables of returns it
 * begins with a call for each, of 4 bytes, to what comes after them. */
void mprof_returned(void);

#if MPROF_PG_RETURNS
/* For a hook that is called behind the prologue: saved is where the return address seems to have
 * been saved, above the stack pointer sp, if the function has a frame pointer. */
void mprof_entered_behind(uintptr_t callee, uintptr_t caller, uintptr_t *saved, uintptr_t sp);

/* The same as mprof_left(), of a function that has returned to the way of a slot. */
struct mprof_return;
uintptr_t mprof_left_by(struct mprof_return *slot, const uintptr_t *results);
#endif
#endif

/* What assembly calls, with an even callee too: with a trace of arguments these have a third
 * parameter, where the registers of arguments were saved, MPROF_TRACE_ARGS of them. */
#if MPROF_TRACE_ARGS
void mprof_hooked_open(uintptr_t callee, uintptr_t caller, const uintptr_t *args);
void mprof_hooked(uintptr_t callee, uintptr_t caller, const uintptr_t *args);
#define MPROF_HOOK_OPEN "mprof_hooked_open"
#define MPROF_HOOK_CALL "mprof_hooked"
#else
#define MPROF_HOOK_OPEN "mprof_call_open"
#define MPROF_HOOK_CALL "mprof_call"
#endif

/* No address of code is odd there. */
#ifdef __riscv
#define MPROF_EVEN(callee) (callee)
#else
#define MPROF_EVEN(callee) ((callee) & ~(uintptr_t)1)
#endif

/* For C. */
static inline __attribute__((no_instrument_function, always_inline)) void
mprof_hook(uintptr_t callee, uintptr_t caller)
{
    uint32_t enable = *(volatile uint32_t *)&MPROF_PROF->header.enable;

    if (enable == MPROF_ENABLE_ALL)
        mprof_call_open(MPROF_EVEN(callee), caller);
    else if (enable & MPROF_ENABLE_CALLS)
        mprof_call(callee, caller);
}

#endif
