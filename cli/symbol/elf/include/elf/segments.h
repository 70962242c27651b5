/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constant bytes that an ELF file loads: see struct symtab_segment. */
#ifndef SYMBOL_SEGMENTS_H
#define SYMBOL_SEGMENTS_H

#include <elf/image.h>

/* The segments. Zeroed memory is none. Arrays are owned. */
struct segments {
    struct symtab_segment *list; /* sorted by address; bytes are those of the image or in copies */
    size_t count, capacity;
    uint8_t **copies; /* bytes that were read from a large file */
    size_t copy_count;
};

/* Reads the segments of an image, which must live as long. functions is the number of functions in
 * the file, for the budget: each may be searched in each segment. Returns false if the bytes cannot
 * be read, memory runs out, or the budget for symbols is over. The caller calls segments_free() in
 * any case. */
bool segments_read(struct segments *segments, const struct image *image, size_t functions);
void segments_free(struct segments *segments);

/* Adds distance to each address, modulo 2^64. */
void segments_move(struct segments *segments, uint64_t distance);

#endif
