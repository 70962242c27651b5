/* SPDX-License-Identifier: 0BSD */
/* The blocks that keep samples as they are: the stream of records, and the histogram. */
#ifndef MPROF_STREAM_H
#define MPROF_STREAM_H

#include "gate.h"
#include "table.h"

#if MPROF_STREAM_CNT
/* A record, from as far before it as the ring is behind the start of s_prof. */
struct mprof_slot {
    unsigned char before[offsetof(struct mprof_prof, stream)];
    mprof_record_t record;
};

/* beat is the sample's number. */
MPROF_INLINE void mprof_stream_write(struct mprof_prof *prof, uintptr_t pc, uintptr_t lr,
                                     uint32_t exception, uint32_t beat)
{
    uint32_t head = mprof_port_add(prof, stream_lead.head, MPROF_STREAM_STEP) - MPROF_STREAM_STEP;
    volatile char *slot = (volatile char *)prof +
                          head / MPROF_STREAM_STEP % MPROF_STREAM_CNT * sizeof(mprof_record_t);

    /* The compiler is not to see that the offset of the ring can be added first. */
    __asm__("" : "+r"(slot));
    volatile mprof_record_t *record = &((volatile struct mprof_slot *)slot)->record;

    record->tag = 0;
    mprof_port_barrier();
    record->pc = pc;
    record->lr = lr;
#ifdef MPROF_TIME
    (void)beat;
    record->time = (uint32_t)(MPROF_TIME());
#else
    record->time = beat;
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

#endif
