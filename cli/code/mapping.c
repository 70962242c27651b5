/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the mapping symbols of an ELF file. */
#include "mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/sorted.h>
#include <base/vec.h>

/* More are not kept: 16 MB of them. */
#define MARKS_MAX (1U << 20)

struct reader {
    Elf *elf;
    struct mapping mapping;
    size_t capacity;
};

/* "$d", "$t.12", "$xrv32imac" */
static bool is_mark(const char *name, bool *data)
{
    if (name[0] != '$' || !name[1] || !strchr("atxd", name[1]))
        return false;
    *data = name[1] == 'd';
    return name[2] == '\0' || name[2] == '.' || strncmp(name, "$xrv", 4) == 0;
}

static bool is_code(Elf *elf, size_t section)
{
    Elf_Scn *scn = elf_getscn(elf, section);
    GElf_Shdr header;

    return scn && gelf_getshdr(scn, &header) && (header.sh_flags & SHF_EXECINSTR);
}

static bool add_mark(struct reader *r, uint64_t addr, bool data)
{
    struct mapping *m = &r->mapping;

    if (m->count == MARKS_MAX)
        return true;
    if (!VEC_ROOM(m->marks, r->capacity, m->count, 1))
        return false;
    m->marks[m->count++] = (struct mapping_mark){.addr = addr, .data = data};
    return true;
}

static bool read_symbols(struct reader *r, Elf_Scn *scn, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    const Elf_Data *names = elf_getdata(elf_getscn(r->elf, header->sh_link), NULL);
    GElf_Sym symbol;
    bool is_data;

    /* In a table without an end, elf_strptr() would look for that of each name. */
    if (!names || !names->d_buf || names->d_size == 0 ||
        ((const char *)names->d_buf)[names->d_size - 1] != '\0')
        return true;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *name =
            symbol.st_name < names->d_size ? (const char *)names->d_buf + symbol.st_name : NULL;
        if (!name || !is_mark(name, &is_data) || !is_code(r->elf, symbol.st_shndx))
            continue;
        if (!add_mark(r, symbol.st_value, is_data))
            return false;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct mapping_mark *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

static const char *read_all(struct reader *r)
{
    GElf_Ehdr header;
    GElf_Shdr section;
    Elf_Scn *scn = NULL;

    if (!gelf_getehdr(r->elf, &header))
        return "not an ELF file";
    r->mapping.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
    if (header.e_machine != EM_ARM && header.e_machine != EM_AARCH64 &&
        header.e_machine != EM_RISCV)
        return NULL;
    while ((scn = elf_nextscn(r->elf, scn)) != NULL) {
        if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_SYMTAB)
            continue;
        if (!read_symbols(r, scn, &section))
            return "out of memory";
        break; /* there is no second one; more of them could share their bytes */
    }
    if (r->mapping.count)
        qsort(r->mapping.marks, r->mapping.count, sizeof(*r->mapping.marks), compare);
    return NULL;
}

bool mapping_read(const char *path, struct mapping *mapping, uint64_t *len, char *text,
                  size_t capacity)
{
    struct reader r = {.elf = NULL};
    struct stat about;
    const char *wrong = "not an ELF file";

    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        snprintf(text, capacity, "%s: %s", path, strerror(errno));
        return false;
    }
    *len = fstat(fd, &about) == 0 ? (uint64_t)about.st_size : 0;
    elf_version(EV_CURRENT);
    r.elf = elf_begin(fd, ELF_C_READ, NULL);
    if (r.elf)
        wrong = read_all(&r);
    elf_end(r.elf);
    close(fd);
    if (wrong) {
        snprintf(text, capacity, "%s: %s", path, wrong);
        mapping_free(&r.mapping);
        return false;
    }
    *mapping = r.mapping;
    return true;
}

void mapping_free(struct mapping *mapping)
{
    free(mapping->marks);
    *mapping = (struct mapping){.marks = NULL};
}

bool mapping_is_data(const struct mapping *mapping, uint64_t addr, uint64_t limit, uint64_t *end)
{
    size_t low =
        sorted_up_to(SORTED_BY(mapping->marks, mapping->count, struct mapping_mark, addr), addr);

    bool data = low > 0 && mapping->marks[low - 1].data;
    *end =
        low < mapping->count && mapping->marks[low].addr < limit ? mapping->marks[low].addr : limit;
    return data;
}
