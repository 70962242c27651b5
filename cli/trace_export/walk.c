/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the formats say alike. */
#include "walk.h"

#include <inttypes.h>
#include <stdarg.h>

bool trace_export_fail(struct trace_export *x, enum export_code code, const char *format, ...)
{
    va_list list;

    if (x->code != EXPORT_OK)
        return false;
    x->code = code;
    va_start(list, format);
    vsnprintf(x->text, x->capacity, format, list);
    va_end(list);
    return false;
}

const char *trace_export_name(const struct trace_export *x, uint32_t function,
                              char buffer[TRACE_EXPORT_ADDRESS])
{
    const struct trace_function *f = &x->functions.functions[function];

    if (f->name[0])
        return f->name;
    snprintf(buffer, TRACE_EXPORT_ADDRESS, "0x%" PRIx64, f->addr);
    return buffer;
}

const char *trace_export_clock(const struct trace_export *x)
{
    return x->source.seconds ? "seconds" : x->source.timed ? "ticks" : "events";
}

const char *trace_export_loss(const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_OVERWRITTEN:
        return "overwritten before they were read";
    case TRACE_UNFINISHED:
        return "interrupted while they were recorded";
    case TRACE_FULL:
        return "not recorded, the trace was full";
    case TRACE_CALL:
    case TRACE_RESTART:
    case TRACE_CLOCK:
    case TRACE_RUN:
    case TRACE_DAMAGED:
    case TRACE_END:
        break;
    }
    return NULL;
}

const char *trace_export_sleep(const struct span_sleep *sleep)
{
    return sleep->what == TRACE_ASLEEP ? "asleep" : "awake";
}

int64_t trace_export_slept_ns(const struct span_sleep *sleep)
{
    return sleep->seconds < 0 ? -1 : (int64_t)(sleep->seconds * 1e9 + 0.5);
}

const char *trace_export_end_text(enum span_end end)
{
    switch (end) {
    case SPAN_JUMPED:
        return "jumped over";
    case SPAN_LOST:
        return "lost";
    case SPAN_OPEN:
        return "end of the recording";
    case SPAN_RETURNED:
        break;
    }
    return NULL;
}
