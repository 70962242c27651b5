/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an ELF file has the bytes of an address. */
#ifndef INSTRUMENT_LOAD_MAP_H
#define INSTRUMENT_LOAD_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are loaded from the file. */
struct load_part {
    uint64_t addr; /* where the program runs them */
    size_t offset, len;
};

struct load_map {
    struct load_part *parts; /* owned */
    size_t count;
    unsigned flags; /* e_flags */
};

/* Reads the segments of an ELF file of len bytes. Returns false if it is damaged or memory runs
 * out; nothing has to be freed then. load_map_free() frees the map. */
bool load_map_read(struct load_map *map, const uint8_t *bytes, size_t len)
    __attribute__((warn_unused_result));
void load_map_free(struct load_map *map);

/* Finds len bytes at addr. Returns false if they are not in the file, or in it twice. */
bool load_map_find(const struct load_map *map, uint64_t addr, size_t len, size_t *offset);

#endif
