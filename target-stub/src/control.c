/* SPDX-License-Identifier: 0BSD */
/* What the firmware asks of the stub at run time. */
#include <mprof/mprof.h>

#include "clear.h"
#include "gate.h"
#include "trace.h"

MPROF_UNHOOKED static int is_alive(void)
{
    return ((volatile struct mprof_header *)&MPROF_PROF->header)->magic == MPROF_MAGIC;
}

#if MPROF_TRACE_CNT

MPROF_UNHOOKED static void switch_trace(uint32_t on, uint32_t off)
{
#if MPROF_THREADS
    mprof_threads_switch(on, off);
#else
    if (is_alive())
        mprof_switch(MPROF_PROF, on, off);
#endif
}

MPROF_UNHOOKED void mprof_trace_enable(void)
{
    switch_trace(MPROF_ENABLE_TRACING, 0);
}

MPROF_UNHOOKED void mprof_trace_disable(void)
{
    switch_trace(0, MPROF_ENABLE_TRACING);
}

MPROF_CODE void mprof_trace_freeze(void)
{
    uint32_t exception = MPROF_TRACE_CONTEXT;

#if MPROF_THREADS
    for (uint32_t i = 0; i < MPROF_THREADS; i++) {
        /* A thread that takes it later has no part in what is kept. */
        if (!(s_prof[i].header.flags & MPROF_FLAG_UNUSED))
            mprof_freeze(&s_prof[i], exception);
    }
#else
    mprof_freeze(MPROF_PROF, exception);
#endif
}

MPROF_UNHOOKED void mprof_trace_thaw(void)
{
#if MPROF_THREADS
    for (uint32_t i = 0; i < MPROF_THREADS; i++)
        mprof_thaw(&s_prof[i]);
#else
    if (is_alive())
        mprof_thaw(MPROF_PROF);
#endif
}

#endif

MPROF_UNHOOKED void mprof_iteration(void)
{
    if (is_alive())
        mprof_port_add(MPROF_PROF, header.iterations, 1);
}

#if !MPROF_SMALL

MPROF_UNHOOKED void mprof_start(void)
{
    if (is_alive())
        mprof_switch(MPROF_PROF, MPROF_ENABLE_STARTED, 0);
}

MPROF_UNHOOKED void mprof_stop(void)
{
    if (is_alive())
        mprof_switch(MPROF_PROF, 0, MPROF_ENABLE_STARTED);
}

MPROF_UNHOOKED void mprof_phase(uint32_t phase)
{
    if (!is_alive())
        return;
    MPROF_PROF->header.phase = phase;
    mprof_switch(MPROF_PROF, 0, 0);
}

MPROF_UNHOOKED void mprof_sleep_enter(void)
{
    if (is_alive())
        mprof_switch(MPROF_PROF, 0, MPROF_ENABLE_AWAKE);
}

MPROF_UNHOOKED void mprof_sleep_exit(uint32_t missed)
{
    if (!is_alive())
        return;
    mprof_port_add(MPROF_PROF, header.heartbeat, missed);
    mprof_port_add(MPROF_PROF, header.sleeping, missed);
    mprof_switch(MPROF_PROF, MPROF_ENABLE_AWAKE, 0);
}

#endif

MPROF_UNHOOKED void mprof_tick_locked(uint32_t tick_hz)
{
    if (!is_alive())
        return;
    MPROF_PROF->header.sample_hz = tick_hz;
    MPROF_PROF->header.flags |= MPROF_FLAG_TICK_LOCKED;
}
