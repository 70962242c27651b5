/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's configuration for tasks: their control blocks are those of a kernel. */
#ifndef TASKS_H
#define TASKS_H

#include <stdint.h>

#include "kernel_block.h"

uint32_t sleep_time(void);
#define MPROF_SLEEP_TIME sleep_time()

#ifdef __arm__
#define MPROF_SLEEP_HZ 25000000
#else
#define MPROF_SLEEP_HZ 10000000
#endif
#define MPROF_TASK CURRENT

#endif
