/* SPDX-License-Identifier: 0BSD */
/* The blocks that keep samples as they are: the stream of records, the histogram and the focus. */
#ifndef MPROF_STREAM_H
#define MPROF_STREAM_H

#include "gate.h"
#include "table.h"

#if MPROF_STREAM_CNT
/* A record, from as far before it as the ring is after the start of s_prof, if loads and stores
 * reach so far. */
#define MPROF_STREAM_AT     offsetof(struct mprof_prof, stream)
#define MPROF_STREAM_END    (MPROF_STREAM_AT + sizeof(mprof_record_t))
#define MPROF_STREAM_BEFORE (MPROF_STREAM_END <= MPROF_PORT_NEAR ? MPROF_STREAM_AT : 8)

struct mprof_slot {
    unsigned char before[MPROF_STREAM_BEFORE];
    mprof_record_t record;
};

MPROF_INLINE void mprof_stream_write(struct mprof_prof *prof, uintptr_t pc, uintptr_t lr,
                                     uint32_t exception)
{
    uint32_t step = MPROF_STREAM_STEP;

#if defined(__thumb__) && !defined(__thumb2__)
    __asm__("" : "+l"(step)); /* the compiler would take a high register, and save it before */
#endif
    uint32_t head = mprof_port_add(prof, stream_lead.head, step);
    volatile char *slot = (volatile char *)prof + (MPROF_STREAM_AT - MPROF_STREAM_BEFORE) +
                          head / MPROF_STREAM_STEP % MPROF_STREAM_CNT * sizeof(mprof_record_t);

    /* The compiler is not to see that the offset of the ring can be added first. */
    __asm__("" : "+r"(slot));
    volatile mprof_record_t *record = &((volatile struct mprof_slot *)slot)->record;

    record->tag = 0;
    mprof_port_barrier();
    record->pc = pc;
    record->lr = lr;
#ifdef MPROF_TIME
    record->time = (uint32_t)(MPROF_TIME);
#else
    record->time = head;
#endif
    mprof_port_barrier();
    record->tag = head | exception;
}
#endif

#if MPROF_HIST_CNT
MPROF_INLINE void mprof_histogram_count(struct mprof_prof *prof, uintptr_t pc)
{
    uintptr_t entry = (pc - (uintptr_t)(MPROF_HIST_BASE)) >> MPROF_LOG2(MPROF_HIST_ERR);

    mprof_port_add(prof, histogram_lead.events, 1);
    if (entry < MPROF_HIST_CNT) {
        volatile struct mprof_words *words = MPROF_WORDS(&prof->histogram[entry]);

        mprof_port_add(words, word[0], 1);
    } else {
        mprof_port_add(prof, histogram_lead.outside, 1);
    }
}
#endif

#if MPROF_FOCUS_CNT
/* The focus from its lead on; an entry is that many words behind the lead. */
#define MPROF_FOCUS_ENTRY (sizeof(struct mprof_focus_lead) / sizeof(uint32_t))

MPROF_INLINE uintptr_t mprof_focus_base(volatile struct mprof_focus_lead *lead)
{
#if UINTPTR_MAX > 0xffffffffU
    return (uintptr_t)lead->base_high << 32 | lead->base_low;
#else
    return lead->base_low;
#endif
}

/* Counts a sample that is in the focus. The base is read again together with the entry: an event
 * that comes between may move the focus. Most samples are elsewhere, and need only the first. */
MPROF_INLINE void mprof_focus_count(struct mprof_prof *prof, uintptr_t pc)
{
    struct mprof_focus_lead *lead = &prof->focus_lead;

#ifndef MPROF_PORT_MASKS /* there, an offset from s_prof takes fewer instructions */
    MPROF_AFRESH(lead);
#endif
    uintptr_t base = mprof_focus_base(lead);

    if ((pc - base) >> MPROF_LOG2(MPROF_FOCUS_CNT * MPROF_FOCUS_ERR) != 0 ||
        mprof_is_ignored(prof, pc))
        return;
    MPROF_AFRESH(lead);
    uintptr_t entry = (pc >> MPROF_LOG2(MPROF_FOCUS_ERR)) % MPROF_FOCUS_CNT;
    volatile struct mprof_words *words = MPROF_WORDS((uint32_t *)lead + entry);

    mprof_port_add_if(words, word[MPROF_FOCUS_ENTRY], 1, mprof_focus_base(lead) == base, return );
}
#endif

#endif
