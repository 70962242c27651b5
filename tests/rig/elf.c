/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The firmware's file: for which core it is, and the bytes that it puts into memory. */
#include "elf.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX (64L << 20)

static int read_whole(struct elf *elf, const char *path, struct fault *fault)
{
    FILE *file = fopen(path, "rb");
    long len;

    if (!file)
        return fault_set(fault, "cannot read %s: %s", path, strerror(errno));
    if (fseek(file, 0, SEEK_END) == 0 && (len = ftell(file)) > 0 && len <= FILE_MAX) {
        rewind(file);
        elf->bytes = malloc((size_t)len);
        if (elf->bytes)
            elf->len = fread(elf->bytes, 1, (size_t)len, file);
    }
    fclose(file);
    return elf->len > 0 ? 0 : fault_set(fault, "cannot read %s", path);
}

static Elf32_Phdr program_header(const struct elf *elf, const Elf32_Ehdr *header, unsigned index)
{
    Elf32_Phdr program;
    memcpy(&program, elf->bytes + header->e_phoff + index * sizeof program, sizeof program);
    return program;
}

static int check_header(const struct elf *elf, const Elf32_Ehdr *header)
{
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS32 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        return -1;
    if (header->e_phentsize != sizeof(Elf32_Phdr) || header->e_phoff > elf->len ||
        (elf->len - header->e_phoff) / sizeof(Elf32_Phdr) < header->e_phnum)
        return -1;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf32_Phdr program = program_header(elf, header, i);
        if (program.p_offset > elf->len || elf->len - program.p_offset < program.p_filesz)
            return -1;
    }
    return 0;
}

int elf_read(struct elf *elf, const char *path, struct fault *fault)
{
    Elf32_Ehdr header;

    *elf = (struct elf){0};
    if (read_whole(elf, path, fault) != 0)
        return -1;
    if (elf->len >= sizeof header)
        memcpy(&header, elf->bytes, sizeof header);
    if (elf->len < sizeof header || check_header(elf, &header) != 0)
        return fault_set(fault, "%s is no ELF file for a core of 32 bits", path);
    elf->machine = header.e_machine;
    elf->segments = header.e_phnum;
    return 0;
}

void elf_free(struct elf *elf)
{
    free(elf->bytes);
    *elf = (struct elf){0};
}

struct elf_segment elf_segment(const struct elf *elf, unsigned index)
{
    Elf32_Ehdr header;

    memcpy(&header, elf->bytes, sizeof header);
    Elf32_Phdr program = program_header(elf, &header, index);
    return (struct elf_segment){
        .addr = program.p_paddr,
        .len = program.p_type == PT_LOAD ? program.p_filesz : 0,
        .bytes = elf->bytes + program.p_offset,
    };
}
