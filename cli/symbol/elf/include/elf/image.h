/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file with its sections, checked before anybody reads it. */
#ifndef SYMBOL_IMAGE_H
#define SYMBOL_IMAGE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/file_stamp.h>
#include <symbol/symtab.h>

#include <budget/budget.h>

/* Where a one-line complaint goes. */
struct complaint {
    const char *path;
    char *text;
    size_t capacity;
};

struct section {
    const char *name; /* "" if it has none; lives as long as the image */
    uint64_t addr, size;
    uint64_t offset; /* of its bytes in the file */
    bool alloc;      /* it has a place in the target's memory */
    bool exec;
    bool stored;   /* it has bytes in the file */
    bool constant; /* stored, and nobody writes to it in memory */
    bool taken;    /* its bytes were taken from a budget */
};

/* A table of strings, up to its last NUL; len 0: there is none. */
struct strings {
    const char *bytes;
    size_t len;
};

/* Bytes of the target's memory: [start, end). */
struct extent {
    uint64_t start, end;
};

/* Two, so that neither part of a file can take what the other one needs. */
struct budgets {
    struct budget symbols; /* headers and the symbol table */
    struct budget debug;   /* the debug information */
};

/* Files up to this size are read whole. */
#define IMAGE_WHOLE_MAX ((size_t)8 << 20)

/*
 * A build may cut the file short or write over it while we look at it, so it is never mapped. What
 * is small is copied to memory; of a larger one, what is needed at once is read, and the debug
 * information is copied at the first question for it, to a temporary file without a name, if the
 * file is still what it was.
 */
struct image {
    uint8_t *bytes; /* of the whole file; NULL: it is large, and fd is open */
    int fd;
    size_t len;
    struct file_stamp stamp; /* of the file as it was opened */
    Elf *elf;                /* for headers and symbols: what was read once stays */
    GElf_Ehdr header;
    struct section *sections; /* by their numbers */
    size_t section_count;
    struct extent *code; /* of sections with instructions, ordered, without overlaps */
    size_t code_count;
    struct budgets *budgets;
};

/* Reads and checks the file, whole if it has at most whole_max bytes. stop (may be NULL) returns
 * true if the caller wants no more. image is to be closed in every case. */
enum symtab_code image_open(struct image *image, size_t whole_max, bool (*stop)(void),
                            const struct complaint *complaint);
void image_close(struct image *image);

/* Copies len bytes from offset of the file. false: they can't be read. */
bool image_read(const struct image *image, uint64_t offset, void *to, size_t len);

/* The bytes of a section, as elf_getdata() gives them; the first call takes them from the budget.
 * NULL: there are none, or the budget does not allow them. */
Elf_Data *image_data(const struct image *image, Elf_Scn *scn, struct budget *budget);

/* The strings of the section with that number; they live as long as the image. */
struct strings image_strings(const struct image *image, size_t section);

/* The string at offset; NULL: it would begin outside. Looks at no more than the table. */
static inline const char *strings_at(const struct strings *strings, uint64_t offset)
{
    return offset < strings->len ? strings->bytes + offset : NULL;
}

/* Whether addr is in a section with instructions. */
bool image_is_code(const struct image *image, uint64_t addr);

/* Whether the file is still the one that was opened, as far as its stamps tell. */
bool image_is_unchanged(const struct image *image);

/* The bytes of the section with one of these names in elf, which is image's own handle or that of a
 * copy. Returns NULL and sets *len to 0 if there is none. They live as long as elf. */
const uint8_t *image_section(const struct image *image, Elf *elf, const char *name,
                             const char *packed_name, size_t *len);

/* Writes one line into the complaint and returns code. */
enum symtab_code image_complain(const struct complaint *complaint, enum symtab_code code,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
