/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with call hooks, and what they say of themselves. */
#ifndef TRACE_H
#define TRACE_H

#include <stdint.h>

/* A function that begins or ends says so; name is a letter, which is small at the end. */
void note(char name);

/* first() and what it calls, by two bits. */
typedef void step_t(uint32_t seed);
extern step_t *const steps[4];

/* Calls others as the bits of seed say, two for each call. */
void first(uint32_t seed);

/* The same in an interrupt, by functions of its own. */
void in_interrupt(uint32_t seed);

/* One more, which the others do not call. */
void at_rest(uint32_t seed);

#endif
