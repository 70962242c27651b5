/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads an ELF file whole and refuses what is none, is damaged or is not linked. */
#define _POSIX_C_SOURCE 200809L

#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum symtab_code image_complain(const struct complaint *complaint, enum symtab_code code,
                                const char *format, ...)
{
    va_list args;
    int used = snprintf(complaint->text, complaint->capacity, "%s: ", complaint->path);

    if (used >= 0 && (size_t)used < complaint->capacity) {
        va_start(args, format);
        vsnprintf(complaint->text + used, complaint->capacity - (size_t)used, format, args);
        va_end(args);
    }
    return code;
}

static enum symtab_code read_all(struct image *image, int fd, const struct complaint *complaint)
{
    size_t have = 0;

    while (have < image->len) {
        ssize_t got = read(fd, image->bytes + have, image->len - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return image_complain(complaint, SYMTAB_EOPEN, "%s", strerror(errno));
        if (got == 0)
            break;
        have += (size_t)got;
    }
    image->len = have;
    return SYMTAB_OK;
}

static enum symtab_code read_open(struct image *image, int fd, const struct complaint *complaint)
{
    struct stat about;

    if (fstat(fd, &about) < 0)
        return image_complain(complaint, SYMTAB_EOPEN, "%s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return image_complain(complaint, SYMTAB_EOPEN, "this is a folder, not an ELF file");
    if (!S_ISREG(about.st_mode))
        return image_complain(complaint, SYMTAB_EOPEN, "this is not a regular file");
    if (about.st_size == 0)
        return image_complain(complaint, SYMTAB_EFORMAT, "the file is empty");
    image->len = (size_t)about.st_size;
    image->bytes = malloc(image->len);
    if (!image->bytes)
        return image_complain(complaint, SYMTAB_ENOMEM, "no memory for its %zu bytes", image->len);
    return read_all(image, fd, complaint);
}

static enum symtab_code read_file(struct image *image, const struct complaint *complaint)
{
    /* Not blocking: opening a pipe without a writer would never return. */
    int fd = open(complaint->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return image_complain(complaint, SYMTAB_EOPEN, "%s", strerror(errno));
    enum symtab_code code = read_open(image, fd, complaint);
    close(fd);
    return code;
}

static enum symtab_code check_header(struct image *image, const struct complaint *complaint)
{
    if (image->len < SELFMAG || memcmp(image->bytes, ELFMAG, SELFMAG) != 0)
        return image_complain(complaint, SYMTAB_EFORMAT, "not an ELF file");
    if (elf_version(EV_CURRENT) == EV_NONE)
        return image_complain(complaint, SYMTAB_EFORMAT, "libelf is too old");
    image->elf = elf_memory((char *)image->bytes, image->len);
    if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
        !gelf_getehdr(image->elf, &image->header))
        return image_complain(complaint, SYMTAB_EFORMAT,
                              "a damaged ELF file: its header is not sound");
    switch (image->header.e_type) {
    case ET_EXEC:
    case ET_DYN:
        return SYMTAB_OK;
    case ET_REL:
        return image_complain(complaint, SYMTAB_EFORMAT,
                              "an object file that is not linked yet, give the linked ELF file");
    default:
        return image_complain(complaint, SYMTAB_EFORMAT, "an ELF file of type %u, not a program",
                              (unsigned)image->header.e_type);
    }
}

static enum symtab_code cut_short(const struct image *image, const struct complaint *complaint,
                                  const char *what)
{
    return image_complain(complaint, SYMTAB_EFORMAT,
                          "cut short or damaged: %s lies outside of the file's %zu bytes", what,
                          image->len);
}

static bool lies_within(const struct image *image, uint64_t offset, uint64_t len)
{
    return offset <= image->len && len <= image->len - offset;
}

static enum symtab_code check_segments(const struct image *image, const struct complaint *complaint)
{
    const GElf_Ehdr *e = &image->header;
    size_t count = 0;
    GElf_Phdr ph;

    if (e->e_phnum != 0 && !lies_within(image, e->e_phoff, (uint64_t)e->e_phnum * e->e_phentsize))
        return cut_short(image, complaint, "the table of segments");
    if (elf_getphdrnum(image->elf, &count) < 0)
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s", elf_errmsg(-1));
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(image->elf, (int)i, &ph))
            return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s",
                                  elf_errmsg(-1));
        if (ph.p_type == PT_LOAD && !lies_within(image, ph.p_offset, ph.p_filesz))
            return cut_short(image, complaint, "a segment");
    }
    return SYMTAB_OK;
}

static enum symtab_code take_section(struct image *image, size_t index,
                                     const struct complaint *complaint)
{
    Elf_Scn *scn = elf_getscn(image->elf, index);
    GElf_Shdr sh;

    if (!scn || !gelf_getshdr(scn, &sh))
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s", elf_errmsg(-1));
    bool nobits = sh.sh_type == SHT_NOBITS || sh.sh_type == SHT_NULL;
    if (!nobits && !lies_within(image, sh.sh_offset, sh.sh_size))
        return cut_short(image, complaint, "a section");
    if (sh.sh_size > UINT64_MAX - sh.sh_addr)
        return image_complain(complaint, SYMTAB_EFORMAT,
                              "a damaged ELF file: a section is too large");
    image->sections[index] = (struct section){
        .addr = sh.sh_addr,
        .size = sh.sh_size,
        .alloc = (sh.sh_flags & SHF_ALLOC) != 0 && (sh.sh_flags & SHF_TLS) == 0,
        .exec = (sh.sh_flags & SHF_EXECINSTR) != 0,
        .offset = sh.sh_offset,
        .constant = !nobits && (sh.sh_flags & SHF_ALLOC) != 0 && (sh.sh_flags & SHF_WRITE) == 0,
    };
    return SYMTAB_OK;
}

static enum symtab_code take_sections(struct image *image, const struct complaint *complaint)
{
    const GElf_Ehdr *e = &image->header;
    enum symtab_code code = SYMTAB_OK;

    if (e->e_shoff != 0 && !lies_within(image, e->e_shoff, (uint64_t)e->e_shnum * e->e_shentsize))
        return cut_short(image, complaint, "the table of sections");
    if (elf_getshdrnum(image->elf, &image->section_count) < 0)
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s", elf_errmsg(-1));
    if (image->section_count > image->len)
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: too many sections");
    image->sections = calloc(image->section_count + 1, sizeof(*image->sections));
    if (!image->sections)
        return image_complain(complaint, SYMTAB_ENOMEM, "no memory for its sections");
    for (size_t i = 0; i < image->section_count && code == SYMTAB_OK; i++)
        code = take_section(image, i, complaint);
    return code;
}

enum symtab_code image_open(struct image *image, const struct complaint *complaint)
{
    *image = (struct image){.bytes = NULL};
    enum symtab_code code = read_file(image, complaint);
    if (code == SYMTAB_OK)
        code = check_header(image, complaint);
    if (code == SYMTAB_OK)
        code = check_segments(image, complaint);
    if (code == SYMTAB_OK)
        code = take_sections(image, complaint);
    return code;
}

void image_close(struct image *image)
{
    elf_end(image->elf);
    free(image->sections);
    free(image->bytes);
    *image = (struct image){.bytes = NULL};
}
