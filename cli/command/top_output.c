/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three outputs of top. */
#define _POSIX_C_SOURCE 200809L

#include "top_output.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <snapshot/whole.h>
#include <term/term.h>
#include <view/csv.h>
#include <view/json.h>
#include <view/markdown.h>

#include "draw.h"
#include "signals.h"

/* A screen that still says something. */
#define ROWS_MIN    10
#define COLUMNS_MIN 40

/* Lines of text in a pipe have no edge; names of this length are not cut. */
#define TEXT_WIDTH 120

#define FOOTER "q quit"

struct top_output {
    const struct options *options;
    struct term *term; /* NULL: not live */
    FILE *file;
    int wake_fd;
    bool shown; /* something was written before */
};

bool top_output_wants_live(const struct options *o)
{
    return !o->batch && !o->output && o->format == FORMAT_TABLE && isatty(STDIN_FILENO) &&
           isatty(STDOUT_FILENO);
}

static int open_term(struct top_output *out)
{
    char text[200];

    if (term_open(&out->term, ROWS_MIN, COLUMNS_MIN, text, sizeof(text)) != TERM_OK) {
        complain("%s; --batch prints plain text", text);
        return STATUS_FAILED;
    }
    signals_guard(out->term);
    return STATUS_DONE;
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

int top_output_open(const struct options *options, int wake_fd, struct top_output **output)
{
    struct top_output *out = calloc(1, sizeof(*out));

    if (!out) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    *out = (struct top_output){.options = options, .wake_fd = wake_fd};
    int status = top_output_wants_live(options) ? open_term(out) : open_file(out);
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
    signals_guard(NULL);
    term_close(output->term);
    if (output->file && output->file != stdout)
        fclose(output->file);
    free(output);
}

bool top_output_is_live(const struct top_output *output)
{
    return output->term != NULL;
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

static bool show_frame(struct top_output *out, const struct view_status *status,
                       const struct profile *profile, const struct view_rows *rows)
{
    struct view_layout layout = {
        .width = TEXT_WIDTH, .limit = out->options->limit, .fields = &out->options->fields};
    struct view_frame frame;
    bool done = true;

    if (out->term) {
        int height, width;
        term_size(out->term, &height, &width);
        layout.height = (unsigned)height;
        layout.width = (unsigned)width;
        layout.footer = FOOTER;
    }
    if (!view_frame_build(&layout, status, profile, rows, &frame))
        return false;
    if (out->term)
        draw_frame(out->term, &frame);
    else
        done = put_text(out, &frame);
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
    struct whole_file file;

    if (!path)
        return top_output_show(out, status, profile, rows);
    if (!whole_open(&file, path, false))
        return false;
    out->file = file.out;
    return whole_close(&file, top_output_show(out, status, profile, rows) && !signals_pending());
}

int top_output_once(const struct options *options, const struct view_status *status,
                    const struct profile *profile, const struct view_rows *rows)
{
    struct top_output out = {.options = options, .file = stdout, .wake_fd = -1};

    errno = 0;
    if (write_whole(&out, status, profile, rows) || signals_pending())
        return STATUS_DONE;
    return output_failed(options->output, errno ? strerror(errno) : NULL);
}

enum top_event top_output_wait(struct top_output *output, double seconds)
{
    int timeout_ms = (int)ceil(fmin(seconds, 3600) * 1e3);

    if (!output->term) {
        struct pollfd wake = {.fd = output->wake_fd, .events = POLLIN};
        return poll(&wake, 1, timeout_ms) > 0 ? TOP_LEAVE : TOP_NOTHING;
    }
    switch (term_key(output->term, timeout_ms, output->wake_fd)) {
    case 'q':
    case 'Q':
    case TERM_KEY_WAKE:
    case TERM_KEY_GONE:
        return TOP_LEAVE;
    case TERM_KEY_RESIZE:
        return TOP_REDRAW;
    case 'L' & 0x1f:
        term_redraw(output->term);
        return TOP_REDRAW;
    default:
        return TOP_NOTHING;
    }
}
