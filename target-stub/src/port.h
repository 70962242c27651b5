/* SPDX-License-Identifier: 0BSD */
/* The porting contract: what port/ARCH/ must bring for a new core. */
#ifndef MPROF_SRC_PORT_H
#define MPROF_SRC_PORT_H

/*
 * A port is a folder with mprof_port.h, which defines the macros below, and with .c files for the
 * timers and call hooks of the core, if it has any. Everything else of the stub is portable.
 * mprof_port_check() tries the macros on the core itself.
 *
 * Events come from threads and from interrupts of any priority, and interrupt one another at any
 * instruction. Each change of a word must be whole for all that runs on the same core: it happens
 * before or after another event, never around it. Other cores have an s_prof of their own.
 *
 * A debugger reads s_prof, and writes some words of its header, at any time. It takes no part in
 * any of this, so what it must see in order stands on the two sides of a barrier.
 *
 * In all of them:
 *   object     a pointer to a structure
 *   member     one of its members, 32 bits wide and aligned, such as `hits` or `word[2]`; neither
 *              has side effects, and both may be evaluated more than once
 *   n          what is added: a number of any integer type, whose low 32 bits count
 *   otherwise  a statement that leaves, by return or goto; interrupts are as before then
 *
 * A port whose threads run at the same time, and share an s_prof, defines MPROF_PORT_PARALLEL: a
 * simulation of firmware, for which the sums stay exact.
 *
 * The macros may use integer registers only, and must not call a library.
 *
 * There are two short ways to write them:
 *   masked.h     where interrupts must be masked: define mprof_port_mask() and mprof_port_unmask(),
 *                MPROF_PORT_NEAR and mprof_port_barrier(), and include masked.h
 *   exclusive.h  where a store can fail, as LDREX/STREX and LR/SC can: define MPROF_PORT_LOAD_()
 *                and MPROF_PORT_STORE_() and all but the one that exclusive.h makes of them
 *
 * Timers and hooks:
 *   A timer's start function calls mprof_timer_set(), which writes the header's rates, and starts
 *   the timer. Its interrupt has a priority above all that is to be seen. It saves whatever a call
 *   may change, takes the interrupted program counter, and the link register if that is known
 *   (else 0), from where the core put them: its exception frame, or registers of its own. It
 *   programs the next period, mprof_timer_next(), and calls mprof_sample_in_time(); or
 *   mprof_sample_from_isr() with MPROF_STREAM_LATE if interrupts were masked when it was due.
 *   A call hook, under the name that the compiler calls, saves the registers that carry arguments
 *   and calls mprof_hook() with an address in the called function and the address it returns to.
 */
#include "mprof_port.h"

/* What a port may define for the trace:
 *   mprof_port_time()        a counter of cycles, uint32_t, which wraps
 *   mprof_port_time_wide()   the same counter, uint64_t, if addresses leave their upper 16 bits 0
 *   mprof_port_time_start()  a statement: makes it count, if it does not; needed with the former
 *   mprof_port_time_hz()     its rate, uint32_t, 0: not known
 *   mprof_port_exception()   the number of the exception that the core is in, uint32_t, 0: none */

/* The largest offset, in bytes, that an instruction can add to the address of what it changes; 0:
 * none. It saves instructions and changes nothing else. A constant expression. */
#ifndef MPROF_PORT_NEAR
#error "mprof_port.h must define MPROF_PORT_NEAR, the largest offset of a store: write 0 if unsure"
#endif

/* mprof_port_barrier(): what was stored before is seen before what is stored after, by the compiler
 * and by a debugger. */
#ifndef mprof_port_barrier
#error "mprof_port.h must define mprof_port_barrier(): no store moves from one side to the other"
#endif

/* mprof_port_add(object, member, n): adds n. An expression: the new number, uint32_t; it wraps. */
#ifndef mprof_port_add
#error "mprof_port.h must define mprof_port_add(object, member, n), or include masked.h"
#endif

/* mprof_port_add_if(object, member, n, condition, otherwise): adds n if the condition holds at the
 * moment of the addition, else does otherwise. An event that comes between must not be lost, and
 * what it changed must be seen by the condition, which may be evaluated more than once. */
#ifndef mprof_port_add_if
#error "mprof_port.h must define mprof_port_add_if(), or include masked.h or exclusive.h"
#endif

/* mprof_port_take(word, value): stores the value in *word, uintptr_t, if that is 0. Whole for all
 * that uses one table of returns (returns.h). An expression: 0 if it did not store; it need not if
 * an event came meanwhile. A port needs it if its firmware has MPROF_TRACE_RETURNS. */
#if !defined(mprof_port_take)
#define mprof_port_take(word, value)                                                             \
    __extension__({                                                                              \
        uintptr_t free_ = 0;                                                                     \
        __atomic_compare_exchange_n(word, &free_, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    })
#endif

/* mprof_port_switch(word, byte, on, off): sets the bits on and then clears the bits off, both of
 * bits 24 to 31 of *word only. byte is the address of that byte. Each of the two steps is whole.
 * The other three bytes are the debugger's: what it writes there meanwhile must stay. */
#ifndef mprof_port_switch
#error "mprof_port.h must define mprof_port_switch(word, byte, on, off), or include masked.h"
#endif

#endif
