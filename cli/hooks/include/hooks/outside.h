/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function of -finstrument-functions executes outside of its hooks, which is in no time that
 * they record. */
#ifndef HOOKS_OUTSIDE_H
#define HOOKS_OUTSIDE_H

#include <symbol/symtab.h>

/*
 * Sets *instructions to how many a call of the function executes up to the call of the hook of its
 * entry, and after that of its exit up to its return. Returns false if that is not known: the
 * function does not call the hooks, something branches there, its exits differ by more than 4
 * instructions, or flow_decode() does not know all instructions of the machine. Of exits that
 * differ, it is the mean of the shortest and the longest.
 */
bool outside_count(const struct symtab *symtab, const struct symtab_function *function,
                   int *instructions);

/* The same of the empty function whose hooks the stub measures. */
bool outside_of_probe(const struct symtab *symtab, int *instructions);

#endif
