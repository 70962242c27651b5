/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers out of a target's bytes, by their offset and in the target's byte order. */
#ifndef PROFILE_CURSOR_H
#define PROFILE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mprof/layout.h>

struct cursor {
    const uint8_t *bytes;
    bool big_endian;
};

static inline uint64_t cursor_take(const struct cursor *c, size_t offset, size_t size)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        size_t at = c->big_endian ? offset + i : offset + size - 1 - i;
        value = value << 8 | c->bytes[at];
    }
    return value;
}

/* The member field of the struct type that starts at base. */
#define TAKE(c, base, type, field) \
    cursor_take((c), (base) + offsetof(struct type, field), sizeof(((struct type *)0)->field))
#define TAKE32(c, base, type, field) ((uint32_t)TAKE(c, base, type, field))

#endif
