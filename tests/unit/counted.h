/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a test did many times, for the table that make soak ends with. */
#ifndef COUNTED_H
#define COUNTED_H

#include <stddef.h>
#include <stdio.h>

/* Prints the last line of a test program, like "counted: 2000 trials", and returns failed. */
static inline int counted(int failed, size_t number, const char *what)
{
    printf("counted: %zu %s\n", number, what);
    return failed;
}

#endif
