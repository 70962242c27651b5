/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof export FILE of a trace: writes it in the format of another tool. */
#define _POSIX_C_SOURCE 200809L

#include <events/trace_file.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <base/atomic_folder.h>
#include <base/atomic_write.h>
#include <base/output.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <events/limits.h>
#include <events/trigger.h>
#include <trace_export/trace_export.h>

/* So often is asked whether a signal ends it. */
#define ASK_EVERY 4096

#define TEXT_MAX 600

/* An export of a file. */
struct job {
    const struct options *options;
    struct trace_reader *reader;
    struct trace_export *export;
    char text[TEXT_MAX];
};

/* Says why the file cannot be written in the format, which may be because it is damaged. */
static int refuse(const struct options *options, struct trace_reader *reader, const char *refusal)
{
    const char *path = options->operands[0];

    complain("%s: --format %s %s", path, options->exporter->name, refusal);
    (void)trace_file_say(path, reader);
    return STATUS_FAILED;
}

/* Reads the whole file, to know what it has, and whether the format can have it. */
static int look(const struct options *options, struct trace_export_source *source)
{
    const char *path = options->operands[0];
    char text[TRACE_TEXT];
    struct trace_reader *reader = trace_reader_open(path, text);
    struct trace_event event;

    if (!reader)
        return fail(text);
    *source = (struct trace_export_source){.title = path_base_name(path)};
    for (unsigned long n = 1; trace_reader_next(reader, &event); n++) {
        const struct trace_points *points = trace_reader_points(reader);
        if (event.kind == TRACE_CALL && trace_point_at(points, event.point)->kind != TRACE_MARK)
            source->calls = true;
        if (event.kind == TRACE_CALL && trace_point_at(points, event.point)->kind == TRACE_EXIT)
            source->exits = true;
        if (event.kind == TRACE_CLOCK && event.timed) {
            source->timed = true;
            source->seconds = event.hz != 0;
        }
        if (n % ASK_EVERY == 0 && signals_pending())
            break;
    }
    const char *refusal = trace_export_refusal(options->exporter, source);
    int status = refusal && !signals_pending() ? refuse(options, reader, refusal) : STATUS_DONE;
    trace_reader_close(reader);
    return status;
}

/* Prints why the export has failed, unless a signal has ended it. */
static int say_failed(const struct job *j, enum export_code code)
{
    if (code == EXPORT_OK || signals_pending())
        return code == EXPORT_OK ? STATUS_DONE : STATUS_FAILED;
    return code == EXPORT_EWRITE ? output_failed(j->options->output, j->text) : fail(j->text);
}

static int put_event(void *context, const struct trace_event *event)
{
    struct job *j = context;

    return say_failed(j, trace_export_put(j->export, event));
}

static int read_events(struct job *j, struct event_limits *limits, struct trace_trigger *trigger)
{
    struct trace_event event;
    int status = STATUS_DONE;

    for (unsigned long n = 1; status == STATUS_DONE && !trace_trigger_ended(trigger); n++) {
        bool wanted;
        if (n % ASK_EVERY == 0 && signals_pending())
            return STATUS_FAILED;
        if (!trace_reader_next(j->reader, &event))
            break;
        status = trace_trigger_put(trigger, &event, &wanted);
        if (status == STATUS_DONE && wanted)
            status = event_limits_put(limits, &event);
    }
    if (status == STATUS_DONE)
        status = event_limits_end(limits);
    return status == STATUS_DONE ? trace_trigger_check(trigger) : status;
}

static int put_all(struct job *j)
{
    const struct trace_points *points = trace_reader_points(j->reader);
    struct event_limits *limits =
        event_limits_new(j->options, points, trace_reader_about(j->reader), put_event, j);
    struct trace_trigger *trigger = trace_trigger_new(j->options, points);
    int status = limits && trigger ? read_events(j, limits, trigger) : fail("out of memory");

    if (status == STATUS_DONE)
        status = say_failed(j, trace_export_end(j->export, signals_pending));
    if (status == STATUS_DONE) {
        event_limits_say(limits);
        trace_trigger_say(trigger);
    }
    trace_trigger_free(trigger);
    event_limits_free(limits);
    return status;
}

/* What the user would not see in the result. */
static void say_left(const struct job *j, const struct trace_export_source *source)
{
    const struct trace_export_left left = trace_export_left(j->export);
    const char *path = j->options->operands[0];

    if (source->timed && !source->seconds)
        complain("%s: the rate of the clock is not known: a tick is written as 1 ns", path);
    else if (!source->timed)
        complain("%s has no times: events are written 1 ns apart", path);
    if (left.exits != 0)
        complain("%s: left out: %" PRIu64 " exit%s without an entry", path, left.exits,
                 left.exits == 1 ? "" : "s");
    if (left.deep != 0)
        complain("%s: left out: %" PRIu64 " call%s too deep for --format %s", path, left.deep,
                 left.deep == 1 ? "" : "s", j->options->exporter->name);
}

static int write_events(struct job *j, const struct trace_export_source *source, FILE *out,
                        const char *folder)
{
    char text[TRACE_TEXT];
    int status;

    j->reader = trace_reader_open(j->options->operands[0], text);
    if (!j->reader)
        return fail(text);
    j->export = trace_export_open(j->options->exporter, source, trace_reader_points(j->reader),
                                  trace_reader_about(j->reader), out, folder, j->text, TEXT_MAX);
    status = j->export ? put_all(j) : fail("out of memory");
    if (status == STATUS_DONE) {
        say_left(j, source);
        status = trace_file_say(j->options->operands[0], j->reader);
    }
    trace_export_free(j->export);
    trace_reader_close(j->reader);
    return status;
}

static int write_folder(struct job *j, const struct trace_export_source *source)
{
    const char *path = j->options->output;
    struct atomic_folder folder;

    if (!atomic_folder_open(&folder, path)) {
        if (errno != EEXIST)
            return output_failed(path, strerror(errno));
        complain("%s exists and was not written by 'mprof export': give -o another name", path);
        return STATUS_FAILED;
    }
    int status = write_events(j, source, NULL, folder.name);
    bool wanted = status == STATUS_DONE && !signals_pending();
    if (!atomic_folder_close(&folder, wanted) && wanted)
        return output_failed(path, strerror(errno));
    return status;
}

static int write_file(struct job *j, const struct trace_export_source *source)
{
    const char *path = j->options->output;
    struct atomic_write file;

    if (!path)
        return write_events(j, source, stdout, NULL);
    if (!atomic_write_open(&file, path, false))
        return output_failed(path, strerror(errno));
    int status = write_events(j, source, file.out, NULL);
    bool wanted = status == STATUS_DONE && !signals_pending();
    if (!atomic_write_close(&file, wanted) && wanted)
        return output_failed(path, strerror(errno));
    return status;
}

int trace_file_export(const struct options *options)
{
    struct job job = {.options = options};
    struct trace_export_source source;

    int status = look(options, &source);
    if (status != STATUS_DONE || signals_pending())
        return status;
    return options->exporter->folder ? write_folder(&job, &source) : write_file(&job, &source);
}
