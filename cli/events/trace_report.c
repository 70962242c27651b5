/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof report FILE of a trace: the calls of each function. */
#define _POSIX_C_SOURCE 200809L

#include <events/trace_file.h>

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <base/text.h>
#include <events/limits.h>
#include <table/call_columns.h>

/* So often is asked whether a signal ends it. */
#define ASK_EVERY 65536

struct sum {
    const struct trace_points *points;
    struct trace_calls *calls;
};

static int put_event(void *sum, const struct trace_event *event)
{
    const struct sum *s = sum;

    return trace_calls_put(s->calls, s->points, event) ? STATUS_DONE : fail("out of memory");
}

/* Without limits they are not asked for each event, which would take a tenth of the time. */
static int read_events(struct trace_reader *reader, struct event_limits *limits, bool limited,
                       struct sum *sum)
{
    struct trace_event event;
    int status = STATUS_DONE;

    for (unsigned long n = 1; status == STATUS_DONE && trace_reader_next(reader, &event); n++) {
        status = limited ? event_limits_put(limits, &event) : put_event(sum, &event);
        if (n % ASK_EVERY == 0 && signals_pending())
            return status;
    }
    return status == STATUS_DONE ? event_limits_end(limits) : status;
}

static int add_up(const struct options *o, struct trace_reader *reader, struct trace_calls *calls)
{
    struct sum sum = {.points = trace_reader_points(reader), .calls = calls};
    struct event_limits *limits =
        event_limits_new(o, sum.points, trace_reader_about(reader), put_event, &sum);
    int status =
        limits ? read_events(reader, limits, event_limits_wanted(o), &sum) : fail("out of memory");

    trace_calls_end(calls);
    if (status == STATUS_DONE && !signals_pending())
        event_limits_say(limits);
    event_limits_free(limits);
    return status;
}

/* In a file or a pipe lines have no edge. */
static struct view_page page_of(const struct options *o)
{
    bool edge = !o->output && o->format == FORMAT_TABLE;

    return (struct view_page){.width = edge ? output_width(STDOUT_FILENO) : 0,
                              .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
}

static int print(const struct options *o, const struct view_calls *calls)
{
    const struct view_page page = page_of(o);
    char *text = view_calls(calls, o->format, &page);

    if (o->format == FORMAT_JSON)
        text = text_with_newline(text);
    if (!text)
        return fail("out of memory");
    int status = output_write(o->output, text);
    free(text);
    return signals_pending() ? STATUS_DONE : status;
}

/* Columns of a trace, where a snapshot has others. */
static bool take_columns(const char *option, const char *typed, struct view_fields *fields)
{
    char text[400];

    if (!typed || view_fields_parse(&view_call_columns, typed, fields, text, sizeof(text)))
        return true;
    complain("--%s: %s", option, text);
    return false;
}

static int print_rows(const struct options *o, const struct trace_reader *reader,
                      const struct trace_calls *calls)
{
    const struct trace_about *about = trace_reader_about(reader);
    struct view_fields fields = {.count = 0}, sort = {.count = 0};
    size_t count;

    if (!take_columns("fields", o->fields_typed, &fields) ||
        !take_columns("sort", o->sort_typed, &sort))
        return STATUS_USAGE;
    struct trace_call_row *rows = trace_calls_rows(calls, &count);
    if (!rows)
        return fail("out of memory");
    const struct view_calls report = {
        .rows = rows,
        .count = count,
        .state = trace_calls_state(calls),
        .file = o->operands[0],
        .elf = about->elf,
        .build = about->build,
        .sort = sort.count ? sort.column[0] : NULL,
        .fields = fields.count ? &fields : NULL,
        .limit = o->limit,
        .contexts = o->by == VIEW_BY_CONTEXT,
    };
    int status = print(o, &report);
    free(rows);
    return status;
}

int trace_file_report(const struct options *options)
{
    char text[TRACE_TEXT];
    struct trace_reader *reader = trace_reader_open(options->operands[0], text);
    struct trace_calls *calls = trace_calls_new();
    int status = STATUS_DONE;

    if (!reader)
        status = fail(text);
    else if (!calls)
        status = fail("out of memory");
    if (status == STATUS_DONE)
        trace_calls_split(calls,
                          options->by == VIEW_BY_CONTEXT ? trace_reader_about(reader) : NULL);
    if (status == STATUS_DONE)
        status = add_up(options, reader, calls);
    if (status == STATUS_DONE && !signals_pending())
        status = print_rows(options, reader, calls);
    if (status == STATUS_DONE && !signals_pending())
        status = trace_file_say(options->operands[0], reader);
    trace_calls_free(calls);
    trace_reader_close(reader);
    return status;
}
