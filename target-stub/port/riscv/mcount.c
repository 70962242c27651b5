/* SPDX-License-Identifier: 0BSD */
/* The source of calls of gcc -pg on RISC-V. */
#include "hook.h"

#if MPROF_COUNTS_CALLS

void _mcount(uintptr_t caller);

/* An ordinary call to the compiler, which saves arguments and the static chain around it. What it
 * returns to is a place in the called function. */
MPROF_HOOK void _mcount(uintptr_t caller)
{
    mprof_hook((uintptr_t)__builtin_return_address(0), caller);
}

#endif
