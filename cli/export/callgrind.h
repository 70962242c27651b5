/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is collected for callgrind's format, and how it is written. */
#ifndef EXPORT_CALLGRIND_H
#define EXPORT_CALLGRIND_H

#include "formats.h"

/* More columns than these are left out. */
#define EVENTS_MAX 8

/* Hits of a line of a function, or of the calls that are made there. */
struct cost {
    uint32_t function; /* number in the function table */
    uint32_t file;     /* of the line, number in the files */
    int64_t line;      /* 0: not known */
    uint32_t callee;   /* number in the function table, SNAPSHOT_NONE: its own hits */
    uint64_t calls;    /* of the source's type */
    uint64_t seen;     /* number of the last sample */
    uint64_t values[EVENTS_MAX];
};

struct callgrind {
    const struct export_source *sources;
    size_t source_count;
    uint32_t **source_events; /* for each source's types, SNAPSHOT_NONE: not shown */
    char events[EVENTS_MAX][64];
    struct snapshot_type types[EVENTS_MAX]; /* what they are; texts are borrowed */
    size_t event_count;
    char (*left_out)[64]; /* names of those that there was no room for */
    size_t left_out_count, left_out_room;
    struct cost *costs;
    size_t cost_count, cost_room;
    struct dedupe known;
    struct function_table files; /* their names */
    uint64_t serial;             /* of the sample */
    uint64_t *
        called; /* for each function of the function table, the last sample that it was called in */
    size_t called_count, called_room;
};

/* The column of a type; SNAPSHOT_NONE: there are room of them already, and its name is noted if
 * there is memory for it. */
uint32_t callgrind_event(struct callgrind *c, const struct snapshot_type *type, size_t room);

/* Writes all of it. */
bool callgrind_end(struct export *e);

#endif
