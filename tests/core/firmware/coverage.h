/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What coverage_code.c has. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include <stdint.h>

void empty(void);
void before_init(void);
uint32_t collatz(uint32_t n);
uint32_t classify(uint32_t n);
uint32_t never(uint32_t n);
void in_interrupt(uint32_t n);
void work(uint32_t n);

#endif
