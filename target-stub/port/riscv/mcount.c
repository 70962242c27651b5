/* SPDX-License-Identifier: 0BSD */
/* The source of calls of gcc -pg on RISC-V, and where functions return to whose return it has
 * hooked. */
#include "hook.h"
#if MPROF_PG_RETURNS
#include "returns.h"
#endif

#if MPROF_COUNTS_CALLS

void _mcount(void);

#if !MPROF_PG_RETURNS

MPROF_HOOK static void count_call(uintptr_t callee, uintptr_t caller)
{
    mprof_hook(callee, caller);
}

/* An ordinary call to the compiler, which saves arguments and the static chain around it, and gives
 * the caller. What it returns to is a place in the called function. In C, gcc would make a stack
 * frame for that. */
MPROF_HOOK __attribute__((naked)) void _mcount(void)
{
    __asm__("mv a1, a0\n\t"
            "mv a0, ra\n\t"
            "tail %0"
            :
            : "i"(count_call));
}

#else

#if __riscv_xlen == 64
#define WORD     "8"
#define SIZE     "32"
#define ADDRESS  ".dword "
#define SAVE     "sd a0, (sp)\n\tsd a1, 8(sp)\n\t"
#define LOAD     "ld a0, (sp)\n\tld a1, 8(sp)\n\t"
#define GET_SLOT "ld a0, 4(t0)\n\t"
#else
#define WORD     "4"
#define SIZE     "16"
#define ADDRESS  ".word "
#define SAVE     "sw a0, (sp)\n\tsw a1, 4(sp)\n\t"
#define LOAD     "lw a0, (sp)\n\tlw a1, 4(sp)\n\t"
#define GET_SLOT "lw a0, (t0)\n\t"
#endif

#if MPROF_CORES > 1
#define TEST
#else
#define TEST                                                                                  \
    "lw t1, s_prof + " MPROF_TEXT_OF(MPROF_HOOK_OFFSET) "\n\t"                                \
                                                        "andi t1, t1, 1<<" MPROF_TEXT_OF(     \
                                                            MPROF_HOOK_BIT) "\n\t"            \
                                                                            "bnez t1, 1f\n\t" \
                                                                            "ret\n"           \
                                                                            "1: "
#endif

/* The same. With a frame pointer, the return address was saved right below where that points. */
MPROF_HOOK __attribute__((naked)) void _mcount(void)
{
    __asm__(TEST "mv a1, a0\n\t"
                 "mv a0, ra\n\t"
                 "addi a2, s0, -" WORD "\n\t"
                 "mv a3, sp\n\t"
                 "tail mprof_entered_behind");
}

/* Each way has the address of its slot. Unwinders find it as that of mprof_returned (returned.c):
 * ra has the way, "breg1 WORD, deref, plus_uconst WORD" is where its return address is. */
MPROF_STATIC_ASSERT(sizeof(struct mprof_return) == 4 * sizeof(uintptr_t), "SIZE");
MPROF_STATIC_ASSERT(offsetof(struct mprof_return, caller) == sizeof(uintptr_t), "WORD");

#ifdef MPROF_TEXT
#define SECTION MPROF_TEXT
#else
#define SECTION ".text.mprof_return_ways"
#endif
#if MPROF_TRACE_RESULTS
#define RESULTS "mv a1, sp\n\t"
#else
#define RESULTS
#endif

__asm__(".pushsection " SECTION ", \"ax\"\n\t"
        ".balign 8\n\t"
        ".option push\n\t"
        ".option norvc\n\t"
        ".cfi_startproc\n\t"
        ".cfi_def_cfa sp, 4\n\t"
        ".cfi_escape 0x16, 2, 2, 0x34, 0x1c\n\t"
        ".cfi_escape 0x10, 1, 5, 0x71, " WORD ", 0x06, 0x23, " WORD "\n\t"
        "nop\n\t"
        "nop\n\t"
        ".globl mprof_return_ways\n\t"
        ".type mprof_return_ways, @function\n"
        "mprof_return_ways:\n\t"
        ".set mprof_slot, 0\n\t"
        ".rept " MPROF_TEXT_OF(
            MPROF_RETURN_COUNT) "\n\t"
                                "jal t0, 1f\n\t"
                                ".balign " WORD "\n\t" ADDRESS "mprof_return_slots + mprof_slot\n\t"
                                ".set mprof_slot, mprof_slot + " SIZE "\n\t"
                                ".endr\n\t"
                                ".cfi_endproc\n\t"
                                ".option pop\n"
                                "1: addi sp, sp, -16\n\t" SAVE GET_SLOT RESULTS
                                "call mprof_left_by\n\t"
                                "mv ra, a0\n\t" LOAD "addi sp, sp, 16\n\t"
                                "ret\n\t"
                                ".size mprof_return_ways, . - mprof_return_ways\n\t"
                                ".popsection");

#endif
#endif
