/* SPDX-License-Identifier: 0BSD */
/* The source of calls of -fpatchable-function-entry on Cortex-M. */
#include "cost.h"
#include "hook.h"

#if MPROF_COUNTS_CALLS

/*
 * A function compiled with -fpatchable-function-entry=3 starts with three nops of 2 bytes. 'mprof
 * instrument' writes "push {lr}; bl mprof_patched_entry" over them. So lr is the address after
 * them, and the word on the stack is what lr was. No instruction of the function has run: r0 to r3,
 * the floating point registers of arguments and ip, the static chain of a nested function, have
 * their values, and must keep them. The stub's C code touches no floating point registers.
 *
 * The stack is a multiple of 8 bytes where C is called. A frame (returns.h) is the stack pointer of
 * the function's caller, less 16.
 */

/* clang-format off */

#define ADDEND "#" MPROF_TEXT_OF(MPROF_HOOK_ADDEND)
#define ENABLE "s_prof + " MPROF_TEXT_OF(MPROF_HOOK_OFFSET)

#if MPROF_TRACE_RETURNS
#define OPEN_HOOK "mprof_entered_open"
#define SOME_HOOK "mprof_entered"
#define FRAME     "add r2, sp, #16\n\t"
#if MPROF_TRACE_ARGS
#define ARGUMENTS FRAME "mov r3, sp\n\t"
#else
#define ARGUMENTS FRAME
#endif
#define BACK "mov lr, r0\n\t"
#else
#define OPEN_HOOK MPROF_HOOK_OPEN
#define SOME_HOOK MPROF_HOOK_CALL
#if MPROF_TRACE_ARGS
#define ARGUMENTS "mov r4, r1\n\tmov r2, sp\n\t"
#else
#define ARGUMENTS "mov r4, r1\n\t"
#endif
#define BACK "mov lr, r4\n\t"
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

/* Where lr was on the stack, there is the address after the call in the end, and is popped last. */
#ifdef __thumb2__
#define SAVED "r4, r5"
#define ABOVE "[sp, #8]"
#define SITE                 \
    "push {r0-r3, ip}\n\t"   \
    "ldr r1, [sp, #28]\n\t"  \
    "str lr, [sp, #28]\n\t"  \
    "sub r0, lr, #7\n\t"
#define RESTORE "pop {r0-r3, ip}\n\tpop {r4, r5, pc}\n\t"
#else
#define SAVED "r4, r5, r6"
#define ABOVE "[sp, #12]"
#define SITE                 \
    "push {r0-r3}\n\t"       \
    "mov r5, ip\n\t"         \
    "mov r0, lr\n\t"         \
    "ldr r1, [sp, #28]\n\t"  \
    "str r0, [sp, #28]\n\t"  \
    "subs r0, #7\n\t"
#define RESTORE "mov ip, r5\n\tpop {r0-r6, pc}\n\t"
#endif

#define CALL(function) SITE ARGUMENTS "bl " function "\n\t" BACK RESTORE

MPROF_HOOK __attribute__((naked)) void mprof_patched_entry(void)
{
    __asm__(".syntax unified\n\t"
            "push {" SAVED "}\n\t"
            TEST
            CALL(OPEN_HOOK)
            "3: subs r4, " ADDEND "\n\t"
            "lsls r4, r4, #31-" MPROF_TEXT_OF(MPROF_HOOK_BIT) "\n\t"
            "bmi 1f\n\t"
            "ldr r4, " ABOVE "\n\t"
            "mov r5, lr\n\t"
            "str r5, " ABOVE "\n\t"
            "mov lr, r4\n\t"
            "pop {" SAVED ", pc}\n"
            "1: " CALL(SOME_HOOK)
            ".balign 4\n"
            "4: .word " ENABLE);
}

#if MPROF_TRACE_RETURNS && MPROF_TRACE_COST

MPROF_HOOK __attribute__((naked)) void mprof_probe(void)
{
    __asm__("push {lr}\n\tbl mprof_patched_entry\n\tbx lr");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_plain(void)
{
    __asm__("bx lr");
}

#if MPROF_COST_JUMPS
MPROF_HOOK __attribute__((naked)) void mprof_probe_jump(void)
{
    __asm__("push {lr}\n\tbl mprof_patched_entry\n\tb.w mprof_probe");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_jump_plain(void)
{
    __asm__("b.w mprof_probe_plain");
}
#endif

#endif
#endif
