/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What terminfo says of the terminal; apart, because <term.h> has a struct term of its own. */
#ifndef TERM_TERMINFO_H
#define TERM_TERMINFO_H

#include <stdbool.h>

/* Whether TERM names a terminal with a cursor that can be placed; touches nothing. */
bool terminfo_can_draw(void);

/* The text of a capability of the terminal in use; NULL: it has no such thing. */
const char *terminfo_text(const char *name);

/* What switches the mouse off; "": there is none. Valid until the next call. */
const char *terminfo_mouse_off(void);

#endif
