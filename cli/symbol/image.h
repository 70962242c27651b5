/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file as bytes in memory, with its sections. */
#ifndef SYMBOL_IMAGE_H
#define SYMBOL_IMAGE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* Where a one-line complaint goes. */
struct complaint {
    const char *path;
    char *text;
    size_t capacity;
};

struct section {
    uint64_t addr, size;
    uint64_t offset; /* of its bytes in the file */
    bool alloc;      /* it has a place in the target's memory */
    bool exec;
    bool constant; /* it has bytes in the file, and nobody writes to it in memory */
};

/* A copy of the file and not a mapping: a build may cut the file short while we look at it. */
struct image {
    uint8_t *bytes;
    size_t len;
    Elf *elf;
    GElf_Ehdr header;
    struct section *sections; /* by their numbers */
    size_t section_count;
};

/* Reads and checks the file. image is to be closed in every case. */
enum symtab_code image_open(struct image *image, const struct complaint *complaint);
void image_close(struct image *image);

/* Writes one line into the complaint and returns code. */
enum symtab_code image_complain(const struct complaint *complaint, enum symtab_code code,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
