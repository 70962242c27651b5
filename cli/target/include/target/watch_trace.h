/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that polls and drains of a watch have read of a trace. */
#ifndef TARGET_WATCH_TRACE_H
#define TARGET_WATCH_TRACE_H

#include <sampler/trace.h>
#include <target/watch.h>

/* As sampler_table_events(), for options with SAMPLER_TRACE. Returns NULL, with *count 0, if there
 * is no sampler yet or memory runs out. */
const struct sampler_event *watch_events(struct watch *watch, bool last, size_t *count);

/* As sampler_table_trace(). */
struct decode_trace watch_trace(const struct watch *watch, unsigned core);

#endif
