/* SPDX-License-Identifier: 0BSD */
/* The sources of calls of gcc and clang on x86-64: -pg, without and with -mfentry, and
 * -fpatchable-function-entry. */
#include "cost.h"
#include "hook.h"
#if MPROF_TRACE_RETURNS
#include "returns.h"
#endif

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
#define ARGUMENTS(reg) "lea -40(%rbp), %" reg "\n\t"
#else
#define ARGUMENTS(reg)
#endif

#define RESTORE               \
    "lea -64(%rbp), %rsp\n\t" \
    "pop %r10\n\t"            \
    "pop %r9\n\t"             \
    "pop %r8\n\t"             \
    "pop %rdi\n\t"            \
    "pop %rsi\n\t"            \
    "pop %rdx\n\t"            \
    "pop %rcx\n\t"            \
    "pop %rax\n\t"            \
    "pop %rbp\n\t"            \
    "ret"

#define CALL(function)   \
    "and $-2, %rdi\n\t"  \
    "and $-16, %rsp\n\t" \
    "call " function "@PLT\n\t"

#define CALL_HOOK ARGUMENTS("rdx") CALL(MPROF_HOOK_CALL) RESTORE

MPROF_HOOK __attribute__((naked)) void mcount(void)
{
    __asm__(TEST SAVE "mov 8(%rbp), %rdi\n\t"
                      "mov (%rbp), %rsi\n\t"
                      "mov 8(%rsi), %rsi\n\t" CALL_HOOK);
}

/* At the first instruction of a function, rdx is where its return address is: the frame
 * (returns.h). */
#if MPROF_TRACE_RETURNS
#define ENTER                                                                        \
    "mov (%rdx), %rsi\n\t"                                                           \
    "push %rdx\n\t" ARGUMENTS("rcx") CALL("mprof_entered") "mov -72(%rbp), %rcx\n\t" \
                                                           "mov %rax, (%rcx)\n\t" RESTORE
#else
#define ENTER "mov (%rdx), %rsi\n\t" CALL_HOOK
#endif

/* A function with a static chain pushes r10 before it calls, and the first thing that it does
 * behind is "pop %r10", the bytes 41 5a. No other function can start so, it would lose its return
 * address. */
MPROF_HOOK __attribute__((naked)) void __fentry__(void)
{
    __asm__(TEST SAVE "mov 8(%rbp), %rdi\n\t"
                      "lea 16(%rbp), %rdx\n\t"
                      "cmpw $0x5a41, (%rdi)\n\t"
                      "jne 2f\n\t"
                      "add $8, %rdx\n"
                      "2: " ENTER);
}

MPROF_HOOK __attribute__((naked)) void mprof_patched_entry(void)
{
    __asm__(TEST SAVE "mov 8(%rbp), %rdi\n\t"
                      "lea 16(%rbp), %rdx\n\t" ENTER);
}

#if MPROF_TRACE_RETURNS

/*
 * Where hooked functions return to. Results are in rax, rdx and registers that the stub's C code
 * does not touch.
 *
 * Exceptions of C++, pthread_exit(), debuggers and backtrace() find it as the return address of a
 * hooked function, and look up the byte before it. To them it is a function whose return address is
 * in the table of returns. The expression (DWARF 5, 2.5.1 and 6.4.2.3) finds its slot as
 * mprof_return_find() does, from the CFA, which is the frame plus 16:
 *
 *     lit16, minus, dup, dup, lit4, shr, const2u MPROF_TRACE_RETURNS - 1, and, lit5, shl,
 *     over, deref, dup, lit16, minus, deref, plus, plus,
 *  1: dup, deref, pick 2, eq, bra 2f, plus_uconst 32, skip 1b,
 *  2: plus_uconst 8
 *
 * At the frame is the address of mprof_returned, 16 bytes before which is how far the table is. The
 * first dup is there because libgcc cannot pick the last element of the stack. The CFA is not the
 * stack pointer, which has a rule of its own: libgcc tells frames apart by their CFA, and gdb wants
 * it to grow.
 */
MPROF_STATIC_ASSERT(sizeof(struct mprof_return) == 32, "lit5, plus_uconst 32");
MPROF_STATIC_ASSERT(offsetof(struct mprof_return, caller) == 8, "plus_uconst 8");
MPROF_STATIC_ASSERT(MPROF_FRAME_SHIFT == 4, "lit4");

#ifdef MPROF_TEXT
#define SECTION ".section " MPROF_TEXT ", \"ax\"\n\t"
#else
#define SECTION ".text\n\t"
#endif
#define SLOTS "(" MPROF_TEXT_OF((MPROF_TRACE_RETURNS)) " - 1)"
#if MPROF_TRACE_RESULTS
#define RESULTS "mov %rsp, %rsi\n\t"
#else
#define RESULTS
#endif
__asm__(SECTION ".balign 16\n\t"
                ".quad mprof_return_slots - mprof_returned\n\t"
                ".skip 7, 0x90\n\t"
                ".cfi_startproc\n\t"
                ".cfi_def_cfa %rsp, 8\n\t"
                ".cfi_escape 0x16, 7, 2, 0x38, 0x1c\n\t"
                ".cfi_escape 0x10, 16, 35, 0x40, 0x1c, 0x12, 0x12, 0x34, 0x25, 0x0a, " SLOTS
                " & 255, " SLOTS " >> 8, "
                "0x1a, 0x35, 0x24, 0x14, 0x06, 0x12, 0x40, 0x1c, 0x06, 0x22, 0x22, "
                "0x12, 0x06, 0x15, 2, 0x29, 0x28, 5, 0, 0x23, 32, 0x2f, 0xf3, 0xff, 0x23, 8\n\t"
                "nop\n"
                ".globl mprof_returned\n\t"
                ".hidden mprof_returned\n\t"
                ".type mprof_returned, @function\n"
                "mprof_returned:\n\t"
                "sub $8, %rsp\n\t"
                ".cfi_endproc\n\t"
                "push %rbp\n\t"
                "mov %rsp, %rbp\n\t"
                "push %rdx\n\t"
                "push %rax\n\t"
                "lea 8(%rbp), %rdi\n\t" RESULTS
                "and $-16, %rsp\n\t"
                "call mprof_left@PLT\n\t"
                "mov %rax, 8(%rbp)\n\t"
                "lea -16(%rbp), %rsp\n\t"
                "pop %rax\n\t"
                "pop %rdx\n\t"
                "pop %rbp\n\t"
                "ret\n\t"
                ".size mprof_returned, . - mprof_returned\n\t"
                ".previous");

#if MPROF_TRACE_COST

MPROF_HOOK __attribute__((naked)) void mprof_probe(void)
{
    __asm__("call mprof_patched_entry@PLT\n\tret");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_plain(void)
{
    __asm__("ret");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_jump(void)
{
    __asm__("call mprof_patched_entry@PLT\n\tjmp mprof_probe@PLT");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_jump_plain(void)
{
    __asm__("jmp mprof_probe_plain@PLT");
}

#endif
#endif
#endif
