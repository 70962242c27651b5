/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What links say, with the options of ours that help. */
#ifndef TARGET_LINK_WORDS_H
#define TARGET_LINK_WORDS_H

#include <gdbmi/link.h>

#define LINK_WORDS 480

/* What follows a text of the link for a hint: "" where no option helps. */
const char *link_hint(enum gdbmi_hint hint);

/* An error in one line. Returns text. */
const char *link_words(const struct gdbmi_error *error, char text[LINK_WORDS]);

/* Why the link is the way it is, and what other targets there are. Returns text. */
const char *link_why(const struct gdbmi_info *info, char text[LINK_WORDS]);

#endif
