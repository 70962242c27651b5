/* SPDX-License-Identifier: 0BSD */
/* Reads a record into memory. */
#ifndef GDBMI_SRC_RECORD_READ_H
#define GDBMI_SRC_RECORD_READ_H

#include <gdbmi/link.h>

#include "record_line.h"

#define RECORD_NONE SIZE_MAX

/* A line with a time; not RECORD_CLOCK, whose numbers belong to the event before it. */
struct record_event {
    enum record_kind kind;
    uint64_t us;      /* since the record began */
    size_t stream;    /* connection, 1 or more; 0: the line is of none */
    const char *text; /* its text, or bytes; with a NUL after them */
    size_t len;
    size_t line;        /* in the file, from 1 on */
    size_t next;        /* index of the next event of this connection, or RECORD_NONE */
    size_t clock;       /* index of the first time that was read after the event */
    size_t clock_count; /* number of these times */
};

/* A record. Zeroed memory is an empty one. */
struct record_script {
    struct gdbmi_options options; /* of the links; strings are those of the script */
    struct record_event *events;
    size_t count;
    uint64_t *times; /* µs since the record began */
    size_t time_count;
    size_t event_room, time_room; /* private */
    size_t *last, last_room;      /* private: last event of each connection, by number less 1 */
    size_t streams;               /* connections */
    char *text;                   /* owned; all strings point into it */
};

/* Takes len bytes, which were allocated with one byte more, and frees them with the script; on
 * failure, too. name is that of the file, for error texts. A last line without a newline is
 * passed over. Returns GDBMI_EPLAY and sets *error if it is no record, or if a line is damaged. */
enum gdbmi_code record_parse(struct record_script *script, char *bytes, size_t len,
                             const char *name, struct gdbmi_error *error);

/* The same for a file. */
enum gdbmi_code record_load(struct record_script *script, const char *path,
                            struct gdbmi_error *error);

void record_free(struct record_script *script);

#endif
