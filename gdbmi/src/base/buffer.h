/* SPDX-License-Identifier: 0BSD */
/* A growing array of bytes. */
#ifndef GDBMI_SRC_BUFFER_H
#define GDBMI_SRC_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory is an empty buffer. The buffer owns data until buffer_free(). */
struct buffer {
    char *data;      /* with a NUL after len bytes; NULL until something is added or reserved */
    size_t len;      /* bytes that were added, without that NUL */
    size_t capacity; /* bytes allocated */
    bool failed;     /* memory ran out once, so bytes are missing; stays set until buffer_free() */
};

/* Makes room for room more bytes and a NUL. Returns false and sets failed if memory runs out; the
 * contents are unchanged. */
bool buffer_reserve(struct buffer *buffer, size_t room);

/* Appends len bytes and a NUL. Returns false as buffer_reserve() does. */
bool buffer_add(struct buffer *buffer, const void *bytes, size_t len);

/* Removes the first count bytes, at most len. */
void buffer_drop(struct buffer *buffer, size_t count);

/* Replaces the contents, which bytes must not be part of. Returns false if memory runs out; the
 * buffer then has len 0. */
bool buffer_set(struct buffer *buffer, const void *bytes, size_t len);

/* Frees data. The buffer is empty and can be used again. */
void buffer_free(struct buffer *buffer);

#endif
