/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The firmware's file: for which core it is, and the bytes that it puts into memory. */
#ifndef RIG_ELF_H
#define RIG_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "fault.h"

#define ELF_ARM   40
#define ELF_RISCV 243

/* A file of 32 bits, low byte first, read whole. */
struct elf {
    unsigned char *bytes;
    size_t len;
    unsigned machine;  /* ELF_ARM, ELF_RISCV or another */
    unsigned segments; /* for elf_segment() */
};

/* Bytes at the address that they are loaded to; they belong to the elf. */
struct elf_segment {
    uint32_t addr;
    uint32_t len; /* 0: nothing is loaded */
    const unsigned char *bytes;
};

/* 0, or -1 with a fault that names the file. elf is to be freed in both cases. */
int elf_read(struct elf *elf, const char *path, struct fault *fault);
void elf_free(struct elf *elf);

struct elf_segment elf_segment(const struct elf *elf, unsigned index);

#endif
