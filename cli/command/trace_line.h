/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event of a trace as a line of text, or as an object. */
#ifndef COMMAND_TRACE_LINE_H
#define COMMAND_TRACE_LINE_H

#include <stdio.h>

#include <symbol/naming.h>
#include <symbol/vectors.h>
#include <table/table.h>
#include <target/watch_trace.h>

/* How events are printed. Zeroed memory but for file and format is a good beginning. */
struct trace_lines {
    FILE *file;
    enum view_format format;       /* FORMAT_TABLE or FORMAT_JSON */
    struct symbol_naming names;    /* of the ELF file, as long as it is loaded */
    const struct vectors *vectors; /* borrowed, NULL: not known */
    unsigned cores;
    struct decode_clock clocks[DECODE_MAX_CORES];
};

/* Prints an event; trace is what its core's lead says. Returns false if memory runs out; whether
 * all was written, the caller asks the file. */
bool trace_line_put(struct trace_lines *lines, const struct sampler_event *event,
                    const struct decode_trace *trace);

#endif
