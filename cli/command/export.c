/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof export: files of snapshots and traces in the formats of other tools. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <base/atomic_write.h>
#include <base/output.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <events/limits.h>
#include <events/trace_file.h>
#include <events/trigger.h>
#include <load/files.h>
#include <options/help.h>

#include "export_sources.h"
#include "verbs.h"

#define TEXT_MAX 600

static void make_title(const struct options *o, char *title, size_t capacity)
{
    const char *first = path_base_name(o->operands[0]);

    if (o->operand_count == 1)
        snprintf(title, capacity, "%s", first);
    else
        snprintf(title, capacity, "%s and %zu more", first, o->operand_count - 1);
}

static int write_failed(const struct options *o, const char *why)
{
    if (signals_pending()) /* which interrupted it */
        return STATUS_FAILED;
    if (!o->output || !atomic_write_stands(o->output))
        return output_failed(o->output, why);
    complain("cannot write %s: %s; the old file is unchanged", o->output, why);
    return STATUS_FAILED;
}

/* *out is as good as it was when this fails. */
static int write_to(const struct options *o, const struct export_sources *s, FILE *out)
{
    char title[200];
    char text[TEXT_MAX];

    make_title(o, title, sizeof(title));
    switch (export_write(o->exporter, s->sources, s->count, title, out, signals_pending, text,
                         sizeof(text))) {
    case EXPORT_OK:
        return STATUS_DONE;
    case EXPORT_ESTOPPED:
        return STATUS_FAILED; /* the command dies of the signal */
    case EXPORT_EWRITE:
        return write_failed(o, text);
    default:
        complain("%s: %s", o->operands[0], text);
        return STATUS_FAILED;
    }
}

static int write_file(const struct options *o, const struct export_sources *s)
{
    struct atomic_write file;

    if (!atomic_write_open(&file, o->output, false))
        return write_failed(o, strerror(errno));
    int status = write_to(o, s, file.out);
    bool wanted = status == STATUS_DONE && !signals_pending();
    if (!atomic_write_close(&file, wanted) && wanted)
        return write_failed(o, strerror(errno));
    return status;
}

static bool has_trace_options(const struct options *o)
{
    return event_limits_need_exits(o) || o->traced.count != 0 || o->not_traced.count != 0 ||
           trace_trigger_is_given(o);
}

/* Whether the format is for files of this kind. */
static bool check_kind(const struct options *o, bool trace)
{
    const char *format = o->exporter->name;

    if (trace && !o->exporter->traces)
        complain("--format %s is for snapshots, and %s is a trace file", format, o->operands[0]);
    else if (o->exporter->folder && !o->output)
        complain("--format %s writes a folder: name it with -o FOLDER", format);
    else if (!trace && has_trace_options(o))
        complain("--depth, --below, --min, --filter, --not, --start-at and --stop-at are for trace "
                 "files");
    else
        return !trace || trace_file_can_export(o);
    return false;
}

static bool check_options(const struct command *self, const struct options *o)
{
    bool lacking = !o->exporter || o->operand_count == 0;

    if (lacking)
        (void)help_missing(self, o->exporter ? "missing argument: FILE"
                                             : "missing option: --format NAME");
    else if (o->exporter->binary && !o->output && isatty(STDOUT_FILENO))
        complain("--format %s is binary: write it to a file with -o FILE", o->exporter->name);
    else
        return true;
    return false;
}

/* A file in the making is to be removed if a signal ends it; a pipe that nobody reads holds nobody
 * up. */
static bool begin_signals(const struct options *o)
{
    bool made = o->exporter->folder || (o->output && atomic_write_replaces(o->output));

    return !made || signals_begin() >= 0;
}

static int export_snapshots(struct options *o)
{
    struct export_sources sources = {.count = 0};
    struct file_list files = {.paths = NULL};
    int status = files_expand(o, &files);

    if (status == STATUS_DONE)
        status = export_sources_load(o, &sources);
    if (status == STATUS_DONE)
        status = o->output ? write_file(o, &sources) : write_to(o, &sources, stdout);
    export_sources_free(&sources);
    file_list_free(&files);
    return status;
}

int command_export(const struct command *self, int argc, char **argv)
{
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (!check_options(self, &options))
        return STATUS_USAGE;
    bool trace = trace_file_is(options.operands[0]);
    if (!check_kind(&options, trace))
        return STATUS_USAGE;
    if (!begin_signals(&options))
        return STATUS_FAILED;
    status =
        trace || !options.exporter->ops ? trace_file_export(&options) : export_snapshots(&options);
    if (signals_pending())
        signals_die(signals_pending());
    return status;
}
