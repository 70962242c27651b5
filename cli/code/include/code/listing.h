/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of a range of code, as text. */
#ifndef CODE_LISTING_H
#define CODE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest instruction, bytes; x86 has 15. */
#define LISTING_BYTES_MAX 16

/* Texts of a listing that are kept whole, bytes; and of each of those after them, the first bytes.
 * A text has the name of a symbol, which may be of any length. */
#define LISTING_TEXTS_MAX  ((size_t)32 << 20)
#define LISTING_TEXT_SHORT 80

/* An instruction, or data between instructions. */
struct listing_item {
    uint64_t addr;
    unsigned size;                    /* bytes, 1 to LISTING_BYTES_MAX */
    uint8_t bytes[LISTING_BYTES_MAX]; /* by ascending address */
    char *text;      /* as gdb writes it: mnemonic, blank, operands; without control characters */
    bool data;       /* a constant of the code, or a jump table */
    bool jumps;      /* a jump or branch with a known target; not a call */
    uint64_t target; /* its target */
};

/* A listing: items sorted by address, without overlaps. Zeroed memory is an empty one. */
struct listing {
    struct listing_item *items; /* owned, with their texts */
    size_t count, capacity;     /* items in use, and the room for them */
    size_t text_len;            /* bytes of all texts */
};

/* Appends a copy of an item; its text may be cut. Returns false if memory runs out, or the item is
 * not after the last one, or its size is wrong; the listing is unchanged then. */
bool listing_add(struct listing *listing, const struct listing_item *item)
    __attribute__((warn_unused_result));

/* Frees all items; the listing is empty and can be used again. */
void listing_free(struct listing *listing);

/* Finds the target in the text of a jump or branch: gdb writes it as the last operand, a
 * hexadecimal number and a name. Returns false for other instructions, for calls, and for jumps to
 * a register; *target is unchanged then. */
bool listing_jump(const char *text, uint64_t *target);

/* The same for jumps, branches and calls. */
bool listing_target(const char *text, uint64_t *target);

#endif
