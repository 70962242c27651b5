/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof coverage: what was reached, by a target or by files, and its report. */
#ifndef COVERAGE_REPORT_H
#define COVERAGE_REPORT_H

#include <model/coverage.h>
#include <options/options.h>

/* Bytes of a text, with the NUL. */
#define COVERAGE_TEXT 300

/* Coverage, and what is to be known of it. Zeroed memory is an empty one. */
struct coverage_report {
    struct coverage *c; /* owned */
    char origin[COVERAGE_TEXT];
    char elf[COVERAGE_TEXT], build[COVERAGE_TEXT]; /* "": not known, or several */
    uint64_t lost; /* calls that no row has: a function that was not seen may have been called */
    bool lost_unknown; /* calls were added up from files that do not say how many were lost */
    uint64_t outside;  /* calls of the hook from code that the block does not cover */
    size_t uncovered;  /* calls of the hook in that code; they are not in c */
    uint64_t needs;    /* bytes from its base on that the block would have to cover */
    size_t strays;     /* places that were reached and are no calls of the hook */
    size_t jumps;      /* functions that jump to the hook: whether they were reached is not known */
    size_t full;       /* counters that have reached their largest number */
    bool unhooked;     /* no function has a call hook, so that all functions are listed */
    char early[COVERAGE_TEXT]; /* function with which the program begins, and which has calls of the
                                * hook: start-up code clears what was reached before; "": none */
};

/* All return a status of <base/say.h>, and print a message if it is not STATUS_DONE. *report must
 * be zeroed; the caller calls coverage_report_free() in any case. */

/* Reads the coverage block of a target, or without one its table of calls or its arcs. */
int coverage_read_target(const struct options *options, struct coverage_report *report);

/* Reads the operands: lcov tracefiles, or snapshots of calls and trace files, with --elf. */
int coverage_read_files(const struct options *options, struct coverage_report *report);

/* Prints the report as the options say, to -o if it is given. */
int coverage_print(const struct options *options, const struct coverage_report *report);

/* Compares it with --fail-under. Returns STATUS_GATE, and prints why, if it is less. */
int coverage_gate(const struct options *options, const struct coverage_report *report);

void coverage_report_free(struct coverage_report *report);

#endif
