/* SPDX-License-Identifier: 0BSD */
/* The core registers of an architecture, and where the memory of stacks ends. */
#ifndef GDBMI_SRC_REGISTERS_H
#define GDBMI_SRC_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/link.h>

/* The registers from GDBMI_MSP on. */
#define LINK_SPECIALS (GDBMI_REGISTERS_MAX - GDBMI_MSP)

/* Of xPSR: the number of the exception that the core handles; 0: none. */
#define LINK_PSR_EXCEPTION 0x1ffU

/* Their names, as all servers give them: "msp", "psp", "mepc". */
extern const char *const link_special_names[LINK_SPECIALS];

/* Registers by their index in struct gdbmi_sample; gdb has the same numbers, except for xPSR. */
struct link_registers {
    const char *arch; /* as in struct gdbmi_info */
    unsigned count;
    unsigned pc, sp, ra;
    int psr;     /* -1: it has none */
    int gdb_psr; /* gdb's number of it */
    size_t size; /* bytes of a register; 0: depends on the target */
};

/* Returns the registers of an architecture, or NULL if they are not known. */
const struct link_registers *link_registers_of(const char *arch);

/* Stores the value of a register. */
void link_registers_set(struct gdbmi_sample *sample, unsigned index, uint64_t value);

/* Sets pc, sp, ra and psr of a sample from its registers. Returns false if the program counter was
 * not read. */
bool link_registers_take(const struct link_registers *map, struct gdbmi_sample *sample);

/* Between good and bad, a read of a stack fails; both are 0 until one has failed. */
struct link_stack_end {
    uint64_t good; /* memory can be read up to here */
    uint64_t bad;  /* and not up to here */
};

/* Returns how many of len bytes from sp to read: fewer if they reach over the end that is known, of
 * which a part is tried if it is not known exactly. end is that of the request. */
size_t link_stack_fit(const struct link_stack_end *known, uint64_t end, uint64_t sp, size_t len);

/* Returns up to where a read is tried that reaches over the end. */
uint64_t link_stack_try(const struct link_stack_end *known);

/* Notes that of len bytes from sp only got could be read. */
void link_stack_note(struct link_stack_end *known, uint64_t sp, size_t len, size_t got);

#endif
