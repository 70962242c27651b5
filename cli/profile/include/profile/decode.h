/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of s_prof, as a target gave them, to numbers. */
#ifndef PROFILE_DECODE_H
#define PROFILE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum decode_code {
    DECODE_OK = 0,
    DECODE_ESHORT,   /* fewer bytes than the header says: read *need bytes */
    DECODE_EBLANK,   /* no magic: mprof_init() has not run, or the memory could not be read */
    DECODE_EABI,     /* made for a newer host */
    DECODE_EDAMAGED, /* a field that cannot be */
    DECODE_EKIND,    /* no item table in it */
};

enum decode_unit {
    DECODE_UNIT_SAMPLES = 1,
    DECODE_UNIT_CALLS = 2,
};

/* Bytes of the longest header and directory, and of the largest object that is believed. */
#define DECODE_FIRST_READ 128
#define DECODE_MAX_SIZE   (16u << 20)

/* What the header and the directory say. Counters wrap modulo 2^32. */
struct decode_header {
    bool big_endian;
    unsigned abi_major, abi_minor;
    unsigned addr_size; /* bytes: 4 or 8 */
    size_t total_size;  /* bytes of s_prof */
    uint32_t boot, heartbeat, generation;
    uint32_t dropped, ignored, displaced;
    uint32_t sample_hz, tick_hz; /* 0: not known */

    /* The first block of items. */
    enum decode_unit unit;
    unsigned grain; /* bytes of addresses that an item covers */
    size_t item_count, item_size, item_offset;
};

/* One row as it was read. */
struct decode_item {
    uint64_t addr;
    uint32_t hits, inherited, stamp;
};

/* Whether a row may be believed, given a header that was read before it (docs/layout.md). */
enum decode_row {
    DECODE_ROW_FRESH,
    DECODE_ROW_EMPTY, /* never written, or being written now */
    DECODE_ROW_TORN,  /* changed its address since the header was read */
};

/*
 * Reads the header and the directory from the first len bytes of s_prof. Whatever is returned,
 * *need is set to the number of bytes that a whole read takes if that is known, else to 0. Unless
 * DECODE_OK, text (capacity bytes, NUL-terminated) says in one line which field is wrong.
 */
enum decode_code decode_header(const uint8_t *bytes, size_t len, struct decode_header *header,
                               size_t *need, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Reads row index (< item_count) from the same bytes; they hold at least total_size of them. */
enum decode_row decode_item(const uint8_t *bytes, const struct decode_header *header, size_t index,
                            struct decode_item *item);

#endif
