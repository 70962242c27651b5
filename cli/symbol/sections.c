/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of one section of an ELF file, for who reads tables that this room knows nothing of. */
#include <symbol/symtab.h>

#include <stdio.h>
#include <string.h>

#include "symtab_private.h"

/* Returns the number of the section; 0: there is none. */
static size_t section_named(const struct image *image, const char *name)
{
    for (size_t i = 1; i < image->section_count; i++) {
        const struct section *s = &image->sections[i];
        if (s->stored && strcmp(s->name, name) == 0)
            return i;
    }
    return 0;
}

/* A small file was copied, so it cannot change. */
static bool is_readable(const struct image *image)
{
    return image->bytes || image_is_unchanged(image);
}

/* The bytes of a section that is not compressed. */
static const uint8_t *plain_bytes(const struct image *image, size_t index, size_t *len)
{
    Elf_Scn *scn = elf_getscn(image->elf, index);
    GElf_Shdr sh;

    if (!scn || !gelf_getshdr(scn, &sh) || (sh.sh_flags & SHF_COMPRESSED) != 0 ||
        !is_readable(image))
        return NULL;
    const Elf_Data *data = image_data(image, scn, &image->budgets->debug);
    *len = data && data->d_buf ? data->d_size : 0;
    return *len && is_readable(image) ? data->d_buf : NULL;
}

/* The bytes of a section of the debug information, which may be compressed. */
static const uint8_t *debug_bytes(const struct symtab *t, const char *name, size_t *len)
{
    char packed[64];

    snprintf(packed, sizeof(packed), ".z%s", name + 1);
    return debug_dwarf(t->debug) ? debug_section(t->debug, name, packed, len) : NULL;
}

bool symtab_section(const struct symtab *symtab, const char *name, struct symtab_section *section)
{
    const struct image *image = &symtab->image;
    size_t len = 0, index = section_named(image, name);
    const struct section *s = &image->sections[index];
    const uint8_t *bytes = NULL;

    if (!budget_resume(&image->budgets->debug))
        return false;
    if (index)
        bytes = plain_bytes(image, index, &len);
    if (!bytes && strncmp(name, ".debug", 6) == 0)
        bytes = debug_bytes(symtab, name, &len);
    if (!bytes)
        return false;
    *section = (struct symtab_section){
        .addr = index && s->alloc ? s->addr + symtab->bias : 0, .bytes = bytes, .len = len};
    return true;
}

const uint8_t *symtab_code(const struct symtab *symtab, uint64_t addr, size_t *len)
{
    const struct image *image = &symtab->image;
    uint64_t own = map_place(&symtab->map, addr) - symtab->bias;

    for (size_t i = 1; i < image->section_count; i++) {
        const struct section *s = &image->sections[i];
        if (!s->stored || !s->alloc || !s->exec || own - s->addr >= s->size)
            continue;
        const uint8_t *bytes =
            budget_resume(&image->budgets->debug) ? plain_bytes(image, i, len) : NULL;
        if (!bytes || own - s->addr >= *len)
            return NULL;
        *len -= (size_t)(own - s->addr);
        return bytes + (own - s->addr);
    }
    return NULL;
}
