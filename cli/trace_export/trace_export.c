/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An export of a trace from its begin to its end. */
#include <trace_export/trace_export.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

static const struct trace_export_ops *const formats[] = {
    &chrome_trace_ops, &uftrace_trace_ops,   &ctf_trace_ops,   &firefox_trace_ops,
    &folded_trace_ops, &callgrind_trace_ops, &pprof_trace_ops, &speedscope_trace_ops,
};

static const struct trace_export_ops *find_ops(const struct exporter *exporter)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (strcmp(formats[i]->name, exporter->name) == 0)
            return formats[i];
    return NULL;
}

const char *trace_export_refusal(const struct exporter *exporter,
                                 const struct trace_export_source *source)
{
    const struct trace_export_ops *ops = find_ops(exporter);

    if (!ops)
        return "is a format for snapshots";
    if (!source->calls && !ops->instants)
        return "needs calls, and the trace has none";
    if (!source->exits && !ops->instants)
        return "needs exits of functions, and the trace has only entries: build the firmware with "
               "-finstrument-functions, or with patched entries and MPROF_TRACE_RETURNS";
    if (!source->timed && ops->sums)
        return "needs times, and the trace has none";
    return NULL;
}

static bool number(void *context, const struct trace_points *points,
                   const struct trace_point *point, const struct trace_event *event,
                   uint32_t *function)
{
    struct trace_export *x = context;

    (void)event;
    return trace_function_set_number(&x->functions, points, point->function, function);
}

static bool count_stray(void *context, const struct trace_event *event)
{
    struct trace_export *x = context;

    (void)event;
    x->left.exits++;
    return true;
}

static bool begin(struct trace_export *x)
{
    struct spans_ops walk = x->ops->walk;

    walk.timeline = true;
    walk.entries_only = !x->source.exits;
    walk.number = number;
    walk.stray = count_stray;
    x->spans = spans_new(&walk, x->recording, x);
    x->state = calloc(1, x->ops->state_size + 1);
    if (!x->spans || !x->state)
        return trace_export_fail(x, EXPORT_ENOMEM, "out of memory");
    return !x->ops->begin || x->ops->begin(x);
}

struct trace_export *trace_export_open(const struct exporter *exporter,
                                       const struct trace_export_source *source,
                                       const struct trace_points *points,
                                       const struct trace_about *recording, FILE *out,
                                       const char *folder, char *text, size_t capacity)
{
    struct trace_export *x = calloc(1, sizeof(*x));

    if (!x)
        return NULL;
    x->ops = find_ops(exporter);
    x->source = *source;
    x->points = points;
    x->recording = recording;
    x->out = out;
    x->folder = folder;
    x->text = text;
    x->capacity = capacity;
    if (!x->ops)
        (void)trace_export_fail(x, EXPORT_EFORMAT, "%s is a format for snapshots", exporter->name);
    else if (!begin(x))
        (void)trace_export_fail(x, EXPORT_ENOMEM, "out of memory");
    return x;
}

void trace_export_free(struct trace_export *x)
{
    if (!x)
        return;
    if (x->state && x->ops->clean)
        x->ops->clean(x);
    free(x->state);
    spans_free(x->spans);
    trace_function_set_free(&x->functions);
    free(x);
}

enum export_code trace_export_put(struct trace_export *x, const struct trace_event *event)
{
    if (!x->begun)
        x->time_ns = x->recording->time_ns > 0 ? x->recording->time_ns : 0;
    x->begun = true;
    if (x->code == EXPORT_OK && !spans_put(x->spans, x->points, event))
        (void)trace_export_fail(x, EXPORT_ENOMEM, "out of memory");
    return x->code;
}

enum export_code trace_export_end(struct trace_export *x, int (*stopped)(void))
{
    x->stopped = stopped;
    errno = 0;
    if (x->code != EXPORT_OK)
        return x->code;
    if (!spans_end(x->spans) || (x->ops->end && !x->ops->end(x)))
        (void)trace_export_fail(x, EXPORT_ENOMEM, "out of memory");
    else if (trace_export_is_stopped(x))
        (void)trace_export_fail(x, EXPORT_ESTOPPED, "stopped");
    else if (x->out && (fflush(x->out) != 0 || ferror(x->out)))
        (void)trace_export_fail(x, EXPORT_EWRITE, "%s",
                                errno ? strerror(errno) : "the disk is full");
    return x->code;
}

struct trace_export_left trace_export_left(const struct trace_export *x)
{
    return x->left;
}
