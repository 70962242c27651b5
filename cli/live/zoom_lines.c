/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lines of a zoom stand for. */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <unistd.h>

#include "zoom_private.h"

static size_t count_of(const struct annotate_frame *panel)
{
    return panel->count > 0 ? panel->count - 1 : 0;
}

/* Below the headings; NULL: there is no such line. */
static const struct annotate_text *line_of(const struct annotate_frame *panel, size_t line)
{
    return line < count_of(panel) ? &panel->lines[line + 1] : NULL;
}

bool zoom_place(const struct zoom *zoom, size_t line, const char **file, unsigned *number)
{
    const struct annotate_text *l = line_of(&zoom->panel, line);
    struct symtab_line start = {.file = NULL};

    if (!l)
        return false;
    if (!zoom->shows_calls)
        start = (struct symtab_line){.file = l->file, .line = l->line};
    else if (l->has_addr)
        (void)zoom->names.find_line(zoom->names.context, l->addr, &start);
    if (!start.file || !start.line)
        return false;
    const struct source_file *source = annotate_source(&zoom->annotation, start.file);
    *file = source ? source->path : access(start.file, R_OK) == 0 ? start.file : NULL;
    *number = start.line;
    return *file != NULL;
}

static bool is_hot(const struct annotate_text *l, bool steps)
{
    return l->most >= ANNOTATE_WARM_FROM && l->kind == (steps ? ANNOTATE_STEP : ANNOTATE_SOURCE);
}

/* Hotter for certain, or else possibly, or as hot and above it. */
static bool is_before(const struct annotate_frame *p, size_t a, size_t b)
{
    const struct annotate_text *x = line_of(p, a), *y = line_of(p, b);

    if (x->share < y->share || y->share < x->share)
        return x->share > y->share;
    return x->most > y->most || (x->most >= y->most && a < b);
}

static size_t next_hot(const struct annotate_frame *p, bool steps, size_t after)
{
    size_t best = VIEW_NO_ROW;

    for (size_t i = 0; i < count_of(p); i++) {
        if (!is_hot(line_of(p, i), steps) || (after != VIEW_NO_ROW && !is_before(p, after, i)))
            continue;
        if (best == VIEW_NO_ROW || is_before(p, i, best))
            best = i;
    }
    return best;
}

size_t zoom_hottest(const struct zoom *zoom, size_t after)
{
    const struct annotate_frame *p = &zoom->panel;
    bool steps = zoom->shows_calls || zoom->annotation.step_count > 0;
    const struct annotate_text *from = line_of(p, after);

    size_t next = next_hot(p, steps, from && is_hot(from, steps) ? after : VIEW_NO_ROW);
    return next != VIEW_NO_ROW ? next : next_hot(p, steps, VIEW_NO_ROW);
}

static const struct symtab_function *target_of(const struct zoom *z, size_t line)
{
    const struct annotate_text *l = line_of(&z->panel, line);
    uint64_t target;

    if (!l || !z->function)
        return NULL;
    if (z->shows_calls)
        target = l->addr;
    else if (!l->item || l->item->data || !listing_target(l->item->text, &target))
        return NULL;
    if (z->shows_calls && !l->has_addr)
        return NULL;
    const struct symtab_function *f = symtab_find(z->symtab, target);
    return f == z->function ? NULL : f;
}

bool zoom_target_row(const struct zoom *zoom, size_t line, struct view_row *row)
{
    const struct symtab_function *f = target_of(zoom, line);

    if (f)
        *row = (struct view_row){.function = f->name, .symbol = f->symbol, .addr = f->addr};
    return f != NULL;
}

/* How well a line fits what the cursor was on: an instruction, then its source line; or a title. */
static unsigned likeness(const struct annotate_text *a, const struct annotate_text *b)
{
    bool same_addr = a->has_addr && b->has_addr && a->addr == b->addr;
    bool same_line = a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;

    if (same_addr && a->kind == b->kind)
        return 3 + same_line;
    if (same_line)
        return 2;
    return same_addr || (a->kind == ANNOTATE_TITLE && b->kind == ANNOTATE_TITLE &&
                         strcmp(a->text, b->text) == 0);
}

/* VIEW_NO_ROW: none is like it. A source line may have several places: the hottest one. */
static size_t find_like(const struct annotate_frame *panel, const struct annotate_text *wanted)
{
    size_t best = VIEW_NO_ROW;
    unsigned most = 0;

    for (size_t i = 0; i < count_of(panel); i++) {
        unsigned like = likeness(line_of(panel, i), wanted);
        if (like > most || (like && like == most && is_before(panel, i, best)))
            best = i, most = like;
    }
    return best;
}

/* The line of the function itself, or else the first one. */
static size_t find_self(const struct zoom *z)
{
    const struct annotate_text self = {.kind = ANNOTATE_STEP,
                                       .has_addr = z->function != NULL,
                                       .addr = z->function ? z->function->addr : 0};
    size_t found = find_like(&z->panel, &self);

    return found != VIEW_NO_ROW ? found : 0;
}

/* Callers and callees may come later than their panel, in place of a line that says so. */
static size_t find_again(const struct zoom *z, const struct annotate_text *old)
{
    size_t found = find_like(&z->panel, old);

    if (found != VIEW_NO_ROW)
        return found;
    return z->shows_calls ? find_self(z) : 0;
}

size_t zoom_follow(struct zoom *zoom, size_t line)
{
    const struct annotate_text *old = line_of(&zoom->before, line);
    size_t count = count_of(&zoom->panel);
    size_t hot = zoom->shows_calls ? VIEW_NO_ROW : zoom_hottest(zoom, VIEW_NO_ROW);

    if (zoom->turned)
        line = hot != VIEW_NO_ROW ? hot : find_self(zoom);
    else if (line == zoom->placed && hot != VIEW_NO_ROW && !zoom->aimed)
        line = hot;
    else if (old)
        line = find_again(zoom, old);
    zoom->aimed = zoom->aimed || hot != VIEW_NO_ROW;
    zoom->turned = false;
    annotate_frame_free(&zoom->before);
    zoom->placed = line < count ? line : count ? count - 1 : 0;
    return zoom->placed;
}
