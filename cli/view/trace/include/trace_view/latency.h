/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from one event to another, or of calls: how they are distributed, and the longest one. */
#ifndef TRACE_VIEW_LATENCY_H
#define TRACE_VIEW_LATENCY_H

#include <table/table.h>
#include <trace/latency.h>

/* What is printed. All is borrowed. */
struct view_latency {
    const char *file;           /* the trace file; NULL: a target */
    const char *origin;         /* what the first line calls that */
    const char *elf, *build;    /* what it is of */
    const char *from, *to;      /* the events as they were typed; to NULL: calls of from */
    struct latency_state state; /* with at least one duration */
};

/* Returns the text before the events of the longest one, which the caller frees with free().
 * Returns NULL if memory runs out. */
char *view_latency_text(const struct view_latency *latency);

/* Returns all as an object with its newline, which the caller frees with free(). events are the
 * objects of the longest one, a line each; more is how many are left out. Returns NULL if memory
 * runs out. */
char *view_latency_json(const struct view_latency *latency, const char *events, uint64_t more);

#endif
