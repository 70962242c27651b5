/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a test did many times, for the table that make soak ends with. */
#ifndef COUNTED_H
#define COUNTED_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the last line of a test program, like "counted: 2000 trials", and returns failed. */
static inline int counted(int failed, size_t number, const char *what)
{
    printf("counted: %zu %s\n", number, what);
    return failed;
}

/* n where sanitizers watch, else 1: for every n-th of many cases. They look for what one of n cases
 * shows as well, take up to ten times as long, and the other build runs all. With full counts 1. */
static inline unsigned sanitized(unsigned n)
{
#ifdef UNDER_SANITIZERS
    if (getenv("MPROF_SOAK") == NULL)
        return n;
#endif
    (void)n;
    return 1;
}

#endif
