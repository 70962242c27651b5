/* SPDX-License-Identifier: 0BSD */
/* The source of calls of gcc -pg on Cortex-M. */
#include "hook.h"

#if MPROF_COUNTS_CALLS

/*
 * Behind its prologue a function does "push {lr}; bl __gnu_mcount_nc". So lr is a place in the
 * function, and the word on the stack is what lr is to be on return, where the word must be gone.
 * Only ip and the flags may change. mprof_call() touches no floating point registers.
 *
 * That word is where the function returns to, with one exception: without Thumb-2, a prologue that
 * saves r8 to r11 uses lr for one of them. Then the word is that register; the host can tell that
 * it is no place in code.
 *
 * The stack is a multiple of 8 bytes at the calls of mprof_call(), but for nested functions, whose
 * static chain (ip) is saved below lr. mprof_call() needs 4.
 */
void __gnu_mcount_nc(void);

/* clang-format off */

#define ADDEND "#" MPROF_TEXT_OF(MPROF_HOOK_ADDEND)
#define ENABLE "s_prof + " MPROF_TEXT_OF(MPROF_HOOK_OFFSET)

#if MPROF_TRACE_ARGS
#define ARGUMENTS "mov r2, sp\n\t"
#else
#define ARGUMENTS
#endif

#if __ARM_ARCH_ISA_THUMB == 1

/* r3 is saved before, and r4, which a call keeps. */
#if MPROF_CORES > 1
#define TEST "b 1f\n\t"
#else
#define TEST                  \
    "ldr r3, 4f\n\t"          \
    "ldr r3, [r3]\n\t"        \
    "adds r3, " ADDEND "\n\t" \
    "bne 3f\n\t"
#endif

/* Leaves the frame so that one pop restores all and returns: where the word was that is to be in lr
 * then, there is the place in the function. */
#define CALL(function)           \
    "push {r0, r1, r2}\n\t"      \
    "ldr r4, [sp, #20]\n\t"      \
    "mov r0, lr\n\t"             \
    "str r0, [sp, #20]\n\t"      \
    "subs r0, #1\n\t"            \
    "movs r1, r4\n\t"            \
    ARGUMENTS                    \
    "bl " function "\n\t"        \
    "mov lr, r4\n\t"             \
    "pop {r0, r1, r2, r3, r4, pc}\n\t"

MPROF_HOOK __attribute__((naked)) void __gnu_mcount_nc(void)
{
    __asm__(".syntax unified\n\t"
            "push {r3, r4}\n\t"
            TEST
            CALL(MPROF_HOOK_OPEN)
            "3: subs r3, " ADDEND "\n\t"
            "lsls r3, r3, #31-" MPROF_TEXT_OF(MPROF_HOOK_BIT) "\n\t"
            "bmi 1f\n\t"
            "mov ip, lr\n\t"
            "ldr r3, [sp, #8]\n\t"
            "mov lr, r3\n\t"
            "pop {r3, r4}\n\t"
            "add sp, #4\n\t"
            "bx ip\n"
            "1: " CALL(MPROF_HOOK_CALL)
            ".balign 4\n"
            "4: .word " ENABLE);
}

#else

#if MPROF_CORES > 1
#define TEST "b 1f\n\t"
#else
#define TEST                 \
    "ldr ip, 4f\n\t"         \
    "ldr ip, [ip]\n\t"       \
    "cmn ip, " ADDEND "\n\t" \
    "bne 3f\n\t"
#endif

/* The word on the stack is popped into lr at the end, as it is to be. */
#define CALL(function)                 \
    "push {r0, r1, r2, r3, lr}\n\t"    \
    "bic r0, lr, #1\n\t"               \
    "ldr r1, [sp, #20]\n\t"            \
    ARGUMENTS                          \
    "bl " function "\n\t"              \
    "pop {r0, r1, r2, r3, ip, lr}\n\t" \
    "bx ip\n"

MPROF_HOOK __attribute__((naked)) void __gnu_mcount_nc(void)
{
    __asm__(TEST
            CALL(MPROF_HOOK_OPEN)
            "3: tst ip, #1<<" MPROF_TEXT_OF(MPROF_HOOK_BIT) "\n\t"
            "beq 0f\n"
            "1: " CALL(MPROF_HOOK_CALL)
            "0: mov ip, lr\n\t"
            "pop {lr}\n\t"
            "bx ip\n\t"
            ".balign 4\n"
            "4: .word " ENABLE);
}

#endif
#endif
