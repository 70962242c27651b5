/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of links for users, with mprof's options that help. */
#ifndef TARGET_LINK_WORDS_H
#define TARGET_LINK_WORDS_H

#include <gdbmi/link.h>

/* Size of a text, bytes with the NUL. A longer one is cut. */
#define LINK_WORDS 480

/* Returns what to append to the text of an error for its hint, a constant; "" if no option helps.
 */
const char *link_hint(enum gdbmi_hint hint);

/* Writes an error with its hint as one line. Returns text. */
const char *link_words(const struct gdbmi_error *error, char text[LINK_WORDS]);

/* Writes why the link uses this protocol, and which other targets there are. Returns text. */
const char *link_why(const struct gdbmi_info *info, char text[LINK_WORDS]);

#endif
