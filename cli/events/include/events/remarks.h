/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages about a trace of a target, each once: what its events lack, why there are none. */
#ifndef EVENTS_REMARKS_H
#define EVENTS_REMARKS_H

#include <control/trace_filter.h>
#include <target/watch_trace.h>

/* What is known of the trace; watch and filter are borrowed. */
struct trace_remarks {
    const struct watch *watch;
    const struct trace_filter *filter;
    bool program;      /* mprof has started the target */
    bool taken;        /* an event has come, shown or not; the caller sets it */
    unsigned readings; /* that worked so far */
    bool is_uncounted; /* private */
};

/* Prints what is to be said after a reading, and counts it. lost is the number of lost events;
 * final: it was the last one. */
void trace_remarks_read(struct trace_remarks *remarks, uint64_t lost, bool final);

/* Prints what is to be said at the end. begun: something was read. */
void trace_remarks_end(const struct trace_remarks *remarks, uint64_t lost, bool begun);

#endif
