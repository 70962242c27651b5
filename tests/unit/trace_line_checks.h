/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a trace in memory, to be compared. */
#ifndef TRACE_LINE_CHECKS_H
#define TRACE_LINE_CHECKS_H

#include "trace_checks.h"

#include <trace_view/trace_lines.h>

static struct trace_points *points;
static struct trace_about about;
static struct trace_lines *lines;
static FILE *file;
static char *printed;
static size_t printed_len;

static inline void begin(enum view_format format, unsigned cores)
{
    about = (struct trace_about){.build = "0123456789", .elf = "fw.elf", .cores = cores};
    points = trace_points_new();
    file = open_memstream(&printed, &printed_len);
    lines = trace_lines_new(file, format, points, &about);
    assert_true(points && file && lines);
}

/* NULL: what was printed has been compared. */
static inline void end(const char *wanted)
{
    assert_true(trace_lines_flush(lines));
    trace_lines_free(lines);
    fclose(file);
    if (wanted)
        assert_string_equal(printed, wanted);
    free(printed);
    trace_points_free(points);
}

static inline void put(struct trace_event event)
{
    assert_true(trace_lines_put(lines, &event));
}

static inline void clock_of(unsigned core, uint32_t hz)
{
    put((struct trace_event){.kind = TRACE_CLOCK, .core = core, .timed = true, .hz = hz});
}

#endif
