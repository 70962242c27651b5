/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile of the Firefox Profiler is made of. */
#ifndef TRACE_EXPORT_FIREFOX_H
#define TRACE_EXPORT_FIREFOX_H

#include "call_tree.h"

/* A stack ran for some time. */
struct firefox_sample {
    uint32_t node;
    int64_t ns, length;
};

/* A mark of the firmware, a mark of sleep, or a loss of events. */
struct firefox_marker {
    int64_t ns;
    const char *sleep; /* its name; NULL: it is none */
    double slept_s;    /* of a mark of sleep; < 0: not known */
    const char *loss;  /* why; NULL: it is none */
    uint64_t id;       /* of a mark */
    uint64_t value;    /* of a mark; or events that are lost */
};

struct firefox_track {
    struct firefox_sample *samples; /* owned */
    size_t sample_count, sample_capacity;
    struct firefox_marker *markers; /* owned */
    size_t marker_count, marker_capacity;
};

struct firefox_data {
    struct call_tree tree;
    struct firefox_track *tracks; /* owned */
    size_t count, capacity;
    int64_t last_ns; /* of all events */
};

/* Writes the profile. Returns false if memory runs out. */
bool firefox_put(const struct trace_export *x, const struct firefox_data *data);

#endif
