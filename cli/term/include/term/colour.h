/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours in plain text output. */
#ifndef TERM_COLOUR_H
#define TERM_COLOUR_H

#include <stdbool.h>

#include <term/term.h>

/* Whether colours are allowed: NO_COLOR is unset or empty. */
bool term_wants_colour(void);

/* Whether output to fd should have colours: it is a terminal that has them, and they are allowed.
 */
bool term_has_colour(int fd);

/* Returns the escape sequence that switches a style on, a constant; "" if there is none. That of
 * TERM_NORMAL switches it off. */
const char *term_colour(enum term_style style);

#endif
