/* SPDX-License-Identifier: 0BSD */
/* Bytes whose number is not known before. */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 256

static bool grow(struct buffer *buffer, size_t room)
{
    size_t capacity = buffer->capacity != 0 ? buffer->capacity : CAPACITY_MIN;

    if (room >= SIZE_MAX / 4 || buffer->len >= SIZE_MAX / 4)
        return false;
    while (capacity - buffer->len < room + 1)
        capacity *= 2;
    if (capacity == buffer->capacity)
        return true;
    char *grown = realloc(buffer->data, capacity);
    if (grown == NULL)
        return false;
    buffer->data = grown;
    buffer->capacity = capacity;
    return true;
}

bool buffer_reserve(struct buffer *buffer, size_t room)
{
    bool grown = grow(buffer, room);

    buffer->failed = buffer->failed || !grown;
    return grown;
}

bool buffer_add(struct buffer *buffer, const void *bytes, size_t len)
{
    if (!buffer_reserve(buffer, len))
        return false;
    if (len > 0)
        memcpy(buffer->data + buffer->len, bytes, len);
    buffer->len += len;
    buffer->data[buffer->len] = '\0';
    return true;
}

void buffer_drop(struct buffer *buffer, size_t count)
{
    buffer->len -= count;
    if (buffer->len > 0)
        memmove(buffer->data, buffer->data + count, buffer->len);
    if (buffer->data != NULL)
        buffer->data[buffer->len] = '\0';
}

bool buffer_set(struct buffer *buffer, const void *bytes, size_t len)
{
    buffer->len = 0;
    return buffer_add(buffer, bytes, len);
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){.data = NULL};
}
