/* SPDX-License-Identifier: 0BSD */
/* Where functions whose return is hooked on Cortex-M return to. */
#include "hook.h"
#if MPROF_TRACE_RETURNS
#include "returns.h"
#endif

#if MPROF_COUNTS_CALLS && MPROF_TRACE_RETURNS

/* The unwinder's, if the firmware has one ("Exception Handling ABI for the Arm Architecture", 8.4):
 * a core register as a number of 32 bits. */
enum { CORE = 0, UINT32 = 0, SP = 13, PC = 15, CONTINUE_UNWIND = 8 };
__attribute__((weak)) int _Unwind_VRS_Get(void *context, int sort, uint32_t reg, int as,
                                          void *value);
__attribute__((weak)) int _Unwind_VRS_Set(void *context, int sort, uint32_t reg, int as,
                                          void *value);

int mprof_returned_personality(int state, void *exception, void *context);

/* Exceptions of C++ and forced unwinding find mprof_returned as the return address of a hooked
 * function. To them it is a function without a frame, whose return address is in the table. */
__attribute__((used)) MPROF_CODE int mprof_returned_personality(int state, void *exception,
                                                                void *context)
{
    uint32_t sp = 0, pc = MPROF_RETURNED(0);

    (void)state, (void)exception;
    (void)_Unwind_VRS_Get(context, CORE, SP, UINT32, &sp);
    (void)_Unwind_VRS_Get(context, CORE, PC, UINT32, &pc);
    uintptr_t table = MPROF_RETURN_TABLES == 1 ? 0 : MPROF_RETURN_TABLE_OF(pc | 1);
    uint32_t caller = mprof_return_find(sp - 16, table)->caller;
    (void)_Unwind_VRS_Set(context, CORE, PC, UINT32, &caller);
    return CONTINUE_UNWIND;
}

#ifdef MPROF_TEXT
#define SECTION MPROF_TEXT
#else
#define SECTION ".text.mprof_returned"
#endif
#if MPROF_TRACE_RESULTS
#define RESULTS "mov r1, sp\n\t"
#else
#define RESULTS
#endif

/* What returns has no more use for lr. */
#if MPROF_RETURN_TABLES > 1
#define ENTRIES ".rept " MPROF_TEXT_OF(MPROF_RETURN_TABLES) "\n\tbl 1f\n\t.endr\n1:\t"
#define ENTRY   "mov r2, lr\n\t"
#else
#define ENTRIES
#define ENTRY
#endif

/*
 * Results are in r0 to r3, and in floating point registers. The address that it returns to may be
 * an EXC_RETURN. Unwinders look up the code before a return address. What else is in the section
 * cannot be unwound.
 *
 * To debuggers it is a function whose return address is where an expression says (DWARF 5, 2.5.1
 * and 6.4.2.3), which finds the slot as mprof_return_find() does, from the CFA, which is the frame
 * plus 20:
 *
 *     const1u 20, minus, dup, dup, lit3, shr, const2u MPROF_TRACE_RETURNS - 1, and, lit4, shl,
 *     breg14 -17, deref, plus,
 *  1: dup, deref, pick 2, eq, bra 2f, plus_uconst 16, skip 1b,
 *  2: plus_uconst 4
 *
 * lr, which has the address of mprof_returned then, tells where the address of the table is.
 */
MPROF_STATIC_ASSERT(sizeof(struct mprof_return) == 16, "lit4, plus_uconst 16");
MPROF_STATIC_ASSERT(offsetof(struct mprof_return, caller) == 4, "plus_uconst 4");
MPROF_STATIC_ASSERT(MPROF_FRAME_SHIFT == 3, "lit3");
#define SLOTS "(" MPROF_TEXT_OF((MPROF_TRACE_RETURNS)) " - 1)"

/* The tables of several cores are not told apart. */
#if MPROF_RETURN_TABLES == 1
#define UNWIND_SECTIONS ".cfi_sections .debug_frame\n\t"
#define UNWIND_BEGIN                                                                 \
    ".cfi_startproc\n\t"                                                             \
    ".cfi_def_cfa sp, 4\n\t"                                                         \
    ".cfi_escape 0x16, 13, 2, 0x34, 0x1c\n\t"                                        \
    ".cfi_escape 0x10, 14, 32, 0x08, 20, 0x1c, 0x12, 0x12, 0x33, 0x25, 0x0a, " SLOTS \
    " & 255, " SLOTS " >> 8, 0x1a, 0x34, 0x24, 0x7e, 0x6f, 0x06, 0x22, "             \
    "0x12, 0x06, 0x15, 2, 0x29, 0x28, 5, 0, 0x23, 16, 0x2f, 0xf3, 0xff, 0x23, 4\n\t"
#define UNWIND_END ".cfi_endproc\n\t"
#else
#define UNWIND_SECTIONS
#define UNWIND_BEGIN
#define UNWIND_END
#endif

__asm__(UNWIND_SECTIONS ".pushsection " SECTION ", \"ax\", %progbits\n\t"
                        ".syntax unified\n\t"
                        ".thumb\n\t"
                        ".balign 16\n\t"
                        ".word mprof_return_slots\n\t"
                        ".word 0\n\t"
                        ".fnstart\n\t"
                        ".personality mprof_returned_personality\n\t" UNWIND_BEGIN "nop\n\t"
                        "nop\n\t"
                        "nop\n\t"
                        "nop\n\t"
                        ".globl mprof_returned\n\t"
                        ".type mprof_returned, %function\n\t"
                        ".thumb_func\n"
                        "mprof_returned:\n\t" ENTRIES "push {r0, r1, r2, r3}\n\t" UNWIND_END
                        "mov r0, sp\n\t" RESULTS ENTRY "bl mprof_left\n\t"
                        "mov ip, r0\n\t"
                        "pop {r0, r1, r2, r3}\n\t"
                        "bx ip\n\t"
                        ".size mprof_returned, . - mprof_returned\n\t"
                        ".fnend\n\t"
                        ".fnstart\n\t"
                        ".cantunwind\n\t"
                        ".fnend\n\t"
                        ".popsection");

#endif
