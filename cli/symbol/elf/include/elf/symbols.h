/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table of an ELF file. */
#ifndef SYMBOL_SYMBOLS_H
#define SYMBOL_SYMBOLS_H

#include <elf/image.h>

/* A symbol table. All of it belongs to the image, and needs no freeing. */
struct symbol_table {
    const struct image *image;
    Elf_Data *data;
    Elf_Data *extended; /* section numbers that do not fit into 16 bits, or NULL */
    struct strings strings;
    size_t count; /* entries; entry 0 is not a symbol */
};

/* One symbol. */
struct symbol {
    GElf_Sym sym;        /* as in the file */
    size_t section;      /* number of its section; 0: it is absolute */
    const char *name;    /* not ""; lives as long as the image */
    unsigned type, bind; /* STT_..., STB_... of elf.h */
};

/* Opens .symtab, or .dynsym if the file has no .symtab. Returns false if the file has neither, or
 * the budget for symbols is over. */
bool symbols_open(struct symbol_table *table, const struct image *image);

/* Whether the file has no .symtab, because strip has removed it. */
bool symbols_are_stripped(const struct image *image);

/* Reads entry index, below count. Returns false if the symbol has no name, is not defined in this
 * file, or is damaged. */
bool symbols_take(const struct symbol_table *table, size_t index, struct symbol *symbol);

#endif
