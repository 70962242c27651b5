/* SPDX-License-Identifier: 0BSD */
/* The source of calls of -finstrument-functions, on all cores. */
#include "hook.h"

#if MPROF_COUNTS_CALLS

void __cyg_profile_func_enter(void *callee, void *caller);
void __cyg_profile_func_exit(void *callee, void *caller);

/* An item stands for two bytes from an even address on. Where functions may start at odd ones, that
 * is to be behind the start, not before it. */
#if defined(__x86_64__) || defined(__i386__)
#define START 1
#else
#define START 0
#endif

MPROF_HOOK void __cyg_profile_func_enter(void *callee, void *caller)
{
    mprof_hook((uintptr_t)callee + START, (uintptr_t)caller);
}

/* Calls are counted when they begin; only a trace has their end. */
MPROF_HOOK void __cyg_profile_func_exit(void *callee, void *caller)
{
    (void)callee;
    (void)caller;
#if MPROF_TRACE_CNT
    if (((volatile struct mprof_header *)&MPROF_PROF->header)->enable & MPROF_ENABLE_CALLS)
        mprof_exit((uintptr_t)callee + START, (uintptr_t)caller);
#endif
}

#endif
