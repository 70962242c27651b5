/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an ELF file loads and nobody writes to: see struct symtab_segment. */
#ifndef SYMBOL_SEGMENTS_H
#define SYMBOL_SEGMENTS_H

#include <elf/image.h>

/* Zeroed, there are none. */
struct segments {
    struct symtab_segment *list; /* ordered by address */
    size_t count, capacity;
    uint8_t **copies; /* bytes that the image does not have in memory */
    size_t copy_count;
};

/* Takes the image's. functions: how many functions the file has, each of which may be looked for
 * in each segment. Returns false if the bytes cannot be read, memory runs out or the budget for
 * symbols is over. segments is to be freed in every case. */
bool segments_read(struct segments *segments, const struct image *image, size_t functions);
void segments_free(struct segments *segments);

/* Adds distance to every address, modulo 2^64. */
void segments_move(struct segments *segments, uint64_t distance);

#endif
