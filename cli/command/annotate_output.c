/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints an annotation, coloured on a terminal. */
#define _DEFAULT_SOURCE

#include "annotate_output.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <annotate/annotate_frame.h>
#include <base/atomic_write.h>
#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>

/* Lines in a file or pipe have no edge; a line of code is rarely longer. */
#define TEXT_WIDTH  160
#define COLUMNS_MIN 40

#define NORMAL "\033[0m"

static bool wants_colour(const struct options *o)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    if (o->output || !isatty(STDOUT_FILENO) || (no_color && no_color[0]))
        return false;
    return term && term[0] && strcmp(term, "dumb") != 0;
}

static unsigned width_for(const struct options *o)
{
    unsigned width = o->output ? 0 : output_width(STDOUT_FILENO);

    if (width == 0)
        return TEXT_WIDTH;
    return width < COLUMNS_MIN ? COLUMNS_MIN : width;
}

/* Of the numbers; as perf's: red from 5 % on, green from 0.5 % on. */
static const char *heat_colour(enum annotate_heat heat)
{
    switch (heat) {
    case ANNOTATE_HOT:
        return "\033[1;31m";
    case ANNOTATE_WARM:
        return "\033[32m";
    case ANNOTATE_COLD:
        break;
    }
    return "";
}

static const char *kind_colour(enum annotate_kind kind)
{
    switch (kind) {
    case ANNOTATE_HEADER:
    case ANNOTATE_TITLE:
        return "\033[1m";
    case ANNOTATE_NOTE:
        return "\033[33m";
    case ANNOTATE_HEADING:
        return "\033[7m";
    case ANNOTATE_INLINE:
        return "\033[36m";
    case ANNOTATE_SOURCE:
        return "\033[34m";
    case ANNOTATE_GAP:
        return "\033[2m";
    case ANNOTATE_STEP:
    case ANNOTATE_BLANK:
        break;
    }
    return "";
}

static void put_part(FILE *file, const char *colour, const char *text, size_t len)
{
    if (len == 0)
        return;
    fprintf(file, "%s%.*s%s", colour, (int)len, text, colour[0] ? NORMAL : "");
}

static void put_line(FILE *file, const struct annotate_text *line, bool colour)
{
    size_t len = strlen(line->text);
    size_t numbers = line->numbers < len ? line->numbers : len;

    put_part(file, colour ? heat_colour(line->heat) : "", line->text, numbers);
    put_part(file, colour ? kind_colour(line->kind) : "", line->text + numbers, len - numbers);
    fputc('\n', file);
}

static bool put_table(FILE *file, const struct options *o, const struct annotation *annotation,
                      const char *program)
{
    const struct annotate_layout layout = {
        .width = width_for(o),
        .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
        .min = o->min_share,
        .program = program,
    };
    struct annotate_frame frame;

    if (!annotate_frame_build(annotation, &layout, &frame))
        return false;
    for (size_t i = 0; i < frame.count && !signals_pending(); i++)
        put_line(file, &frame.lines[i], wants_colour(o));
    annotate_frame_free(&frame);
    return true;
}

static bool put_json(FILE *file, const struct annotation *annotation, const char *program)
{
    char *line = annotate_json(annotation, program);

    if (!line)
        return false;
    fprintf(file, "%s\n", line);
    free(line);
    return true;
}

int annotate_print(const struct options *options, const struct annotation *annotation,
                   const char *program)
{
    struct atomic_write file = {.out = stdout};

    if (options->output && !atomic_write_open(&file, options->output, false))
        return output_failed(options->output, strerror(errno));
    bool made = options->format == FORMAT_JSON ? put_json(file.out, annotation, program)
                                               : put_table(file.out, options, annotation, program);
    bool wanted = made && !signals_pending();
    bool written = options->output ? atomic_write_close(&file, wanted)
                                   : fflush(stdout) == 0 && !ferror(stdout);
    if (!made)
        return fail("out of memory");
    return written || signals_pending() ? STATUS_DONE
                                        : output_failed(options->output, strerror(errno));
}
