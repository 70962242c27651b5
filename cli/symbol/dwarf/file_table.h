/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of folders and files that stand before a line number program. */
#ifndef SYMBOL_FILE_TABLE_H
#define SYMBOL_FILE_TABLE_H

#include <budget/vec.h>
#include <dwarf/units.h>

struct file_entry {
    const char *name; /* in the section, NULL: it is not known */
    uint64_t folder;  /* its number */
};

struct file_table {
    struct budget_vec folders; /* of const char *; the first one is where the compiler ran */
    struct budget_vec files;   /* of struct file_entry, by the numbers that programs use */
};

/* false: no memory, the budget is over, or the table is damaged: what was read until then is there.
 * To be freed in every case. */
bool file_table_read(struct file_table *table, const struct units *units, const struct unit *unit);
void file_table_free(struct file_table *table);

#endif
