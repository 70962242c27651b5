/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the lines of 'mprof stat'. */
#ifndef COMMAND_STAT_LINE_H
#define COMMAND_STAT_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <options/options.h>
#include <ranking/usage.h>

/* The share of a task. */
struct stat_task {
    char name[200];           /* "blink", or its address */
    struct profile_task task; /* what else is known of it */
    double share; /* of the interval's time, or of its samples if their rate is not known, 0 to 1 */
};

/* The numbers of one interval; < 0: not known. */
struct stat_line {
    double time_s;     /* since mprof started */
    double interval_s; /* its length */
    struct view_usage usage;
    double rate;       /* samples per second */
    double lost;       /* samples that were lost */
    double halted;     /* share of the interval in which mprof halted the target, 0 to 1 */
    const char *state; /* of the target, like "HALTED", or what a mean covers; "": none; borrowed */
    const struct stat_task *tasks; /* the largest first; task_count of them; borrowed */
    size_t task_count;             /* 0: not known */
};

/* The mean of several lines, as sums. Zeroed memory is the mean of none. */
struct stat_mean {
    double tasks, interrupts, idle, unknown, rate, halted; /* each times the seconds of its line */
    double lost;
    double seconds;      /* length of all lines */
    double interrupts_s; /* length of those whose interrupts are known */
    double samples;      /* that the shares are parts of; 0: they have no intervals */
    unsigned long lines;
    struct stat_line last;
    struct slices *slices; /* owned; how the shares wander from line to line; NULL: not known */
};

/* Returns the headings for a format, printed before the first line, and in a table before every
 * twentieth. NULL: the format has none. */
const char *stat_heading(enum view_format format);

/* Writes one line with its newline, and in JSON the mean of all lines up to it, and flushes the
 * file. Returns false if that fails. */
bool stat_line_put(FILE *file, enum view_format format, const struct stat_line *line,
                   const struct stat_mean *mean) __attribute__((warn_unused_result));

/* Adds a line. Ignores one whose numbers are not known. */
void stat_mean_add(struct stat_mean *mean, const struct stat_line *line);
/* Frees what a mean owns; it is the mean of none then only if it is zeroed, too. */
void stat_mean_free(struct stat_mean *mean);
/* Writes what a table ends with: the mean, if several lines were added, as a row whose state is
 * "mean of 60 s", and by how much it and the share of a line may be off. Returns false if it cannot
 * be written. */
bool stat_mean_put(FILE *file, const struct stat_mean *mean) __attribute__((warn_unused_result));

/* Writes how much of the stacks of count tasks was never used, all of which is known; nothing if
 * there are none. Returns false if it cannot be written. */
bool stat_stacks_put(FILE *file, const struct stat_task *tasks, size_t count)
    __attribute__((warn_unused_result));

#endif
