/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table of an ELF file. */
#ifndef SYMBOL_SYMBOLS_H
#define SYMBOL_SYMBOLS_H

#include <elf/image.h>

/* One table of symbols as libelf gives it. Lives as long as the image. */
struct symbol_table {
    const struct image *image;
    Elf_Data *data;
    Elf_Data *extended; /* section numbers that do not fit into 16 bits, or NULL */
    struct strings strings;
    size_t count; /* of its entries; the first one is no symbol */
};

struct symbol {
    GElf_Sym sym;
    size_t section;   /* 0: absolute */
    const char *name; /* not empty */
    unsigned type, bind;
};

/* Opens the full table if the file has one, else what the dynamic linker needs. Returns false if
 * the file has neither or the budget for symbols is over. */
bool symbols_open(struct symbol_table *table, const struct image *image);

/* Whether the file has no full table, as strip leaves it. */
bool symbols_are_stripped(const struct image *image);

/* Reads one entry. Returns false if it has no name or no place in this file, or if it is damaged.
 */
bool symbols_take(const struct symbol_table *table, size_t index, struct symbol *symbol);

#endif
