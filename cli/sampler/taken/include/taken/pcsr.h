/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug registers of a Cortex-M that samples need, and what their values mean. */
#ifndef TAKEN_PCSR_H
#define TAKEN_PCSR_H

#include <stdbool.h>
#include <stdint.h>

#include <taken/taken.h>

/* ARMv7-M manual (DDI 0403), C1.6 and C1.8; the same in ARMv6-M and ARMv8-M. */
#define PCSR_ADDR       0xe000101cu /* DWT_PCSR, where it exists */
#define PCSR_DHCSR      0xe000edf0u
#define PCSR_DEMCR      0xe000edfcu
#define PCSR_TRCENA     (1u << 24) /* of DEMCR: the DWT works */
#define PCSR_S_HALT     (1u << 17) /* of DHCSR */
#define PCSR_S_SLEEP    (1u << 18)
#define PCSR_S_LOCKUP   (1u << 19)
#define PCSR_S_RESET_ST (1u << 25)

/* What the PC is in a lockup, and what DWT_PCSR reads without a PC. */
#define PCSR_LOCKUP 0xfffffffeu
#define PCSR_NONE   0xffffffffu

/* Whether a value is the address of an instruction: 0 is that of the vectors, or no PC at all; from
 * 0xe0000000 on are registers, and codes of an exception's return. */
bool pcsr_is_address(uint32_t value);

/* What some values of DWT_PCSR are. */
struct pcsr_values {
    unsigned addresses; /* of instructions */
    unsigned code;      /* of these, those where the ELF file has code */
    bool vary;
};

/* Counts values; count may be 0. symtab may be NULL: then no code is known. */
struct pcsr_values pcsr_count(const struct symtab *symtab, const uint32_t *values, size_t count);

/* Whether such values are where a core is: addresses that vary, or one where the file has code, in
 * an endless loop. */
bool pcsr_answers(const struct pcsr_values *values);

/* What the core did when DWT_PCSR had a value; dhcsr as it was read shortly after. */
enum taken_kind pcsr_kind(uint32_t value, uint32_t dhcsr);

/* Takes a batch by OpenOCD's own command 'profile'. */
enum sampler_code pcsr_burst(struct taken *taken, enum gdbmi_state *state);

#endif
