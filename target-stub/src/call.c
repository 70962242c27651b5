/* SPDX-License-Identifier: 0BSD */
/* Calls: the table of called functions, that of arcs, and the trace, whichever there are. */
#include "admit.h"
#include "cost.h"
#include "hook.h"
#include "returns.h"
#include "trace.h"

#if MPROF_CALL_CNT
#define ROWS      calls
#define ROWS_T    mprof_row_t
#define ROWS_CNT  MPROF_CALL_CNT
#define ROWS_ERR  MPROF_CALL_ERR
#define ROWS_ARC  0
#define ROWS_HASH 1
#define ROWS_LED  MPROF_CALLS_LED
#include "rows.h"
#endif

#if MPROF_ARC_CNT
#define ROWS      arcs
#define ROWS_T    mprof_arc_row_t
#define ROWS_CNT  MPROF_ARC_CNT
#define ROWS_ERR  MPROF_CALL_ERR
#define ROWS_ARC  1
#define ROWS_HASH 1
#define ROWS_LED  MPROF_ARCS_LED
#include "rows.h"
#endif

#ifdef MPROF_CALL_SINK
void MPROF_CALL_SINK(uintptr_t callee, uintptr_t caller);
#define SINK MPROF_ENABLE_SINK
#else
#define SINK 0U
#endif

/* What calls go to. */
#define BLOCKS                                                                                    \
    ((MPROF_CALL_CNT != 0 ? MPROF_ENABLE_CALLED : 0) |                                            \
     (MPROF_ARC_CNT != 0 ? MPROF_ENABLE_ARCS : 0) | (MPROF_TRACE_CNT != 0 ? MPROF_TRACE_ON : 0) | \
     SINK)

/* And how the trace records them. */
#define ALL_ON                                                      \
    (BLOCKS | (MPROF_TRACE_CNT != 0 ? MPROF_ENABLE_OVERWRITE : 0) | \
     (MPROF_TRACED_CNT != 0 ? MPROF_ENABLE_UNFILTERED : 0))

/* With all of these on, mprof_gate() lets a call in. */
#define GATE                                                                              \
    (MPROF_ENABLE_ALIVE | MPROF_ENABLE_CALLS | MPROF_ENABLE_CALM | MPROF_ENABLE_STARTED | \
     MPROF_ENABLE_AWAKE | MPROF_ENABLE_IN_PHASE)

/* A trace has no links that could lead anywhere. */
#define ONLY_TRACE ((MPROF_TRACE_CNT) != 0 && (MPROF_CALL_CNT) == 0 && (MPROF_ARC_CNT) == 0)

/* callee is even. args are the function's arguments, NULL if not known. If frame is not 0, the
 * return is hooked too. Returns the address that the function is to return to. */
MPROF_INLINE uintptr_t call(uintptr_t callee, uintptr_t caller, const uintptr_t *args,
                            uintptr_t frame, uint32_t on)
{
    uintptr_t back = caller;
    struct mprof_prof *prof = MPROF_PROF;

    if (!ONLY_TRACE)
        MPROF_AFRESH(prof);
    int refused = mprof_is_ignored(prof, callee);

    (void)on, (void)refused, (void)caller, (void)args, (void)frame;
#ifdef MPROF_CALL_SINK
    if (on & MPROF_ENABLE_SINK)
        MPROF_CALL_SINK(callee, caller);
#endif
#if MPROF_TRACE_CNT
    if (!refused && mprof_is_tracing(on) && mprof_is_traced(prof, callee, on)) {
#if MPROF_TRACE_RETURNS
        if (frame != 0)
            back = mprof_return_hook(prof, callee, &caller, frame, on);
#endif
        mprof_trace(prof, callee, caller, args, on, 0);
    }
#endif
#if MPROF_CALL_CNT
    uint32_t number = present_calls(prof);

    if (refused || !(on & MPROF_ENABLE_CALLED))
        ignore_calls(prof);
    else
        count_calls(prof, callee, 0, number);
#endif
#if MPROF_ARC_CNT
    uint32_t arc_number = present_arcs(prof);

    if (refused || !(on & MPROF_ENABLE_ARCS))
        ignore_arcs(prof);
    else
        count_arcs(prof, callee, caller, arc_number);
#endif
    return back;
}

