/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that grows, and text that is safe to show. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* After the first failed allocation the text stays as it is and failed is true. */
struct text {
    char *bytes; /* NUL-terminated, NULL while empty; only text_add() sets it */
    size_t len;
    bool failed;
};

void text_add(struct text *text, const char *bytes, size_t len);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The bytes, "" where there are none, to be freed; NULL: it has failed. The text is not to be used
 * any more. */
char *text_end(struct text *text);

/* Takes over line, which is from malloc(), and adds a newline. The caller frees the result. Returns
 * NULL if line is NULL or memory runs out. */
char *text_with_newline(char *line);

/* Adds what fits into width cells, then spaces up to width if pad: unsafe characters become what
 * utf8_shown() says, those that the locale has no width for '?', and what is cut ends in an
 * ellipsis, or in '~' if the locale is not a UTF-8 one. Of marks that are set upon a letter there
 * are four, and one '?' for those beyond. */
void text_cell(struct text *text, const char *from, unsigned width, bool right, bool pad);

/* Takes the text as a line of at most width cells, as text_cell() shows it, without blanks at its
 * end. The line is to be freed; NULL: the text has failed, or no memory. The text is empty then. */
char *text_end_line(struct text *text, unsigned width);

/* Adds all of it, with before in front of each character that is in special; those that are unsafe
 * become what utf8_shown() says. */
void text_escape(struct text *text, const char *from, const char *special, const char *before);

/* What Markdown or HTML would take for something else, each behind a backslash. */
#define TEXT_MARKDOWN "\\|*_`<[]~"

/* Adds a cell of comma-separated values (csv_cell()). */
void text_csv(struct text *text, const char *from);

/* Adds what is shown as it stands: what Markdown or HTML would take for something else is escaped,
 * what sites make a mention or a link of (@name, #12, http://) is kept apart, unsafe characters
 * become what utf8_shown() says. */
void text_markdown(struct text *text, const char *from);

/* Bytes of the first line of a text that is broken at blanks into lines of that many cells; blanks
 * within [] only if the line has no other, and a longer word anywhere. 0 at the end of the text. */
size_t text_line_len(const char *text, unsigned width);
/* Where the second line starts, without the blanks before it: the end of the text if there is none.
 */
const char *text_next_line(const char *text, unsigned width);

/* Cells that a text takes, as text_cell() shows it: two for wide characters, none for marks upon
 * letters. Where the locale is no UTF-8 one, each character is one. */
size_t text_cells(const char *s);

/* The text from that many cells on, or from behind a wide character that is across them. */
const char *text_skip_cells(const char *text, unsigned cells);

#endif
