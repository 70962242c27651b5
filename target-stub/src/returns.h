/* SPDX-License-Identifier: 0BSD */
/* Returns that are hooked: a call hook at a function's entry replaces its return address by that of
 * mprof_returned, which records the exit and goes to where the function was called. */
#ifndef MPROF_RETURNS_H
#define MPROF_RETURNS_H

#include "gate.h"
#include "hook.h"
#include "trace.h"

#if MPROF_TRACE_RETURNS

/*
 * The return addresses are kept in a table whose key is the frame: a number that the port computes
 * from the stack pointer, the same at the entry and at the return, and 0 for no frame. Of all calls
 * that have not returned, in whatever task, interrupt or thread, each has another one. So it does
 * not matter in which order they return, and whose stack is the current one.
 *
 * A slot is taken by an entry, and freed by the return. A call that does not return, because of
 * longjmp(), an exception of C++, a task that is deleted or a function that ends the program,
 * leaves its slot taken, until a call with the same frame takes it over. None is taken from a call
 * that may still return.
 *
 * A frame is in the slot at its hash, or in one of the MPROF_RETURN_TRIES - 1 after it. If none of
 * them is free, the return is not hooked, and counted as unhooked.
 */
struct mprof_return {
    uintptr_t frame;  /* 0: free */
    uintptr_t caller; /* where it returns to */
    uintptr_t callee; /* an even address in the function */
    uintptr_t table;  /* the index of its table, if there are several */
};

/* Stacks of tasks may have sizes that put their frames to the same place: many must be tried. */
#if MPROF_TRACE_RETURNS >= 16
#define MPROF_RETURN_TRIES (MPROF_TRACE_RETURNS / 2)
#else
#define MPROF_RETURN_TRIES 8
#endif

/*
 * Cores have a table each, as not all can change a word in one step for the others. A task may go
 * on on another core before its function returns: mprof_returned is an entry for each table, so
 * that the return address tells which one has the slot. Nobody but that call uses it meanwhile.
 * Threads of a process, and cores of x86-64, share one.
 */
#if MPROF_THREADS || (MPROF_CORES) == 1 || defined(__x86_64__)
#define MPROF_RETURN_TABLES 1
#define MPROF_RETURN_CORE   0U
#else
#define MPROF_RETURN_TABLES MPROF_CORES
#define MPROF_RETURN_CORE   MPROF_CORE
#endif

#define MPROF_RETURN_SLOTS (MPROF_TRACE_RETURNS + MPROF_RETURN_TRIES - 1)

extern struct mprof_return mprof_return_slots[MPROF_RETURN_TABLES][MPROF_RETURN_SLOTS];

/* Where a function returns to whose slot is in the table of this index, and back. Each entry is a
 * call of 4 bytes. */
#define MPROF_RETURNED(table)         ((uintptr_t)mprof_returned + 4U * (table))
#define MPROF_RETURN_TABLE_OF(caller) (((caller) - (uintptr_t)mprof_returned) / 4U)

MPROF_INLINE int mprof_is_returned(uintptr_t caller)
{
    if (MPROF_RETURN_TABLES == 1)
        return caller == MPROF_RETURNED(0);
    return caller - MPROF_RETURNED(0) < 4U * MPROF_RETURN_TABLES;
}

/* Bits of a frame that are always the same: stacks are aligned at calls. */
#if defined(__arm__) || defined(__riscv_32e)
#define MPROF_FRAME_SHIFT 3
#else
#define MPROF_FRAME_SHIFT 4
#endif

/* The slot at its hash in one of the tables. */
MPROF_INLINE struct mprof_return *mprof_return_first(uintptr_t frame, uintptr_t table)
{
#ifdef __thumb2__
    return &mprof_return_slots[table][(frame >> MPROF_FRAME_SHIFT) % MPROF_TRACE_RETURNS];
#elif defined(__thumb__) /* no instruction has a mask in it */
    unsigned above = 32 - MPROF_FRAME_SHIFT - MPROF_LOG2(MPROF_TRACE_RETURNS);

    frame <<= above;
    MPROF_AFRESH(frame);
    return (struct mprof_return *)((char *)mprof_return_slots[table] +
                                   (frame >> (above + MPROF_FRAME_SHIFT - 4)));
#else
    uintptr_t size = sizeof(struct mprof_return);

    return (struct mprof_return *)((char *)mprof_return_slots[table] +
                                   ((frame >> MPROF_FRAME_SHIFT) * size &
                                    (MPROF_TRACE_RETURNS - 1) * size));
#endif
}

/* Takes a slot for the frame in this core's table. NULL: there is none. */
struct mprof_return *mprof_return_take(uintptr_t frame);

/* The slot of a frame. To return without it is not possible: then it stops the program. */
MPROF_INLINE struct mprof_return *mprof_return_find(uintptr_t frame, uintptr_t table)
{
    struct mprof_return *slot = mprof_return_first(frame, table);

    if (MPROF_RARELY(slot->frame != frame)) {
        struct mprof_return *end = slot + MPROF_RETURN_TRIES;
        do {
            if (++slot == end)
                __builtin_trap();
        } while (slot->frame != frame);
    }
    return slot;
}

