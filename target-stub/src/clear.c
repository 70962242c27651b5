/* SPDX-License-Identifier: 0BSD */
/* s_prof, and what clears its blocks. */
#include "clear.h"

#include "admit.h"

#if MPROF_CORES > 1
#define PROF_COUNT [MPROF_CORES]
#else
#define PROF_COUNT
#endif

struct mprof_prof s_prof PROF_COUNT
    __attribute__((section(MPROF_SECTION), aligned(MPROF_ALIGNED), used));

/* More events than can have been interrupted: then something else wrote over s_prof. */
#define UNDER_WAY_MAX 32U

/* Without a table of rows nothing tells how many events are under way. */
#define HAS_ROWS ((MPROF_CNT) != 0 || (MPROF_CALL_CNT) != 0 || (MPROF_ARC_CNT) != 0)

#if HAS_ROWS

/* Where a table has what, in bytes. A row begins with its address, and next follows hits. */
struct shape {
    uint32_t rows, size, hits; /* from s_prof; of a row; from a row */
    uint32_t count;
    uint32_t nil; /* the link to the row behind the last one */
};

#define TYPE_OF(table) __typeof__(((struct mprof_prof *)0)->table[0])
#define COUNT_OF(table) \
    (sizeof(((struct mprof_prof *)0)->table) / sizeof(((struct mprof_prof *)0)->table[0]) - 1)
#define END_OF(table) offsetof(struct mprof_prof, table##_rest)
#define SHAPE(table)                                                                   \
    {                                                                                  \
        .rows = offsetof(struct mprof_prof, table), .size = sizeof(TYPE_OF(table)),    \
        .hits = offsetof(TYPE_OF(table), hits), .count = COUNT_OF(table),              \
        .nil = (offsetof(struct mprof_prof, table[COUNT_OF(table)]) -                  \
                MPROF_LINK_BASE(END_OF(table), offsetof(struct mprof_prof, table))) >> \
               MPROF_LINK_UNIT(END_OF(table), sizeof(TYPE_OF(table)))                  \
    }

#if MPROF_CNT
static const struct shape s_items = SHAPE(items);
#endif
#if MPROF_CALL_CNT
static const struct shape s_calls = SHAPE(calls);
#endif
#if MPROF_ARC_CNT
static const struct shape s_arcs = SHAPE(arcs);
#endif

MPROF_INLINE volatile char *row_of(struct mprof_prof *prof, const struct shape *s, uint32_t index)
{
    return (volatile char *)prof + s->rows + index * s->size;
}

MPROF_INLINE volatile struct mprof_rows_lead *lead_of(struct mprof_prof *prof,
                                                      const struct shape *s)
{
    return (volatile struct mprof_rows_lead *)row_of(prof, s, 0) - 1;
}

/* Whether no row in use is being written: its address would be odd. */
MPROF_CODE MPROF_APART static int is_written(struct mprof_prof *prof, const struct shape *s)
{
    volatile char *row = row_of(prof, s, 0);
    uint32_t in_use = s->count - lead_of(prof, s)->free;

    for (; in_use > 0; in_use--, row += s->size) {
        if (*(volatile uintptr_t *)row & 1)
            return 0;
    }
    return 1;
}

MPROF_INLINE void make_empty(volatile char *row, const struct shape *s)
{
    *(volatile uintptr_t *)row = MPROF_EMPTY;
    *(volatile uint16_t *)(row + s->hits + sizeof(uint32_t)) = (uint16_t)s->nil;
}

/* Is the sum of what was counted. A row is empty before its hits are read, so that no event that
 * was interrupted adds to them any more. */