/* What is switched on if it is not all, 0: nothing. */
MPROF_INLINE uint32_t some_on(struct mprof_prof *prof)
{
    uint32_t on = mprof_state(prof);

    return (on & GATE) == GATE && mprof_is_ours(prof) ? on : mprof_gate(prof, MPROF_ENABLE_CALLS);
}

MPROF_INLINE void call_open(uintptr_t callee, uintptr_t caller, const uintptr_t *args)
{
    if (ONLY_TRACE || mprof_is_ours(MPROF_PROF))
        (void)call(callee, caller, args, 0, ALL_ON);
}

#if MPROF_TRACE_ARGS

MPROF_CODE MPROF_APART static void call_some(uintptr_t callee, uintptr_t caller,
                                             const uintptr_t *args)
{
    uint32_t on = some_on(MPROF_PROF);

    if (on != 0)
        (void)call(callee, caller, args, 0, on);
}

/* Kept for the hooks, some of which are in assembly: link-time optimisation does not see them. */
MPROF_ENTRY void mprof_hooked_open(uintptr_t callee, uintptr_t caller, const uintptr_t *args)
{
    call_open(callee, caller, args);
}

MPROF_ENTRY void mprof_hooked(uintptr_t callee, uintptr_t caller, const uintptr_t *args)
{
    if (mprof_is_open(MPROF_PROF))
        mprof_hooked_open(callee, caller, args);
    else
        call_some(callee, caller, args);
}

MPROF_CODE void mprof_call_open(uintptr_t callee, uintptr_t caller)
{
    mprof_hooked_open(callee, caller, NULL);
}

MPROF_CODE void mprof_call(uintptr_t callee, uintptr_t caller)
{
    mprof_hooked(callee & ~(uintptr_t)1, caller, NULL);
}

#else

/* Kept for the hooks, some of which are in assembly: link-time optimisation does not see them. */
MPROF_ENTRY void mprof_call_open(uintptr_t callee, uintptr_t caller)
{
    call_open(callee, caller, NULL);
}

MPROF_CODE MPROF_APART static void call_some(uintptr_t callee, uintptr_t caller)
{
    uint32_t on = some_on(MPROF_PROF);

    if (on == 0)
        return;
    if (!ONLY_TRACE && (on & ALL_ON) == ALL_ON)
        mprof_call_open(callee, caller);
    else if (ALL_ON & (ALL_ON - 1)) /* more than one */
        (void)call(callee, caller, NULL, 0, on);
    else
        (void)call(callee, caller, NULL, 0, 0);
}

/* Kept as well. */
MPROF_ENTRY void mprof_call(uintptr_t callee, uintptr_t caller)
{
    callee &= ~(uintptr_t)1;
    if (mprof_is_open(MPROF_PROF))
        mprof_call_open(callee, caller);
    else
        call_some(callee, caller);
}

#endif

#if MPROF_TRACE_RETURNS

/* Arguments, if the trace has them, are where the port saves their registers. */
#if MPROF_TRACE_ARGS
#define WORDS(words) (words)
#else
#define WORDS(words) ((void)(words), NULL)
#endif

MPROF_CODE MPROF_APART static uintptr_t entered_some(uintptr_t callee, uintptr_t caller,
                                                     uintptr_t frame, const uintptr_t *args)
{
    uint32_t on = some_on(MPROF_PROF);

    return on != 0 ? call(callee, caller, WORDS(args), frame, on) : caller;
}

/* Nearly always the slot at the frame's hash is free. All else is done by another function, which
 * is called last, so that this one needs few registers. */
MPROF_ENTRY uintptr_t mprof_entered_open(uintptr_t callee, uintptr_t caller, uintptr_t frame,
                                         const uintptr_t *args)
{
    if (!ONLY_TRACE || MPROF_RARELY(mprof_is_ignored(MPROF_PROF, callee)) ||
        MPROF_RARELY(!mprof_return_hook_soon(callee, caller, frame)))
        return entered_some(callee, caller, frame, args);
    mprof_trace(MPROF_PROF, callee, caller, WORDS(args), ALL_ON, 0);
    return MPROF_RETURNED(0);
}

