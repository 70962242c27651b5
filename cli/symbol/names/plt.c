/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads where the stubs of x86-64 jump, and which symbol the linker puts there (psABI, 5.2). */
#define _POSIX_C_SOURCE 200809L

#include "plt.h"

#include <stdlib.h>
#include <string.h>

#include <budget/vec.h>

#define ENTRY_MAX   16
#define SECTION_MAX ((uint64_t)1 << 24)

/* Work for a relocation or a stub; a name that is longer is none. */
#define CELL_STEPS   8
#define NAME_LONGEST ((size_t)1 << 12)

/* A cell of the global offset table, and what will be in it. */
struct cell {
    uint64_t addr;
    const char *name;
};

struct reader {
    const struct image *image;
    struct budget_vec cells;
    void *context;
    bool (*take)(void *context, uint64_t addr, uint64_t size, const char *goal);
};

static bool take_cells(struct reader *r, Elf_Data *relocations, const struct strings *names,
                       Elf_Data *symbols)
{
    GElf_Rela rela;
    GElf_Sym sym;

    for (int i = 0; gelf_getrela(relocations, i, &rela); i++) {
        if (!budget_work(r->cells.budget, CELL_STEPS))
            return false;
        unsigned type = (unsigned)GELF_R_TYPE(rela.r_info);
        if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
            !gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym))
            continue;
        struct cell cell = {.addr = rela.r_offset, .name = strings_at(names, sym.st_name)};
        if (cell.name && cell.name[0] && strnlen(cell.name, NAME_LONGEST) < NAME_LONGEST &&
            !budget_vec_push(&r->cells, &cell, sizeof(cell)))
            return false;
    }
    return true;
}

static bool read_cells(struct reader *r)
{
    bool good = true;

    for (size_t i = 1; i < r->image->section_count && good; i++) {
        GElf_Shdr sh, symbols;
        Elf_Scn *scn = elf_getscn(r->image->elf, i);
        if (!r->image->sections[i].alloc || !scn || !gelf_getshdr(scn, &sh) ||
            sh.sh_type != SHT_RELA)
            continue;
        Elf_Scn *link = elf_getscn(r->image->elf, sh.sh_link);
        Elf_Data *data = image_data(r->image, scn, r->cells.budget);
        if (!data || !link || !gelf_getshdr(link, &symbols) || symbols.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *list = image_data(r->image, link, r->cells.budget);
        const struct strings names = image_strings(r->image, symbols.sh_link);
        good = !list || take_cells(r, data, &names, list);
    }
    return good;
}

static int compare_cells(const void *a, const void *b)
{
    const struct cell *x = a;
    const struct cell *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

/* endbr64, or bnd, or none of them; then jmp *cell(%rip). false: it is no such entry. */
static bool find_cell(const uint8_t *bytes, size_t len, uint64_t addr, uint64_t *cell)
{
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    size_t at = len > 4 && memcmp(bytes, endbr, 4) == 0 ? 4 : 0;

    at += at < len && bytes[at] == 0xf2;
    if (len - at < 6 || bytes[at] != 0xff || bytes[at + 1] != 0x25)
        return false;
    uint32_t distance = bytes[at + 2] | (uint32_t)bytes[at + 3] << 8 |
                        (uint32_t)bytes[at + 4] << 16 | (uint32_t)bytes[at + 5] << 24;
    *cell = addr + at + 6 + (uint64_t)(int64_t)(int32_t)distance;
    return true;
}

static bool read_stubs(struct reader *r, size_t index, size_t entry, const uint8_t *bytes)
{
    const struct section *s = &r->image->sections[index];

    for (size_t at = 0; s->size - at >= entry; at += entry) {
        if (!budget_work(r->cells.budget, CELL_STEPS))
            return false;
        struct cell key;
        if (!find_cell(bytes + at, entry, s->addr + at, &key.addr))
            continue;
        const struct cell *cell =
            bsearch(&key, r->cells.items, r->cells.count, sizeof(key), compare_cells);
        if (cell && !r->take(r->context, s->addr + at, entry, cell->name))
            return false;
    }
    return true;
}

/* .plt and .plt.sec have entries of 16 bytes; those of .plt.got may have 8. */
static bool read_section(struct reader *r, size_t index)
{
    const struct section *s = &r->image->sections[index];
    Elf_Scn *scn = elf_getscn(r->image->elf, index);
    GElf_Shdr sh;

    if (!s->stored || !s->exec || strncmp(s->name, ".plt", 4) != 0 || s->size > SECTION_MAX ||
        !gelf_getshdr(scn, &sh))
        return true;
    size_t entry = sh.sh_entsize == 8 ? 8 : ENTRY_MAX;
    uint8_t *bytes = malloc((size_t)s->size + 1);
    bool good = bytes != NULL;
    if (good && image_read(r->image, s->offset, bytes, (size_t)s->size))
        good = read_stubs(r, index, entry, bytes);
    free(bytes);
    return good;
}

bool plt_each(const struct image *image, void *context,
              bool (*take)(void *context, uint64_t addr, uint64_t size, const char *goal))
{
    struct reader r = {.image = image,
                       .cells = {.budget = &image->budgets->symbols},
                       .context = context,
                       .take = take};

    if (image->header.e_machine != EM_X86_64)
        return true;
    bool good = read_cells(&r);
    if (r.cells.count != 0)
        qsort(r.cells.items, r.cells.count, sizeof(struct cell), compare_cells);
    for (size_t i = 1; i < image->section_count && good && r.cells.count != 0; i++)
        good = read_section(&r, i);
    budget_vec_free(&r.cells);
    return good;
}