MPROF_CODE MPROF_APART static uint32_t clear_table(struct mprof_prof *prof, const struct shape *s)
{
    volatile struct mprof_rows_lead *lead = lead_of(prof, s);
    volatile uint32_t *rest = (volatile uint32_t *)row_of(prof, s, s->count + 1);
    volatile char *row = row_of(prof, s, 0);
    uint32_t in_use = s->count - lead->free;
    uint32_t sum = 0;

    /* The heads follow the rest. */
    for (uint32_t i = 0; i < s->count; i++)
        ((volatile uint16_t *)(rest + s->count / 2))[i] = (uint16_t)s->nil;
    for (; in_use > 0; in_use--, row += s->size) {
        make_empty(row, s);
        sum += *(volatile uint32_t *)(row + s->hits);
    }
    lead->free = s->count;
    lead->spilled = 0;
    for (uint32_t left = s->count / 2; left > 0; left--, rest++) {
        sum += *rest;
        *rest = 0;
    }
    return sum;
}

/* As RAM at power-up is not. */
__attribute__((unused)) MPROF_UNHOOKED static void empty_table(struct mprof_prof *prof,
                                                               const struct shape *s)
{
    volatile struct mprof_rows_lead *lead = lead_of(prof, s);

    lead->events = 0;
    lead->ignored = 0;
    lead->free = s->count;
    for (uint32_t i = 0; i <= s->count; i++)
        make_empty(row_of(prof, s, i), s);
    *(volatile uint32_t *)(row_of(prof, s, s->count) + s->hits) = UINT32_MAX;
}

#endif

#if MPROF_SMALL

typedef volatile uint32_t word_t __attribute__((may_alias));

/* Returns where it ended. */
MPROF_UNHOOKED MPROF_APART static word_t *fill(word_t *word, volatile void *end, uint32_t value)
{
    do
        *word++ = value;
    while (word != end);
    return word;
}

/* What follows header.dropped, up to the end of the one table: each part begins where the one
 * before it ended. Small code follows no link to the last row. */
MPROF_UNHOOKED void mprof_empty_tables(struct mprof_prof *prof)
{
    volatile struct mprof_prof *now = prof;
    word_t *word = fill(&now->header.dropped, now->items, 0);

    word = fill(word, now->items_rest, MPROF_EMPTY);
    word = fill(word, now->items_heads, 0);
    fill(word, &now->items_heads[MPROF_CNT], s_items.nil * 0x10001U);
    now->items_lead.free = MPROF_CNT;
}

#else

MPROF_UNHOOKED void mprof_empty_tables(struct mprof_prof *prof)
{
    (void)prof;
#if MPROF_CNT
    empty_table(prof, &s_items);
#endif
#if MPROF_CALL_CNT
    empty_table(prof, &s_calls);
#endif
#if MPROF_ARC_CNT
    empty_table(prof, &s_arcs);
#endif
}

#endif

/* How many events were presented and have not been counted yet: they were interrupted. Each comes
 * to its end later, so the counter of events starts at their number. */
MPROF_CODE static uint32_t under_way(uint32_t uncounted, uint32_t hits, uint32_t per_hit)
{
    for (uint32_t events = 0; events < UNDER_WAY_MAX; events++) {
        if ((uncounted - events) * per_hit == hits)
            return events;
    }
    return 0;
}

/* Makes a counter 0, and is what it was. What other threads' events add meanwhile stays. */
MPROF_CODE MPROF_APART static uint32_t take(volatile uint32_t *counter)
{
    uint32_t count = *counter;

    mprof_port_add(MPROF_WORDS(counter), word[0], -count);
    return count;
}

/* The same for a counter of events, read last, of which so many were counted elsewhere. */
MPROF_CODE static void restart(volatile uint32_t *events, uint32_t counted, uint32_t hits,
                               uint32_t per_hit)
{
    uint32_t count = *events;

    mprof_port_add(MPROF_WORDS(events), word[0], under_way(count - counted, hits, per_hit) - count);
}

#if MPROF_CALLS_LED || MPROF_ARCS_LED
MPROF_CODE static void restart_lead(struct mprof_prof *prof, const struct shape *s, uint32_t hits)
{
    volatile struct mprof_rows_lead *lead = lead_of(prof, s);

    restart(&lead->events, take(&lead->ignored), hits, MPROF_HITCNT_INC);
}
#endif

