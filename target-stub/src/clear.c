/* SPDX-License-Identifier: 0BSD */
/* Clears the blocks, in about 5 instructions a row. */
#include "clear.h"

#include "admit.h"

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

#if MPROF_CALLS_LED || MPROF_ARCS_LED
MPROF_CODE static void restart_lead(volatile struct mprof_counters *lead, uint32_t hits)
{
    lead->events = under_way(lead->events - lead->dropped - lead->ignored, hits, MPROF_HITCNT_INC);
    lead->dropped = 0;
    lead->displaced = 0;
    lead->ignored = 0;
}
#endif

MPROF_CODE static void restart_header(volatile struct mprof_header *header, uint32_t hits)
{
    header->heartbeat = under_way(header->heartbeat - header->dropped - header->ignored -
                                      header->sleeping - header->other_side,
                                  hits, MPROF_HITCNT_INC);
    header->dropped = 0;
    header->ignored = 0;
    header->displaced = 0;
    header->late = 0;
    header->sleeping = 0;
    header->other_side = 0;
    header->filled = (uint16_t)header->generation;
}

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
    lead->events = under_way(lead->events - lead->outside, sum, 1);
    lead->outside = 0;
}
#endif

MPROF_CODE void mprof_clear(struct mprof_prof *prof)
{
    uint32_t hits = 0;

#if MPROF_HIST_CNT
    clear_histogram(prof);
#endif
#if MPROF_ARC_CNT
    hits = clear_arcs(prof->arcs, MPROF_ARC_CNT);
#endif
#if MPROF_ARCS_LED
    restart_lead(&prof->arcs_lead, hits);
#endif
#if MPROF_CALL_CNT
    hits = clear_items(prof->calls, MPROF_CALL_CNT);
#endif
#if MPROF_CALLS_LED
    restart_lead(&prof->calls_lead, hits);
#endif
#if MPROF_CNT
    hits = clear_items(prof->items, MPROF_CNT);
#endif
    restart_header(&prof->header, hits);
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
    mprof_clear(prof);
    mprof_port_add(words, word[MPROF_WORD_FLAGS], MPROF_HALF_WORD(-MPROF_CLEARING));
    return 1;
}
