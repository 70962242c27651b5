/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells which functions are exception handlers and which ones wait: the context of each row. */
#ifndef RANKING_CONTEXT_H
#define RANKING_CONTEXT_H

#include <stdbool.h>

#include <ranking/rows.h>
#include <symbol/vectors.h>

struct view_contexts;

/* Creates the knowledge of contexts that an ELF file gives. symtab must live as long; it is asked
 * when it is first needed. NULL: only names are known. The caller frees the result. Returns NULL if
 * memory runs out. */
struct view_contexts *view_contexts_new(struct symtab *symtab);
/* NULL is allowed and does nothing. */
void view_contexts_free(struct view_contexts *contexts);

/* Sets further functions, files and addresses that count as idle; borrowed. NULL: none. */
void view_contexts_set_idle(struct view_contexts *contexts, const struct view_ignore *idle);

/* Whether a function waits for the next interrupt: it is named like an idle function of a kernel,
 * or idle has it. idle, function, symbol and file may be NULL. */
bool view_is_idle(const struct view_ignore *idle, uint64_t addr, const char *function,
                  const char *symbol, const char *file);

/*
 * Sets the context of each row, and the sums in and recent_in of rows. A function is a handler if
 * it is in the vector table or, without a vector table, if it is named like one. A function waits
 * if it is named like an idle function of a kernel, or is set as idle. If the profile has numbers
 * of exceptions, these decide between task and interrupt.
 *
 * Rows by context get their names, which live as long as contexts and its ELF file. If the profile
 * has no numbers of exceptions, rows by function are grouped to contexts here; then functions that
 * a handler calls count as "thread". The profile of the rows must still exist.
 */
void view_contexts_mark(const struct view_contexts *contexts, struct view_rows *rows);

/* Writes what a task is called: "task blink", "task 0x20000100"; "other tasks" if it is NULL. */
void view_task_label(const struct profile_task *task, char *text, size_t capacity);

/* Returns the exception vectors of the ELF file, owned by contexts. NULL if there is no ELF file or
 * memory runs out. */
const struct vectors *view_contexts_vectors(const struct view_contexts *contexts);

#endif
