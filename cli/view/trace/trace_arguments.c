/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arguments of an event, without the line around them. */
#include <trace_view/trace_arguments.h>

#include <stdlib.h>

#include "trace_words.h"

struct trace_argument_text {
    struct line_buffer to;
};

struct trace_argument_text *trace_argument_text_new(FILE *file)
{
    struct trace_argument_text *t = calloc(1, sizeof(*t));

    if (t)
        t->to.file = file;
    return t;
}

void trace_argument_text_free(struct trace_argument_text *to)
{
    free(to);
}

bool trace_argument_text_put(struct trace_argument_text *to, bool json,
                             const struct trace_points *points, const struct trace_about *about,
                             const struct trace_event *event)
{
    bool good = trace_words_add_arguments(&to->to, json, points, about, event);

    line_buffer_write(&to->to);
    return good;
}
