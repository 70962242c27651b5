/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions a trace is of. */
#ifndef TARGET_TRACE_FILTER_H
#define TARGET_TRACE_FILTER_H

#include <load/addr_ranges.h>
#include <target/session.h>
#include <target/watch.h>

/* What the stub is to record; zeroed memory: all functions. */
struct trace_filter {
    bool wanted;                 /* by the command line */
    bool asked;                  /* the stub was asked */
    bool without;                /* the stub has no filter */
    bool told;                   /* that another host has changed it */
    const struct symtab *symtab; /* where the functions were looked up, and its build */
    char build[128];
    struct addr_ranges ranges;         /* of the functions that are wanted */
    uint32_t traced[DECODE_MAX_CORES]; /* what chose them, by core */
};

/*
 * Asks the stub for the functions that --filter and --not want, if it does not record these
 * already, as after a restart. Call it after each poll. If another host has changed the stub's
 * filter, or the stub has none, says so once. Returns a status, and prints a message if it is not
 * STATUS_DONE.
 */
int trace_filter_follow(struct trace_filter *filter, struct watch *watch);

/* Whether the function at an address is wanted. */
bool trace_filter_lets(const struct trace_filter *filter, uint64_t callee);

/* Adds the functions of rules, like those of --start-at. Returns a status, and prints a message if
 * it is not STATUS_DONE. */
int trace_filter_add_rules(const struct session *session, const struct view_ignore *rules,
                           struct addr_ranges *ranges);

/* The stub records all functions again, if this filter asked it for some. Frees the filter. */
void trace_filter_end(struct trace_filter *filter, struct watch *watch);

#endif
