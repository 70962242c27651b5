/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots in the formats of other tools (docs/export.md). */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <snapshot/snapshot.h>

enum export_code {
    EXPORT_OK = 0,
    EXPORT_EWRITE,  /* the output could not be written */
    EXPORT_EFORMAT, /* the format cannot hold these profiles */
    EXPORT_ENOMEM,
    EXPORT_ESTOPPED, /* it was to end */
};

/* One of the things that were counted. The snapshot is borrowed. */
struct export_source {
    const struct snapshot *snapshot;
    uint32_t type; /* the values that are meant */
    bool all;      /* the others too, where the format has room for several */
};

/* A format. The table of them is also the text of --help. */
struct exporter {
    const char *name; /* as --format has it */
    const char *help;
    bool binary; /* not for a terminal */
    bool one;    /* takes one source, not several */
    bool all;    /* has room for all types of a snapshot: it needs to be a source but once */
    const struct exporter_ops *ops;
};

/* Ends with one whose name is NULL. */
extern const struct exporter exporters[];

/* NULL: there is none of that name. */
const struct exporter *exporter_find(const char *name);

/*
 * Writes the sources (count of them, at least one) to out, which stays open. title says in a few
 * words what they are. Blocks that several functions share are divided as rows by function are.
 * stopped is asked again and again whether the export is to end early; 0: no; NULL: never.
 * What is not EXPORT_OK is said in one line of text (at most capacity bytes, NUL-terminated); what
 * was written up to then is of no use.
 */
enum export_code export_write(const struct exporter *exporter, const struct export_source *sources,
                              size_t count, const char *title, FILE *out, int (*stopped)(void),
                              char *text, size_t capacity) __attribute__((warn_unused_result));

#endif
