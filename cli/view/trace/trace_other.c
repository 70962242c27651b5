/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losses, restarts and recordings. */
#include "trace_other.h"

#include <inttypes.h>

#include <table/json_parts.h>
#include <table/time.h>

#include "trace_time.h"

/* What an event is called that is none, in an object and to a person. */
static const struct {
    const char *reason, *text;
} losses[] = {
    [TRACE_CALL] = {NULL, NULL},
    [TRACE_OVERWRITTEN] = {"overwritten", "overwritten before they were read"},
    [TRACE_UNFINISHED] = {"unfinished", "interrupted while they were recorded"},
    [TRACE_FULL] = {"full", "not recorded: the trace is full; 'mprof control reset' empties it"},
};

void trace_other_core(struct text *t, const struct trace_about *about, unsigned core)
{
    if (about->cores > 1)
        text_printf(t, "  (%s %u)", about->threads ? "thread" : "core", core);
}

static json_t *other_object(const struct trace_about *about, const struct trace_event *e)
{
    switch (e->kind) {
    case TRACE_RESTART:
        return json_pack("{s:s, s:i}", "kind", "restart", "core", (int)e->core);
    case TRACE_RUN:
        return json_pack("{s:s, s:o}", "kind", "recording", "time", json_time(about->time_ns));
    case TRACE_DAMAGED:
        return json_pack("{s:s, s:I}", "kind", "damaged", "bytes", (json_int_t)e->count);
    default:
        return json_pack("{s:s, s:I, s:s, s:i}", "kind", "lost", "count", (json_int_t)e->count,
                         "reason", losses[e->kind].reason, "core", (int)e->core);
    }
}

/* An event that a clock does not give its time. */
static char *other_text(const struct trace_about *about, const struct trace_event *e)
{
    struct text t = {.bytes = NULL};
    char time[48];

    text_printf(&t, "%*s  ", TRACE_TIME_CELLS, "");
    switch (e->kind) {
    case TRACE_RESTART:
        text_printf(&t, "the target has restarted");
        break;
    case TRACE_RUN:
        view_time(about->time_ns, false, time, sizeof(time));
        text_printf(&t, "another recording: %s", time);
        return text_end(&t);
    case TRACE_DAMAGED:
        text_printf(&t, "damaged: %" PRIu64 " bytes of the file", e->count);
        return text_end(&t);
    default:
        text_printf(&t, "lost: %" PRIu64 " event%s %s", e->count, e->count == 1 ? "" : "s",
                    losses[e->kind].text);
    }
    trace_other_core(&t, about, e->core);
    return text_end(&t);
}

char *trace_other_line(bool json, const struct trace_about *about, const struct trace_event *event)
{
    return text_with_newline(json ? json_line(other_object(about, event))
                                  : other_text(about, event));
}
