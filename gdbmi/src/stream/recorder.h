/* SPDX-License-Identifier: 0BSD */
/* Writes a record: lines, the times that were read between them, and streams that are recorded. */
#ifndef GDBMI_SRC_RECORDER_H
#define GDBMI_SRC_RECORDER_H

#include <stdio.h>

#include <gdbmi/stream.h>

#include "record_line.h"

/* A record that is written. Zeroed memory is none. */
struct recorder {
    FILE *file;
    uint64_t since_ns;   /* when it began, by the system's clock */
    size_t streams;      /* connections so far, made or not */
    struct buffer line;  /* room for a line */
    struct buffer times; /* a line of times that were read since the line before */
    size_t times_count;
    uint64_t time_us; /* the last of them */
    bool inside;      /* a stream is at work: what it reads of the clock is not recorded */
    int error;        /* errno of the first write that failed; 0: none has */
};

/* Creates the file, with its first lines: head. Returns 0 or an errno; then there is nothing to
 * end. EEXIST: there is a file that is not a record. */
int recorder_open(struct recorder *recorder, const char *path, const struct buffer *head);

/* Writes the last line, closes the file and frees everything. Returns 0, or the errno of the first
 * write that failed. */
int recorder_end(struct recorder *recorder);

/* Returns the time, in whole microseconds since the record began, as nanoseconds of the system's
 * clock, and records it. */
uint64_t recorder_now_ns(struct recorder *recorder);

/* Writes a line, with len bytes as its text. stream: 0, or the number of a connection. */
void recorder_write(struct recorder *recorder, size_t stream, enum record_kind kind,
                    const void *bytes, size_t len);

/* Writes that there is no connection. address is the server, as in the text of *why. */
void recorder_failed(struct recorder *recorder, const char *label, const char *address,
                     const struct gdbmi_error *why);

/* Takes over the stream and returns one that is recorded; masked: as that of a gdb, whose texts
 * are left out. NULL: no memory, and the stream is unchanged. */
struct gdbmi_stream *recorder_wrap(struct recorder *recorder, const char *label,
                                   const char *address, bool masked, struct gdbmi_stream *inner);

#endif
