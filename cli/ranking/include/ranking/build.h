/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the name of a build is shown. */
#ifndef RANKING_BUILD_H
#define RANKING_BUILD_H

/* Returns how many characters of a build's name to show, for "%.*s": 7 digits, with the prefix
 * "seg-" of a hash of segments. May exceed the length of build. */
int view_build_len(const char *build);

#endif
