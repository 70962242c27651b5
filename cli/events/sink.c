/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines, or a trace file. */
#define _POSIX_C_SOURCE 200809L

#include <events/sink.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>

#include "live_times.h"

static void free_lines(struct event_sink *s)
{
    trace_lines_free(s->lines);
    trace_graph_free(s->graph);
    s->lines = NULL;
    s->graph = NULL;
}

static int open_times(struct event_sink *s)
{
    s->times = live_times_new(s->options, s->points, s->about);
    return s->times ? STATUS_DONE : fail("out of memory");
}

static int open_lines(struct event_sink *s, FILE *standard)
{
    const char *path = s->options->output;

    s->file = path ? fopen(path, "we") : standard;
    if (!s->file) {
        complain("%s: %s", path, strerror(errno));
        return STATUS_FAILED;
    }
    if (s->options->graph)
        s->graph = trace_graph_new(s->file, s->options->format, s->points, s->about);
    else
        s->lines = trace_lines_new(s->file, s->options->format, s->points, s->about);
    return s->lines || s->graph ? STATUS_DONE : fail("out of memory");
}

static void free_about(struct event_sink *s)
{
    union {
        const char *text;
        char *owned;
    } build = {.text = s->of.build}, elf = {.text = s->of.elf};

    free(build.owned);
    free(elf.owned);
    s->of = (struct trace_about){.build = NULL};
}

static int open_writer(struct event_sink *s)
{
    char text[TRACE_TEXT];
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    s->of = *s->about;
    s->of.build = strdup(s->about->build);
    s->of.elf = strdup(s->about->elf);
    s->of.time_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (!s->of.build || !s->of.elf)
        return fail("out of memory");
    s->writer = trace_writer_open(s->options->output, &s->of, text);
    return s->writer ? STATUS_DONE : fail(text);
}

static int close_writer(struct event_sink *s)
{
    char text[TRACE_TEXT];
    int status = !s->writer || trace_writer_close(s->writer, text) ? STATUS_DONE : fail(text);

    s->writer = NULL;
    free_about(s);
    return status;
}

int event_sink_open(struct event_sink *sink, const struct options *options,
                    const struct trace_points *points, const struct trace_about *about,
                    FILE *standard)
{
    *sink = (struct event_sink){.options = options, .points = points, .about = about};
    if (options->operand_count == 0 && event_times_are_given(options))
        return open_times(sink);
    return options->record ? open_writer(sink) : open_lines(sink, standard);
}

int event_sink_end_run(struct event_sink *sink)
{
    return !sink->times || live_times_end_run(sink->times) ? STATUS_DONE : fail("out of memory");
}

void event_sink_show_times(struct event_sink *sink)
{
    if (sink->times)
        live_times_show(sink->times, sink->origin);
}

int event_sink_check_times(const struct event_sink *sink)
{
    return sink->times ? live_times_check(sink->times) : STATUS_DONE;
}

int event_sink_print_times(struct event_sink *sink, bool failed)
{
    if (!sink->times || (failed && !live_times_has_any(sink->times)))
        return STATUS_DONE;
    return live_times_print(sink->times, sink->origin);
}

int event_sink_renew(struct event_sink *sink)
{
    int status = STATUS_DONE;

    if (!sink->writer)
        return STATUS_DONE;
    status = close_writer(sink);
    return status == STATUS_DONE ? open_writer(sink) : status;
}

/* Who reads a pipe may have left it because a signal ends both. */
static int lines_failed(struct event_sink *s)
{
    int error = errno;

    free_lines(s);
    return signals_pending() ? STATUS_DONE : output_failed(s->options->output, strerror(error));
}

/* The writer says at its end why it failed. */
static int writer_failed(struct event_sink *s)
{
    int status = close_writer(s);

    return status == STATUS_DONE ? STATUS_FAILED : status;
}

static bool is_loss(const struct trace_event *e)
{
    return e->kind == TRACE_OVERWRITTEN || e->kind == TRACE_UNFINISHED || e->kind == TRACE_FULL;
}

int event_sink_put(struct event_sink *sink, const struct trace_event *event)
{
    unsigned long most = sink->options->iterations;

    if (most != 0 && sink->calls >= most)
        return STATUS_DONE;
    sink->calls += event->kind == TRACE_CALL;
    sink->results |= event->kind == TRACE_CALL && event->argument_count != 0 &&
                     trace_point_at(sink->points, event->point)->kind == TRACE_EXIT;
    sink->lost += is_loss(event) ? event->count : 0;
    if (sink->writer)
        return trace_writer_put(sink->writer, sink->points, event) ? STATUS_DONE
                                                                   : writer_failed(sink);
    if (sink->times)
        return live_times_put(sink->times, event) ? STATUS_DONE : fail("out of memory");
    if (!sink->lines && !sink->graph) /* writing has failed, which was said */
        return signals_pending() ? STATUS_DONE : STATUS_FAILED;
    bool put =
        sink->graph ? trace_graph_put(sink->graph, event) : trace_lines_put(sink->lines, event);
    return put ? STATUS_DONE : lines_failed(sink);
}

int event_sink_flush(struct event_sink *sink)
{
    if (sink->writer)
        return trace_writer_flush(sink->writer) ? STATUS_DONE : writer_failed(sink);
    bool flushed = (!sink->lines || trace_lines_flush(sink->lines)) &&
                   (!sink->graph || trace_graph_flush(sink->graph));
    return flushed ? STATUS_DONE : lines_failed(sink);
}

void event_sink_say_lost(const struct event_sink *sink)
{
    if (sink->lost != 0)
        complain("%" PRIu64 " of %" PRIu64 " events were lost", sink->lost,
                 sink->lost + sink->calls);
}

int event_sink_close(struct event_sink *sink)
{
    int flushed = sink->writer ? STATUS_DONE : event_sink_flush(sink);
    int closed = sink->writer || sink->of.build ? close_writer(sink) : STATUS_DONE;
    int status = closed == STATUS_DONE ? flushed : closed;

    free_lines(sink);
    live_times_free(sink->times);
    if (sink->file && sink->options->output && fclose(sink->file) != 0)
        status = output_failed(sink->options->output, strerror(errno));
    *sink = (struct event_sink){.file = NULL};
    return status;
}
