/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a trace file (docs/tracefile.md). */
#ifndef TRACE_RECORDS_H
#define TRACE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trace/event.h>

#define RECORDS_MAJOR 1
#define RECORDS_MINOR 6

/* Bytes of the header of a file; of a chunk; largest contents of a chunk that are read. */
#define RECORDS_HEADER     16
#define RECORDS_CHUNK      12
#define RECORDS_CHUNK_MAX  ((size_t)1 << 24)
#define RECORDS_VARINT_MAX 10

/* Kinds of chunks: four letters, the first one in the lowest byte. */
#define RECORDS_LETTERS(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define RECORDS_RUN    RECORDS_LETTERS('R', 'U', 'N', ' ')
#define RECORDS_EVENTS RECORDS_LETTERS('E', 'V', 'N', 'T')
#define RECORDS_END    RECORDS_LETTERS('E', 'N', 'D', ' ')

/* What a recording is of. */
#define RECORDS_THREADS    0x1u
#define RECORDS_BIG_ENDIAN 0x2u

/* Kinds of records. Those from RECORD_CALL on are events of the point with the kind minus that. */
enum record_kind {
    RECORD_FUNCTION,
    RECORD_EXCEPTION,
    RECORD_POINT,
    RECORD_LOST,
    RECORD_RESTART,
    RECORD_CLOCK,
    RECORD_WORDS,
    RECORD_MORE = 7, /* its first number says what it is */
    RECORD_CALL = 8,
};

/* What a record RECORD_MORE is. */
#define RECORD_MORE_NAME    1
#define RECORD_MORE_SLEEP   2 /* of the next point: enum trace_sleep */
#define RECORD_MORE_RESULT  3 /* what a function returns */
#define RECORD_MORE_OUTSIDE 4 /* what it executes outside of its hooks */
#define RECORD_MORE_JUMP    5 /* the next event is an exit by a jump, or the entry after it */

/* Growing bytes. After the first failed allocation failed is set, and nothing is added. */
struct record_bytes {
    uint8_t *bytes; /* owned */
    size_t len, capacity;
    bool failed;
};

/* Add a number as a varint, a signed one, a string with its length before it, bytes, or four bytes
 * in little-endian order. */
void record_number(struct record_bytes *to, uint64_t number);
void record_signed(struct record_bytes *to, int64_t number);
void record_string(struct record_bytes *to, const char *text);
void record_add(struct record_bytes *to, const void *bytes, size_t len);
void record_put32(uint8_t *at, uint32_t number);

/* A place in bytes. After what could not be read bad is set, and numbers are 0. */
struct record_cursor {
    const uint8_t *at, *end;
    bool bad;
};

/* Returns a number that takes more than one byte. */
uint64_t record_take_long(struct record_cursor *from);

static inline uint64_t record_take(struct record_cursor *from)
{
    return from->at < from->end && *from->at < 0x80 ? *from->at++ : record_take_long(from);
}

static inline int64_t record_take_signed(struct record_cursor *from)
{
    uint64_t number = record_take(from);

    return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

/* Return a number below limit, or a string that the caller frees. The string is NULL if it has a
 * NUL or memory runs out; bad is set only in the former case. */
uint64_t record_take_below(struct record_cursor *from, uint64_t limit);
char *record_take_string(struct record_cursor *from);
uint32_t record_get32(const uint8_t *at);

/* Fills in the header of a file; returns whether bytes are one of any version, and sets *major. */
void record_header(uint8_t header[RECORDS_HEADER]);
bool record_is_header(const uint8_t header[RECORDS_HEADER], unsigned *major);

/* Returns the checksum of a chunk. */
uint32_t record_sum(uint32_t kind, const uint8_t *contents, size_t len);

#endif
