/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refreshes as text or data, in a file or pipe. */
#define _POSIX_C_SOURCE 200809L

#include "top_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/atomic_write.h>
#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <table/ranking_output.h>
#include <term/colour.h>

/* Lines of text in a pipe have no edge; names of this length are not cut. */
#define TEXT_WIDTH 120

struct top_output {
    const struct options *options;
    FILE *file;
    bool shown; /* something was written before */
};

bool top_output_wants_live(const struct options *o)
{
    return !o->batch && !o->output && o->format == FORMAT_TABLE && isatty(STDIN_FILENO) &&
           isatty(STDOUT_FILENO);
}

static int open_file(struct top_output *out)
{
    out->file = stdout;
    if (!out->options->output)
        return STATUS_DONE;
    out->file = fopen(out->options->output, "we");
    if (!out->file) {
        complain("%s: %s", out->options->output, strerror(errno));
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

int top_output_open(const struct options *options, struct top_output **output)
{
    struct top_output *out = calloc(1, sizeof(*out));

    if (!out) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    *out = (struct top_output){.options = options};
    int status = open_file(out);
    if (status == STATUS_DONE)
        *output = out;
    else
        free(out);
    return status;
}

void top_output_close(struct top_output *output)
{
    if (!output)
        return;
    if (output->file && output->file != stdout)
        fclose(output->file);
    free(output);
}

static bool put_text(struct top_output *out, const struct view_frame *frame)
{
    if (out->shown)
        fputc('\n', out->file);
    out->shown = true;
    for (size_t i = 0; i < frame->count; i++)
        fprintf(out->file, "%s\n", frame->lines[i].text);
    return fflush(out->file) == 0 && !ferror(out->file);
}

/* A terminal has an edge. */
static unsigned width_of(FILE *file)
{
    unsigned width = output_width(fileno(file));

    return width ? width : TEXT_WIDTH;
}

static bool show_frame(struct top_output *out, const struct view_status *status,
                       const struct profile *profile, const struct view_rows *rows)
{
    struct view_layout layout = {.width = width_of(out->file),
                                 .limit = out->options->limit,
                                 .fields = &out->options->fields,
                                 .spare_fields = !out->options->fields_given,
                                 .by = out->options->by};
    struct view_frame frame;

    if (!view_frame_build(&layout, status, profile, rows, &frame))
        return false;
    bool done = put_text(out, &frame);
    view_frame_free(&frame);
    return done;
}

static bool show_json(struct top_output *out, const struct view_status *status,
                      const struct profile *profile, const struct view_rows *rows)
{
    char *line = view_json(status, profile, rows, out->options->limit);

    if (!line)
        return false;
    fprintf(out->file, "%s\n", line);
    free(line);
    return fflush(out->file) == 0 && !ferror(out->file);
}

static bool show_csv(struct top_output *out, const struct view_status *status,
                     const struct view_rows *rows)
{
    const struct options *o = out->options;
    char *lines = view_csv(status, &o->fields, rows, o->limit, !out->shown);

    if (!lines)
        return false;
    out->shown = true;
    fputs(lines, out->file);
    free(lines);
    return fflush(out->file) == 0 && !ferror(out->file);
}

static bool show_markdown(struct top_output *out, const struct view_status *status,
                          const struct profile *profile, const struct view_rows *rows)
{
    const struct options *o = out->options;
    char *lines = view_markdown(status, &o->fields, profile, rows, o->limit);

    if (!lines)
        return false;
    fprintf(out->file, "%s%s", out->shown ? "\n" : "", lines);
    out->shown = true;
    free(lines);
    return fflush(out->file) == 0 && !ferror(out->file);
}

bool top_output_show(struct top_output *output, const struct view_status *status,
                     const struct profile *profile, const struct view_rows *rows)
{
    if (output->options->format == FORMAT_JSON)
        return show_json(output, status, profile, rows);
    if (output->options->format == FORMAT_CSV)
        return show_csv(output, status, rows);
    if (output->options->format == FORMAT_MARKDOWN)
        return show_markdown(output, status, profile, rows);
    return show_frame(output, status, profile, rows);
}

static bool write_whole(struct top_output *out, const struct view_status *status,
                        const struct profile *profile, const struct view_rows *rows)
{
    const char *path = out->options->output;
    struct atomic_write file;

    if (!path)
        return top_output_show(out, status, profile, rows);
    if (!atomic_write_open(&file, path, false))
        return false;
    out->file = file.out;
    return atomic_write_close(&file,
                              top_output_show(out, status, profile, rows) && !signals_pending());
}

int top_output_once(const struct options *options, const struct view_status *status,
                    const struct profile *profile, const struct view_rows *rows)
{
    struct top_output out = {.options = options, .file = stdout};

    errno = 0;
    if (write_whole(&out, status, profile, rows) || signals_pending())
        return STATUS_DONE;
    return output_failed(options->output, errno ? strerror(errno) : NULL);
}
