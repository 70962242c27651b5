/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ELF file on the disk, which a build may replace at any moment. */
#ifndef LOAD_ELF_FILE_H
#define LOAD_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <base/file_stamp.h>
#include <symbol/symtab.h>

struct elf_file {
    const char *path;
    struct symtab *symtab;
    uint64_t table_addr, table_size; /* of the table; size 0: not known */
    enum symtab_table_kind kind;     /* never SYMTAB_TABLE_OTHER */
    struct symtab_table table;       /* where kind is SYMTAB_TABLE_HEADERLESS */
    struct file_stamp loaded;
    struct file_stamp seen; /* the last one that stood there */
    double seen_s;          /* since when */
    struct file_stamp refused;
    char trouble[480]; /* why the one that stands there was refused, "": it was not */
};

/* Loads the file and finds the table, an object of that name: the stub's, or one of addresses and
 * hits that its type describes. path is borrowed. false: text
 * (capacity bytes) says in one line why not, and *elf is untouched. */
bool elf_file_load(struct elf_file *elf, const char *path, const char *symbol, char *text,
                   size_t capacity) __attribute__((warn_unused_result));
void elf_file_free(struct elf_file *elf);

/* Says on stderr which of the files that symtab has were too large to be read whole, or made to
 * harm. symtab may be NULL. */
void elf_say_trouble(const struct symtab *symtab);

/* Takes all addresses, the table's too, for those of a program that was loaded so that it begins at
 * entry; 0: it stands where the file says. As elf_file_load() on failure. */
bool elf_file_locate(struct elf_file *elf, const char *symbol, uint64_t entry, char *text,
                     size_t capacity) __attribute__((warn_unused_result));

/* Whether a file that was neither loaded nor refused stands there now, and was not written to for a
 * moment: a build writes for a while. Reads nothing of it. now_s is a monotonic clock. */
bool elf_file_changed(struct elf_file *elf, double now_s);

/* Whether the file that stands there is the loaded one. Reads nothing of it. */
bool elf_file_is_loaded(const struct elf_file *elf);

/* The file that stood there at the last look is not to be used, for this reason. */
void elf_file_refuse(struct elf_file *elf, const char *why);

/* Whether the two hold the same firmware, so that only names can be different. */
bool elf_file_same_firmware(const struct elf_file *a, const struct elf_file *b);

#endif
