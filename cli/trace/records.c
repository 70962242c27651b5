/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, strings and checksums of a trace file. */
#include "records.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <base/vec.h>

/* A transfer as text changes one of the last four. */
static const uint8_t magic[8] = {0x8d, 'm', 'p', 't', '\r', '\n', 0x1a, '\n'};

void record_add(struct record_bytes *to, const void *bytes, size_t len)
{
    if (to->failed || !VEC_ROOM(to->bytes, to->capacity, to->len, len)) {
        to->failed = true;
        return;
    }
    if (len != 0)
        memcpy(to->bytes + to->len, bytes, len);
    to->len += len;
}

void record_number(struct record_bytes *to, uint64_t number)
{
    uint8_t bytes[RECORDS_VARINT_MAX];
    size_t len = 0;

    for (; number >= 0x80; number >>= 7)
        bytes[len++] = (uint8_t)(number | 0x80);
    bytes[len++] = (uint8_t)number;
    record_add(to, bytes, len);
}

void record_signed(struct record_bytes *to, int64_t number)
{
    record_number(to, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

void record_string(struct record_bytes *to, const char *text)
{
    size_t len = strlen(text);

    record_number(to, len);
    record_add(to, text, len);
}

void record_put32(uint8_t *at, uint32_t number)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> 8 * i);
}

uint32_t record_get32(const uint8_t *at)
{
    return RECORDS_LETTERS(at[0], at[1], at[2], at[3]);
}

uint64_t record_take_long(struct record_cursor *from)
{
    uint64_t number = 0;

    for (unsigned shift = 0; shift < 64 && from->at < from->end; shift += 7) {
        uint8_t byte = *from->at++;
        if (shift == 63 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    from->bad = true;
    from->at = from->end;
    return 0;
}

uint64_t record_take_below(struct record_cursor *from, uint64_t limit)
{
    uint64_t number = record_take(from);

    if (number < limit)
        return number;
    from->bad = true;
    return 0;
}

char *record_take_string(struct record_cursor *from)
{
    uint64_t len = record_take(from);

    if (from->bad || len > (size_t)(from->end - from->at) || memchr(from->at, '\0', len)) {
        from->bad = true;
        return NULL;
    }
    char *text = malloc(len + 1);
    if (text) {
        memcpy(text, from->at, len);
        text[len] = '\0';
    }
    from->at += len;
    return text;
}

uint32_t record_sum(uint32_t kind, const uint8_t *contents, size_t len)
{
    uint8_t before[8];

    record_put32(before, kind);
    record_put32(before + 4, (uint32_t)len);
    uLong sum = crc32(0, before, sizeof(before));
    return (uint32_t)(len != 0 ? crc32(sum, contents, (uInt)len) : sum);
}

void record_header(uint8_t header[RECORDS_HEADER])
{
    memcpy(header, magic, sizeof(magic));
    record_put32(header + 8, RECORDS_MINOR << 16 | RECORDS_MAJOR);
    record_put32(header + 12, (uint32_t)crc32(0, header, 12));
}

bool record_is_header(const uint8_t header[RECORDS_HEADER], unsigned *major)
{
    *major = record_get32(header + 8) & 0xffff;
    return memcmp(header, magic, sizeof(magic)) == 0 &&
           record_get32(header + 12) == (uint32_t)crc32(0, header, 12);
}
