/* SPDX-License-Identifier: 0BSD */
/* Bytes whose number is not known before. */
#ifndef GDBMI_SRC_BUFFER_H
#define GDBMI_SRC_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory is an empty one; data is NULL until something was added. */
struct buffer {
    char *data;
    size_t len;
    size_t capacity;
    bool failed; /* memory ran out, and something is missing; until buffer_free() */
};

/* Makes room for that many bytes and a NUL after len. Returns false, and sets failed, if memory
 * runs out. */
bool buffer_reserve(struct buffer *buffer, size_t room);

/* Adds bytes, and a NUL that does not count. Returns false as buffer_reserve() does. */
bool buffer_add(struct buffer *buffer, const void *bytes, size_t len);

/* Removes the first bytes; replaces all of them. */
void buffer_drop(struct buffer *buffer, size_t count);
bool buffer_set(struct buffer *buffer, const void *bytes, size_t len);

/* Leaves an empty buffer. */
void buffer_free(struct buffer *buffer);

#endif
