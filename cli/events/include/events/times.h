/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --between and --worst: times in a trace, of a file or of a target. */
#ifndef EVENTS_TIMES_H
#define EVENTS_TIMES_H

#include <options/options.h>

/* Whether one of the options is given. */
static inline bool event_times_are_given(const struct options *options)
{
    return options->between.functions.count != 0 || options->worst.count != 0;
}

/* The option that is given, with its dashes. */
static inline const char *event_times_option(const struct options *options)
{
    return options->worst.count != 0 ? "--worst" : "--between";
}

/* Whether the option needs exits of functions. */
bool event_times_need_exits(const struct options *options);

#endif
