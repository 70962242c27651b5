/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of budgets: how much of the time a function may take. */
#ifndef COMMAND_BUDGETS_H
#define COMMAND_BUDGETS_H

#include <stddef.h>

/* One line, "fir_* 12%". */
struct budget {
    const char *glob; /* as fnmatch() has it, of the row's name */
    double max_share; /* 0 to 1 */
    unsigned line;    /* from 1 */
};

struct budgets {
    struct budget *all; /* count of them */
    size_t count;
    char *bytes; /* of the file, which the globs are part of */
};

/*
 * Reads lines of a name (a pattern, blanks in it are its own) and a share (12% or 0.12), with
 * comments that begin with '#' at the start or behind a blank, and empty lines; none at all is
 * wrong. A status; what went wrong is said with its line, else *budgets is to be freed.
 */
int budgets_load(const char *path, struct budgets *budgets);
void budgets_free(struct budgets *budgets);

#endif
