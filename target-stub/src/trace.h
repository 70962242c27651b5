/* SPDX-License-Identifier: 0BSD */
/* The trace: a ring of the entries and exits of functions, each with its time. */
#ifndef MPROF_TRACE_H
#define MPROF_TRACE_H

#include "gate.h"
#include "table.h"

#if MPROF_TRACE_CNT

#if defined(mprof_port_time_wide) && !defined(MPROF_TIME)
#define MPROF_TRACE_WIDE 1
#else
#define MPROF_TRACE_WIDE 0
#endif

/* mprof_trace_time(): the time of an event. 0 if there is no clock. */
#if defined(MPROF_TIME)
#define mprof_trace_time() ((uint32_t)(MPROF_TIME))
#elif defined(mprof_port_time)
#define mprof_trace_time() mprof_port_time()
#else
#define mprof_trace_time() 0U
#endif

/* mprof_trace_stamp(record, place): writes the time and the callee. In a wide trace the upper 16
 * bits of callee, an address of a process, continue the time. */
#if MPROF_TRACE_WIDE
#define mprof_trace_stamp(record, place)                                               \
    do {                                                                               \
        uint64_t time_ = mprof_port_time_wide();                                       \
        (record)->time = (uint32_t)time_;                                              \
        (record)->callee = ((place) & (((uint64_t)1 << MPROF_TRACE_WIDE_SHIFT) - 1)) | \
                           time_ >> 32 << MPROF_TRACE_WIDE_SHIFT;                      \
    } while (0)
#else
#define mprof_trace_stamp(record, place)     \
    do {                                     \
        (record)->time = mprof_trace_time(); \
        (record)->callee = (place);          \
    } while (0)
#endif

#if defined(MPROF_CONTEXT)
#define MPROF_TRACE_CONTEXT ((uint32_t)(MPROF_CONTEXT)&MPROF_TRACE_EXCEPTION)
#elif defined(mprof_port_exception)
#define MPROF_TRACE_CONTEXT mprof_port_exception()
#else
#define MPROF_TRACE_CONTEXT 0U
#endif

MPROF_STATIC_ASSERT(offsetof(struct mprof_prof, trace) ==
                        offsetof(struct mprof_prof, trace_lead) + sizeof(struct mprof_trace_lead),
                    "the records follow the lead");

/* on is what is switched on. */
MPROF_INLINE int mprof_is_tracing(uint32_t on)
{
    return (on & MPROF_TRACE_ON) == MPROF_TRACE_ON;
}

/* Whether the trace records the function at addr. on is what is switched on. */
MPROF_INLINE int mprof_is_traced(struct mprof_prof *prof, uintptr_t addr, uint32_t on)
{
#if MPROF_TRACED_CNT
    volatile struct mprof_header *header = &prof->header;
    uint32_t chosen;
    int traced;

    if (on & MPROF_ENABLE_UNFILTERED)
        return 1;
    do {
        chosen = header->traced;
        volatile mprof_range_t *range = &prof->traced[chosen & MPROF_TRACED_FIRST];
        while (addr >= range->end)
            range++;
        traced = addr >= range->start;
    } while (header->traced != chosen);
    return traced;
#else
    (void)prof, (void)addr, (void)on;
    return 1;
#endif
}

/* Takes the next record of a trace that stops when it is full, and sets *number to its number: an
 * event that comes meanwhile has another. Returns 0 if the trace is full. */
MPROF_INLINE int mprof_trace_take(struct mprof_trace_lead *lead, uint32_t *number)
{
    volatile struct mprof_trace_lead *now = lead;

    mprof_port_add_if(lead, head, 1, (*number = now->head) - now->first < MPROF_TRACE_CNT,
                      return 0);
    ++*number;
    return 1;
}

#if defined(__thumb__) && !defined(__thumb2__)

/* No instruction of Thumb-1 has a mask in it. To shift up and then down takes fewer. */
MPROF_INLINE uint32_t mprof_trace_offset(uint32_t number)
{
    unsigned above = 32 - MPROF_LOG2(MPROF_TRACE_CNT);

    number <<= above;
    MPROF_AFRESH(number);
    return sizeof(mprof_event_t) == 16 ? number >> (above - 4)
                                       : (number >> above) * sizeof(mprof_event_t);
}

MPROF_INLINE uint32_t mprof_trace_tag(uint32_t number)
{
    number = (number << (MPROF_TRACE_SHIFT - MPROF_LOG2(MPROF_TRACE_VALID))) + 1;
    MPROF_AFRESH(number);
    return number << MPROF_LOG2(MPROF_TRACE_VALID);
}

#else

MPROF_INLINE uint32_t mprof_trace_offset(uint32_t number)
{
    return number % MPROF_TRACE_CNT * sizeof(mprof_event_t);
}

MPROF_INLINE uint32_t mprof_trace_tag(uint32_t number)
{
    return number << MPROF_TRACE_SHIFT | MPROF_TRACE_VALID;
}

#endif

/* The lead's size is added last: it becomes part of the instructions that write the record. */
MPROF_INLINE volatile mprof_event_t *mprof_trace_record(struct mprof_trace_lead *lead,
                                                        uint32_t number)
{
    char *before = (char *)lead + mprof_trace_offset(number);

    MPROF_AFRESH(before);
    return (mprof_event_t *)(before + sizeof(*lead));
}

/* The words behind caller: count of them, a constant. words may be NULL. */
MPROF_INLINE void mprof_trace_more(volatile mprof_event_t *record, const uintptr_t *words,
                                   unsigned count)
{
    (void)record, (void)words, (void)count;
#ifdef MPROF_TASK
    record->task = (uintptr_t)(MPROF_TASK);
#endif
#if MPROF_TRACE_WORDS
    if (words != NULL) {
        for (unsigned i = 0; i < count; i++)
            record->words[i] = words[i];
    }
#endif
}

/* Writes one record. place is an even address in the function, and MPROF_TRACE_EXIT; words are
 * count words of arguments or of the result, NULL if not known; on is what is switched on; kind is
 * 0, MPROF_TRACE_MARK or MPROF_TRACE_SLEEP. */
MPROF_INLINE void mprof_trace_words(struct mprof_prof *prof, uintptr_t place, uintptr_t caller,
                                    const uintptr_t *words, unsigned count, uint32_t on,
                                    uint32_t kind)
{
    struct mprof_trace_lead *lead = &prof->trace_lead;
    uint32_t number;

    MPROF_AFRESH(lead);
    if (on & MPROF_ENABLE_OVERWRITE) {
        number = mprof_port_add(lead, head, 1);
    } else if (!mprof_trace_take(lead, &number)) {
        (void)mprof_port_add(lead, lost, 1);
        return;
    }
    volatile mprof_event_t *record = mprof_trace_record(lead, number);

    record->tag = 0;
    mprof_port_barrier();
    mprof_trace_stamp(record, place);
    record->caller = caller;
    mprof_trace_more(record, words, count);
    mprof_port_barrier();
    if (MPROF_TRACE_WORDS && count != 0 && words != NULL)
        kind |= MPROF_TRACE_ARGUMENTS;
    record->tag = mprof_trace_tag(number) | kind | MPROF_TRACE_CONTEXT;
}

/* The same with arguments, NULL if not known. They fill the record. */
MPROF_INLINE void mprof_trace(struct mprof_prof *prof, uintptr_t place, uintptr_t caller,
                              const uintptr_t *args, uint32_t on, uint32_t kind)
{
    mprof_trace_words(prof, place, caller, args, MPROF_TRACE_ARGS ? MPROF_TRACE_WORDS : 0, on,
                      kind);
}

#endif
#endif
