/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of a diff, and colour where a terminal has it. */
#define _POSIX_C_SOURCE 200809L

#include "diff_print.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/text.h>
#include <live/style.h>
#include <screen/change_text.h>
#include <table/change_output.h>
#include <term/colour.h>

/* Lines of text in a pipe have no edge; names of this length are not cut. */
#define TEXT_WIDTH 140

/* The lines one behind the other, to be freed; NULL: no memory. */
static char *join(const struct view_frame *frame, bool colours)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (!out)
        return NULL;
    for (size_t i = 0; i < frame->count; i++) {
        const char *on = colours ? term_colour(style_of(frame->lines[i].style)) : "";
        fprintf(out, "%s%s%s\n", on, frame->lines[i].text, on[0] ? term_colour(TERM_NORMAL) : "");
    }
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static char *make_table(const struct options *o, const struct view_change_layout *layout,
                        const struct view_changes *changes)
{
    struct view_frame frame;

    if (!view_changes_frame(layout, changes, &frame))
        return NULL;
    char *text = join(&frame, !o->output && term_has_colour(STDOUT_FILENO));
    view_frame_free(&frame);
    return text;
}

static unsigned width_of(const struct options *o)
{
    unsigned width = o->output || o->format != FORMAT_TABLE ? 0 : output_width(STDOUT_FILENO);

    return width ? width : TEXT_WIDTH;
}

/* Those that are shown when none were asked for. */
static void choose_fields(const struct options *o, const struct view_changes *c,
                          struct view_fields *fields)
{
    char list[200];

    snprintf(list, sizeof(list), "verdict,%s,change,%s", view_change_figures(c),
             view_change_places(o->by));
    *fields = o->change_fields;
    if (fields->count == 0)
        *fields = view_fields_of(&view_change_columns, list);
}

static char *make_text(const struct options *o, const struct view_changes *changes)
{
    struct view_fields fields;
    struct view_change_layout layout = {.width = width_of(o),
                                        .limit = o->limit,
                                        .fields = &fields,
                                        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};

    choose_fields(o, changes, &fields);
    switch (o->format) {
    case FORMAT_JSON:
        return text_with_newline(view_changes_json(changes, o->limit));
    case FORMAT_CSV:
        return view_changes_csv(&layout, changes);
    case FORMAT_MARKDOWN:
        return view_changes_markdown(&layout, changes);
    case FORMAT_TABLE:
        break;
    }
    return make_table(o, &layout, changes);
}

/* CSV has no place for what is to be known before its numbers are believed. */
static void say_notes(const struct view_changes *changes)
{
    for (size_t i = 0; i < changes->note_count; i++) {
        const struct view_note *note = &changes->notes[i];
        if (note->kind != VIEW_NOTE_PLAIN)
            complain("%s%s%s", note->text, note->advice ? "; " : "",
                     note->advice ? note->advice : "");
    }
}

int diff_print(const struct options *options, const struct view_changes *changes)
{
    if (options->format == FORMAT_CSV)
        say_notes(changes);
    char *text = make_text(options, changes);

    if (!text) {
        complain("out of memory");
        return STATUS_FAILED;
    }
    int status = output_write(options->output, text);
    free(text);
    return status;
}
