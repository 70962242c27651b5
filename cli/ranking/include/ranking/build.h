/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds as people name them. */
#ifndef RANKING_BUILD_H
#define RANKING_BUILD_H

/* How much of a build's name is shown: 7 digits, and "seg-" before those of a hash. For "%.*s". */
int view_build_len(const char *build);

#endif
