/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files that the build made: their symbol tables, and copies of them to be damaged. */
#ifndef SYMBOL_CHECKS_H
#define SYMBOL_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* Loads a file of the folder SYMBOL_FILES, or of any, by its whole path. */
struct symtab *load(const char *name);

/* The first function of that name, NULL if there is none; and one that must be there. */
const struct symtab_function *named(const struct symtab *t, const char *name);
const struct symtab_function *the(const struct symtab *t, const char *name);

/* A file in memory, and where write_copy() puts its first len bytes: in a new file each time. */
struct elf_copy {
    uint8_t bytes[65536];
    size_t len;
    char path[512];
};

struct elf_copy *copy_of(const char *name);
void write_copy(const struct elf_copy *copy, size_t len);

/* Removes the file, too. */
void free_copy(struct elf_copy *copy);

#endif
