/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machines that have sites, and how to read their code. */
#ifndef INSTRUMENT_MACHINES_H
#define INSTRUMENT_MACHINES_H

#include <instrument/site.h>

extern const struct site_machine site_thumb, site_riscv, site_x86;

static inline unsigned read_u16(const uint8_t *p)
{
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

static inline uint32_t read_u32(const uint8_t *p)
{
    return read_u16(p) | (uint32_t)read_u16(p + 2) << 16;
}

static inline void write_u16(uint8_t *p, unsigned value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static inline void write_u32(uint8_t *p, uint32_t value)
{
    write_u16(p, value & 0xffff);
    write_u16(p + 2, value >> 16);
}

/* Bits high to low of value, as a number. */
static inline uint32_t bits(uint32_t value, unsigned high, unsigned low)
{
    return value >> low & (UINT32_MAX >> (31 - high + low));
}

/* The lowest count bits of value, as a signed number. */
static inline int64_t sign_extend(uint64_t value, unsigned count)
{
    uint64_t sign = (uint64_t)1 << (count - 1);

    return (int64_t)((value & (2 * sign - 1)) ^ sign) - (int64_t)sign;
}

/* Whether a distance is even, and fits into a signed number of count bits. */
static inline bool is_within(int64_t distance, unsigned count)
{
    int64_t limit = (int64_t)1 << (count - 1);

    return distance % 2 == 0 && distance >= -limit && distance < limit;
}

#endif
