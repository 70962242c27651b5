/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof diff of two trace files. */
#ifndef EVENTS_DIFF_TRACES_H
#define EVENTS_DIFF_TRACES_H

#include <options/options.h>

/* Whether the command line is about traces: some operand is one, or some limit is for calls. */
bool diff_is_of_traces(const struct options *options);

/* Compares the two operands, prints it, and checks the limits of --fail-above; *judged is set when
 * these were. Returns a status of <base/say.h>; prints messages. */
int diff_traces(const struct options *options, bool *judged);

#endif
