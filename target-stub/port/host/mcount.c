/* SPDX-License-Identifier: 0BSD */
/* The sources of calls of gcc and clang on x86-64: -pg, without and with -mfentry, and
 * -fpatchable-function-entry. */
#include "hook.h"

#if MPROF_COUNTS_CALLS && defined(__x86_64__) && !defined(__ILP32__)

/*
 * Functions call mcount behind their prologue, where rbp is the frame pointer, or __fentry__ as
 * their first instruction. A function compiled with -fpatchable-function-entry=5 starts with five
 * nops of one byte, over which 'mprof instrument' writes "call mprof_patched_entry". Arguments are
 * in registers: rdi, rsi, rdx, rcx, r8, r9, al (how many vector registers of a variadic function
 * are in use), r10 (the static chain, or the caller's frame where a prologue aligns the stack), and
 * xmm0 to 7, which mprof_call() does not touch. The stack may have any alignment. Nothing lives
 * below it: who calls a hook is no leaf, so has no red zone in use, and the others come before
 * there is one.
 */
void mcount(void);
void __fentry__(void);

/* clang-format off */
#if MPROF_THREADS
#define TEST                                                                                      \
    "mov mprof_thread_object@GOTTPOFF(%rip), %r11\n\t"                                            \
    "mov %fs:(%r11), %r11\n\t"                                                                    \
    "test %r11, %r11\n\t"                                                                         \
    "je 1f\n\t"                                                                                   \
    "testl $1<<" MPROF_TEXT_OF(MPROF_HOOK_BIT) ", " MPROF_TEXT_OF(MPROF_HOOK_OFFSET) "(%r11)\n\t" \
    "jne 1f\n\t"                                                                                  \
    "ret\n"
#elif MPROF_CORES > 1
#define TEST
#else
#define TEST                                                                                      \
    "mov s_prof@GOTPCREL(%rip), %r11\n\t"                                                         \
    "testl $1<<" MPROF_TEXT_OF(MPROF_HOOK_BIT) ", " MPROF_TEXT_OF(MPROF_HOOK_OFFSET) "(%r11)\n\t" \
    "jne 1f\n\t"                                                                                  \
    "ret\n"
#endif
/* clang-format on */

#define SAVE             \
    "1: push %rbp\n\t"   \
    "mov %rsp, %rbp\n\t" \
    "push %rax\n\t"      \
    "push %rcx\n\t"      \
    "push %rdx\n\t"      \
    "push %rsi\n\t"      \
    "push %rdi\n\t"      \
    "push %r8\n\t"       \
    "push %r9\n\t"       \
    "push %r10\n\t"

#if MPROF_TRACE_ARGS
#define ARGUMENTS "lea -40(%rbp), %rdx\n\t"
#else
#define ARGUMENTS
#endif

#define CALL                           \
    ARGUMENTS                          \
    "and $-2, %rdi\n\t"                \
    "and $-16, %rsp\n\t"               \
    "call " MPROF_HOOK_CALL "@PLT\n\t" \
    "lea -64(%rbp), %rsp\n\t"          \
    "pop %r10\n\t"                     \
    "pop %r9\n\t"                      \
    "pop %r8\n\t"                      \
    "pop %rdi\n\t"                     \
    "pop %rsi\n\t"                     \
    "pop %rdx\n\t"                     \
    "pop %rcx\n\t"                     \
    "pop %rax\n\t"                     \
    "pop %rbp\n\t"                     \
    "ret"

MPROF_HOOK __attribute__((naked)) void mcount(void)
{
    __asm__(TEST SAVE "mov 8(%rbp), %rdi\n\t"
                      "mov (%rbp), %rsi\n\t"
                      "mov 8(%rsi), %rsi\n\t" CALL);
}

/* A function with a static chain pushes r10 before it calls, and the first thing that it does
 * behind is "pop %r10", the bytes 41 5a. No other function can start so, it would lose its return
 * address. */
MPROF_HOOK __attribute__((naked)) void __fentry__(void)
{
    __asm__(TEST SAVE "mov 8(%rbp), %rdi\n\t"
                      "mov 16(%rbp), %rsi\n\t"
                      "cmpw $0x5a41, (%rdi)\n\t"
                      "jne 2f\n\t"
                      "mov 24(%rbp), %rsi\n"
                      "2: " CALL);
}

MPROF_HOOK __attribute__((naked)) void mprof_patched_entry(void)
{
    __asm__(TEST SAVE "mov 8(%rbp), %rdi\n\t"
                      "mov 16(%rbp), %rsi\n\t" CALL);
}

#endif
