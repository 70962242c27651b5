/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stub that counts by task, in a function of the test's. */
#include <stdint.h>

uintptr_t task_now(void);
uint32_t clock_now(void);

#define MPROF_CNT        16
#define MPROF_STREAM_CNT 64
#define MPROF_TRACE_CNT  16
#define MPROF_TRACE_ARGS 2
#define MPROF_TASK       task_now()
#define MPROF_TASK_CNT   4
#define MPROF_CONTEXT    0
#define MPROF_SLEEP_TIME clock_now()
#define MPROF_SLEEP_HZ   32768
