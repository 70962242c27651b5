/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff for a pull request: what changed, and little else. */
#include <stdlib.h>

#include <base/text.h>
#include <table/change_about.h>
#include <table/change_output.h>

/* Rows beside the significant ones. */
#define OTHERS 5

static void add_headline(struct text *t, const struct view_changes *c)
{
    struct text about = {.bytes = NULL};
    char line[200], build[VIEW_SIDES][40];

    view_changes_headline(c, line, sizeof(line));
    for (int side = 0; side < VIEW_SIDES; side++)
        view_build_name(c->sides[side].build_id, build[side], sizeof(build[side]));
    text_printf(t, "**mprof diff:** %s.\n\n", line);
    for (int side = 0; side < VIEW_SIDES; side++) {
        const struct view_side_about *s = &c->sides[side];
        text_printf(&about, "%s: ", side == VIEW_BASE ? "Base" : "new");
        text_printf(&about, "%s%s%s, ", s->elf, s->elf[0] ? " " : "", build[side]);
        change_add_side(&about, c, (enum view_side)side);
        text_printf(&about, "%s", side == VIEW_BASE ? "; " : "; ");
    }
    change_add_method(&about, c);
    text_printf(&about, ".");
    text_markdown(t, about.bytes ? about.bytes : "");
    t->failed |= about.failed;
    free(about.bytes);
    text_add(t, "\n\n", 2);
}

static void add_notes(struct text *t, const struct view_changes *c)
{
    for (size_t i = 0; i < c->note_count; i++) {
        text_printf(t, "> ");
        text_markdown(t, c->notes[i].text);
        text_printf(t, "  \n");
    }
    if (c->note_count)
        text_add(t, "\n", 1);
}

static void add_headings(struct text *t, const struct view_change_fields *f)
{
    for (size_t i = 0; i < f->count; i++)
        text_printf(t, "| %s ", f->column[i]->title);
    text_add(t, "|\n", 2);
    for (size_t i = 0; i < f->count; i++)
        text_printf(t, "| %s ", f->column[i]->right ? "---:" : "---");
    text_add(t, "|\n", 2);
}

static void add_row(struct text *t, const struct view_change_fields *f,
                    const struct view_change *row)
{
    char cell[1000];

    for (size_t i = 0; i < f->count; i++) {
        f->column[i]->format(row, cell, sizeof(cell));
        text_add(t, "| ", 2);
        text_markdown(t, cell);
        text_add(t, " ", 1);
    }
    text_add(t, "|\n", 2);
}

char *view_changes_markdown(const struct view_change_layout *layout,
                            const struct view_changes *changes)
{
    size_t limit = layout->limit ? layout->limit : changes->significant + OTHERS;
    size_t shown = limit < changes->count ? limit : changes->count;
    struct text t = {.bytes = NULL};

    add_headline(&t, changes);
    add_notes(&t, changes);
    add_headings(&t, layout->fields);
    for (size_t i = 0; i < shown; i++)
        add_row(&t, layout->fields, &changes->rows[i]);
    if (shown < changes->count)
        text_printf(&t, "\n%zu more rows.\n", changes->count - shown);
    if (!t.failed)
        return t.bytes;
    free(t.bytes);
    return NULL;
}
