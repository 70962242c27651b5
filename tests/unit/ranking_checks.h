/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A symbol table that is made up, a profile of it, and its rows. */
#ifndef RANKING_CHECKS_H
#define RANKING_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <table/ranking_output.h>

/* Functions of a program at 0x100: two that meet inside a block, a hole, one more. With the helper,
 * they stand in for the room symbol. */
extern const struct symtab_function made_functions[3];
struct symtab *symtab_of_test(void);

/* 800 samples in blocks of 16 bytes of that program, of static rows: nothing to free. */
struct profile make_profile(void);

/* The rows of that profile, sorted by share. The caller frees them with view_rows_free(). */
struct view_rows build_rows(enum view_by by);

/* The row of the function, NULL if there is none. */
const struct view_row *row_of(const struct view_rows *rows, const char *function);

/* The hits of all rows. */
uint64_t sum(const struct view_rows *rows);

#endif
