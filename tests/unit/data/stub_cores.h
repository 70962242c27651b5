/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four cores with one clock, both of which the test sets. */
#include <stdint.h>

extern uint32_t test_core, test_time;

#define MPROF_CORES       4
#define MPROF_CORE        test_core
#define MPROF_TIME        test_time
#define MPROF_TIME_HZ     1000
#define MPROF_TIME_SHARED 1
#define MPROF_CNT         0
#define MPROF_TRACE_CNT   256
