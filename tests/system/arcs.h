/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters that are compiled into a program: one for each place of a call. */
#ifndef ARCS_H
#define ARCS_H

#include "apart.h"

/* In a function of which the compiler would else leave out or join calls. */
#define KEPT __asm__ volatile("")

/* All are in one section, and so an array. */
struct arc {
    const char *caller; /* "-": a library or the kernel */
    const char *callee;
    unsigned long count;
} __attribute__((aligned(32)));

#define ARC __attribute__((section("arcs"), used))

#define COUNT(caller, callee)                                  \
    do {                                                       \
        static struct arc arc ARC = {caller, callee, 0};       \
        __atomic_add_fetch(&arc.count, 1UL, __ATOMIC_RELAXED); \
    } while (0)

/* The callee, as soon as the call of it is counted: CALL(main, second)(1). */
#define CALL(caller, callee)     \
    (*({                         \
        COUNT(#caller, #callee); \
        &(callee);               \
    }))

/* In a function that nobody calls by CALL(). */
#define FROM_LIBRARY(callee) COUNT("-", #callee)

/* The call at the end of self, which is a jump if the compiler need not call anything later: then
 * the callee returns to outer. */
#ifdef EXITS
#define TAIL(self, outer, callee) CALL(self, callee)
#else
#define TAIL(self, outer, callee) CALL(outer, callee)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The programs of other files. */
void tails(void);
void signals(void);
void stepped(void);
void threads(void);
void coroutines(void);
void outside_main(void);
void exceptions(void);

#ifdef __cplusplus
}
#endif

#endif
