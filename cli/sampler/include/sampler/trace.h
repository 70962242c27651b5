/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of a trace, in the order in which they were recorded. */
#ifndef SAMPLER_TRACE_H
#define SAMPLER_TRACE_H

#include <sampler/table.h>

enum sampler_event_kind {
    SAMPLER_EVENT_CALL,        /* a function was entered, or returns */
    SAMPLER_EVENT_OVERWRITTEN, /* events were overwritten before they were read */
    SAMPLER_EVENT_UNFINISHED,  /* events whose records were not complete in two readings */
    SAMPLER_EVENT_FULL,        /* events were not recorded, because the trace is full */
    SAMPLER_EVENT_BEGIN,       /* what follows is of the first run, or of another one */
};

struct sampler_event {
    enum sampler_event_kind kind;
    unsigned core;
    uint32_t count;           /* of lost events: their number */
    struct decode_event call; /* of SAMPLER_EVENT_CALL */
};

/*
 * Returns the events that polls and drains of a sampler of SAMPLER_TRACE have read since the last
 * call, and sets *count. They belong to the sampler, until its next call. With last, also the
 * complete records behind one that is not complete, which else is waited for until the next
 * reading. Returns NULL if memory runs out.
 */
const struct sampler_event *sampler_table_events(struct sampler_table *sampler, bool last,
                                                 size_t *count);

/* The caller was there when the target started: events that were overwritten before the first
 * reading count as lost. */
void sampler_table_from_start(struct sampler_table *sampler);

/* Returns what the lead of a core's trace said when it was read last. */
struct decode_trace sampler_table_trace(const struct sampler_table *sampler, unsigned core);

#endif
