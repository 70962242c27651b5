/* SPDX-License-Identifier: 0BSD */
/* What QEMU's monitor prints of memory, to bytes. */
#include "qmp_dump.h"

#include <string.h>

#include "hex.h"

#define WORDS_OF_LINE 4
#define WORD          4 /* bytes */

/* Takes least to most lower-case digits; NULL: they are others. */
static const char *take_hex(const char *at, size_t least, size_t most, uint64_t *value)
{
    size_t len = strspn(at, hex_digits);

    if (len < least || len > most)
        return NULL;
    *value = 0;
    for (size_t i = 0; i < len; i++)
        *value = *value << 4 | (uint64_t)hex_value((unsigned char)at[i]);
    return at + len;
}

static const char *take_text(const char *at, const char *expected)
{
    size_t len = strlen(expected);

    return strncmp(at, expected, len) == 0 ? at + len : NULL;
}

/* Addresses have the digits of a physical or a virtual address, 16 or 8. */
static const char *take_address(const char *at, uint64_t addr)
{
    uint64_t value = 0;

    at = take_hex(at, 8, 16, &value);
    return at != NULL && value == addr ? take_text(at, ":") : NULL;
}

static const char *take_word(const char *at, bool big_endian, unsigned char *bytes)
{
    uint64_t value = 0;

    at = take_text(at, " 0x");
    if (at != NULL)
        at = take_hex(at, 2 * WORD, 2 * WORD, &value);
    for (unsigned i = 0; at != NULL && i < WORD; i++)
        bytes[i] = (unsigned char)(value >> 8 * (big_endian ? WORD - 1 - i : i));
    return at;
}

enum qmp_dump qmp_dump_take(const char *text, uint64_t addr, size_t count, bool big_endian,
                            unsigned char *bytes)
{
    const char *at = text;

    for (size_t i = 0; i < count && at != NULL; i += WORDS_OF_LINE) {
        size_t words = count - i < WORDS_OF_LINE ? count - i : WORDS_OF_LINE;
        at = take_address(at, addr + i * WORD);
        if (at != NULL && take_text(at, " Cannot access memory") != NULL)
            return QMP_DUMP_REFUSED;
        for (size_t j = 0; j < words && at != NULL; j++)
            at = take_word(at, big_endian, bytes + (i + j) * WORD);
        if (at != NULL)
            at = take_text(at, "\r\n");
    }
    return at != NULL && *at == '\0' ? QMP_DUMP_OK : QMP_DUMP_DAMAGED;
}