MPROF_ENTRY uintptr_t mprof_entered(uintptr_t callee, uintptr_t caller, uintptr_t frame,
                                    const uintptr_t *args)
{
    if (mprof_is_open(MPROF_PROF))
        return mprof_entered_open(callee, caller, frame, args);
    return entered_some(callee, caller, frame, args);
}

#if MPROF_TRACE_RESULTS
#define RESULTS(results) (results)
#else
#define RESULTS(results) ((void)(results), NULL)
#endif

/* entry is the address after the call in mprof_returned by which the function returned. */
#define TABLE(entry) \
    (MPROF_RETURN_TABLES == 1 ? ((void)(entry), 0U) : MPROF_RETURN_TABLE_OF(entry) - 1U)

/* The entry was recorded, so that no filter is asked. */
MPROF_CODE MPROF_APART static uintptr_t left_some(uintptr_t frame, const uintptr_t *results,
                                                  uintptr_t entry)
{
    struct mprof_return *slot = mprof_return_find(frame, TABLE(entry));
    uintptr_t caller = slot->caller;
    uintptr_t place = slot->callee | MPROF_TRACE_EXIT;
    uint32_t on = some_on(MPROF_PROF);

    mprof_return_free(slot);
    if (mprof_is_tracing(on))
        mprof_trace_words(MPROF_PROF, place, caller, RESULTS(results), MPROF_RESULT_WORDS, on, 0);
    return caller;
}

MPROF_ENTRY uintptr_t mprof_left(uintptr_t frame, const uintptr_t *results, uintptr_t entry)
{
    struct mprof_return *slot = mprof_return_first(frame, TABLE(entry));

    MPROF_AFRESH(slot); /* one register for its address */
    if (MPROF_RARELY(slot->frame != frame) || MPROF_RARELY(!mprof_is_open(MPROF_PROF)))
        return left_some(frame, results, entry);
    uintptr_t caller = slot->caller;
    uintptr_t place = slot->callee | MPROF_TRACE_EXIT;

    mprof_return_free(slot);
    mprof_trace_words(MPROF_PROF, place, caller, RESULTS(results), MPROF_RESULT_WORDS, ALL_ON, 0);
    return caller;
}

#endif

#if MPROF_PG_RETURNS

/* Frames of functions that have a frame pointer are smaller, bytes; of others, what seems to be the
 * frame pointer must not lead out of RAM. */
#define FRAME_MAX 4096U

/* The handler of an interrupt may have been called anywhere: what it has saved is no return
 * address, and the code that it interrupted may use it for something else. It starts with
 * interrupts masked.
 */
MPROF_INLINE int may_hook(uintptr_t callee)
{
    if (mprof_port_unmasked())
        return 1;
#if MPROF_TRACE_COST
    return callee - (uintptr_t)mprof_probe < MPROF_PROBE_SIZE ||
           callee - (uintptr_t)mprof_probe_jump < MPROF_PROBE_SIZE;
#else
    (void)callee;
    return 0;
#endif
}

/* A function has ended by a jump to this one, which returns to the way of its slot. */
MPROF_INLINE void enter_after(struct mprof_return *slot, uintptr_t callee, uint32_t on)
{
    struct mprof_prof *prof = MPROF_PROF;

    if (!mprof_is_ignored(prof, callee) && mprof_is_tracing(on) &&
        mprof_is_traced(prof, callee, on)) {
        mprof_return_jump(prof, slot, on);
        slot->callee = callee;
    }
    (void)call(callee, slot->caller, NULL, 0, on);
}

MPROF_CODE MPROF_APART static void entered_some_behind(uintptr_t callee, uintptr_t caller,
                                                       uintptr_t *saved, uintptr_t frame)
{
    uint32_t on = ONLY_TRACE && mprof_is_open(MPROF_PROF) ? ALL_ON : some_on(MPROF_PROF);
    struct mprof_return *before = mprof_return_by_way(caller);
    uintptr_t returned;

    if (on == 0)
        return;
    if (before != NULL && frame != 0)
        enter_after(before, callee, on);
    else if (before != NULL)
        (void)call(callee, before->caller, NULL, 0, on);
    else if (frame == 0 || mprof_is_returned(caller))
        (void)call(callee, caller, NULL, 0, on);
    else if (mprof_is_returned(returned = call(callee, caller, NULL, frame, on)))
        *saved = mprof_return_way(mprof_return_find(frame, MPROF_RETURN_TABLE_OF(returned)));
}

