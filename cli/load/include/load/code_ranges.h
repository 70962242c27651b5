/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The addresses that names of functions and files, and ranges, stand for. */
#ifndef LOAD_CODE_RANGES_H
#define LOAD_CODE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ranking/ignore.h>
#include <symbol/symtab.h>

/* The code at start <= address < end. */
struct code_range {
    uint64_t start, end;
};

/* Ranges, sorted by address; neither do they overlap, nor does one begin where another ends. Zeroed
 * memory has none. */
struct code_ranges {
    struct code_range *all;
    size_t count, capacity;
};

void code_ranges_free(struct code_ranges *ranges);

/* Makes *copy, which has none, a copy. Returns false if memory runs out. */
bool code_ranges_copy(struct code_ranges *copy, const struct code_ranges *ranges)
    __attribute__((warn_unused_result));

/* Adds one range, where start < end. Returns false if memory runs out. */
bool code_ranges_add(struct code_ranges *ranges, uint64_t start, uint64_t end)
    __attribute__((warn_unused_result));

/*
 * Adds what rules stand for, in all files that joined symtab, and at all aliases. bits: of the
 * target's addresses, 32 or 64. path: of the ELF file, for messages. Returns a status, and prints
 * a message if it is not STATUS_DONE: a rule that is not an address of the target, or that no
 * function or file has.
 */
int code_ranges_add_rules(struct code_ranges *ranges, const struct view_ignore *rules,
                          struct symtab *symtab, unsigned bits, const char *path)
    __attribute__((warn_unused_result));

/* Takes out what other has. Returns false if memory runs out. */
bool code_ranges_remove(struct code_ranges *ranges, const struct code_ranges *other)
    __attribute__((warn_unused_result));

/* Joins the ranges that are nearest to each other until there are at most most, at least 1. What is
 * between them belongs to them then. */
void code_ranges_join(struct code_ranges *ranges, size_t most);

/* Whether a range has the address. */
bool code_ranges_have(const struct code_ranges *ranges, uint64_t addr);

#endif
