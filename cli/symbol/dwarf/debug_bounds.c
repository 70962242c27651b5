/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads sizes of compressed sections, and the tables of abbreviations, against the budget. */
#include "debug_bounds.h"

#include <dwarf.h>
#include <string.h>

#include <budget/cursor.h>

/* Compilers write some 20 attributes into one entry; more are refused. */
#define ATTRIBUTES_MAX 256

/* Bytes that libdw keeps for a unit, and for each of its abbreviations. */
#define UNIT_BYTES         512
#define ABBREVIATION_BYTES 96

/* Of the form before SHF_COMPRESSED: "ZLIB", and the size as 8 bytes, the highest one first. */
#define OLD_HEADER 12

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* Bytes that the section has when it is unpacked; 0: it is not packed. */
static uint64_t unpacked_size(const struct image *image, Elf *elf, size_t index)
{
    const struct section *s = &image->sections[index];
    Elf_Scn *scn = elf_getscn(elf, index);
    uint8_t head[OLD_HEADER];
    GElf_Shdr sh;
    GElf_Chdr ch;

    if (!s->stored || !scn || !gelf_getshdr(scn, &sh))
        return 0;
    if ((sh.sh_flags & SHF_COMPRESSED) != 0)
        return gelf_getchdr(scn, &ch) ? ch.ch_size : 0;
    if (!begins_with(s->name, ".zdebug") || s->size < sizeof(head) ||
        !image_read(image, s->offset, head, sizeof(head)) || memcmp(head, "ZLIB", 4) != 0)
        return 0;
    struct cursor c = {.bytes = head, .at = 4, .end = sizeof(head), .big_endian = true};
    return cursor_number(&c, 8);
}

bool bounds_unpack(const struct image *image, Elf *elf)
{
    struct budget *budget = &image->budgets->debug;
    bool good = true;

    for (size_t i = 1; i < image->section_count && good; i++) {
        const char *name = image->sections[i].name;
        if (begins_with(name, ".debug") || begins_with(name, ".zdebug") ||
            begins_with(name, ".gnu_debug"))
            good = budget_take(budget, unpacked_size(image, elf, i)) && budget_work(budget, 1);
    }
    return good;
}

/* Returns how many attributes the abbreviation has, at most one more than there may be. */
static unsigned count_attributes(struct cursor *c)
{
    unsigned count = 0;

    while (count <= ATTRIBUTES_MAX) {
        uint64_t name = cursor_leb(c, false);
        uint64_t form = cursor_leb(c, false);
        if (c->over || (name == 0 && form == 0))
            break;
        if (form == DW_FORM_implicit_const)
            (void)cursor_leb(c, true);
        count++;
    }
    return count;
}

/* libdw reads the table once for each unit, also where units share one. */
static bool weigh_table(struct cursor c, struct budget *budget, unsigned *widest)
{
    while (!c.over) {
        size_t before = c.at;
        if (cursor_leb(&c, false) == 0)
            break;
        (void)cursor_leb(&c, false);
        (void)cursor_byte(&c);
        unsigned count = count_attributes(&c);
        *widest = count > *widest ? count : *widest;
        if (count > ATTRIBUTES_MAX)
            budget_refuse(budget);
        if (!budget_work(budget, c.at - before) || !budget_take(budget, ABBREVIATION_BYTES))
            return false;
    }
    return true;
}

struct header {
    uint64_t abbreviations; /* offset of its table */
    size_t end;
    bool known;
};

static struct header read_header(struct cursor *c)
{
    struct header h = {.known = false};
    size_t wide = 4;
    uint64_t length = cursor_number(c, 4);

    if (length == 0xffffffff) {
        wide = 8;
        length = cursor_number(c, 8);
    }
    c->over |= length > c->end - c->at;
    h.end = c->over ? c->end : c->at + (size_t)length;
    unsigned version = (unsigned)cursor_number(c, 2);
    if (version >= 5)
        cursor_skip(c, 2);
    h.abbreviations = cursor_number(c, wide);
    h.known = !c->over && version >= 2 && version <= 5;
    return h;
}

static bool weigh_section(const struct image *image, Elf *elf, const char *name,
                          const char *packed_name, unsigned *widest)
{
    struct budget *budget = &image->budgets->debug;
    bool big_endian = image->header.e_ident[EI_DATA] == ELFDATA2MSB;
    struct cursor c = {.big_endian = big_endian};
    struct cursor table = {.big_endian = big_endian};

    c.bytes = image_section(image, elf, name, packed_name, &c.end);
    table.bytes = image_section(image, elf, ".debug_abbrev", ".zdebug_abbrev", &table.end);
    while (c.at < c.end && !c.over) {
        struct header h = read_header(&c);
        table.at = h.abbreviations < table.end ? (size_t)h.abbreviations : table.end;
        if (!budget_work(budget, 1) || !budget_take(budget, UNIT_BYTES) ||
            (h.known && table.at < table.end && !weigh_table(table, budget, widest)))
            return false;
        c.at = h.end;
    }
    return true;
}

bool bounds_units(const struct image *image, Elf *elf)
{
    unsigned widest = 0;

    if (!weigh_section(image, elf, ".debug_info", ".zdebug_info", &widest) ||
        !weigh_section(image, elf, ".debug_types", ".zdebug_types", &widest))
        return false;
    image->budgets->debug.entry = 1 + widest / 4;
    return true;
}
