/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers and strings from an array of bytes, and never beyond its end. */
#ifndef SYMBOL_CURSOR_H
#define SYMBOL_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A place in an array. Functions return what is there and move the place behind it. At the end they
 * return 0 and set over; check over once after several reads. */
struct cursor {
    const uint8_t *bytes; /* borrowed */
    size_t at, end;       /* index of the next byte, and of the end */
    bool big_endian;      /* order of the bytes in numbers */
    bool over;            /* more was read than there is */
};

/* Reads a byte. */
static inline uint8_t cursor_byte(struct cursor *c)
{
    if (c->at < c->end)
        return c->bytes[c->at++];
    c->over = true;
    return 0;
}

/* Skips size bytes. */
static inline void cursor_skip(struct cursor *c, uint64_t size)
{
    c->over |= size > c->end - c->at;
    c->at = c->over ? c->end : c->at + (size_t)size;
}

/* Reads a number of size bytes. Of more than 8 bytes only the low 8 are returned. */
static inline uint64_t cursor_number(struct cursor *c, size_t size)
{
    uint64_t value = 0;

    if (size > c->end - c->at) {
        cursor_skip(c, size);
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        uint64_t byte = c->bytes[c->at + i];
        if (c->big_endian)
            value = value << 8 | byte;
        else if (i < sizeof(value))
            value |= byte << (8 * i);
    }
    c->at += size;
    return value;
}

/* Reads a LEB128 number (DWARF 5, 7.6). Bits beyond 64 are ignored. */
static inline uint64_t cursor_leb(struct cursor *c, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint64_t byte;

    if (!is_signed && c->at < c->end && c->bytes[c->at] < 0x80) /* nearly all are */
        return c->bytes[c->at++];
    do {
        byte = cursor_byte(c);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        shift += shift < 64 ? 7 : 0;
    } while (byte & 0x80);
    if (is_signed && shift < 64 && (byte & 0x40))
        value |= ~(uint64_t)0 << shift;
    return value;
}

/* Reads a string with its NUL, and returns a pointer to it. Returns NULL if there is no NUL. */
static inline const char *cursor_text(struct cursor *c)
{
    const uint8_t *from = c->bytes + c->at;
    const uint8_t *end = c->at < c->end ? memchr(from, 0, c->end - c->at) : NULL;

    cursor_skip(c, end ? (uint64_t)(end - from) + 1 : UINT64_MAX);
    return (const char *)(end ? from : NULL);
}

#endif
