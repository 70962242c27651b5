/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's filter: ranges of addresses whose hits it ignores. What goes wrong is said. */
#ifndef TARGET_STUB_RANGES_H
#define TARGET_STUB_RANGES_H

#include <load/code_ranges.h>

#include "stub_access.h"

/* Reads the words of an action of mprof control: functions, files and ranges as for --ignore, or
 * none. what: the action, for messages. A status. */
int stub_rules(char **words, const char *what, struct view_ignore *rules);

/* Adds the code that the rules stand for in this target. A status. */
int stub_ranges(struct control *control, const struct view_ignore *rules,
                struct code_ranges *ranges);

/* The filter becomes what the words say, at least one of them. A status. */
int stub_ignore(struct control *control, char **words);

/* The trace records only functions in these ranges, for which the stub must have room. Sets traced,
 * what chose them, by core. A status. */
int stub_trace_only(struct control *control, const struct code_ranges *ranges,
                    uint32_t traced[DECODE_MAX_CORES]);

/* The trace records all functions; with traced, only on cores that still have what it says. A
 * status. */
int stub_trace_all(struct control *control, const uint32_t *traced);

/* mprof control filter: the trace records what the words say, at least one of them. A status. */
int stub_filter(struct control *control, char **words);

#endif
