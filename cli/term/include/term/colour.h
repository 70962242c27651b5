/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour in lines of text that scroll by. */
#ifndef TERM_COLOUR_H
#define TERM_COLOUR_H

#include <stdbool.h>

#include <term/term.h>

/* Whether NO_COLOR is unset or empty: nobody asked for none. */
bool term_wants_colour(void);

/* Whether what is written there is to have colours: it is a terminal that knows them, and they are
 * wanted. */
bool term_has_colour(int fd);

/* What switches a style on, after which TERM_NORMAL's text switches it off; "": nothing does. */
const char *term_colour(enum term_style style);

#endif
