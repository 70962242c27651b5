/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an instruction goes: as much of an instruction set as coverage needs. */
#ifndef MODEL_FLOW_H
#define MODEL_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* One instruction. */
struct flow {
    unsigned len; /* bytes */
    enum flow_kind {
        FLOW_ON,    /* the next instruction is executed after it; also after a call */
        FLOW_CALL,  /* the same, and it is a call of target */
        FLOW_JUMP,  /* target, or maybe target, is executed after it */
        FLOW_BREAK, /* something else */
    } kind;
    uint64_t target;
    bool maybe; /* of FLOW_JUMP: if a condition is true; else it is FLOW_ON */
};

/*
 * Decodes the instruction at addr, of which len bytes are there. machine is that of an ELF
 * file: Arm (Thumb), RISC-V, or x86-64, of which only calls and jumps with a displacement of 32
 * bits are known, and everything else has the length 1. Bytes that are no instruction give
 * anything. Returns false if there are too few bytes, or the machine is another one.
 */
bool flow_decode(const struct symtab_elf *machine, const uint8_t *bytes, size_t len, uint64_t addr,
                 struct flow *flow);

/* Whether flow_decode() knows all instructions of the machine that go elsewhere. */
bool flow_is_complete(const struct symtab_elf *machine);

#endif
