/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of a stretch of code, as text. */
#ifndef CODE_LISTING_H
#define CODE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest instruction there is: x86 has 15. */
#define LISTING_BYTES_MAX 16

/* What stands at one address: an instruction, or data between instructions. */
struct listing_item {
    uint64_t addr;
    unsigned size;                    /* bytes, from 1 to LISTING_BYTES_MAX */
    uint8_t bytes[LISTING_BYTES_MAX]; /* in the order of their addresses */
    char *text; /* mnemonic, blank, operands: as gdb wrote it, any bytes but control characters */
    bool data;  /* a constant that the code loads, or a table of jumps */
    bool jumps; /* a jump or branch whose target its text names; a call is none */
    uint64_t target; /* of it */
};

/* Ordered by address, and none overlap. Zeroed, it is empty. */
struct listing {
    struct listing_item *items;
    size_t count, capacity;
};

/* Adds what stands behind all others; text is copied. false: no memory, or it does not stand there,
 * or is empty or too long. */
bool listing_add(struct listing *listing, const struct listing_item *item)
    __attribute__((warn_unused_result));
void listing_free(struct listing *listing);

/*
 * The target in the text of a jump, as gdb writes it: its last operand is a hexadecimal number,
 * followed by the name of what stands there. false: it is no jump, or is one by a register, or it
 * is a call.
 */
bool listing_jump(const char *text, uint64_t *target);

/* The same, of a call too. */
bool listing_target(const char *text, uint64_t *target);

#endif
