/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters that are not for a line of text from anywhere: the one rule for all outputs. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One character of UTF-8. */
struct utf8_char {
    uint32_t code; /* UTF8_WRONG: a byte that is no UTF-8 */
    size_t len;    /* bytes, 1 to 4 */
};

#define UTF8_WRONG UINT32_MAX

/* The character at text, which is not at its end. */
struct utf8_char utf8_next(const char *text);

/* Control characters: C0 and DEL, and the C1 set, which terminals obey too. */
static inline bool utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Characters that nobody sees, so that one name could look like another, or that turn the order of
 * a line around: bidirectional controls, those of width zero, tags, selectors of variants, blanks
 * without an advance, line and paragraph separators. Marks upon letters are none of them. */
bool utf8_is_hidden(uint32_t code);

/* Bytes of the longest text that utf8_shown() returns, with its NUL. */
#define UTF8_SHOWN_MAX 16

/* The text that stands for a character which is not shown as it is: "?" for a control character
 * and for UTF8_WRONG, "<U+200B>" for a hidden one. NULL if it is shown as it is. The text may be
 * in buffer. */
const char *utf8_shown(uint32_t code, char buffer[UTF8_SHOWN_MAX]);

#endif
