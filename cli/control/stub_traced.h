/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that the trace of the stub records. What goes wrong is said. */
#ifndef TARGET_STUB_TRACED_H
#define TARGET_STUB_TRACED_H

#include <load/addr_ranges.h>

#include <target/stub_access.h>

/* The trace records only functions in these ranges, for which the stub must have room. Sets traced,
 * what chose them, by core. A status. */
int stub_trace_only(struct control *control, const struct addr_ranges *ranges,
                    uint32_t traced[DECODE_MAX_CORES]);

/* The trace records all functions; with traced, only on cores that still have what it says. A
 * status. */
int stub_trace_all(struct control *control, const uint32_t *traced);

/* mprof control filter: the trace records what the words say, at least one of them. A status. */
int stub_filter(struct control *control, char **words);

#endif
