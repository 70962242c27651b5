/* SPDX-License-Identifier: 0BSD */
/* The functions that functions.cmake makes. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "work.h"

#define FUNCTIONS 300U

typedef void (*function_t)(void);

extern const function_t functions[FUNCTIONS];

/* 8 instructions a turn, over two or three items' worth of code. */
static inline __attribute__((always_inline)) void work_long(uint32_t turns)
{
    __asm__ volatile("1: nop\n\t"
                     "nop\n\t"
                     "nop\n\t"
                     "nop\n\t"
                     "nop\n\t"
                     "nop\n\t"
                     "subs %0, #1\n\t"
                     "bne 1b"
                     : "+l"(turns)
                     :
                     : "cc");
}

#endif
