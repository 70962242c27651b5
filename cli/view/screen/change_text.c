/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff as lines of text. */
#include <screen/change_text.h>

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>
#include <base/utf8.h>
#include <ranking/change_set.h>
#include <table/change_about.h>
#include <table/change_output.h>

#include "grid.h"

struct builder {
    const struct view_change_layout *layout;
    const struct view_changes *c;
    struct view_frame frame;
    bool failed;
};

/* Takes the text over. */
static void add_line(struct builder *b, enum view_style style, struct text *t)
{
    char *line = text_end_line(t, UINT_MAX);

    if (!line || !view_frame_add(&b->frame, style, line, VIEW_NO_ROW))
        b->failed = true;
}

/* Names of files may hold anything. */
static void add_clean(struct text *t, const char *from)
{
    text_cell(t, from, 400, false, false);
}

static void add_name(struct text *t, const struct view_side_about *s)
{
    char build[40];

    view_build_name(s->build_id, build, sizeof(build));
    add_clean(t, s->names[0]);
    if (s->name_count > 1)
        text_printf(t, " and %zu more", s->name_count - 1);
    text_add(t, " (", 2);
    add_clean(t, s->elf);
    text_printf(t, "%s", s->elf[0] ? ", " : "");
    add_clean(t, build);
    text_add(t, ")", 1);
}

/* Breaks a text at blanks. */
static void add_wrapped(struct builder *b, enum view_style style, const char *mark,
                        const char *from)
{
    char buffer[UTF8_SHOWN_MAX];
    struct text t = {.bytes = NULL};
    size_t width = b->layout->width > 20 ? b->layout->width : 20;
    size_t at_line = 0;

    text_printf(&t, "%s", mark);
    while (*from) {
        size_t len = strcspn(from, " ");
        if (at_line && strlen(mark) + at_line + 1 + len > width) {
            add_line(b, style, &t);
            text_cell(&t, "", (unsigned)strlen(mark), false, true);
            at_line = 0;
        }
        if (at_line)
            text_add(&t, " ", 1);
        struct utf8_char c;
        for (size_t i = 0; i < len; i += c.len) {
            c = utf8_next(from + i);
            const char *shown = utf8_shown(c.code, buffer);
            text_add(&t, shown ? shown : from + i, shown ? strlen(shown) : c.len);
        }
        at_line += len + (at_line ? 1 : 0);
        from += len + strspn(from + len, " ");
    }
    add_line(b, style, &t);
}

/* Takes the text over; as one line if it has room. */
static void add_text(struct builder *b, enum view_style style, struct text *t)
{
    if (t->failed || text_cells(t->bytes) <= b->layout->width) {
        add_line(b, style, t);
        return;
    }
    add_wrapped(b, style, "", t->bytes);
    free(t->bytes);
    *t = (struct text){.bytes = NULL};
}

static void add_note(struct builder *b, enum view_style style, const struct view_note *note)
{
    struct text t = {.bytes = NULL};

    change_add_note(&t, note);
    char *line = text_end(&t);
    if (line)
        add_wrapped(b, style, "! ", line);
    b->failed |= !line;
    free(line);
}

static void add_head(struct builder *b)
{
    static const enum view_style styles[] = {[VIEW_NOTE_PLAIN] = VIEW_STYLE_DIM,
                                             [VIEW_NOTE_WARNING] = VIEW_STYLE_WARNING,
                                             [VIEW_NOTE_ALARM] = VIEW_STYLE_ALARM};
    const struct view_changes *c = b->c;
    struct text t = {.bytes = NULL};
    char line[200];

    text_printf(&t, "mprof diff   ");
    add_name(&t, &c->sides[VIEW_BASE]);
    text_printf(&t, "  ->  ");
    add_name(&t, &c->sides[VIEW_NEW]);
    add_text(b, VIEW_STYLE_TITLE, &t);
    text_printf(&t, "base  ");
    change_add_side(&t, c, VIEW_BASE);
    add_text(b, VIEW_STYLE_NORMAL, &t);
    text_printf(&t, "new   ");
    change_add_side(&t, c, VIEW_NEW);
    add_text(b, VIEW_STYLE_NORMAL, &t);
    view_changes_headline(c, line, sizeof(line));
    text_printf(&t, "%s", line);
    add_text(b, VIEW_STYLE_TITLE, &t);
    change_add_method(&t, c);
    add_text(b, VIEW_STYLE_DIM, &t);
    for (size_t i = 0; i < c->note_count; i++)
        add_note(b, styles[c->notes[i].kind], &c->notes[i]);
    add_line(b, VIEW_STYLE_NORMAL, &t);
}

static void add_rows(struct builder *b, size_t shown)
{
    const struct view_scale scale = {.utf8 = b->layout->utf8};
    struct grid grid = {.fields = b->layout->fields, .scale = &scale};
    struct text t = {.bytes = NULL};

    grid_measure(&grid, b->c->rows, sizeof(*b->c->rows), shown, b->layout->width, false);
    grid_headings(&grid, &t);
    add_line(b, VIEW_STYLE_HEADING, &t);
    for (size_t i = 0; i < shown; i++) {
        grid_row(&grid, &b->c->rows[i], &t);
        add_line(b, grid_change_style(&b->c->rows[i]), &t);
    }
}

static void add_others(struct builder *b, size_t shown)
{
    struct text t = {.bytes = NULL};

    text_printf(&t, "%zu more rows", b->c->count - shown);
    add_line(b, VIEW_STYLE_DIM, &t);
}

bool view_changes_frame(const struct view_change_layout *layout, const struct view_changes *changes,
                        struct view_frame *frame)
{
    size_t count = changes->count;
    size_t shown = layout->limit && layout->limit < count ? layout->limit : count;
    struct builder b = {.layout = layout, .c = changes};

    add_head(&b);
    add_rows(&b, shown);
    if (shown < count)
        add_others(&b, shown);
    if (b.failed) {
        view_frame_free(&b.frame);
        return false;
    }
    *frame = b.frame;
    return true;
}
