/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary output: growing bytes with little-endian numbers, and files of a folder. */
#ifndef TRACE_EXPORT_BYTES_H
#define TRACE_EXPORT_BYTES_H

#include "walk.h"

/* Bytes under construction. Zeroed memory has none. After the first failed allocation failed is
 * true, and functions that add do nothing. */
struct bytes {
    uint8_t *bytes; /* owned */
    size_t count, capacity;
    bool failed;
};

/* Add bytes; a number of size bytes, at most 8; a varint of seven bits a byte; a string with its
 * NUL. */
void bytes_add(struct bytes *to, const void *from, size_t count);
void bytes_number(struct bytes *to, uint64_t number, size_t size);
void bytes_varint(struct bytes *to, uint64_t number);
void bytes_string(struct bytes *to, const char *text);

/* Bytes of each track that are not written yet. */
struct track_bytes {
    struct bytes *of; /* owned */
    size_t count, capacity;
};

/* Returns those of a track, which stay at their place until another track is asked for; NULL if
 * memory runs out. */
struct bytes *track_bytes_at(struct track_bytes *tracks, size_t track);
void track_bytes_free(struct track_bytes *tracks);

/* Opens a file of the export's folder as fopen() does. Returns NULL after trace_export_fail(). */
FILE *trace_export_file(struct trace_export *x, const char *name, const char *mode);

/* Closes it. Returns false after trace_export_fail() if anything was not written. */
bool trace_export_close(struct trace_export *x, const char *name, FILE *file);

/* Appends bytes to a file of the folder, and removes them. Returns as trace_export_close(). */
bool trace_export_append(struct trace_export *x, const char *name, struct bytes *bytes);

#endif
