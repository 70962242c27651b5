/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of events that are no calls and have no time. */
#ifndef TRACE_VIEW_TRACE_OTHER_H
#define TRACE_VIEW_TRACE_OTHER_H

#include <base/text.h>
#include <trace/writer.h>

/* Returns the line of an event, with its newline: events are lost, the target has restarted,
 * another recording begins, bytes are damaged. The caller frees it. Returns NULL if memory runs
 * out. */
char *trace_other_line(bool json, const struct trace_about *about, const struct trace_event *event);

/* Adds which core an event is of, if there are several. */
void trace_other_core(struct text *t, const struct trace_about *about, unsigned core);

#endif
