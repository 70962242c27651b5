/* SPDX-License-Identifier: 0BSD */
/* Samples by task and exception. */
#ifndef MPROF_TASKS_H
#define MPROF_TASKS_H

#include "gate.h"
#include "table.h"

#if MPROF_TASK_CNT

/* Numbers of tasks that the stream has; one more stands for all others. */
#define MPROF_STREAM_NUMBERS (MPROF_STREAM_EXCEPTION - MPROF_STREAM_TASKS)

/* What the sample interrupted, as far as its source knows. */
MPROF_INLINE uint32_t mprof_interrupted(uint32_t exception)
{
    exception &= MPROF_STREAM_EXCEPTION;
#if defined(MPROF_CONTEXT) && !defined(mprof_port_exception)
    if (exception == 0)
        exception = (uint32_t)(MPROF_CONTEXT)&MPROF_STREAM_EXCEPTION;
#endif
    return exception;
}

/* Makes a free row that of a task or exception. Returns 0 if another event has taken it. */
MPROF_INLINE int mprof_take_task(volatile mprof_task_t *row, uint32_t exception, uintptr_t task)
{
    mprof_port_add_if(row, exception, MPROF_TASK_TAKEN - MPROF_TASK_FREE,
                      row->exception == MPROF_TASK_FREE, return 0);
    mprof_port_barrier();
    row->task = task;
    mprof_port_barrier();
    row->exception = exception;
    return 1;
}

/* Adds 1 to the hits of a row. Returns 0 if it is that of another one meanwhile. */
MPROF_INLINE int mprof_hit_task(volatile mprof_task_t *row, uint32_t exception, uintptr_t task)
{
    mprof_port_add_if(row, hits, 1, row->exception == exception && row->task == task, return 0);
    return 1;
}

/* Counts a sample. exception is as for mprof_sample_from_isr(). Returns what the stream records:
 * the same, with a task's number in place of 0. */
MPROF_CODE MPROF_APART static uint32_t mprof_count_task(struct mprof_prof *prof, uint32_t sample)
{
    uint32_t exception = mprof_interrupted(sample);
    uintptr_t task = exception != 0 ? 0 : (uintptr_t)(MPROF_TASK);
    uint32_t number = exception != 0 ? exception : MPROF_STREAM_EXCEPTION;
    uint32_t i = 0;

    while (i < MPROF_TASK_CNT) {
        volatile mprof_task_t *row = &prof->tasks[exception != 0 ? MPROF_TASK_CNT - 1 - i : i];
        if (row->exception == MPROF_TASK_FREE) {
            (void)mprof_take_task(row, exception, task);
            i = 0;
        } else if (row->exception != exception || row->task != task) {
            i++;
        } else if (mprof_hit_task(row, exception, task)) {
            if (exception == 0 && i < MPROF_STREAM_NUMBERS)
                number = MPROF_STREAM_TASKS + i;
            return number | (sample & MPROF_STREAM_LATE);
        } else {
            i = 0;
        }
    }
    mprof_port_add(prof, tasks_lead.lost, 1);
    return number | (sample & MPROF_STREAM_LATE);
}

#endif
#endif
