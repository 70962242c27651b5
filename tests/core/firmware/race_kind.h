/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events for the table that there is: RACE_SAMPLES, RACE_CALLS or RACE_ARCS is defined. */
#ifndef RACE_KIND_H
#define RACE_KIND_H

#include <mprof/mprof.h>

#if defined(RACE_SAMPLES) && MPROF_CNT

#define ROWS     s_prof.items
#define ROWS_CNT MPROF_CNT

static inline void present(const uint32_t *event)
{
    mprof_sample(event[0]);
}

#elif defined(RACE_CALLS)

#define ROWS     s_prof.calls
#define ROWS_CNT MPROF_CALL_CNT

static inline void present(const uint32_t *event)
{
    mprof_call(event[0], 0);
}

#elif defined(RACE_ARCS)

#define ROWS     s_prof.arcs
#define ROWS_CNT MPROF_ARC_CNT

static inline void present(const uint32_t *event)
{
    mprof_call(event[0], event[1]);
}

#endif

/* Whether the row is the event's, and what it took over. */
#if defined(RACE_ARCS)
typedef mprof_arc_t row_t;
#define IS_EMPTY(row)     ((row)->callee == 1 && (row)->hits == 0)
#define IS_OF(row, event) ((row)->callee == (event)[0] && (row)->caller == (event)[1])
#define IS_TWIN(a, b)     ((a)->callee == (b)->callee && (a)->caller == (b)->caller)
#define INHERITED(row)    0U
#else
typedef mprof_item_t row_t;
#define IS_EMPTY(row)     ((row)->addr == 1 && (row)->hits == 0)
#define IS_OF(row, event) ((row)->addr == (event)[0])
#define IS_TWIN(a, b)     ((a)->addr == (b)->addr)
#define INHERITED(row)    (row)->inherited
#endif

#ifdef ROWS
/* The set of an event, found by presenting it to an empty table. */
static inline uint32_t set_of_event(const uint32_t *event)
{
    mprof_init();
    present(event);
    for (uint32_t i = 0; i < ROWS_CNT; i++) {
        if (ROWS[i].stamp != 0)
            return i / 4;
    }
    return UINT32_MAX;
}

/* Events of one set. Arcs share callees, and one has the callers of another. */
static inline void choose_events(uint32_t (*events)[2], uint32_t count)
{
    uint32_t step = 0;

    for (uint32_t i = 0; i < count; i++) {
        do {
            step++;
#if defined(RACE_ARCS)
            events[i][0] = 0x1000 + 0x40 * (i % 2);
            events[i][1] = 0x2000 + 4 * step;
#else
            events[i][0] = 0x1000 + MPROF_ERR * step;
            events[i][1] = 0;
#endif
        } while (i > 0 && set_of_event(events[i]) != set_of_event(events[0]));
    }
}

#endif

#endif
