/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes events of a trace into a file (docs/tracefile.md), which may have earlier recordings. */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include <trace/points.h>

/* What a recording is of. */
struct trace_about {
    const char *build;  /* as symtab_build() returns it, "": not known */
    const char *elf;    /* name of the ELF file without folders */
    int64_t time_ns;    /* when it began, since 1970 */
    unsigned addr_size; /* bytes of an address, 4 or 8 */
    unsigned cores;
    bool threads;    /* cores are threads of a process */
    bool big_endian; /* of two registers, the first has the upper half of a value */
};

/* Size of a text, bytes with the NUL. */
#define TRACE_TEXT 500

struct trace_writer;

/*
 * Opens the file at path, or creates it. A file with recordings of another build, one that another
 * mprof writes, one that is damaged, and one that is no trace file, is refused and stays as it is.
 * What was cut off at its end is removed before the first event is written. Strings of about are
 * borrowed until the writer is closed.
 *
 * Returns NULL on failure, with one line in text.
 */
struct trace_writer *trace_writer_open(const char *path, const struct trace_about *about,
                                       char text[TRACE_TEXT]);

/* Adds an event, of the kinds up to TRACE_CLOCK. A point must be one of points, which must be the
 * same set in all calls, and not be cleared. Returns false if writing failed, in this call or an
 * earlier one. */
bool trace_writer_put(struct trace_writer *writer, const struct trace_points *points,
                      const struct trace_event *event) __attribute__((warn_unused_result));

/* Hands all events to the system, so that they stay if the program is killed. Returns false if
 * writing failed, now or earlier. */
bool trace_writer_flush(struct trace_writer *writer) __attribute__((warn_unused_result));

/* Returns the bytes that the recording has in the file, without what is not flushed. */
uint64_t trace_writer_bytes(const struct trace_writer *writer);

/* Ends the recording and frees the writer. One without events removes the file if
 * trace_writer_open() made it.
 * Returns false, with one line in text, if not all was written. */
bool trace_writer_close(struct trace_writer *writer, char text[TRACE_TEXT]);

#endif
