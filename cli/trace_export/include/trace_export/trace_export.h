/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the events of trace files in the formats of other tools (docs/export.md).
 *
 * To export: find a format with exporter_find(), ask trace_export_refusal(), open an export, put
 * all events of the file, end it. It prints nothing, and opens files only in a folder that it is
 * given.
 */
#ifndef TRACE_EXPORT_TRACE_EXPORT_H
#define TRACE_EXPORT_TRACE_EXPORT_H

#include <export/export.h>
#include <trace/writer.h>

/* What is known of the whole trace before it is written. */
struct trace_export_source {
    const char *title; /* a few words, as the name of the file */
    bool calls;        /* some function is entered or returns */
    bool exits;        /* some function returns */
    bool timed;        /* some event has a time */
    bool seconds;      /* and the rate of its clock is known */
};

struct trace_export;

/* Returns why a format cannot show such a trace, as the end of a line that begins with the trace
 * and the format: "needs exits of functions, ..."; NULL: it can. */
const char *trace_export_refusal(const struct exporter *exporter,
                                 const struct trace_export_source *source);

/*
 * Begins an export to out, or, of a format that writes a folder, into an empty folder. All is
 * borrowed: points and recording are those of the events, and change with them. On failure here and
 * below one line of at most capacity bytes is in text, but for EXPORT_ESTOPPED, and what was
 * written must not be used. Returns NULL only if memory runs out. The caller frees the export.
 */
struct trace_export *trace_export_open(const struct exporter *exporter,
                                       const struct trace_export_source *source,
                                       const struct trace_points *points,
                                       const struct trace_about *recording, FILE *out,
                                       const char *folder, char *text, size_t capacity);
void trace_export_free(struct trace_export *x);

/* Takes an event of any kind. Returns EXPORT_OK or the code of the first failure. */
enum export_code trace_export_put(struct trace_export *x, const struct trace_event *event);

/* Ends the export after the last event. stopped is asked while it writes much, and ends it if it
 * does not return 0; NULL: never. Returns as trace_export_put(). */
enum export_code trace_export_end(struct trace_export *x, int (*stopped)(void));

/* What was left out. */
struct trace_export_left {
    uint64_t exits; /* that have no entry */
    uint64_t deep;  /* calls that are too deep for the format */
};

struct trace_export_left trace_export_left(const struct trace_export *x);

#endif