/* What it held was read before: with several tables, the core that takes it next may be another. */
MPROF_INLINE void mprof_return_free(struct mprof_return *slot)
{
    if (MPROF_RETURN_TABLES > 1)
        mprof_port_barrier();
    else
        __asm__ volatile("" : : : "memory");
    *(volatile uintptr_t *)&slot->frame = 0;
}

/* The callee of a record that a function has ended by a jump: callee + MPROF_TRACE_JUMP, or callee
 * - 2 where it isn't a multiple of 4. No branch: it takes as long for each function, as it was
 * measured. */
MPROF_INLINE uintptr_t mprof_jump_place(uintptr_t callee)
{
    return callee ^ MPROF_TRACE_JUMP ^ (callee >> 1 & 1);
}

/* Records that a function has ended by a jump to another one, whose entry is recorded next. */
MPROF_INLINE void mprof_return_jump(struct mprof_prof *prof, const struct mprof_return *slot,
                                    uint32_t on)
{
    mprof_trace(prof, mprof_jump_place(slot->callee), slot->caller, NULL, on, MPROF_TRACE_SLEEP);
}

/* A function whose return is hooked, to returned, has ended by a jump to this one: records its
 * exit, and returns where both return to. */
uintptr_t mprof_return_tail(struct mprof_prof *prof, uintptr_t callee, uintptr_t frame,
                            uintptr_t returned, uint32_t on);

#if MPROF_PG_RETURNS
/*
 * A hook behind the prologue does not know the stack pointer that the function returns with: with
 * variable arguments, its frame pointer is lower by as much as these take. So the function returns
 * to a way of its slot, a few instructions that know the slot. Its frame is the place of the saved
 * return address, with bit 0 set: no other sort of frame has that. Of all calls that have not
 * returned, each has another one, also of those that have ended by a jump to another function: gcc
 * makes no such jump of a function whose variable arguments may be in registers.
 */
extern const char mprof_return_ways[];
#define MPROF_RETURN_COUNT (MPROF_RETURN_TABLES * MPROF_RETURN_SLOTS)
#define MPROF_RETURN_WAY   (2 * sizeof(uintptr_t)) /* bytes of a way */

MPROF_INLINE uintptr_t mprof_return_way(const struct mprof_return *slot)
{
    return (uintptr_t)mprof_return_ways +
           MPROF_RETURN_WAY * (uintptr_t)(slot - &mprof_return_slots[0][0]);
}

/* The slot whose way is at an address, or NULL. */
MPROF_INLINE struct mprof_return *mprof_return_by_way(uintptr_t address)
{
    uintptr_t offset = address - (uintptr_t)mprof_return_ways;

    return offset < MPROF_RETURN_WAY * MPROF_RETURN_COUNT
               ? &mprof_return_slots[0][0] + offset / MPROF_RETURN_WAY
               : NULL;
}
#endif

/* To another security state, by an instruction of its own. */
MPROF_INLINE int mprof_returns_elsewhere(uintptr_t caller)
{
#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3
    return !(caller & 1);
#else
    (void)caller;
    return 0;
#endif
}

/* Hooks the return of a function, if the first slot is free, there is one table, and nothing is
 * special; else returns 0. */
MPROF_INLINE int mprof_return_hook_soon(uintptr_t callee, uintptr_t caller, uintptr_t frame)
{
    struct mprof_return *slot = mprof_return_first(frame, 0);

    if (MPROF_RETURN_TABLES != 1 || MPROF_RARELY(mprof_is_returned(caller)) ||
        mprof_returns_elsewhere(caller) || MPROF_RARELY(!mprof_port_take(&slot->frame, frame)))
        return 0;
    slot->caller = caller;
    slot->callee = callee;
    return 1;
}

/* Hooks the return of a function, whose entry is recorded next. Returns the address that it is to
 * return to. *caller becomes where it was called. */
MPROF_INLINE uintptr_t mprof_return_hook(struct mprof_prof *prof, uintptr_t callee,
                                         uintptr_t *caller, uintptr_t frame, uint32_t on)
{
    uintptr_t returned = *caller;

    if (mprof_returns_elsewhere(returned))
        return returned;
    if (MPROF_RARELY(mprof_is_returned(returned))) {
        *caller = mprof_return_tail(prof, callee, frame, returned, on);
        return returned;
    }
    struct mprof_return *slot = mprof_return_take(frame);

    if (MPROF_RARELY(slot == NULL)) {
        (void)mprof_port_add(prof, trace_cost.unhooked, 1);
        return returned;
    }
    slot->caller = returned;
    slot->callee = callee;
    return MPROF_RETURNED(MPROF_RETURN_TABLES == 1 ? 0 : slot->table);
}

#endif
#endif
