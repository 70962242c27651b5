/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes snapshots in the formats of other tools (docs/export.md).
 *
 * To export: find a format with exporter_find(), choose the values of each snapshot, and call
 * export_write(). It opens and closes no file, and prints nothing.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <snapshot/snapshot.h>

/* Why an export failed. For all but EXPORT_ESTOPPED, there is a line of text for the user. */
enum export_code {
    EXPORT_OK = 0,
    EXPORT_EWRITE,  /* the output cannot be written */
    EXPORT_EFORMAT, /* the format cannot represent these snapshots */
    EXPORT_ENOMEM,
    EXPORT_ESTOPPED, /* stopped() returned not 0 */
};

/* A snapshot to write, and its values. The snapshot is borrowed. */
struct export_source {
    const struct snapshot *snapshot;
    uint32_t type; /* index in snapshot->types of the values */
    bool all;      /* write all types if the format can, with this one as the default */
};

/* A format. All strings are constants; ops is private to the formats (cli/export/walk.h), NULL: it
 * is not for snapshots. */
struct exporter {
    const char *name; /* for --format */
    const char *help; /* one phrase for --help */
    bool binary;      /* do not write it to a terminal */
    bool folder;      /* it is a folder of files */
    bool traces;      /* it is for trace files, too (cli/trace_export/), or only if ops is NULL */
    bool one;         /* it has one source only */
    bool all;         /* it can hold all types of a snapshot */
    const struct exporter_ops *ops;
};

/* All formats; the last entry has the name NULL. */
extern const struct exporter exporters[];

/* Returns the format of a name, or NULL. */
const struct exporter *exporter_find(const char *name);

/*
 * Writes count sources, at least one, to out, which stays open. title describes them in a few
 * words. Blocks with several functions are divided as in rows by function, so the sums of a
 * function are those of 'mprof report'.
 *
 * stopped is called regularly, and ends the export if it does not return 0; NULL: never. On failure
 * writes one line of at most capacity bytes to text, and what is in out must not be used.
 */
enum export_code export_write(const struct exporter *exporter, const struct export_source *sources,
                              size_t count, const char *title, FILE *out, int (*stopped)(void),
                              char *text, size_t capacity) __attribute__((warn_unused_result));

#endif
