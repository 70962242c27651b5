/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions are handlers, and which ones wait: what the core was doing, by row. */
#ifndef RANKING_CONTEXT_H
#define RANKING_CONTEXT_H

#include <stdbool.h>

#include <ranking/rows.h>
#include <symbol/vectors.h>

struct view_contexts;

/* What the ELF file says of contexts; it must live as long, and is not asked before the first use.
 * NULL: nothing but names is known. NULL is returned if there is no memory. */
struct view_contexts *view_contexts_new(struct symtab *symtab);
void view_contexts_free(struct view_contexts *contexts);

/* What else is idle: functions, files, addresses; borrowed. NULL: nothing. */
void view_contexts_set_idle(struct view_contexts *contexts, const struct view_ignore *idle);

/*
 * Sets each row's context: a handler's by the vector table, or by its name where there is none; one
 * that waits by its name. Where the profile says in which exception each hit came, that decides
 * between task and interrupt. Rows by context get their names, which live as long as contexts and
 * its ELF file; where the profile has no exceptions, rows of functions become rows of contexts:
 * then what a handler calls counts as "thread". Sums go into rows->in and rows->recent_in. The
 * rows' profile must still be there.
 */
void view_contexts_mark(const struct view_contexts *contexts, struct view_rows *rows);

/* Its vectors; NULL: no ELF file, or no memory. */
const struct vectors *view_contexts_vectors(const struct view_contexts *contexts);

#endif
