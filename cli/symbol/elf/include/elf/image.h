/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An opened ELF file: its header and sections, checked. */
#ifndef SYMBOL_IMAGE_H
#define SYMBOL_IMAGE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/file_stamp.h>
#include <symbol/symtab.h>

#include <budget/budget.h>

/* Output for the one line that says why an image cannot be used. Borrowed for a call. */
struct complaint {
    const char *path; /* of the file, the start of the line */
    char *text;
    size_t capacity; /* bytes of text */
};

/* One section; see the ELF specification, "Sections". */
struct section {
    const char *name;    /* "" if it has none; lives as long as the image */
    uint64_t addr, size; /* in the target's memory, not relocated */
    uint64_t offset;     /* of its bytes in the file */
    bool alloc;          /* it is in the target's memory, and is not thread-local */
    bool exec;           /* it contains instructions */
    bool stored;         /* it has bytes in the file */
    bool constant;       /* it is stored, in memory, and the program never writes it */
    bool taken;          /* private: its bytes were taken from a budget */
};

/* A string table up to its last NUL; borrowed from an image. */
struct strings {
    const char *bytes;
    size_t len; /* 0: there is no table */
};

/* Bytes of the target's memory: start <= address < end. */
struct extent {
    uint64_t start, end;
};

/* The budgets of a file. There are two, so that one part of a file cannot use up what the other one
 * needs. */
struct budgets {
    struct budget symbols; /* for headers and the symbol table */
    struct budget debug;   /* for the debug information */
};

/* Largest size of a file that is read completely, bytes. */
#define IMAGE_WHOLE_MAX ((size_t)8 << 20)

/*
 * A file. A build may truncate or overwrite it while it is open, so it is never mapped. A small
 * file is copied to memory. Of a large file, what is needed at once is read; the debug information
 * is copied to a temporary file when it is first needed, if the file has not changed by then.
 */
struct image {
    uint8_t *bytes;          /* the whole file, owned; NULL if it is large */
    int fd;                  /* of a large file, owned; else -1 */
    size_t len;              /* bytes of the file */
    struct file_stamp stamp; /* of the file when it was opened */
    Elf *elf;                /* owned; what it has read is valid as long as the image */
    GElf_Ehdr header;
    struct section *sections; /* owned; by section number, 0 to section_count - 1 */
    size_t section_count;
    struct extent *code; /* owned; sections with instructions, sorted, joined if they overlap */
    size_t code_count;
    struct budgets *budgets; /* owned */
};

/* Opens and checks the file at complaint->path. A file of at most whole_max bytes is read
 * completely. stop is for budget_open(). On failure the complaint says why. The caller calls
 * image_close() in any case. */
enum symtab_code image_open(struct image *image, size_t whole_max, bool (*stop)(void),
                            const struct complaint *complaint);
/* Frees all that an image owns. */
void image_close(struct image *image);

/* Copies len bytes at an offset in the file. Returns false if they cannot be read. */
bool image_read(const struct image *image, uint64_t offset, void *to, size_t len);

/* Returns the bytes of a section like elf_getdata(); they live as long as the image. The first call
 * takes them from the budget. Returns NULL if the section has no bytes in the file, or the budget
 * is over. */
Elf_Data *image_data(const struct image *image, Elf_Scn *scn, struct budget *budget);

/* Returns the string table in the section with this number. */
struct strings image_strings(const struct image *image, size_t section);

/* Returns the string at an offset in a table, NULL if the offset is outside of it. */
static inline const char *strings_at(const struct strings *strings, uint64_t offset)
{
    return offset < strings->len ? strings->bytes + offset : NULL;
}

/* Whether addr, not relocated, is in a section with instructions. */
bool image_is_code(const struct image *image, uint64_t addr);

/* Whether the open file has not changed since it was opened, by its file_stamp. Only for large
 * files: a small one is closed. */
bool image_is_unchanged(const struct image *image);

/* Returns the bytes of the section with one of two names, and sets *len. elf is image->elf or the
 * handle of a copy of it; the bytes live as long as elf. Returns NULL and sets *len to 0 if there
 * is no such section. */
const uint8_t *image_section(const struct image *image, Elf *elf, const char *name,
                             const char *packed_name, size_t *len);

/* Writes "PATH: " and a message to complaint->text, and returns code. */
enum symtab_code image_complain(const struct complaint *complaint, enum symtab_code code,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
