/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file on disk, which a build may replace at any time. */
#ifndef LOAD_ELF_FILE_H
#define LOAD_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <base/file_stamp.h>
#include <symbol/symtab.h>

/* Size of a variable's name, bytes with the NUL. */
#define ELF_FILE_NAME 256

/* A loaded ELF file with its table of hits; elf_file_free() frees it. */
struct elf_file {
    const char *path;                /* borrowed */
    struct symtab *symtab;           /* owned */
    uint64_t table_addr, table_size; /* of the table; size 0: not known */
    enum symtab_table_kind kind;     /* never SYMTAB_TABLE_OTHER */
    struct symtab_table table;       /* valid if kind is SYMTAB_TABLE_HEADERLESS or _RING */
    struct symtab_counter counter;   /* of SYMTAB_TABLE_RING */
    char guessed[ELF_FILE_NAME];     /* the counter's name if it was not given, else "" */
    struct file_stamp loaded;        /* the file that was loaded */
    struct file_stamp seen;          /* the file at the last elf_file_changed() */
    double seen_s;                   /* since when it was the same */
    struct file_stamp refused;       /* the file that elf_file_refuse() refused */
    char no_table[480]; /* why there is no table: a file without the stub; "": there is */
    char trouble[480];  /* why the file on disk is not used, "": it is, or is loaded */
};

/* Loads the ELF file at path and finds its table: the variable named symbol, which is that of the
 * stub, an array of addresses and hits, or a ring of calls; "NAME,COUNTER" also names the counter
 * of a ring, which else is an integer or a pointer with a name like tbuf_head or tcur for tbuf, the
 * only one that fits. path is borrowed as long as *elf is used.
 * A file without "s_prof" is loaded all the same: see no_table.
 * Returns false, and writes one line to text, on failure; *elf is unchanged then. */
bool elf_file_load(struct elf_file *elf, const char *path, const char *symbol, char *text,
                   size_t capacity) __attribute__((warn_unused_result));

/* As elf_file_load(); but as long as a build is writing the file, it waits for the end of that, and
 * says so once on stderr. A signal ends the wait (signals_stop()). */
bool elf_file_load_written(struct elf_file *elf, const char *path, const char *symbol, char *text,
                           size_t capacity) __attribute__((warn_unused_result));

/* Frees the symbols. */
void elf_file_free(struct elf_file *elf);

/* Prints to stderr which files of symtab were too large or malformed to be read completely
 * (symtab_trouble()). symtab may be NULL. */
void elf_say_trouble(const struct symtab *symtab);

/* Relocates all addresses, also that of the table, to a program whose entry point is loaded at
 * entry; 0: does nothing. Returns false, and writes one line to text, on failure. */
bool elf_file_locate(struct elf_file *elf, const char *symbol, uint64_t entry, char *text,
                     size_t capacity) __attribute__((warn_unused_result));

/* Whether the file on disk is neither the loaded one nor a refused one, and a build does not seem
 * to be writing it. Does not read it. now_s is the time of monotonic_s(). */
bool elf_file_changed(struct elf_file *elf, double now_s);

/* Whether the file on disk is the loaded one. Does not read it. */
bool elf_file_is_loaded(const struct elf_file *elf);

/* Refuses the file that elf_file_changed() saw last, so that it is not loaded again; why is copied
 * to trouble. */
void elf_file_refuse(struct elf_file *elf, const char *why);

/* Whether two files have the same table and the same constant bytes, so that only names differ. */
bool elf_file_same_firmware(const struct elf_file *a, const struct elf_file *b);

#endif
