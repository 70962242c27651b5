/* SPDX-License-Identifier: 0BSD */
/* The source of calls of -fpatchable-function-entry on RISC-V. */
#include "cost.h"
#include "hook.h"

#if MPROF_COUNTS_CALLS

/*
 * A function compiled with -fpatchable-function-entry=2 starts with two nops, of 2 bytes if the
 * core has compressed instructions, else of 4. 'mprof instrument' writes "jal t0,
 * mprof_patched_entry" over the first 4 bytes. So t0 is the address after them. No instruction of
 * the function has run: ra, a0 to a7, fa0 to fa7 and t2, the static chain of a nested function,
 * have their values, and must keep them. The stub's C code touches no floating point registers.
 *
 * A frame (returns.h) is the stack pointer of the function's caller, less 16.
 */

/* clang-format off */

#if __riscv_xlen == 64
#define SAVE(reg, word) "sd " reg ", 8*" #word "(sp)\n\t"
#define LOAD(reg, word) "ld " reg ", 8*" #word "(sp)\n\t"
#define GROW(sign)      "addi sp, sp, " sign "96\n\t"
#else
#define SAVE(reg, word) "sw " reg ", 4*" #word "(sp)\n\t"
#define LOAD(reg, word) "lw " reg ", 4*" #word "(sp)\n\t"
#define GROW(sign)      "addi sp, sp, " sign "48\n\t"
#endif

#ifdef __riscv_32e /* which has no a6 and a7 */
#define UPPER(what)
#else
#define UPPER(what) what("a6", 6) what("a7", 7)
#endif
#define LIVE(what)                                                               \
    what("a0", 0) what("a1", 1) what("a2", 2) what("a3", 3) what("a4", 4)        \
    what("a5", 5) UPPER(what) what("t2", 8) what("t0", 9)

#if MPROF_CORES > 1
#define TEST
#else
#define TEST                                                              \
    "lw t1, s_prof + " MPROF_TEXT_OF(MPROF_HOOK_OFFSET) "\n\t"            \
    "andi t1, t1, 1<<" MPROF_TEXT_OF(MPROF_HOOK_BIT) "\n\t"               \
    "bnez t1, 1f\n\t"                                                     \
    "jr t0\n"                                                             \
    "1: "
#endif

#if MPROF_TRACE_RETURNS
#define SOME_HOOK "mprof_entered"
#if __riscv_xlen == 64
#define FRAME "addi a2, sp, 96-16\n\t"
#else
#define FRAME "addi a2, sp, 48-16\n\t"
#endif
#define BACK "mv ra, a0\n\t"
#define SAVE_CALLER
#if MPROF_TRACE_ARGS
#define ARGUMENTS FRAME "mv a3, sp\n\t"
#else
#define ARGUMENTS FRAME
#endif
#else
#define SOME_HOOK MPROF_HOOK_CALL
#define BACK      LOAD("ra", 10)
#define SAVE_CALLER SAVE("ra", 10)
#if MPROF_TRACE_ARGS
#define ARGUMENTS "mv a2, sp\n\t"
#else
#define ARGUMENTS
#endif
#endif

MPROF_HOOK __attribute__((naked)) void mprof_patched_entry(void)
{
    __asm__(TEST
            GROW("-")
            LIVE(SAVE)
            SAVE_CALLER
            "addi a0, t0, -4\n\t"
            "mv a1, ra\n\t"
            ARGUMENTS
            "call " SOME_HOOK "\n\t"
            BACK
            LIVE(LOAD)
            GROW("")
            "jr t0");
}

#if MPROF_TRACE_RETURNS && MPROF_TRACE_COST

#if __riscv_xlen == 64
#define PROBE_TOP "16"
#else
#define PROBE_TOP "8"
#endif

/* Empty functions: with a patched entry, or as the compiler makes them with -pg. */
#if MPROF_PG_RETURNS
#define PROBE                                \
    "addi sp, sp, -16\n\t"                   \
    SAVE("ra", 1)                            \
    SAVE("s0", 0)                            \
    "addi s0, sp, " PROBE_TOP "\n\t"         \
    "mv a0, ra\n\t"                          \
    "call _mcount\n\t"                       \
    LOAD("ra", 1)                            \
    LOAD("s0", 0)                            \
    "addi sp, sp, 16\n\t"
#else
#define PROBE "jal t0, mprof_patched_entry\n\t"
#endif

MPROF_HOOK __attribute__((naked)) void mprof_probe(void)
{
    __asm__(PROBE "ret");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_plain(void)
{
    __asm__("ret");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_jump(void)
{
    __asm__(PROBE "j mprof_probe");
}

MPROF_HOOK __attribute__((naked)) void mprof_probe_jump_plain(void)
{
    __asm__("j mprof_probe_plain");
}

#endif

#endif
