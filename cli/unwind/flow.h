/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows the instructions of a function from its first one on every way through it, as far as they
 * move the stack pointer and save registers. So it is known at each of them where the return
 * address is, also in a prologue and an epilogue, without tables. */
#ifndef UNWIND_FLOW_H
#define UNWIND_FLOW_H

#include "machine.h"
#include "rules.h"

/* What is known of a value. Zeroed memory is nothing. */
struct value {
    enum value_kind {
        VALUE_UNKNOWN,
        VALUE_ENTRY,    /* of register number when the function was entered */
        VALUE_CFA,      /* the stack pointer when the function was entered, plus offset */
        VALUE_CONSTANT, /* offset */
        VALUE_MEPC,     /* RISC-V: of mepc or sepc */
    } kind;
    unsigned number;
    int32_t offset;
};

/* Registers that are followed: DWARF's numbers below this. */
#define FLOW_REGISTERS 32

/* Values in the stack's memory that are kept: a function saves at most 31 registers. */
#define FLOW_SLOTS 36

struct flow_slot {
    int32_t offset; /* from the CFA */
    struct value value;
};

/* What is known before an instruction. */
struct flow_state {
    struct value registers[FLOW_REGISTERS];
    struct flow_slot slots[FLOW_SLOTS];
    unsigned slot_count;
    size_t at; /* offset of the instruction in the function */
    /* Of a Thumb IT block: instructions that are left, and which of them are not executed on this
     * way, the next one in bit 0. */
    unsigned it_left, it_skipped;
};

/* One instruction: what is given to machine.execute(), and how it goes on. */
struct flow_step {
    const uint8_t *code; /* left bytes from the instruction on, at least 2 */
    size_t left;
    uint64_t addr;
    unsigned addr_size;
    uint64_t scratch; /* see struct machine */

    unsigned size; /* of the instruction; 0: there are not enough bytes */
    enum flow_kind {
        FLOW_NEXT,
        FLOW_JUMP,     /* to target */
        FLOW_BRANCH,   /* to target or the next one */
        FLOW_CALL,     /* of target, if that is not 0; then the next one */
        FLOW_RETURN,   /* or an endless wait, or what nobody knows: the way ends here */
        FLOW_INDIRECT, /* to an address that is not known */
        FLOW_TABLE,    /* to one of a table: see table_size */
        FLOW_SPLIT,    /* an IT block: the state says one way, other_skipped the other one */
    } kind;
    uint64_t target;
    unsigned table_size; /* bytes of an entry: 1 or 2 bytes, unsigned, count halfwords after
                            table_base; the table is at table_base too */
    uint64_t table_base;
    unsigned other_skipped;
};

/* Room to follow functions in. */
struct flow;

/* Returns NULL if memory runs out. The caller calls flow_free(). */
struct flow *flow_new(void);
void flow_free(struct flow *flow);

/* A function, and where it is in it. */
struct flow_place {
    const struct machine *machine;
    const struct symtab *symtab;
    const uint8_t *code; /* of the function, len bytes */
    size_t len;
    uint64_t addr; /* of the function */
    uint64_t pc;
    bool exact; /* pc is to be executed next; else it is after a call */
};

/* Makes the rules of a place. Returns false if no way leads there, or several with different
 * results; *rules is undefined then. */
bool flow_find(struct flow *flow, const struct flow_place *place, struct rules *rules);

/*
 * Operations that instructions are made of. Numbers are of registers, values are 32 bits.
 *
 * The value that a register had at the entry has one place: to save it on the stack takes it from
 * its register, and to load it into its register takes it from the stack. So what is known does not
 * depend on whether the register was changed in between, which is different on each way.
 */
void flow_set(struct flow_state *state, unsigned to, struct value value);
void flow_forget(struct flow_state *state, uint64_t mask);
struct value flow_sum(struct value value, int64_t offset);
void flow_store(struct flow_state *state, struct value addr, struct value value);
struct value flow_load(const struct flow_state *state, struct value addr);

#endif
