/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who calls a function, and whom it calls, out of counted arcs. */
#ifndef ANNOTATE_CALLS_H
#define ANNOTATE_CALLS_H

#include <annotate/annotate_frame.h>
#include <ranking/rows.h>

struct view_call {
    const char *name; /* NULL: not known */
    uint64_t addr;    /* where it begins, or the place that has no name; 0 of a caller: not known */
    uint64_t hits;
    double share; /* of all calls into the function, or out of it */
};

/* Most calls first. */
struct view_calls {
    const struct symtab_function *function;
    struct view_call *callers, *callees;
    size_t caller_count, callee_count;
    uint64_t in, out; /* calls, in all */
};

/* Picks a function's out of rows by arc, whose strings are borrowed. false: no memory, *calls is
 * untouched. Free with view_calls_free(). */
bool view_calls_build(const struct view_rows *arcs, const struct symtab_function *function,
                      struct view_calls *calls) __attribute__((warn_unused_result));
void view_calls_free(struct view_calls *calls);

/*
 * Headings, one line, and below them the callers, the function, and the callees: as an annotation's
 * lines, where has_addr is set on those that are functions. note, NULL: none, stands there instead
 * of calls. names tells where functions begin in the source. false: no memory, *frame is untouched.
 */
bool view_calls_frame(const struct view_calls *calls, const struct symbol_naming *names,
                      const char *note, const struct annotate_layout *layout,
                      struct annotate_frame *frame) __attribute__((warn_unused_result));

#endif
