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
    DECODE_EKIND,    /* no block in it that counts anything */
};

enum decode_unit {
    DECODE_UNIT_SAMPLES = 1,
    DECODE_UNIT_CALLS = 2,
};

/* What a block is good for. */
enum decode_source {
    DECODE_TABLE,     /* items that count samples */
    DECODE_CALLS,     /* items that count calls */
    DECODE_ARCS,      /* calls by caller */
    DECODE_STREAM,    /* raw samples */
    DECODE_HISTOGRAM, /* samples, flat */
    DECODE_FILTER,    /* what is ignored */
    DECODE_SOURCES,
};

/* "table", "calls", "arcs", "stream", "histogram", "filter" */
const char *decode_source_name(enum decode_source source);

/* Bytes of the longest header and directory that are guessed, and of the largest object that is
 * believed; objects of several cores at most. */
#define DECODE_FIRST_READ 128
#define DECODE_MAX_SIZE   (16u << 20)
#define DECODE_MAX_CORES  16

struct decode_block {
    size_t count; /* entries, 0: there is no such block */
    size_t size;  /* bytes of an entry */
    size_t offset;
    unsigned block_size; /* bytes of addresses that an entry covers */
    unsigned increment;  /* what one hit adds */
    bool decays;         /* hits also go down */
    bool led;            /* 16 bytes before offset belong to it */
};

/* What the header and the directory say. Counters wrap modulo 2^32. What an older ABI does not have
 * is 0. */
struct decode_header {
    bool big_endian;
    unsigned abi_major, abi_minor;
    unsigned addr_size;    /* bytes: 4 or 8 */
    size_t total_size;     /* bytes of s_prof */
    size_t directory_end;  /* bytes of the header and the directory */
    unsigned core, cores;  /* which of how many objects this is; at least 1 */
    bool locked, jittered; /* the sampling timer is the firmware's own tick; varies at random */
    uint32_t boot, heartbeat, generation;
    uint32_t dropped, ignored, displaced;
    uint32_t sample_hz, tick_hz; /* 0: not known */
    uint32_t late, sleeping, other_side;
    uint32_t enable, nonce_echo, reset_done, phase;

    /* The first block of each kind. */
    struct decode_block blocks[DECODE_SOURCES];

    /* The block that was selected, first of all the first one of table, calls, arcs, histogram and
     * stream. heartbeat, dropped, ignored and displaced are those of this block. */
    enum decode_source source;
    enum decode_unit unit;
    unsigned block_size; /* bytes of addresses that an item covers */
    size_t item_count, item_size, item_offset;
};

/* One row as it was read; what a hit adds beyond 1 is divided out. */
struct decode_item {
    uint64_t addr;
    uint64_t caller; /* of an arc; else 0 */
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

/* Selects another block of the same bytes, which hold what leads it. false: there is none, nothing
 * is changed. */
bool decode_select(const uint8_t *bytes, struct decode_header *header, enum decode_source source);

/* Reads row index (< item_count) of the selected block, which is no stream and no filter, from the
 * same bytes; they hold at least total_size of them. */
enum decode_row decode_item(const uint8_t *bytes, const struct decode_header *header, size_t index,
                            struct decode_item *item);

/* Reads range index (< count of the filter's block) from the same bytes. false: it is not used. */
bool decode_range(const uint8_t *bytes, const struct decode_header *header, size_t index,
                  uint64_t *start, uint64_t *end);

/* One sample out of a stream. */
struct decode_sample {
    uint64_t pc, lr;
    uint32_t time;
    unsigned exception; /* that was interrupted, 0: none */
    bool late;
};

enum decode_record {
    DECODE_RECORD_WHOLE,
    DECODE_RECORD_COMING, /* not written to its end yet */
    DECODE_RECORD_LOST,   /* a later one stands in its place */
};

/* A place in a stream: what head was, or will be, before the record with this place is begun. */
uint32_t decode_stream_head(const uint8_t *bytes, const struct decode_header *header);
uint32_t decode_stream_next(uint32_t place, uint32_t records);
/* Records between two places, the later one first: at most 2^21 - 1. */
uint32_t decode_stream_distance(uint32_t later, uint32_t earlier);
/* Index of the record in the ring. */
size_t decode_stream_index(uint32_t place, const struct decode_header *header);

/* Reads the record with that place from the same bytes, which were read after head. */
enum decode_record decode_stream_record(const uint8_t *bytes, const struct decode_header *header,
                                        uint32_t place, struct decode_sample *sample);

#endif
