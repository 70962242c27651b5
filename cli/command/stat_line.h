/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of mprof stat. */
#ifndef COMMAND_STAT_LINE_H
#define COMMAND_STAT_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <options/options.h>
#include <ranking/usage.h>

/* What one interval brought; < 0: not known. */
struct stat_line {
    double time_s; /* since mprof started */
    double interval_s;
    struct view_usage usage;
    double rate;   /* samples a second */
    double lost;   /* of them, samples that were dropped */
    double halted; /* share of the interval for which the target was halted by us */
    const char *state;
};

/* Sums over lines. Zeroed is none. */
struct stat_mean {
    double tasks, interrupts, idle, unknown, rate, halted, lost;
    double seconds; /* that they are of */
    double interrupts_s;
    unsigned long lines;
    struct stat_line last;
};

/* What stands above the first line, and above each twentieth of a table; NULL: nothing. */
const char *stat_heading(enum view_format format);

/* One line with its end, in one write; false: it could not be written. */
bool stat_line_put(FILE *file, enum view_format format, const struct stat_line *line)
    __attribute__((warn_unused_result));

void stat_mean_add(struct stat_mean *mean, const struct stat_line *line);
/* "mean of 60 s"; nothing where nothing is known. */
bool stat_mean_put(FILE *file, const struct stat_mean *mean) __attribute__((warn_unused_result));

#endif
