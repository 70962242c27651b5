/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The units of the debug information, and which of them have code where. */
#ifndef SYMBOL_UNITS_H
#define SYMBOL_UNITS_H

#include <dwarf/debug.h>
#include <dwarf/line_program.h>

struct unit_sources;
struct unit_lines;
struct unit_shapes;
struct unit_subs;

struct unit {
    Dwarf_Off entry; /* its root; units are in this order */
    uint64_t lines;  /* offset of its line table, UINT64_MAX: it has none */
    const char *folder;
    /* What the modules made of it, and free. */
    struct unit_sources *sources;
    struct unit_lines *line_index;
    struct unit_shapes *shapes;
    struct unit_subs *subs;
};

/* Code of a unit or of a function, its owner by its index: [start, end). */
struct code_range {
    uint64_t start, end;
    uint64_t reach; /* the largest end up to this one */
    size_t owner;
};

/* Orders them by start, then by owner, and sets how far they reach. */
void code_ranges_sort(struct code_range *ranges, size_t count);

struct units {
    const struct image *image;
    Dwarf *dwarf;          /* of debug */
    struct budget *budget; /* the image's for debug information */
    uint64_t taken;        /* bytes from it, for what follows */
    struct unit *list;
    size_t count;
    struct code_range *ranges; /* ordered by start */
    size_t range_count;
    size_t *unplaced; /* units that do not say where their code is */
    size_t unplaced_count;
    struct line_section section;
    const uint8_t *strings, *line_strings;
    size_t strings_len, line_strings_len;
    const uint8_t *info, *abbreviations, *range_lists, *old_ranges;
    size_t info_len, abbreviations_len, range_lists_len, old_ranges_len;
};

/* NULL: no debug information, no memory, or the budget is over. debug must live as long. */
struct units *units_open(struct debug *debug);
/* The modules must have freed what they put into units. */
void units_free(struct units *units);

/* The unit whose entry that is, NULL: none. */
struct unit *units_at(const struct units *units, Dwarf_Off entry);

/* Goes over the units that may have code at addr. *at is 0 for the first one; NULL: no more, or the
 * budget is over. */
struct unit *units_next(const struct units *units, uint64_t addr, size_t *at);

#endif
