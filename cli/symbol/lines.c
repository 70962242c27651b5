/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An index of line rows: libdw finds the units and names the files, the rows come from us. */
#include "lines.h"

#include "line_program.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#define NO_FILE UINT32_MAX

struct row {
    uint64_t addr;
    uint32_t file; /* index into files */
    uint32_t line; /* 0: no line */
};

/* Rows of a contiguous stretch of code, addresses ascending. */
struct sequence {
    uint64_t start, end;
    size_t first, count;
};

/* A growing array. */
struct pile {
    void *items;
    size_t count, capacity;
};

struct lines {
    Dwarf *dwarf; /* owns the names of files */
    struct pile rows, sequences, files;
};

struct reader {
    struct lines *lines;
    const struct image *image;
    const struct functions *functions;
    size_t file_base, file_count; /* of this unit */
    size_t first;                 /* row of this sequence */
    bool no_memory;
};

static bool push(struct pile *pile, const void *item, size_t size)
{
    if (pile->count == pile->capacity) {
        size_t capacity = pile->capacity ? 2 * pile->capacity : 64;
        void *items = realloc(pile->items, capacity * size);
        if (!items)
            return false;
        pile->items = items;
        pile->capacity = capacity;
    }
    memcpy((char *)pile->items + pile->count++ * size, item, size);
    return true;
}

static bool on_row(void *context, uint64_t addr, uint64_t file, uint64_t line)
{
    struct reader *r = context;
    struct row row = {.addr = addr, .file = NO_FILE};

    if (file < r->file_count)
        row.file = (uint32_t)(r->file_base + file);
    if (line <= UINT32_MAX)
        row.line = (uint32_t)line;
    r->no_memory = !push(&r->lines->rows, &row, sizeof(row));
    return !r->no_memory;
}

/* Code that the linker dropped keeps its lines, at address 0 or at the end of the address space.
 * Real code at 0 is where a function begins, and it ends where one ends, but for the padding. */
static bool is_dropped(const struct functions *f, const struct sequence *s)
{
    if (s->start != 0)
        return false;
    const struct symtab_function *last = spans_find(f, s->end - 1);
    return f->count == 0 || f->functions[0].addr != 0 || !last ||
           last->addr + last->size - s->end >= 4;
}

static bool is_live(const struct reader *r, const struct sequence *s)
{
    if (is_dropped(r->functions, s))
        return false;
    for (size_t i = 1; i < r->image->section_count; i++) {
        const struct section *section = &r->image->sections[i];
        if (section->alloc && s->start >= section->addr && s->end <= section->addr + section->size)
            return true;
    }
    return false;
}

static bool ascends(const struct row *rows, size_t count, uint64_t end)
{
    for (size_t i = 1; i < count; i++)
        if (rows[i].addr < rows[i - 1].addr)
            return false;
    return count != 0 && rows[0].addr < end && rows[count - 1].addr <= end;
}

static bool on_end(void *context, uint64_t addr)
{
    struct reader *r = context;
    struct lines *lines = r->lines;
    const struct row *rows = lines->rows.items;
    struct sequence s = {.end = addr, .first = r->first, .count = lines->rows.count - r->first};

    if (s.count != 0 && ascends(rows + r->first, s.count, addr)) {
        s.start = rows[r->first].addr;
        if (is_live(r, &s)) {
            r->first = lines->rows.count;
            r->no_memory = !push(&lines->sequences, &s, sizeof(s));
            return !r->no_memory;
        }
    }
    lines->rows.count = r->first;
    return true;
}

static bool take_files(struct reader *r, Dwarf_Die *die)
{
    Dwarf_Files *files;
    size_t count;

    r->file_base = r->lines->files.count;
    r->file_count = 0;
    if (dwarf_getsrcfiles(die, &files, &count) != 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        const char *name = dwarf_filesrc(files, i, NULL, NULL);
        if (r->lines->files.count == NO_FILE || !push(&r->lines->files, &name, sizeof(name)))
            return false;
    }
    r->file_count = count;
    return true;
}

static Elf_Data *line_section(const struct image *image)
{
    size_t names;

    if (elf_getshdrstrndx(image->elf, &names) != 0)
        return NULL;
    for (size_t i = 1; i < image->section_count; i++) {
        Elf_Scn *scn = elf_getscn(image->elf, i);
        GElf_Shdr sh;
        if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
            continue;
        const char *name = elf_strptr(image->elf, names, sh.sh_name);
        if (name && (strcmp(name, ".debug_line") == 0 || strcmp(name, ".zdebug_line") == 0))
            return elf_rawdata(scn, NULL);
    }
    return NULL;
}

static void read_units(struct reader *r, const Elf_Data *section)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    Dwarf_Half version;
    uint8_t type;
    struct line_program_sink sink = {.context = r, .row = on_row, .end = on_end};
    bool big_endian = r->image->header.e_ident[EI_DATA] == ELFDATA2MSB;

    while (!r->no_memory &&
           dwarf_get_units(r->lines->dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        Dwarf_Attribute attribute;
        Dwarf_Word offset;
        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        if (!dwarf_attr(&die, DW_AT_stmt_list, &attribute) ||
            dwarf_formudata(&attribute, &offset) != 0)
            continue;
        r->no_memory = !take_files(r, &die);
        r->first = r->lines->rows.count;
        if (!r->no_memory)
            line_program_run(section->d_buf, section->d_size, offset, big_endian, &sink);
        r->lines->rows.count = r->first;
    }
}

/* A shorter one behind a longer one, so that a search that goes down meets it first. */
static int compare_sequences(const void *a, const void *b)
{
    const struct sequence *x = a;
    const struct sequence *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

struct lines *lines_read(const struct image *image, const struct functions *functions)
{
    struct lines *lines = calloc(1, sizeof(*lines));
    struct reader r = {.lines = lines, .image = image, .functions = functions};

    if (!lines)
        return NULL;
    lines->dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
    const Elf_Data *section = lines->dwarf ? line_section(image) : NULL;
    if (section && section->d_buf)
        read_units(&r, section);
    if (r.no_memory || lines->sequences.count == 0) {
        lines_free(lines);
        return NULL;
    }
    qsort(lines->sequences.items, lines->sequences.count, sizeof(struct sequence),
          compare_sequences);
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    free(lines->rows.items);
    free(lines->sequences.items);
    free(lines->files.items);
    dwarf_end(lines->dwarf);
    free(lines);
}

static const struct sequence *find_sequence(const struct lines *lines, uint64_t addr)
{
    const struct sequence *all = lines->sequences.items;
    size_t low = 0;
    size_t high = lines->sequences.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && addr < all[low - 1].end ? &all[low - 1] : NULL;
}

/* Of several rows at one address the last one has the instruction; at a function's entry the first
 * one has the line where the function begins. */
static const struct row *find_row(const struct row *rows, size_t count, uint64_t addr, bool entry)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    while (entry && low > 1 && rows[low - 2].addr == addr)
        low--;
    return low != 0 ? &rows[low - 1] : NULL;
}

bool lines_find(const struct lines *lines, uint64_t addr, bool entry, struct symtab_line *line)
{
    const struct sequence *s = find_sequence(lines, addr);

    if (!s)
        return false;
    const struct row *row =
        find_row((const struct row *)lines->rows.items + s->first, s->count, addr, entry);
    if (!row || row->line == 0 || row->file == NO_FILE)
        return false;
    const char *file = ((const char **)lines->files.items)[row->file];
    if (!file)
        return false;
    *line = (struct symtab_line){.file = file, .line = row->line};
    return true;
}