MPROF_CODE static void restart_header(struct mprof_prof *prof, uint32_t hits)
{
    volatile struct mprof_header *header = &prof->header;
    uint32_t counted = take(&header->ignored) + take(&header->sleeping) + take(&header->other_side);

    take(&header->late);
    take(&header->iterations);
    if (HAS_ROWS)
        restart(&header->heartbeat, counted, hits, MPROF_HITCNT_INC);
    else
        take(&header->heartbeat);
}

#if MPROF_STREAM_CNT
/* A reader that comes after a reset finds no samples from before it. */
MPROF_CODE static void clear_stream(struct mprof_prof *prof)
{
    volatile mprof_record_t *record = prof->stream;

    for (unsigned i = 0; i < MPROF_STREAM_CNT; i++)
        record[i].tag = 0;
}
#endif

#if MPROF_TRACE_CNT
/* Events that come meanwhile are cleared with the others: first is written last. */
MPROF_CODE static void clear_trace(struct mprof_prof *prof)
{
    volatile struct mprof_trace_lead *lead = &prof->trace_lead;
    volatile mprof_event_t *record = prof->trace;

    for (unsigned i = 0; i < MPROF_TRACE_CNT; i++)
        record[i].tag = 0;
    take(&lead->lost);
    lead->first = lead->head;
}

/* What comes after the first fault may be its consequence. */
MPROF_CODE void mprof_freeze(struct mprof_prof *prof, uint32_t exception)
{
    volatile struct mprof_header *header = &prof->header;

    if (header->magic != MPROF_MAGIC || !mprof_is_ours(prof) || header->frozen != 0)
        return;
    header->frozen = (uint16_t)(MPROF_FROZEN | (exception & MPROF_FROZEN_EXCEPTION));
    mprof_port_barrier();
    mprof_switch(prof, 0, MPROF_ENABLE_UNFROZEN);
}

MPROF_CODE void mprof_thaw(struct mprof_prof *prof)
{
    volatile struct mprof_header *header = &prof->header;

    if (header->frozen == 0)
        return;
    clear_trace(prof);
    header->frozen = 0;
    mprof_port_barrier();
    mprof_switch(prof, MPROF_ENABLE_UNFROZEN, 0);
}
#endif

#if MPROF_TASK_CNT
/* A row is free before its hits are 0, so that no event that was interrupted adds to them. */
MPROF_CODE static void clear_tasks(struct mprof_prof *prof)
{
    volatile mprof_task_t *row = prof->tasks;

    for (unsigned i = 0; i < MPROF_TASK_CNT; i++) {
        row[i].exception = MPROF_TASK_FREE;
        row[i].hits = 0;
    }
    take(&prof->tasks_lead.lost);
}

MPROF_CODE static int is_task_written(struct mprof_prof *prof)
{
    for (unsigned i = 0; i < MPROF_TASK_CNT; i++) {
        if (((volatile mprof_task_t *)prof->tasks)[i].exception == MPROF_TASK_TAKEN)
            return 0;
    }
    return 1;
}
#endif

#if MPROF_HIST_CNT
MPROF_CODE static void clear_histogram(struct mprof_prof *prof)
{
    volatile struct mprof_histogram_lead *lead = &prof->histogram_lead;
    volatile uint32_t *entry = prof->histogram;
    uint32_t sum = 0;

    for (unsigned i = 0; i < MPROF_HIST_CNT; i++) {
        sum += entry[i];
        entry[i] = 0;
    }
    restart(&lead->events, take(&lead->outside), sum, 1);
}
#endif

#if MPROF_FOCUS_CNT
MPROF_CODE static void clear_focus(struct mprof_prof *prof)
{
    volatile uint32_t *entry = prof->focus;

    for (unsigned i = 0; i < MPROF_FOCUS_CNT; i++)
        entry[i] = 0;
}

