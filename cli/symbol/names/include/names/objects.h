/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data objects of an ELF file, to be found by their addresses. */
#ifndef SYMBOL_OBJECTS_H
#define SYMBOL_OBJECTS_H

#include <elf/image.h>

/* One object. */
struct object {
    uint64_t addr, size; /* as in the file; size is not 0 */
    const char *symbol;  /* its name in the symbol table; lives as long as the image */
};

/* The objects. Zeroed memory is none, not read yet. */
struct objects {
    struct object *list; /* owned; sorted by address, one for each */
    size_t count;
    bool read;
};

/* Reads the objects of an image. Returns false if memory runs out, the budget for symbols is over,
 * or there is no symbol table. The caller calls objects_free() in any case. */
bool objects_read(struct objects *objects, const struct image *image);
void objects_free(struct objects *objects);

/* Returns the object that contains an address, or NULL. */
const struct object *objects_find(const struct objects *objects, uint64_t addr);

#endif
