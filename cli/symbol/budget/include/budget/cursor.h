/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers from bytes that it cannot overrun. */
#ifndef SYMBOL_CURSOR_H
#define SYMBOL_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Past the end it gives zeros and says so in over. */
struct cursor {
    const uint8_t *bytes;
    size_t at, end;
    bool big_endian;
    bool over;
};

static inline uint8_t cursor_byte(struct cursor *c)
{
    if (c->at < c->end)
        return c->bytes[c->at++];
    c->over = true;
    return 0;
}

static inline void cursor_skip(struct cursor *c, uint64_t size)
{
    c->over |= size > c->end - c->at;
    c->at = c->over ? c->end : c->at + (size_t)size;
}

/* At most 8 bytes have a value. */
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

/* Up to a byte of zero; NULL: there is none. */
static inline const char *cursor_text(struct cursor *c)
{
    const uint8_t *from = c->bytes + c->at;
    const uint8_t *end = c->at < c->end ? memchr(from, 0, c->end - c->at) : NULL;

    cursor_skip(c, end ? (uint64_t)(end - from) + 1 : UINT64_MAX);
    return (const char *)(end ? from : NULL);
}

#endif
