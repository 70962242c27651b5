/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's configuration, with the task that runs; and functions with call hooks. */
#ifndef TRACE_WORDS_H
#define TRACE_WORDS_H

#include <stdint.h>

extern volatile uint32_t running_task;

#define MPROF_TASK running_task

struct parts {
    uint16_t x;
    int16_t y;
    uint32_t z;
    int32_t last;
};

/* Return numbers made of all arguments. */
uint32_t with_four(uint32_t a, uint32_t b, uint32_t c, uint32_t d);
uint32_t with_structure(uint32_t a, uint32_t b, struct parts c);
uint32_t with_one(uint32_t a);
uint32_t in_interrupt(uint32_t a, uint32_t b);

#endif
