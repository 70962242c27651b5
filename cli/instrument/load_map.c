/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The segments of an ELF file, as whoever flashes or starts it reads them. */
#include "load_map.h"

#include <gelf.h>
#include <stdlib.h>

static bool take_segment(struct load_map *map, const GElf_Phdr *p, size_t len)
{
    if (p->p_type != PT_LOAD || p->p_filesz == 0)
        return true;
    if (p->p_offset > len || p->p_filesz > len - p->p_offset)
        return false;
    map->parts[map->count++] = (struct load_part){
        .addr = p->p_vaddr, .offset = (size_t)p->p_offset, .len = (size_t)p->p_filesz};
    return true;
}

static bool read_segments(struct load_map *map, Elf *elf, size_t len)
{
    GElf_Ehdr header;
    GElf_Phdr segment;
    size_t count;

    if (!gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &count) != 0)
        return false;
    map->flags = header.e_flags;
    map->parts = calloc(count + 1, sizeof(*map->parts));
    for (size_t i = 0; map->parts && i < count; i++) {
        if (!gelf_getphdr(elf, (int)i, &segment) || !take_segment(map, &segment, len))
            return false;
    }
    return map->parts != NULL;
}

bool load_map_read(struct load_map *map, const uint8_t *bytes, size_t len)
{
    union {
        const uint8_t *given;
        char *taken;
    } image = {.given = bytes};

    *map = (struct load_map){.parts = NULL};
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(image.taken, len);
    bool fine = elf && read_segments(map, elf, len);
    elf_end(elf);
    if (!fine)
        load_map_free(map);
    return fine;
}

void load_map_free(struct load_map *map)
{
    free(map->parts);
    *map = (struct load_map){.parts = NULL};
}

bool load_map_find(const struct load_map *map, uint64_t addr, size_t len, size_t *offset)
{
    bool found = false;

    for (size_t i = 0; i < map->count; i++) {
        const struct load_part *p = &map->parts[i];
        if (addr < p->addr || addr - p->addr >= p->len || p->len - (addr - p->addr) < len)
            continue;
        size_t at = p->offset + (size_t)(addr - p->addr);
        if (found && *offset != at)
            return false;
        *offset = at;
        found = true;
    }
    return found;
}
