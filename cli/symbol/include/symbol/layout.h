/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters that are not for a line of text from anywhere: the one rule for all outputs. */
#ifndef SYMBOL_LAYOUT_H
#define SYMBOL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One character of UTF-8. */
struct layout_char {
    uint32_t code; /* LAYOUT_WRONG: a byte that is no UTF-8 */
    size_t len;    /* bytes, 1 to 4 */
};

#define LAYOUT_WRONG UINT32_MAX

/* The character at text, which is not at its end. */
struct layout_char layout_next(const char *text);

/* Control characters: C0 and DEL, and the C1 set, which terminals obey too. */
static inline bool layout_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Characters that nobody sees, so that one name could look like another, or that turn the order of
 * a line around: bidirectional controls, those of width zero, tags, selectors of variants, blanks
 * without an advance, line and paragraph separators. Marks upon letters are none of them. */
bool layout_is_hidden(uint32_t code);

/* Bytes of the longest text that layout_shown() returns, with its NUL. */
#define LAYOUT_SHOWN_MAX 16

/* The text that stands for a character which is not shown as it is: "?" for a control character
 * and for LAYOUT_WRONG, "<U+200B>" for a hidden one. NULL if it is shown as it is. The text may be
 * in buffer. */
const char *layout_shown(uint32_t code, char buffer[LAYOUT_SHOWN_MAX]);

/* Where layout_csv() writes to. */
struct layout_sink {
    void *context;
    void (*put)(void *context, const char *bytes, size_t len);
};

/* Whether a spreadsheet may take a cell that begins so for a formula: with '=', '+', '-', '@',
 * their full-width forms, a tab or a carriage return. */
bool layout_begins_formula(const char *text);

/*
 * Writes one cell of comma-separated values, quoted as RFC 4180 says. What begins as
 * a formula and is no plain number gets an apostrophe in front, so that it is text. Characters that
 * are not shown as they are become what layout_shown() says.
 */
void layout_csv(const struct layout_sink *sink, const char *text);

#endif
