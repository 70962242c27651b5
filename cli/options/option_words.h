/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words that the value of an option may be. */
#ifndef OPTIONS_OPTION_WORDS_H
#define OPTIONS_OPTION_WORDS_H

#include <stddef.h>

/* Of --sampler, --by and --format; a format's index is its enum view_format. */
#define OPTION_SAMPLERS 8
#define OPTION_BYS      8
#define OPTION_FORMATS  4
extern const char *const option_samplers[OPTION_SAMPLERS];
extern const char *const option_bys[OPTION_BYS];
extern const char *const option_formats[OPTION_FORMATS];

/* Of these words of --by a diff has the first. */
#define OPTION_CHANGE_BYS 5

/* Stores the formats that a verb accepts, the bits 1 << format (0: all), and returns how many these
 * are. */
size_t option_list_formats(unsigned accepted, const char *names[OPTION_FORMATS]);

#endif
