/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of --budgets: largest shares of functions. */
#ifndef COMMAND_BUDGETS_H
#define COMMAND_BUDGETS_H

#include <stddef.h>

/* One line, like "fir_* 12%". */
struct budget {
    const char *glob; /* pattern for names of rows, as in fnmatch(); borrowed from budgets.bytes */
    double max_share; /* 0 to 1 */
    unsigned line;    /* number of the line, from 1 */
};

/* All lines. Zeroed memory is none. */
struct budgets {
    struct budget *all; /* count of them, owned */
    size_t count;
    char *bytes; /* the file, owned */
};

/*
 * Reads a file of budgets. A line has a pattern, which may contain blanks, and a share (12% or
 * 0.12). A comment begins with '#' at the start of a line or after a blank; empty lines are
 * allowed. The caller frees *budgets with budgets_free(). Returns a status of <base/say.h>. On
 * failure, and if the file has no budget, prints a message with the number of the line, and there
 * is nothing to free.
 */
int budgets_load(const char *path, struct budgets *budgets);
void budgets_free(struct budgets *budgets);

#endif
