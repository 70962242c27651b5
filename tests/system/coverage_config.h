/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub of a process whose coverage is recorded, wherever it was loaded. */
#ifndef COVERAGE_CONFIG_H
#define COVERAGE_CONFIG_H

#include <stdint.h>

extern const char __executable_start[];

#define MPROF_CNT            0
#define MPROF_THREADS        4
#define MPROF_COVERAGE_BASE  ((uintptr_t)__executable_start)
#define MPROF_COVERAGE_SIZE  0x8000
#define MPROF_COVERAGE_BITS  16

#endif