/* As in mprof_entered_open(), nearly always the slot at the frame's hash is free. */
MPROF_ENTRY void mprof_entered_behind(uintptr_t callee, uintptr_t caller, uintptr_t *saved,
                                      uintptr_t sp)
{
    uintptr_t frame = 0;

    if ((uintptr_t)saved - sp < FRAME_MAX && (uintptr_t)saved % sizeof(*saved) == 0 &&
        *saved == caller && may_hook(callee))
        frame = (uintptr_t)saved | 1;
    if (!ONLY_TRACE || frame == 0 || MPROF_RARELY(mprof_return_by_way(caller) != NULL) ||
        MPROF_RARELY(!mprof_is_open(MPROF_PROF)) ||
        MPROF_RARELY(mprof_is_ignored(MPROF_PROF, callee)) ||
        MPROF_RARELY(!mprof_return_hook_soon(callee, caller, frame))) {
        entered_some_behind(callee, caller, saved, frame);
        return;
    }
    *saved = mprof_return_way(mprof_return_first(frame, 0));
    mprof_trace(MPROF_PROF, callee, caller, NULL, ALL_ON, 0);
}

MPROF_ENTRY uintptr_t mprof_left_by(struct mprof_return *slot, const uintptr_t *results)
{
    uintptr_t caller = slot->caller;
    uintptr_t place = slot->callee | MPROF_TRACE_EXIT;
    uint32_t on = mprof_is_open(MPROF_PROF) ? ALL_ON : some_on(MPROF_PROF);

    mprof_return_free(slot);
    if (mprof_is_tracing(on))
        mprof_trace_words(MPROF_PROF, place, caller, RESULTS(results), MPROF_RESULT_WORDS, on, 0);
    return caller;
}

#endif

#if MPROF_TRACE_CNT
MPROF_ENTRY void mprof_exit(uintptr_t callee, uintptr_t caller)
{
    struct mprof_prof *prof = MPROF_PROF;
    uint32_t on = mprof_is_open(prof) ? MPROF_ENABLE_ALL : some_on(prof);

    if (mprof_is_tracing(on) && !mprof_is_ignored(prof, callee) &&
        mprof_is_traced(prof, callee, on))
        mprof_trace(prof, callee | MPROF_TRACE_EXIT, caller, NULL, on, 0);
}

MPROF_CODE void mprof_mark(uint32_t id, uintptr_t value)
{
    struct mprof_prof *prof = MPROF_PROF;
    uint32_t on = mprof_is_open(prof) ? MPROF_ENABLE_ALL : some_on(prof);

    if (mprof_is_tracing(on))
        mprof_trace(prof, id, value, NULL, on, MPROF_TRACE_MARK);
}

MPROF_STATIC_ASSERT((MPROF_SLEEP_HZ) < 1U << 30,
                    "MPROF_SLEEP_HZ is below 2^30: use a slower clock");

MPROF_CODE MPROF_APART __attribute__((unused)) static void mark_sleep(uint32_t what)
{
    struct mprof_prof *prof = MPROF_PROF;
    uint32_t on = mprof_is_open(prof) ? MPROF_ENABLE_ALL : some_on(prof);

    if (mprof_is_tracing(on))
        mprof_trace(prof, (uint32_t)(MPROF_SLEEP_HZ)*MPROF_SLEEP_RATE + what,
                    (uint32_t)(MPROF_SLEEP_TIME), NULL, on, MPROF_TRACE_SLEEP);
}

MPROF_CODE void mprof_trace_sleep(void)
{
    mark_sleep(MPROF_SLEEP_ASLEEP);
}

MPROF_CODE void mprof_trace_wake(void)
{
    mark_sleep(MPROF_SLEEP_AWAKE);
}
#endif
