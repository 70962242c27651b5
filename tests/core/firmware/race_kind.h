/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events for the table that there is: RACE_SAMPLES, RACE_CALLS or RACE_ARCS is defined. */
#ifndef RACE_KIND_H
#define RACE_KIND_H

#include <stdbool.h>

#include <mprof/mprof.h>

#if defined(RACE_SAMPLES) && MPROF_CNT

#define ROWS     s_prof.items
#define ROWS_CNT MPROF_CNT
#define HEADS    s_prof.items_heads
#define REST     s_prof.items_rest
#define LEAD     s_prof.items_lead

static inline void present(const uint32_t *event)
{
    mprof_sample(event[0]);
}

#elif defined(RACE_CALLS)

#define ROWS     s_prof.calls
#define ROWS_CNT MPROF_CALL_CNT
#define HEADS    s_prof.calls_heads
#define REST     s_prof.calls_rest
#define LEAD     s_prof.calls_lead

static inline void present(const uint32_t *event)
{
    mprof_call(event[0], 0);
}

#elif defined(RACE_ARCS)

#define ROWS     s_prof.arcs
#define ROWS_CNT MPROF_ARC_CNT
#define HEADS    s_prof.arcs_heads
#define REST     s_prof.arcs_rest
#define LEAD     s_prof.arcs_lead

static inline void present(const uint32_t *event)
{
    mprof_call(event[0], event[1]);
}

#endif

/* Rows of a chain that an event looks at. */
#define CHAIN 6U

/* Whether the row is the event's. */
#if defined(RACE_ARCS)
typedef mprof_arc_row_t row_t;
#define ROW_ADDR(row)     ((row)->callee)
#define IS_OF(row, event) ((row)->callee == (event)[0] && (row)->caller == (event)[1])
#else
typedef mprof_row_t row_t;
#define ROW_ADDR(row)     ((row)->addr)
#define IS_OF(row, event) ((row)->addr == (event)[0])
#endif

#ifdef ROWS

static inline uint32_t rows_in_use(void)
{
    return ROWS_CNT - LEAD.free;
}

static inline const row_t *row_at(uint16_t link)
{
    return (const row_t *)((const char *)&s_prof + link);
}

/* The counter of the rest that is the event's too. */
static inline uint32_t *rest_of(const uint32_t *event)
{
    return &REST[(event[0] >> MPROF_REST_SHIFT) % (ROWS_CNT / 2)];
}

static inline uint32_t sum_of_rows(void)
{
    uint32_t sum = 0;

    for (const row_t *row = ROWS; row < ROWS + rows_in_use(); row++)
        sum += row->hits;
    return sum;
}

static inline uint32_t sum_of_rest(void)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < ROWS_CNT / 2; i++)
        sum += REST[i];
    return sum;
}

/* From each head, links go to rows in use, upwards, and end. */
static inline bool chains_are_sound(void)
{
    const row_t *nil = ROWS + ROWS_CNT;

    for (uint32_t i = 0; i < ROWS_CNT; i++) {
        const row_t *last = NULL;

        for (const row_t *row = row_at(HEADS[i]); row != nil; row = row_at(row->next)) {
            if (row < ROWS || row >= ROWS + rows_in_use() || (last != NULL && row <= last))
                return false;
            last = row;
        }
    }
    return true;
}

/* What a row promises about each event, when none is under way. */
struct judgement {
    uint32_t unbound;  /* events of which more were presented than there may have been, or fewer */
    uint32_t promised; /* events that a row with stamp 0 promises to have whole, and has not */
    uint32_t twice;    /* rows with hits that another one of the same event stands in front of */
};

static inline void judge_event(struct judgement *judgement, const uint32_t *event,
                               uint32_t presented)
{
    uint32_t own = 0;
    uint32_t rows = 0;
    bool whole = false;

    for (const row_t *row = ROWS; row < ROWS + rows_in_use(); row++) {
        if (!IS_OF(row, event))
            continue;
        own += row->hits;
        rows += row->hits != 0;
        whole |= row->stamp == 0;
    }
    judgement->unbound += presented < own || presented - own > *rest_of(event);
    judgement->promised += whole && own != presented;
    judgement->twice += rows > 1 ? rows - 1 : 0;
}

/* The class of an event, found by presenting it to an empty table. */
static inline uint32_t class_of_event(const uint32_t *event)
{
    mprof_init();
    uint16_t nil = HEADS[0];

    present(event);
    for (uint32_t i = 0; i < ROWS_CNT; i++) {
        if (HEADS[i] != nil)
            return i;
    }
    return UINT32_MAX;
}

/* Arcs share callees, and one has the callers of another. */
static inline void make_event(uint32_t *event, uint32_t step)
{
#if defined(RACE_ARCS)
    event[0] = 0x1000 + 0x40 * (step % 2);
    event[1] = 0x2000 + 4 * step;
#else
    event[0] = 0x1000 + MPROF_ERR * step;
    event[1] = 0;
#endif
}

/* Events of one class, and then some that are of others. */
static inline void choose_events(uint32_t (*events)[2], uint32_t count, uint32_t others)
{
    uint32_t step = 1;
    uint32_t found = 0;

    make_event(events[0], step);
    uint32_t class = class_of_event(events[0]);

    for (; found < count; step++) {
        make_event(events[found], step);
        found += class_of_event(events[found]) == class;
    }
    for (step = 1; found < count + others; step++) {
        make_event(events[found], step);
        found += class_of_event(events[found]) != class;
    }
}

#endif

#endif
