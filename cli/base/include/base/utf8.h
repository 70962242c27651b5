/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes UTF-8, and decides which characters are unsafe to print: the one rule for all outputs. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One character. */
struct utf8_char {
    uint32_t code; /* its code point; UTF8_WRONG: a byte that is not valid UTF-8 */
    size_t len;    /* bytes, 1 to 4 */
};

#define UTF8_WRONG UINT32_MAX

/* Decodes the first character of text, which must not be "". An invalid byte is a character of
 * length 1. */
struct utf8_char utf8_next(const char *text);

/* Whether a character is a control character: C0, DEL, or C1, which terminals obey too. */
static inline bool utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Whether a character is invisible, so that two names could look the same, or changes the direction
 * of a line: Unicode's Default_Ignorable_Code_Point, bidirectional controls, line and paragraph
 * separators, and other format characters. Combining marks are not hidden. */
bool utf8_is_hidden(uint32_t code);

/* Largest size of the text that utf8_shown() writes, bytes with the NUL. */
#define UTF8_SHOWN_MAX 16

/* Returns what to print in place of an unsafe character: "?" for a control character and for
 * UTF8_WRONG, "<U+200B>" for a hidden character. Returns NULL if the character is safe. The result
 * is a constant or in buffer. */
const char *utf8_shown(uint32_t code, char buffer[UTF8_SHOWN_MAX]);

#endif
