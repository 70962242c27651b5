/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compilation units of the debug information, and the addresses of their code. */
#ifndef SYMBOL_UNITS_H
#define SYMBOL_UNITS_H

#include <dwarf/debug.h>
#include <dwarf/line_program.h>

struct unit_sources;
struct unit_lines;
struct unit_shapes;
struct unit_subs;

/* One unit. Strings are in the debug information. */
struct unit {
    Dwarf_Off entry;    /* offset of its root entry in .debug_info */
    uint64_t lines;     /* offset of its line table in .debug_line, UINT64_MAX: none */
    const char *folder; /* DW_AT_comp_dir, where the compiler ran; NULL: not known */
    /* What sources.c, lines.c, shapes.c and subs.c read of it; NULL: nothing yet. Each is freed by
     * its file, before units_free(). */
    struct unit_sources *sources;
    struct unit_lines *line_index;
    struct unit_shapes *shapes;
    struct unit_subs *subs;
};

/* Addresses of the code of a unit or of a function: start <= address < end, not relocated. */
struct code_range {
    uint64_t start, end;
    uint64_t reach; /* largest end of this range and of those before it in the array */
    size_t owner;   /* index of the unit or function in its array */
};

/* Sorts count ranges by start, then by owner, and sets reach of each. */
void code_ranges_sort(struct code_range *ranges, size_t count);

/* All units. Arrays are owned, sections are borrowed from the debug information. */
struct units {
    const struct image *image;
    Dwarf *dwarf;          /* of the struct debug */
    struct budget *budget; /* the image's budget for debug information */
    uint64_t taken;        /* bytes of it that the arrays below took */
    struct unit *list;     /* count of them, sorted by entry */
    size_t count;
    struct code_range *ranges; /* range_count of them, sorted by start; owners are units */
    size_t range_count;
    size_t *unplaced; /* indexes of units that do not say where their code is */
    size_t unplaced_count;
    /* Sections, as bytes and their number; NULL: the file has none. .debug_line, .debug_str,
     * .debug_line_str, .debug_info, .debug_abbrev, .debug_rnglists, .debug_ranges. */
    struct line_section section;
    const uint8_t *strings, *line_strings;
    size_t strings_len, line_strings_len;
    const uint8_t *info, *abbreviations, *range_lists, *old_ranges;
    size_t info_len, abbreviations_len, range_lists_len, old_ranges_len;
};

/* Reads the root entries of all units. debug is borrowed and must live longer. The caller calls
 * units_free(). Returns NULL if there is no debug information, memory runs out or the budget is
 * over. */
struct units *units_open(struct debug *debug);

/* Frees the units; NULL does nothing. What the pointers in each unit point to is not freed. */
void units_free(struct units *units);

/* Returns the unit with this root entry, or NULL. */
struct unit *units_at(const struct units *units, Dwarf_Off entry);

/* Returns the next unit that may have code at addr; one unit may come several times. Set *at to 0
 * before the first call; it is private. Returns NULL after the last unit, or if the budget is over.
 */
struct unit *units_next(const struct units *units, uint64_t addr, size_t *at);

#endif
