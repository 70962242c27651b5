/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of names in line number programs of DWARF 2 to 5 (DWARF 5, section 6.2.4). */
#include "file_table.h"

#include <dwarf.h>
#include <string.h>

#include <budget/cursor.h>

/* More of them are damage; a table of formats has few columns. */
#define NAMES_MAX   ((uint64_t)1 << 20)
#define COLUMNS_MAX 16

struct column {
    uint64_t content, form;
};

struct reader {
    const struct units *units;
    const struct line_header *header;
    struct cursor c;
};

/* Counts a name that was read. false: the budget is over. */
static bool count_name(const struct reader *r, const char *name)
{
    return budget_work(r->units->budget, 1 + (name ? strlen(name) / 8 : 0));
}

static const char *text_at(const uint8_t *bytes, size_t len, uint64_t offset)
{
    struct cursor c = {.bytes = bytes, .at = (size_t)offset, .end = len};

    return bytes && offset < len ? cursor_text(&c) : NULL;
}

static const char *read_text(struct reader *r, uint64_t form)
{
    const struct units *u = r->units;

    switch (form) {
    case DW_FORM_string:
        return cursor_text(&r->c);
    case DW_FORM_line_strp:
        return text_at(u->line_strings, u->line_strings_len,
                       cursor_number(&r->c, r->header->offset_size));
    case DW_FORM_strp:
        return text_at(u->strings, u->strings_len, cursor_number(&r->c, r->header->offset_size));
    default:
        r->c.over = true;
        return NULL;
    }
}

static uint64_t read_number(struct reader *r, uint64_t form)
{
    switch (form) {
    case DW_FORM_data1:
        return cursor_number(&r->c, 1);
    case DW_FORM_data2:
        return cursor_number(&r->c, 2);
    case DW_FORM_data4:
        return cursor_number(&r->c, 4);
    case DW_FORM_data8:
        return cursor_number(&r->c, 8);
    case DW_FORM_udata:
        return cursor_leb(&r->c, false);
    case DW_FORM_data16:
        cursor_skip(&r->c, 16);
        return 0;
    case DW_FORM_block:
        cursor_skip(&r->c, cursor_leb(&r->c, false));
        return 0;
    default:
        (void)read_text(r, form);
        return 0;
    }
}

/* DWARF 2 to 4: names up to an empty one. */
static bool read_old_folders(struct reader *r, struct file_table *table, const char *home)
{
    const char *name = home;

    do {
        if (!count_name(r, name) || !budget_vec_push(&table->folders, &name, sizeof(name)))
            return false;
        name = cursor_text(&r->c);
    } while (name && name[0] != '\0' && table->folders.count < NAMES_MAX);
    return name && name[0] == '\0';
}

/* Numbers begin with 1. */
static bool read_old_files(struct reader *r, struct file_table *table)
{
    struct file_entry entry = {.name = NULL};

    do {
        if (!count_name(r, entry.name) || !budget_vec_push(&table->files, &entry, sizeof(entry)))
            return false;
        entry.name = cursor_text(&r->c);
        if (!entry.name || entry.name[0] == '\0')
            break;
        entry.folder = cursor_leb(&r->c, false);
        cursor_leb(&r->c, false); /* time */
        cursor_leb(&r->c, false); /* size */
    } while (!r->c.over && table->files.count < NAMES_MAX);
    return !r->c.over;
}

static size_t read_columns(struct reader *r, struct column *columns)
{
    size_t count = cursor_byte(&r->c);

    r->c.over |= count > COLUMNS_MAX;
    for (size_t i = 0; i < count && !r->c.over; i++) {
        columns[i].content = cursor_leb(&r->c, false);
        columns[i].form = cursor_leb(&r->c, false);
    }
    return count;
}

static struct file_entry read_entry(struct reader *r, const struct column *columns, size_t count)
{
    struct file_entry entry = {.name = NULL};

    for (size_t i = 0; i < count && !r->c.over; i++) {
        if (columns[i].content == DW_LNCT_path)
            entry.name = read_text(r, columns[i].form);
        else if (columns[i].content == DW_LNCT_directory_index)
            entry.folder = read_number(r, columns[i].form);
        else
            (void)read_number(r, columns[i].form);
    }
    return entry;
}

/* DWARF 5: a table that says of what it consists. */
static bool read_new(struct reader *r, struct file_table *table, bool folders)
{
    struct column columns[COLUMNS_MAX];
    size_t width = read_columns(r, columns);
    uint64_t count = r->c.over ? 0 : cursor_leb(&r->c, false);

    /* An entry without bytes would let a small file ask for any number of them. */
    if (count > r->c.end - r->c.at || count > NAMES_MAX)
        return false;
    for (uint64_t i = 0; i < count && !r->c.over; i++) {
        struct file_entry entry = read_entry(r, columns, width);
        if (r->c.over)
            break;
        if (!count_name(r, entry.name))
            return false;
        if (!(folders ? budget_vec_push(&table->folders, &entry.name, sizeof(entry.name))
                      : budget_vec_push(&table->files, &entry, sizeof(entry))))
            return false;
    }
    return !r->c.over;
}

bool file_table_read(struct file_table *table, const struct units *units, const struct unit *unit)
{
    const struct line_section *section = &units->section;
    struct line_header h;
    struct reader r = {.units = units, .header = &h};

    *table = (struct file_table){.folders = {.items = NULL}};
    if (!section->bytes || !line_header_read(section, unit->lines, &h))
        return false;
    r.c = (struct cursor){.bytes = section->bytes,
                          .at = h.tables,
                          .end = h.program,
                          .big_endian = section->big_endian};
    if (h.version < 5)
        return read_old_folders(&r, table, unit->folder) && read_old_files(&r, table);
    return read_new(&r, table, true) && read_new(&r, table, false);
}

void file_table_free(struct file_table *table)
{
    budget_vec_free(&table->folders);
    budget_vec_free(&table->files);
}
