/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a histogram of durations. */
#ifndef TRACE_VIEW_LATENCY_BINS_H
#define TRACE_VIEW_LATENCY_BINS_H

#include <trace/durations.h>

#define LATENCY_BINS_MAX 96

/* Rows from edge i to edge i + 1, without that. */
struct latency_bins {
    double edges[LATENCY_BINS_MAX + 1];
    uint64_t counts[LATENCY_BINS_MAX];
    size_t count;
};

/* Makes rows of durations, at least one, whose unit is a part of a second or a tick. If the longest
 * is at most LATENCY_LINEAR times the shortest, the rows are equally wide, at least as much as a
 * printed time shows; else their edges are 1,
 * 2, 5, 10, 20, 50 and so on. */
#define LATENCY_LINEAR 20
struct latency_bins latency_bins(struct durations *durations, double unit);

#endif
