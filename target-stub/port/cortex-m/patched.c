/* SPDX-License-Identifier: 0BSD */
/* The source of calls of -fpatchable-function-entry on Cortex-M. */
#include "hook.h"

#if MPROF_COUNTS_CALLS

/*
 * A function compiled with -fpatchable-function-entry=3 starts with three nops of 2 bytes. 'mprof
 * instrument' writes "push {lr}; bl mprof_patched_entry" over them. So lr is the address after
 * them, and the word on the stack is what lr was. No instruction of the function has run: r0 to r3,
 * the floating point registers of arguments and ip, the static chain of a nested function, have
 * their values, and must keep them. mprof_call() touches no floating point registers.
 *
 * The stack is a multiple of 8 bytes at the calls of mprof_call().
 */

/* clang-format off */

#define ADDEND "#" MPROF_TEXT_OF(MPROF_HOOK_ADDEND)
#define ENABLE "s_prof + " MPROF_TEXT_OF(MPROF_HOOK_OFFSET)

#if MPROF_TRACE_ARGS
#define ARGUMENTS "mov r2, sp\n\t"
#else
#define ARGUMENTS
#endif

#if MPROF_CORES > 1
#define TEST "b 1f\n\t"
#else
#define TEST                  \
    "ldr r4, 4f\n\t"          \
    "ldr r4, [r4]\n\t"        \
    "adds r4, " ADDEND "\n\t" \
    "bne 3f\n\t"
#endif

/* r3 to r6 are saved before. Leaves the frame so that one pop restores all and returns: where lr
 * was, there is the address after the call. */
#define CALL(function)           \
    "push {r0, r1, r2}\n\t"      \
    "ldr r4, [sp, #28]\n\t"      \
    "mov r0, lr\n\t"             \
    "str r0, [sp, #28]\n\t"      \
    "subs r0, #7\n\t"            \
    "movs r1, r4\n\t"            \
    "mov r5, ip\n\t"             \
    ARGUMENTS                    \
    "bl " function "\n\t"        \
    "mov ip, r5\n\t"             \
    "mov lr, r4\n\t"             \
    "pop {r0, r1, r2, r3, r4, r5, r6, pc}\n\t"

MPROF_HOOK __attribute__((naked)) void mprof_patched_entry(void)
{
    __asm__(".syntax unified\n\t"
            "push {r3, r4, r5, r6}\n\t"
            TEST
            CALL(MPROF_HOOK_OPEN)
            "3: subs r4, " ADDEND "\n\t"
            "lsls r4, r4, #31-" MPROF_TEXT_OF(MPROF_HOOK_BIT) "\n\t"
            "bmi 1f\n\t"
            "ldr r4, [sp, #16]\n\t"
            "mov r3, lr\n\t"
            "str r3, [sp, #16]\n\t"
            "mov lr, r4\n\t"
            "pop {r3, r4, r5, r6, pc}\n"
            "1: " CALL(MPROF_HOOK_CALL)
            ".balign 4\n"
            "4: .word " ENABLE);
}

#endif
