/* SPDX-License-Identifier: 0BSD */
/* Samples: the item table, the stream, the histogram and the focus, whichever there are. */
#include <mprof/mprof.h>

/* Small code masks interrupts once for each event, where a port masks them at all. */
#if MPROF_SMALL
#define MPROF_MASKED_ONCE
#endif

#include "admit.h"
#include "clear.h"
#include "stream.h"
#include "tasks.h"

#if MPROF_CNT
#define ROWS      items
#define ROWS_T    mprof_row_t
#define ROWS_CNT  MPROF_CNT
#define ROWS_ERR  MPROF_ERR
#define ROWS_ARC  0
#define ROWS_HASH 0
#define ROWS_LED  0
#include "rows.h"
#endif

#ifdef MPROF_CUSTOM_SINK
void MPROF_CUSTOM_SINK(uintptr_t pc, uintptr_t lr, uint32_t exception);
#endif

#define BLOCKS                                           \
    ((MPROF_CNT != 0 ? MPROF_ENABLE_ITEMS : 0) |         \
     (MPROF_STREAM_CNT != 0 ? MPROF_ENABLE_STREAM : 0) | \
     (MPROF_HIST_CNT != 0 ? MPROF_ENABLE_HISTOGRAM : 0))

/* The sample's number. Where the header's counters belong to calls, it is the last call's; where
 * the stream is all that there is, its head is the number. */
MPROF_INLINE uint32_t present(struct mprof_prof *prof)
{
    if (MPROF_STREAM_ONLY)
        return 0;
    if (MPROF_SAMPLES_BEAT)
        return mprof_port_add(prof, header.heartbeat, 1);
    return ((volatile struct mprof_header *)&prof->header)->heartbeat;
}

MPROF_INLINE void ignore(struct mprof_prof *prof)
{
    if (MPROF_SAMPLES_BEAT)
        mprof_port_add(prof, header.ignored, 1);
}

MPROF_INLINE void distribute(struct mprof_prof *prof, uintptr_t pc, uintptr_t lr,
                             uint32_t exception, uint32_t beat, uint32_t on)
{
    (void)prof, (void)pc, (void)lr, (void)exception, (void)beat, (void)on;
#if MPROF_TASK_CNT
    exception = mprof_count_task(prof, exception);
#endif
#if MPROF_STREAM_CNT
    if (on & MPROF_ENABLE_STREAM)
        mprof_stream_write(prof, pc, lr, exception);
#endif
#if MPROF_HIST_CNT
    if (on & MPROF_ENABLE_HISTOGRAM)
        mprof_histogram_count(prof, pc);
#endif
#if MPROF_CNT
    if (on & MPROF_ENABLE_ITEMS)
        count_items(prof, pc, 0, beat);
    else
        ignore_items(prof);
#endif
}

MPROF_INLINE void sample(uintptr_t pc, uintptr_t lr, uint32_t exception, uint32_t on)
{
    struct mprof_prof *prof = MPROF_PROF;

    MPROF_AFRESH(prof);

#ifdef MPROF_CUSTOM_SINK
    MPROF_CUSTOM_SINK(pc, lr, exception);
#endif
    uint32_t beat = present(prof);

    if (mprof_is_ignored(prof, pc)) {
        if (MPROF_STREAM_ONLY)
            mprof_port_add(prof, header.heartbeat, 1);
        ignore(prof);
    } else {
        distribute(prof, pc, lr, exception, beat, on);
    }
}

/* The usual case, in which nothing is tested. Small code has it once, fast code twice. */
#if defined(__OPTIMIZE_SIZE__) && !MPROF_SMALL
MPROF_CODE MPROF_APART static
#else
MPROF_INLINE
#endif
    void
    sample_all(uintptr_t pc, uintptr_t lr, uint32_t exception)
{
    sample(pc, lr, exception, BLOCKS);
}

MPROF_CODE MPROF_APART __attribute__((unused)) static void sample_some(uintptr_t pc, uintptr_t lr,
                                                                       uint32_t exception)
{
    uint32_t on = mprof_gate(MPROF_PROF, MPROF_ENABLE_TIMER);

    if (on == 0)
        return;
    if (exception & MPROF_STREAM_LATE)
        mprof_port_add(MPROF_PROF, header.late, 1);
#if MPROF_FOCUS_CNT
    if (!(on & MPROF_ENABLE_UNFOCUSED) && !(MPROF_PROF->header.flags & MPROF_MOVING))
        mprof_focus_count(MPROF_PROF, pc);
#endif
    if ((on & BLOCKS) == BLOCKS)
        sample_all(pc, lr, exception);
    else if (BLOCKS & (BLOCKS - 1)) /* more than one */
        sample(pc, lr, exception, on);
    else
        sample(pc, lr, exception, 0);
}

#if MPROF_FOCUS_CNT
/* Its arguments in this order: else compilers move pc out of their way before they know that they
 * call this. */
MPROF_CODE MPROF_APART static void sample_other(uint32_t missing, uintptr_t pc, uint32_t exception,
                                                uintptr_t lr)
{
    __asm__ volatile("" : : "r"(missing));
    sample_some(pc, lr, exception);
}
#endif

/* Kept for the entries in assembly, which link-time optimisation does not see. */
MPROF_ENTRY void mprof_sample_in_time(uintptr_t pc, uintptr_t lr, uint32_t exception)
{
#if MPROF_FOCUS_CNT
    uint32_t missing = mprof_state(MPROF_PROF) - MPROF_OPEN;

    if (MPROF_RARELY(missing != 0)) {
        uint32_t focused = -MPROF_ENABLE_UNFOCUSED;

#ifdef MPROF_PORT_MASKS /* the word as it is, read again: to keep it would cost each event */
        missing = mprof_state(MPROF_PROF);
        focused += MPROF_OPEN;
#endif
        if (missing != focused) {
            sample_other(missing, pc, exception, lr);
            return;
        }
        mprof_focus_count(MPROF_PROF, pc);
    }
    sample_all(pc, lr, exception);
#elif MPROF_SMALL && defined(MPROF_PORT_MASKS)
    if (!mprof_is_open(MPROF_PROF))
        return;
    __typeof__(mprof_port_mask()) mask = mprof_port_mask();

    sample_all(pc, lr, exception);
    mprof_port_unmask(mask);
#else
    if (mprof_is_open(MPROF_PROF))
        sample_all(pc, lr, exception);
    else if (!MPROF_SMALL)
        sample_some(pc, lr, exception);
#endif
}

/* Kept as well. */
MPROF_ENTRY void mprof_sample_from_isr(uintptr_t pc, uintptr_t lr, uint32_t exception)
{
    if (!MPROF_SMALL && (exception & MPROF_STREAM_LATE))
        sample_some(pc, lr, exception);
    else
        mprof_sample_in_time(pc, lr, exception);
}

MPROF_CODE void mprof_sample(uintptr_t pc)
{
    mprof_sample_in_time(pc, 0, 0);
}