/* The new base comes first: an event that was interrupted looks at it when it counts. */
MPROF_CODE void mprof_focus_move(struct mprof_prof *prof)
{
    volatile struct mprof_header *header = &prof->header;
    volatile struct mprof_focus_lead *lead = &prof->focus_lead;
    volatile struct mprof_words *words = MPROF_WORDS(prof);
    uint32_t request = header->focus_request;

    mprof_port_add_if(words, word[MPROF_WORD_FLAGS], MPROF_HALF_WORD(MPROF_MOVING),
                      !(header->flags & MPROF_MOVING), return );
    lead->base_low = header->focus_low;
    lead->base_high = header->focus_high;
    mprof_port_barrier();
    clear_focus(prof);
    lead->began = header->heartbeat;
    mprof_port_barrier();
    lead->done = request;
    mprof_port_add(words, word[MPROF_WORD_FLAGS], MPROF_HALF_WORD(-MPROF_MOVING));
}
#endif

/* Tells a reader that met this to read again. */
#define GENERATION_JUMP 0x8000

MPROF_CODE void mprof_clear(struct mprof_prof *prof)
{
    uint32_t hits = 0;

    mprof_port_add(prof, header.generation, GENERATION_JUMP);
    mprof_port_barrier();
#if MPROF_STREAM_CNT
    clear_stream(prof);
#endif
#if MPROF_TRACE_CNT
    if (prof->header.frozen == 0)
        clear_trace(prof);
#endif
#if MPROF_TASK_CNT
    clear_tasks(prof);
#endif
#if MPROF_HIST_CNT
    clear_histogram(prof);
#endif
#if MPROF_ARC_CNT
    hits = clear_table(prof, &s_arcs);
#endif
#if MPROF_ARCS_LED
    restart_lead(prof, &s_arcs, hits);
#endif
#if MPROF_CALL_CNT
    hits = clear_table(prof, &s_calls);
#endif
#if MPROF_CALLS_LED
    restart_lead(prof, &s_calls, hits);
#endif
#if MPROF_CNT
    hits = clear_table(prof, &s_items);
#endif
    restart_header(prof, hits);
#if MPROF_FOCUS_CNT
    clear_focus(prof);
    prof->focus_lead.began = 0;
#endif
    mprof_port_barrier();
    mprof_port_add(prof, header.generation, GENERATION_JUMP);
}

MPROF_CODE MPROF_APART static int is_at_rest(struct mprof_prof *prof)
{
    (void)prof;
#if MPROF_TASK_CNT
    if (!is_task_written(prof))
        return 0;
#endif
#if MPROF_CNT
    if (!is_written(prof, &s_items))
        return 0;
#endif
#if MPROF_CALL_CNT
    if (!is_written(prof, &s_calls))
        return 0;
#endif
#if MPROF_ARC_CNT
    if (!is_written(prof, &s_arcs))
        return 0;
#endif
    return 1;
}

MPROF_CODE int mprof_reset(struct mprof_prof *prof)
{
    volatile struct mprof_words *words = MPROF_WORDS(prof);

    if (!is_at_rest(prof))
        return 0;
    mprof_port_add_if(words, word[MPROF_WORD_FLAGS], MPROF_HALF_WORD(MPROF_CLEARING),
                      !(prof->header.flags & MPROF_CLEARING), return 0);
    /* An event may have come past the gate before it was shut. */
    int at_rest = is_at_rest(prof);

    if (at_rest) {
        mprof_clear(prof);
#if MPROF_COVERAGE_SIZE
        mprof_coverage_clear(prof);
#endif
#if MPROF_TRACE_CNT
        mprof_thaw(prof);
#endif
    }
    mprof_port_add(words, word[MPROF_WORD_FLAGS], MPROF_HALF_WORD(-MPROF_CLEARING));
    return at_rest;
}
