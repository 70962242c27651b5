/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The addresses that names of functions and files, and ranges, stand for. */
#ifndef LOAD_ADDR_RANGES_H
#define LOAD_ADDR_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ranking/ignore.h>
#include <symbol/symtab.h>

/* The code at start <= address < end. */
struct addr_range {
    uint64_t start, end;
};

/* Ranges, sorted by address; neither do they overlap, nor does one begin where another ends. Zeroed
 * memory has none. */
struct addr_ranges {
    struct addr_range *all;
    size_t count, capacity;
};

void addr_ranges_free(struct addr_ranges *ranges);

/* Makes *copy, which has none, a copy. Returns false if memory runs out. */
bool addr_ranges_copy(struct addr_ranges *copy, const struct addr_ranges *ranges)
    __attribute__((warn_unused_result));

/* Adds one range, where start < end. Returns false if memory runs out. */
bool addr_ranges_add(struct addr_ranges *ranges, uint64_t start, uint64_t end)
    __attribute__((warn_unused_result));

/*
 * Adds what rules stand for, in all files that joined symtab, and at all aliases. bits: of the
 * target's addresses, 32 or 64. path: of the ELF file, for messages. Returns a status, and prints
 * a message if it is not STATUS_DONE: a rule that is not an address of the target, or that no
 * function or file has.
 */
int addr_ranges_add_rules(struct addr_ranges *ranges, const struct view_ignore *rules,
                          struct symtab *symtab, unsigned bits, const char *path)
    __attribute__((warn_unused_result));

/* Takes out what other has. Returns false if memory runs out. */
bool addr_ranges_remove(struct addr_ranges *ranges, const struct addr_ranges *other)
    __attribute__((warn_unused_result));

/* Joins the ranges that are nearest to each other until there are at most most, at least 1. What is
 * between them belongs to them then. */
void addr_ranges_join(struct addr_ranges *ranges, size_t most);

/* Whether a range has the address. */
bool addr_ranges_have(const struct addr_ranges *ranges, uint64_t addr);

#endif
