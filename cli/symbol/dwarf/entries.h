/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fast way down through the entries of one unit, for those attributes that inlined calls have. */
#ifndef SYMBOL_ENTRIES_H
#define SYMBOL_ENTRIES_H

#include <budget/cursor.h>
#include <dwarf/units.h>

/*
 * Why this is not left to libdw: it looks an entry's shape up under a lock at each step, and reads
 * all attributes again to find the next entry. That took half of the time.
 */

struct attribute {
    uint32_t name, form;
    int size;      /* bytes, -1: they vary */
    uint32_t run;  /* bytes of it and of those after it, up to one that varies */
    uint32_t left; /* how many these are */
    int64_t constant;
};

struct abbreviation {
    uint32_t tag; /* 0: there is none of that number */
    bool children;
    uint32_t first, count; /* of its attributes */
    uint32_t size;         /* bytes of an entry's attributes, UINT32_MAX: they vary */
};

/* The shapes of a unit's entries. */
struct unit_shapes {
    Dwarf_Off start; /* of the unit in .debug_info */
    unsigned version;
    uint8_t address_size, offset_size;
    uint64_t base; /* that ranges count from */
    struct abbreviation *list;
    size_t count;
    struct attribute *attributes;
    size_t attribute_count;
    uint64_t taken; /* bytes, from the budget */
};

/* NULL: no memory, or shapes that are not understood. */
struct unit_shapes *shapes_read(const struct units *units, const struct unit *unit);
void shapes_free(struct unit_shapes *shapes);
/* What they took from the budget, for the caller to give back once they are freed. */
size_t shapes_bytes(const struct unit_shapes *shapes);

struct entry {
    Dwarf_Off offset;
    const struct abbreviation *shape; /* NULL: it ends a list of children */
    size_t attributes;                /* where they begin */
};

/* What an entry says; 0 where it does not. */
struct entry_facts {
    uint64_t origin; /* offset of DW_AT_abstract_origin's entry */
    uint64_t low, high;
    uint64_t ranges; /* offset in their section */
    uint64_t call_line, call_file;
    bool has_low, has_high, has_ranges;
    bool unclear; /* in a form that is not read here: ask libdw */
};

struct entries {
    const struct units *units;
    const struct unit_shapes *shapes;
    struct cursor c;
};

/* Begins at that entry. */
struct entries entries_at(const struct units *units, const struct unit_shapes *shapes,
                          Dwarf_Off offset);

/* The next entry, the first child of one that has children. false: damaged, or the budget is over.
 */
bool entries_next(struct entries *e, struct entry *entry);

struct entry_facts entries_read(const struct entries *e, const struct entry *entry);

struct range {
    Dwarf_Addr start, end;
};

/* Takes the ranges of an entry as libdw reads them, those without a byte too. false: take() said
 * so, or the budget is over. */
bool ranges_each(const struct units *units, Dwarf_Die *die, void *context,
                 bool (*take)(void *context, const struct range *range));

/* Gives the ranges of facts one by one. *at is 0 for the first one; it and *base are kept between
 * calls. 1: one more, 0: no more, -1: in a form that is not read here. */
int entries_range(const struct entries *e, const struct entry_facts *facts, uint64_t *at,
                  uint64_t *base, struct range *range);

#endif
