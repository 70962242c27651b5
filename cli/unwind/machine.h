/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is special about the stacks of a machine. */
#ifndef UNWIND_MACHINE_H
#define UNWIND_MACHINE_H

#include <unwind/unwind.h>

struct flow_state;
struct flow_step;

/* A call instruction. */
struct call {
    bool direct;     /* it names the function that it calls */
    uint64_t target; /* of a direct one: that function, without the Thumb bit */
};

struct machine {
    unsigned elf;            /* e_machine */
    unsigned sp, ra;         /* DWARF's numbers of the stack pointer and of the return address */
    uint64_t scratch;        /* mask of the registers that a call may change, without pc and sp */
    uint64_t needed, useful; /* see unwinder_registers() */
    bool thumb;              /* bit 0 of a code address is set in pointers to code */
    /* Finds the call instruction that ends right before the code at addr; before points to the len
     * bytes before it, at most 8. Returns false if there is none. */
    bool (*call_before)(uint64_t addr, const uint8_t *before, size_t len, struct call *call);
    /* Executes the instruction of step on what is known of the registers; see flow.h. NULL:
     * instructions cannot be followed. */
    void (*execute)(struct flow_state *state, struct flow_step *step);
    /* Whether a function is a trap handler, which returns to what was interrupted; NULL: that is
     * told by its return address. */
    bool (*is_trap)(const uint8_t *code, size_t len);
};

extern const struct machine machine_arm, machine_riscv, machine_x86;

/* Numbers of the bytes of an instruction, the lowest byte first. */
static inline unsigned read_u16(const uint8_t *p)
{
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

static inline uint32_t read_u32(const uint8_t *p)
{
    return read_u16(p) | (uint32_t)read_u16(p + 2) << 16;
}

/* Bits high to low of value, as a number. */
static inline uint32_t bits(uint32_t value, unsigned high, unsigned low)
{
    return value >> low & (UINT32_MAX >> (31 - high + low));
}

/* The lowest count bits of value, as a signed number. */
static inline int64_t sign_extend(uint64_t value, unsigned count)
{
    uint64_t sign = (uint64_t)1 << (count - 1);

    return (int64_t)((value & (2 * sign - 1)) ^ sign) - (int64_t)sign;
}

#endif
