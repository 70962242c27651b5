/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of two traces, function by function. */
#ifndef TRACE_CALL_DIFF_H
#define TRACE_CALL_DIFF_H

#include <trace/calls.h>

/* How long a trace records: from the first event to the last one of each recording, added up. */
struct trace_span {
    double seconds; /* of the recordings that have ended; see trace_span_end() */
    bool unknown;   /* some event has no time in seconds */
    struct {
        uint32_t hz;
        bool timed, begun;
        int64_t first, last;
    } cores[TRACE_CORES];
};

/* Take an event of any kind into zeroed memory; and return the seconds after the last one, 0: not
 * known. */
void trace_span_put(struct trace_span *span, const struct trace_event *event);
double trace_span_end(struct trace_span *span);

/* One side of a comparison. All is borrowed. */
struct trace_side {
    const struct trace_call_row *rows; /* count of them, as trace_calls_rows() returns them */
    size_t count;
    struct trace_calls_state state;
    double seconds; /* of the recording, 0: not known */
};

enum trace_side_index { TRACE_SIDE_BASE, TRACE_SIDE_NEW, TRACE_SIDES };

/* A function, and its calls on both sides. */
struct trace_diff_row {
    const struct trace_call_row *of[TRACE_SIDES]; /* NULL: it was not called there */
    double impact; /* by how much its self time changed, of a second; without times its calls; 0 or
                    * more */
};

/*
 * Makes a row for each function of two sides, those with the largest impact first. A function is
 * found again by its name and the name of its file, or if there is one such name on each side left,
 * by that alone. A function without a name is found by its address if same_build is set. Sets
 * *count. The caller frees the rows with free(). Returns NULL if memory runs out.
 */
struct trace_diff_row *trace_diff_rows(const struct trace_side sides[TRACE_SIDES], bool same_build,
                                       size_t *count);

/* Whether some call of a side has a duration. */
bool trace_side_has_durations(const struct trace_side *side);

/* Whether durations of the two sides can be compared: both have some, in the same unit. */
bool trace_diff_is_timed(const struct trace_side sides[TRACE_SIDES]);

#endif
