/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing text, and text that is safe and fits into columns of a terminal. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A text under construction. Zeroed memory is an empty one. After the first failed allocation
 * failed is true, and functions that add to the text do nothing. */
struct text {
    char *bytes; /* owned, with a NUL after len bytes; NULL while nothing was added */
    size_t len;
    bool failed; /* memory ran out */
};

/* Adds len bytes. */
void text_add(struct text *text, const char *bytes, size_t len);

/* Adds what printf() would print. */
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the bytes, "" if there are none, which the caller frees. Returns NULL if the text has
 * failed. The text must not be used afterwards. */
char *text_end(struct text *text);

/* Appends a newline to line, which is from malloc() or NULL, and takes it. The caller frees the
 * result. Returns NULL if line is NULL or memory runs out. */
char *text_with_newline(char *line);

/*
 * Adds a column: the part of from that fits into width cells, at the right side if right is set,
 * with blanks up to width if pad is set. A part ends in an ellipsis, or in '~' if the locale is not
 * UTF-8. Unsafe characters are replaced as in utf8_shown(), and those without a width in this
 * locale by '?'. A letter keeps at most four combining marks; a '?' stands for the rest.
 */
void text_cell(struct text *text, const char *from, unsigned width, bool right, bool pad);

/* Returns the text as a line of at most width cells, as text_cell() writes it, without blanks at
 * its end. The caller frees it. Returns NULL if the text has failed or memory runs out. The text is
 * empty afterwards and can be used again. */
char *text_end_line(struct text *text, unsigned width);

/* Adds all of from, with the string before in front of each character that is in special. Unsafe
 * characters are replaced as in utf8_shown(). */
void text_escape(struct text *text, const char *from, const char *special, const char *before);

/* Characters that have a meaning in Markdown or HTML. text_markdown() puts a backslash before them.
 */
#define TEXT_MARKDOWN "\\|*_`<[]~"

/* Adds a cell of comma-separated values, as csv_cell() writes it. */
void text_csv(struct text *text, const char *from);

/* Adds from so that Markdown shows it unchanged: escapes TEXT_MARKDOWN, interrupts what web sites
 * turn into mentions and links (@name, #12, http://), and replaces unsafe characters as in
 * utf8_shown(). */
void text_markdown(struct text *text, const char *from);

/* Ends line and adds it, so that Markdown or a terminal shows it unchanged. */
void text_add_shown(struct text *text, struct text *line, bool markdown);

/* Returns the number of bytes of the first line, if text is wrapped at blanks to lines of width
 * cells: at three blanks if the line has them, and at a blank within [] only if it has no other. A
 * word longer than a line is split. 0 at the end of the text. */
size_t text_line_len(const char *text, unsigned width);

/* Returns where the second line of that starts, after the blanks: the end of text if there is none.
 */
const char *text_next_line(const char *text, unsigned width);

/* Returns the number of cells that text_cell() needs for a text: two for a wide character, none for
 * a combining mark. If the locale is not UTF-8, one for each character. */
size_t text_cells(const char *s);

/* Returns the part of a text after the first cells cells. A wide character across that place is
 * skipped. */
const char *text_skip_cells(const char *text, unsigned cells);

#endif
