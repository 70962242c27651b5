/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call stack of a halted core, from its registers and its stack memory. */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/*
 * Numbers of registers in struct unwind_registers. Those below 32 are DWARF's numbers:
 *
 *   Arm (Cortex-M)  0 to 12 are r0 to r12, 13 is sp, 14 is lr. The pc is UNWIND_PC, not 15.
 *   RISC-V          0 to 31 are x0 to x31: 1 is ra, 2 is sp, 8 is s0/fp.
 *   x86-64          0 rax, 1 rdx, 2 rcx, 3 rbx, 4 rsi, 5 rdi, 6 rbp, 7 rsp, 8 to 15 r8 to r15.
 *
 * (DWARF for the Arm Architecture, 4.1; RISC-V ELF psABI, "DWARF Register Numbers"; System V ABI
 * for AMD64, 3.6.2.) The pc and registers without such a number follow.
 */
enum {
    UNWIND_PC = 32,   /* the address of the next instruction; bit 0 is ignored on Arm */
    UNWIND_MSP = 33,  /* Arm: main stack pointer */
    UNWIND_PSP = 34,  /* Arm: process stack pointer */
    UNWIND_MEPC = 35, /* RISC-V: mepc, or sepc if traps are handled in supervisor mode */
    UNWIND_REGISTERS = 36
};

/* The registers of a halted core. Zeroed memory has none. */
struct unwind_registers {
    uint64_t value[UNWIND_REGISTERS]; /* of 32-bit cores the upper half is ignored */
    uint64_t known;                   /* bit n: value[n] is set */
};

/* Sets a register. */
static inline void unwind_set(struct unwind_registers *registers, unsigned number, uint64_t value)
{
    registers->value[number] = value;
    registers->known |= (uint64_t)1 << number;
}

/* The target's memory while the core is halted. Zeroed memory is none. All is borrowed for a call.
 */
struct unwind_memory {
    uint64_t addr;        /* of bytes[0]; usually the stack pointer */
    const uint8_t *bytes; /* len of them, read in advance; may be NULL if len is 0 */
    size_t len;
    /* Reads len bytes, at most 16, at addr, which are not all in bytes. Returns false if it cannot.
     * NULL: there is no more memory, and a stack that needs more is cut. */
    bool (*read)(void *context, uint64_t addr, void *to, size_t len);
    void *context; /* first argument of read() */
};

/* Bytes above the stack pointer that hold the whole stack of most programs. */
#define UNWIND_STACK_BYTES 1024

/* One function of the stack that has not returned. */
struct unwind_frame {
    /* frames[0]: the halted pc. Others: the address where the function goes on, which is a return
     * address or, if interrupted, the instruction before which an exception was taken. An address
     * as the target reports it, without the Thumb bit. */
    uint64_t pc;
    /* An address in the instruction that the function is at: for symtab_find(), symtab_find_line()
     * and symtab_find_inlined(). It is pc, or for a return address one less, since a call may be
     * the last instruction of its function. */
    uint64_t at;
    /* The function was interrupted: the function of the frame before is an exception's handler. */
    bool interrupted;
};

/* How the list of frames ended. */
enum unwind_end {
    UNWIND_COMPLETE,   /* the last frame is the start of the program or of a thread */
    UNWIND_FULL,       /* there was no room for more frames */
    UNWIND_NO_INFO,    /* cut: how the last frame's function returns is not known */
    UNWIND_NO_MEMORY,  /* cut: stack memory, or a register, that is needed was not given */
    UNWIND_IMPLAUSIBLE /* cut: what was found as return address is not one, or frames repeat */
};

/* Result of unwind(). */
struct unwind_stack {
    struct unwind_frame *frames; /* room of the caller's for max frames, innermost first */
    size_t max;                  /* at least 1 */
    size_t count;                /* 1 to max, if the pc is known */
    enum unwind_end end;
    uint64_t end_pc; /* pc of the last frame */
    char why[120];   /* one line without a full stop: why it ended there; "" for UNWIND_FULL */
};

/* Most frames that are worth room: deeper stacks are those of endless recursion. */
#define UNWIND_FRAMES_MAX 256

/* What an ELF file, with those that joined it, says about stacks. */
struct unwinder;

/*
 * Reads the tables of an ELF file: .debug_frame, .eh_frame, .ARM.exidx and .ARM.extab. A file may
 * have none: functions are then followed by their instructions (Arm and RISC-V). A damaged or too
 * large table is not used, which is not a failure.
 *
 * symtab must live as long, also if it is relocated, and no file may join it meanwhile.
 *
 * Returns NULL if memory runs out, or the machine is none of Cortex-M, RISC-V and x86-64
 * (little-endian); one line that says so is in text. The caller calls unwinder_free().
 */
struct unwinder *unwinder_new(const struct symtab *symtab, char *text, size_t capacity)
    __attribute__((warn_unused_result));
/* NULL is allowed and does nothing. */
void unwinder_free(struct unwinder *unwinder);

/*
 * Returns the registers that unwind() needs, as a mask of 1 << number, and sets *useful to those
 * without which some stacks are cut (*useful contains the needed ones):
 *
 *   Arm     needs pc, sp, lr; useful: r4 to r11, PSP, MSP
 *   RISC-V  needs pc, ra, sp; useful: s0 to s11, mepc
 *   x86-64  needs pc, rsp; useful: rbx, rbp, r12 to r15
 *
 * Other registers are not read, except by code that keeps its stack pointer there.
 */
uint64_t unwinder_registers(const struct unwinder *unwinder, uint64_t *useful);

/* Returns the DWARF number of the machine's stack pointer: where memory is to be read. */
unsigned unwinder_stack_pointer(const struct unwinder *unwinder);

/*
 * Finds the frames of a halted core: the halted function, its caller, and so on; through
 * exceptions, also nested ones, to the code that they interrupted. Inlined functions have no
 * frames: see symtab_find_inlined(). A function that ended in a jump to another one (a tail call)
 * is not on the stack.
 *
 * Each return address must be in code, right after a call instruction: else the list is cut before
 * it. What is in the list is therefore true for code that compilers make; what is missing is at
 * its end, and said by end and why. Sets all of stack but frames and max.
 *
 * Takes some microseconds a frame, at most some milliseconds. Not for two threads at once with one
 * unwinder.
 */
void unwind(struct unwinder *unwinder, const struct unwind_registers *registers,
            const struct unwind_memory *memory, struct unwind_stack *stack);

/* Whether the list was cut: it is neither complete nor full. */
static inline bool unwind_is_cut(const struct unwind_stack *stack)
{
    return stack->end != UNWIND_COMPLETE && stack->end != UNWIND_FULL;
}

#endif
