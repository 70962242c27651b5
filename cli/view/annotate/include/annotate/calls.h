/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The callers and callees of a function, from counted arcs. */
#ifndef ANNOTATE_CALLS_H
#define ANNOTATE_CALLS_H

#include <annotate/annotate_frame.h>
#include <ranking/rows.h>

/* A caller or a callee. */
struct view_call {
    const char *name; /* NULL: not known */
    uint64_t addr;    /* start of the function, or an address without a name; 0: not known */
    uint64_t hits;    /* calls */
    double share;     /* of all calls of the function, or by it; 0 to 1 */
};

/* The calls of a function; view_calls_free() frees them. */
struct view_calls {
    const struct symtab_function *function; /* borrowed */
    struct view_call *callers, *callees;    /* owned; most calls first; names are borrowed */
    size_t caller_count, callee_count;
    uint64_t in, out; /* sum of the calls of it, and by it */
};

/* Collects the calls of a function from rows by arc, whose strings are borrowed. The caller frees
 * *calls with view_calls_free(). Returns false if memory runs out; *calls is unchanged then. */
bool view_calls_build(const struct view_rows *arcs, const struct symtab_function *function,
                      struct view_calls *calls) __attribute__((warn_unused_result));
void view_calls_free(struct view_calls *calls);

/*
 * Builds a frame like that of an annotation: a line of headings, callers, the function, callees.
 * has_addr is set in lines that are functions. names gives their source lines. If note is not NULL,
 * it is shown instead of calls. The caller frees *frame with annotate_frame_free(). Returns false
 * if memory runs out; *frame is unchanged then.
 */
bool view_calls_frame(const struct view_calls *calls, const struct symbol_naming *names,
                      const char *note, const struct annotate_layout *layout,
                      struct annotate_frame *frame) __attribute__((warn_unused_result));

#endif
