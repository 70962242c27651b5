/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One trace after the other. */
#include "trace_diff.h"

#include <stdlib.h>

#include <base/say.h>
#include <base/signals.h>
#include <events/trace_file.h>

/* So often is asked whether a signal ends it. */
#define ASK_EVERY 65536

static int read_events(struct trace_load *l, struct trace_span *span)
{
    const struct trace_points *points = trace_reader_points(l->reader);
    struct trace_event event;

    for (unsigned long n = 1; trace_reader_next(l->reader, &event); n++) {
        trace_span_put(span, &event);
        if (!trace_calls_put(l->calls, points, &event))
            return fail("out of memory");
        if (n % ASK_EVERY == 0 && signals_pending())
            return STATUS_FAILED;
    }
    trace_calls_end(l->calls);
    return STATUS_DONE;
}

static int add_up(const char *path, struct trace_load *l)
{
    struct trace_span span = {.seconds = 0};
    int status = read_events(l, &span);

    if (status == STATUS_DONE)
        status = trace_file_say(path, l->reader);
    if (status != STATUS_DONE)
        return status;
    l->rows = trace_calls_rows(l->calls, &l->side.count);
    if (!l->rows)
        return fail("out of memory");
    l->side.rows = l->rows;
    l->side.state = trace_calls_state(l->calls);
    l->side.seconds = trace_span_end(&span);
    return STATUS_DONE;
}

int trace_load(const char *path, struct trace_load *load)
{
    char text[TRACE_TEXT];

    load->reader = trace_reader_open(path, text);
    if (!load->reader)
        return fail(text);
    load->calls = trace_calls_new();
    return load->calls ? add_up(path, load) : fail("out of memory");
}

void trace_load_free(struct trace_load *load)
{
    free(load->rows);
    trace_calls_free(load->calls);
    trace_reader_close(load->reader);
    *load = (struct trace_load){.rows = NULL};
}
