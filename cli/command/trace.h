/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of a program that mprof has started. */
#ifndef COMMAND_TRACE_H
#define COMMAND_TRACE_H

#include <stdbool.h>

#include <options/options.h>

struct trace_program {
    bool (*ended)(void *context);
    void (*let_go)(void *context); /* it is asked what to record; called once or more often */
    void *context;
};

/* Whether the options of a trace go together. Returns a status of <base/say.h>; prints a message if
 * they do not. self is the verb. */
int trace_check_options(const struct command *self, const struct options *options);

/* Prints, or records, the events of the file that the options name (--raw) as 'mprof trace' does,
 * until the program has ended and all events are printed, or there are as many as the options want;
 * without --output to stderr, because stdout is the program's. Returns a status of <base/say.h>;
 * prints a message on failure. */
int trace_program(struct options *options, const struct trace_program *program);

#endif
