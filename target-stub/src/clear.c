/* SPDX-License-Identifier: 0BSD */
/* s_prof, and what clears its blocks: in about 5 instructions a row. */
#include "clear.h"

#include "admit.h"

#if MPROF_CORES > 1
#define PROF_COUNT [MPROF_CORES]
#else
#define PROF_COUNT
#endif

struct mprof_prof s_prof PROF_COUNT __attribute__((section(MPROF_SECTION), aligned(32), used));

/* More events than can have been interrupted: then something else wrote over s_prof. */
#define UNDER_WAY_MAX 32U

/* A step for each of the rows of one turn: 8, or 4 in the smallest table. */
#define FOR_ROWS(row, count, step)                                                            \
    for (unsigned left_ = (count); left_ > 0; left_ -= TURN(count)) {                         \
        step((row)[0]) step((row)[1]) step((row)[2]) step((row)[3]) if (TURN(count) == 8){    \
            step((row)[4]) step((row)[5]) step((row)[6]) step((row)[7])}(row) += TURN(count); \
    }
#define TURN(count) ((count) % 8 == 0 ? 8 : 4)

/* Rows lose their stamps first: a reader on its way up must not find one behind what is cleared
 * already. */
#define UNSTAMP(row)                                                           \
    sum += (row).hits;                                                         \
    __asm__ volatile("" : "+r"(sum)); /* one register, not one for each row */ \
    (row).stamp = 0;

#define CLEAR_ITEM(row)       \
    (row).addr = MPROF_EMPTY; \
    (row).hits = 0;

#define CLEAR_ARC(row)          \
    (row).callee = MPROF_EMPTY; \
    (row).hits = 0;

/* These are the sums of all hits. */
#if MPROF_CNT || MPROF_CALL_CNT
MPROF_INLINE uint32_t clear_items(volatile mprof_item_t *items, unsigned count)
{
    volatile mprof_item_t *row = items;
    uint32_t sum = 0;

    FOR_ROWS(row, count, UNSTAMP)
    mprof_port_barrier();
    row = items;
    FOR_ROWS(row, count, CLEAR_ITEM)
    return sum;
}
#endif

#if MPROF_ARC_CNT
MPROF_INLINE uint32_t clear_arcs(volatile mprof_arc_t *arcs, unsigned count)
{
    volatile mprof_arc_t *row = arcs;
    uint32_t sum = 0;

    FOR_ROWS(row, count, UNSTAMP)
    mprof_port_barrier();
    row = arcs;
    FOR_ROWS(row, count, CLEAR_ARC)
    return sum;
}
#endif

MPROF_CODE uint32_t mprof_pass_zero(void)
{
    struct mprof_prof *prof = MPROF_PROF;

    mprof_port_add(MPROF_WORDS(prof), word[MPROF_WORD_FILLED], MPROF_HALF_WORD(1));
    return mprof_port_add(prof, header.generation, 1);
}

/* How many events were presented and have not been counted yet: they were interrupted. Each comes
 * to its end later, so the counter of events starts at their number. */
MPROF_CODE static uint32_t under_way(uint32_t uncounted, uint32_t hits, uint32_t per_hit)
{
    for (uint32_t events = 0; events < UNDER_WAY_MAX && !MPROF_DECAY; events++) {
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

/* filled and displaced stay equal to generation, also if an event changes one of them just now. */
MPROF_CODE MPROF_APART static void take_displaced(struct mprof_prof *prof,
                                                  volatile uint32_t *displaced)
{
    uint32_t count = take(displaced);

    mprof_port_add(MPROF_WORDS(prof), word[MPROF_WORD_FILLED], MPROF_HALF_WORD(count));
}

#if MPROF_CALLS_LED || MPROF_ARCS_LED
MPROF_CODE static void restart_lead(struct mprof_prof *prof, volatile struct mprof_counters *lead,
                                    uint32_t hits)
{
    uint32_t counted = take(&lead->dropped) + take(&lead->ignored);

    take_displaced(prof, &lead->displaced);
    restart(&lead->events, counted, hits, MPROF_HITCNT_INC);
}
#endif

/* Without a table of rows nothing tells how many events are under way. */
#define HAS_ROWS ((MPROF_CNT) != 0 || (MPROF_CALL_CNT) != 0 || (MPROF_ARC_CNT) != 0)

MPROF_CODE static void restart_header(struct mprof_prof *prof, uint32_t hits)
{
    volatile struct mprof_header *header = &prof->header;
    uint32_t counted = take(&header->dropped) + take(&header->ignored) + take(&header->sleeping) +
                       take(&header->other_side);

    take(&header->late);
    take_displaced(prof, &header->displaced);
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

MPROF_CODE void mprof_clear(struct mprof_prof *prof)
{
    uint32_t hits = 0;

#if MPROF_STREAM_CNT
    clear_stream(prof);
#endif
#if MPROF_HIST_CNT
    clear_histogram(prof);
#endif
#if MPROF_ARC_CNT
    hits = clear_arcs(prof->arcs, MPROF_ARC_CNT);
#endif
#if MPROF_ARCS_LED
    restart_lead(prof, &prof->arcs_lead, hits);
#endif
#if MPROF_CALL_CNT
    hits = clear_items(prof->calls, MPROF_CALL_CNT);
#endif
#if MPROF_CALLS_LED
    restart_lead(prof, &prof->calls_lead, hits);
#endif
#if MPROF_CNT
    hits = clear_items(prof->items, MPROF_CNT);
#endif
    restart_header(prof, hits);
}

/* Rows that were taken, less those that were given back. An event may have been interrupted before
 * its very last store, that of a stamp: which then stands in an empty row, where it does no harm.
 */
MPROF_INLINE int is_at_rest(struct mprof_prof *prof)
{
    volatile struct mprof_prof *now = prof;
    uint32_t taken = now->header.filled + now->header.displaced;

#if MPROF_CALLS_LED
    taken += now->calls_lead.displaced;
#endif
#if MPROF_ARCS_LED
    taken += now->arcs_lead.displaced;
#endif
    return (uint16_t)(taken - now->header.generation) == 0;
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

    if (at_rest)
        mprof_clear(prof);
    mprof_port_add(words, word[MPROF_WORD_FLAGS], MPROF_HALF_WORD(-MPROF_CLEARING));
    return at_rest;
}
