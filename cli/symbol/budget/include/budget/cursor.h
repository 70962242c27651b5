/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers and strings from an array of bytes, and never beyond its end. */
#ifndef SYMBOL_CURSOR_H
#define SYMBOL_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A position in an array. The caller sets bytes, end and big_endian, and may set at to any index up
 * to end. Functions return what is at the position and move it past that. If fewer bytes are left
 * than a function needs, it returns 0, sets over, and nothing beyond the end is read; so it is
 * enough to check over once after several reads. over stays set until the caller clears it. */
struct cursor {
    const uint8_t *bytes; /* borrowed */
    size_t at, end;       /* index of the next byte, and of the end */
    bool big_endian;      /* order of the bytes in numbers */
    bool over;            /* more was read than there is */
};

/* Reads a byte. Returns 0 and sets over at the end. */
static inline uint8_t cursor_byte(struct cursor *c)
{
    if (c->at < c->end)
        return c->bytes[c->at++];
    c->over = true;
    return 0;
}

/* Skips size bytes. If fewer are left, sets over and moves to the end. */
static inline void cursor_skip(struct cursor *c, uint64_t size)
{
    c->over |= size > c->end - c->at;
    c->at = c->over ? c->end : c->at + (size_t)size;
}

/* Reads an unsigned number of size bytes in the order that big_endian says. Of more than 8 bytes
 * only the low 8 are returned. If fewer are left, returns 0, sets over and moves to the end. */
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

/* Reads a LEB128 number (DWARF 5, 7.6), sign-extended to 64 bits if is_signed is true. Bits beyond
 * 64 are ignored. If the end comes before the number's last byte, sets over; the bits that were
 * there are returned. */
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

/* Skips a string and its NUL, and returns a pointer to it, which is borrowed from bytes. If there
 * is no NUL before the end, returns NULL, sets over and moves to the end. */
static inline const char *cursor_text(struct cursor *c)
{
    const uint8_t *from = c->bytes + c->at;
    const uint8_t *end = c->at < c->end ? memchr(from, 0, c->end - c->at) : NULL;

    cursor_skip(c, end ? (uint64_t)(end - from) + 1 : UINT64_MAX);
    return (const char *)(end ? from : NULL);
}

#endif
