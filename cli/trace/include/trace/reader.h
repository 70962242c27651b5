/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the events of a trace file (docs/tracefile.md). */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <trace/writer.h>

struct trace_reader;

/* Whether path is a regular file that begins as a trace file does. */
bool trace_file_is(const char *path);

/* Opens a file, which the caller closes. Returns NULL on failure, with one line in text. */
struct trace_reader *trace_reader_open(const char *path, char text[TRACE_TEXT]);
void trace_reader_close(struct trace_reader *reader);

/* Reads the next event. Where bytes are damaged there is an event TRACE_DAMAGED, and then the next
 * recording, if there is one. Each other recording ends with TRACE_END, but for the last one if its
 * end is missing. Returns false at the end, and if reading failed. */
bool trace_reader_next(struct trace_reader *reader, struct trace_event *event)
    __attribute__((warn_unused_result));

/* The same without looking at the events, to get the state sooner: each call reads up to the next
 * chunk. */
bool trace_reader_skip(struct trace_reader *reader) __attribute__((warn_unused_result));

/* Returns the points of the recording that is read. They change with each event, and are other ones
 * after TRACE_RUN. */
const struct trace_points *trace_reader_points(const struct trace_reader *reader);

/* Returns what the recording is of that is read: that of the last TRACE_RUN. */
const struct trace_about *trace_reader_about(const struct trace_reader *reader);

/* What trace_reader_next() has found so far. */
struct trace_state {
    uint64_t whole;         /* bytes up to the last chunk that is not damaged */
    uint64_t cut;           /* bytes at the end that are not a whole chunk */
    uint64_t damaged;       /* bytes that are left out because they are damaged */
    uint64_t damaged_at;    /* where the first of them is */
    unsigned runs, unended; /* recordings; those that were not ended */
    const char *failure;    /* why reading failed; NULL: it did not */
};

/* Returns the state. The last recording counts as not ended until its end was read. */
struct trace_state trace_reader_state(const struct trace_reader *reader);

#endif
