/* SPDX-License-Identifier: 0BSD */
/* Where functions whose return is hooked on RISC-V return to. */
#include "hook.h"
#if MPROF_TRACE_RETURNS
#include "returns.h"
#endif

#if MPROF_COUNTS_CALLS && MPROF_TRACE_RETURNS

/*
 * Results are in a0 and a1, and in floating point registers.
 *
 * Exceptions of C++, forced unwinding and debuggers find it as the return address of a hooked
 * function, and look up the code before it. To them it is a function whose return address is in the
 * table of returns. The expression (DWARF 5, 2.5.1 and 6.4.2.3) finds its slot as
 * mprof_return_find() does, from the CFA, which is the frame plus 20:
 *
 *     const1u 20, minus, dup, dup, litSHIFT, shr, const2u MPROF_TRACE_RETURNS - 1, and,
 *     litSIZE_LOG2, shl, breg1 -16, deref, plus,
 *  1: dup, deref, pick 2, eq, bra 2f, plus_uconst SIZE, skip 1b,
 *  2: plus_uconst WORD
 *
 * ra, which has the address of mprof_returned then, tells where the address of the table is. The
 * first dup is there because libgcc cannot pick the last element of the stack. The CFA is not the
 * stack pointer, which has a rule of its own: libgcc tells frames apart by their CFA. This file has
 * nothing else in it, so that compilers have not chosen yet where such information goes.
 */
MPROF_STATIC_ASSERT(sizeof(struct mprof_return) == 4 * sizeof(uintptr_t), "lit4 or 5");
MPROF_STATIC_ASSERT(offsetof(struct mprof_return, caller) == sizeof(uintptr_t), "plus_uconst");

#if __riscv_xlen == 64
#define ADDRESS   ".dword "
#define WORD      "8"
#define SIZE      "32"
#define SIZE_LOG2 "0x35"
#define SAVE      "sd a0, (sp)\n\tsd a1, 8(sp)\n\t"
#define LOAD      "ld a0, (sp)\n\tld a1, 8(sp)\n\t"
#else
#define ADDRESS   ".word "
#define WORD      "4"
#define SIZE      "16"
#define SIZE_LOG2 "0x34"
#define SAVE      "sw a0, (sp)\n\tsw a1, 4(sp)\n\t"
#define LOAD      "lw a0, (sp)\n\tlw a1, 4(sp)\n\t"
#endif
#ifdef __riscv_32e
#define SHIFT "0x33"
#else
#define SHIFT "0x34"
#endif
MPROF_STATIC_ASSERT(MPROF_FRAME_SHIFT == 3 || MPROF_FRAME_SHIFT == 4, "lit3 or 4");

#ifdef MPROF_TEXT
#define SECTION MPROF_TEXT
#else
#define SECTION ".text.mprof_returned"
#endif
#define SLOTS "(" MPROF_TEXT_OF((MPROF_TRACE_RETURNS)) " - 1)"
#if MPROF_TRACE_RESULTS
#define RESULTS "mv a1, sp\n\t"
#else
#define RESULTS
#endif

/* What returns has no more use for ra. */
#if MPROF_RETURN_TABLES > 1
#define ENTRIES                                                               \
    ".option push\n\t.option norvc\n\t"                                       \
    ".rept " MPROF_TEXT_OF(MPROF_RETURN_TABLES) "\n\tjal ra, 1f\n\t.endr\n\t" \
                                                ".option pop\n1:\t"
#define ENTRY "mv a2, ra\n\t"
#else
#define ENTRIES
#define ENTRY
#endif

#define UNWIND_SECTIONS ".cfi_sections .eh_frame, .debug_frame\n\t"

/* The tables of several cores are not told apart. */
#if MPROF_RETURN_TABLES == 1
#define UNWIND_BEGIN                                                                     \
    ".cfi_startproc\n\t"                                                                 \
    ".cfi_def_cfa sp, 4\n\t"                                                             \
    ".cfi_escape 0x16, 2, 2, 0x34, 0x1c\n\t"                                             \
    ".cfi_escape 0x10, 1, 32, 0x08, 20, 0x1c, 0x12, 0x12, " SHIFT ", 0x25, 0x0a, " SLOTS \
    " & 255, " SLOTS " >> 8, 0x1a, " SIZE_LOG2 ", 0x24, 0x71, 0x70, 0x06, 0x22, "        \
    "0x12, 0x06, 0x15, 2, 0x29, 0x28, 5, 0, 0x23, " SIZE ", 0x2f, 0xf3, 0xff, 0x23, " WORD "\n\t"
#define UNWIND_END ".cfi_endproc\n\t"
#else
#define UNWIND_BEGIN
#define UNWIND_END
#endif

__asm__(UNWIND_SECTIONS ".pushsection " SECTION ", \"ax\"\n\t"
                        ".balign 16\n\t"
                        ".option push\n\t"
                        ".option norvc\n\t" ADDRESS "mprof_return_slots\n\t"
                        ".balign 8\n\t" UNWIND_BEGIN "nop\n\t"
                        "nop\n\t"
                        ".option pop\n\t"
                        ".globl mprof_returned\n\t"
                        ".type mprof_returned, @function\n"
                        "mprof_returned:\n\t" ENTRIES "addi sp, sp, -16\n\t" UNWIND_END SAVE
                        "mv a0, sp\n\t" RESULTS ENTRY "call mprof_left\n\t"
                        "mv ra, a0\n\t" LOAD "addi sp, sp, 16\n\t"
                        "ret\n\t"
                        ".size mprof_returned, . - mprof_returned\n\t"
                        ".popsection");

#if MPROF_PG_RETURNS

/* Each way has the address of its slot. Unwinders find ra as the way: "breg1 WORD, deref,
 * plus_uconst WORD" is where its return address is, of whichever table. */
#ifdef MPROF_TEXT
#define WAYS_SECTION MPROF_TEXT
#else
#define WAYS_SECTION ".text.mprof_return_ways"
#endif
#if __riscv_xlen == 64
#define GET_SLOT "ld a0, 4(t0)\n\t"
#else
#define GET_SLOT "lw a0, (t0)\n\t"
#endif

__asm__(UNWIND_SECTIONS ".pushsection " WAYS_SECTION ", \"ax\"\n\t"
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
                                                ".balign " WORD "\n\t" ADDRESS
                                                "mprof_return_slots + mprof_slot\n\t"
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
