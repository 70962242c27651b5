/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is collected for the page, and how it is written. */
#ifndef EXPORT_HTML_H
#define EXPORT_HTML_H

#include "formats.h"
#include "tree.h"

/* A function in the table. */
struct html_row {
    uint64_t hits, inherited;
    struct wander wander; /* how its share wanders */
    uint64_t total;       /* with what it calls */
    uint64_t seen;        /* number of the last sample */
};

struct html {
    struct tree tree;      /* of the graph: stacks, or file, function, inlined functions and line */
    struct html_row *rows; /* by number in the function table; those without hits are not shown */
    size_t row_count, row_room;
    struct function_table inlined; /* names of inlined functions */
    uint32_t *alike;               /* for each, the first function of that name */
    size_t alike_room;
    uint64_t sum;
    struct profile profile; /* of the snapshot, if it is mprof's own */
    double *place_hits;     /* of each row of profile.wander, all hits at its place */
    struct wander wander;   /* of all functions */
    uint64_t serial;        /* of the sample */
    bool has_callers;       /* some stack has more than what stands at one place */
};

/* The files that the page is made of, as arrays; their bytes end with a zero. */
extern const char html_style[], html_script[];

/* Writes the page. */
bool html_write(struct export *e);

/* The graph's data as JSON; false: no memory. */
bool html_graph(const struct export *e);

#endif
