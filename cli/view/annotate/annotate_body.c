/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's source lines and instructions with their hits, as text. */
#include "annotate_body.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/text.h>
#include <base/utf8.h>
#include <base/vec.h>
#include <table/interval.h>

#define WARM_FROM 0.005
#define HOT_FROM  0.05

/* Cells of "main.c:123" at most. */
#define WHERE_MAX 24

/* Takes over the text, clipped to the width. */
struct annotate_text *body_add(struct body *b, enum annotate_kind kind, struct text *text)
{
    struct annotate_frame *f = &b->frame;
    char *line = text_end_line(text, b->layout->width);

    if (!line || !VEC_ROOM(f->lines, f->capacity, f->count, 1)) {
        free(line);
        b->failed = true;
        return NULL;
    }
    f->lines[f->count] = (struct annotate_text){.kind = kind, .text = line};
    return &f->lines[f->count++];
}

void body_where(const char *file, unsigned line, char *text, size_t capacity)
{
    if (!file)
        snprintf(text, capacity, "?");
    else if (line)
        snprintf(text, capacity, "%s:%u", path_base_name(file), line);
    else
        snprintf(text, capacity, "%s", path_base_name(file));
}

static struct view_interval interval_of(const struct stats_share *share)
{
    bool known = share->low >= 0;

    return (struct view_interval){.value = 100 * share->value,
                                  .low = known ? 100 * share->low : NAN,
                                  .high = known ? 100 * share->high : NAN,
                                  .decimals = 1,
                                  .unit = " %"};
}

void body_share(const struct body *b, const struct stats_share *share, char *text, size_t capacity)
{
    const struct view_interval i = interval_of(share);

    view_show_interval(&i, !b->layout->ascii, text, capacity);
}

void body_ends(const struct body *b, const struct stats_share *share, char *text, size_t capacity)
{
    const struct view_interval i = interval_of(share);

    view_show_ends(&i, !b->layout->ascii, text, capacity);
}

static enum annotate_heat heat_of(double share)
{
    return share >= HOT_FROM ? ANNOTATE_HOT : share >= WARM_FROM ? ANNOTATE_WARM : ANNOTATE_COLD;
}

/* "12.3   456 ", and "12.3   456/" of a block that was divided. */
void body_numbers(const struct body *b, struct text *t, uint64_t hits, double share, bool shared)
{
    if (hits == 0)
        text_printf(t, "%*s", (int)(6 + 1 + b->hits_width + 1), "");
    else
        text_printf(t, "%6.1f %*" PRIu64 "%s", 100 * share, (int)b->hits_width, hits,
                    shared ? "/" : " ");
}

void body_heat(struct annotate_text *line, size_t len, double share)
{
    if (!line)
        return;
    line->numbers = len;
    line->heat = heat_of(share);
    line->share = share;
}

void body_title(struct body *b, const char *title)
{
    struct text t = {.bytes = NULL};

    text_printf(&t, "%s", title);
    (void)body_add(b, ANNOTATE_TITLE, &t);
}

void body_blank(struct body *b)
{
    struct text t = {.bytes = NULL};

    (void)body_add(b, ANNOTATE_BLANK, &t);
}

/* Notes are not cut: one may take several lines. */
void body_note(struct body *b, const char *note)
{
    unsigned width = b->layout->width > 20 ? b->layout->width : 20;

    while (*note) {
        struct text t = {.bytes = NULL};
        size_t len = 0, chars = 0, blank = 0;
        for (; note[len] && chars < width; chars++) {
            if (note[len] == ' ')
                blank = len;
            len += utf8_next(note + len).len;
        }
        if (note[len] && note[len] != ' ' && blank)
            len = blank;
        text_add(&t, note, len);
        (void)body_add(b, ANNOTATE_NOTE, &t);
        note += len;
        note += *note == ' ';
    }
}

void body_headings(struct body *b)
{
    struct text t = {.bytes = NULL};
    unsigned digits = b->a->addr_size > 4 ? 12 : 8;

    text_printf(&t, "%6s %*s ", "SHARE%", (int)b->hits_width, "HITS");
    if (b->a->step_count)
        text_printf(&t, "%*s %*s  INSTRUCTION", (int)lanes_width(&b->lanes), "", (int)digits,
                    "ADDRESS");
    else
        text_printf(&t, " SOURCE");
    (void)body_add(b, ANNOTATE_HEADING, &t);
}

/* The hits of the steps from first on, up to end. */
static uint64_t sum_of(const struct annotation *a, size_t first, size_t end, bool *shared)
{
    uint64_t hits = 0;

    for (size_t i = first; i < end; i++) {
        hits += a->steps[i].hits;
        *shared |= a->steps[i].shared;
    }
    return hits;
}

static double part_of(const struct annotation *a, uint64_t hits)
{
    return a->hits ? (double)hits / (double)a->hits : 0;
}

static bool same_run(const struct annotation *a, size_t i, size_t j)
{
    return a->steps[i].part == a->steps[j].part && a->steps[i].line == a->steps[j].line &&
           a->steps[i].first_frame == a->steps[j].first_frame &&
           a->steps[i].frame_count == a->steps[j].frame_count;
}

static size_t end_of_run(const struct annotation *a, size_t first)
{
    size_t end = first + 1;

    while (end < a->step_count && same_run(a, first, end))
        end++;
    return end;
}

static void add_gutter(const struct body *b, struct text *t, size_t step, bool above)
{
    lanes_draw(&b->lanes, step, above, b->layout->ascii, t);
}

/* A row of a source line, behind its numbers: its place and its text. */
static struct annotate_text *add_source_line(struct body *b, struct text *t,
                                             const struct annotate_line *line)
{
    char where[400];

    body_where(line->file, line->line, where, sizeof(where));
    text_printf(t, " ");
    text_cell(t, line->file ? where : "(no line)", b->where_width, false, true);
    text_printf(t, "  ");
    if (line->text)
        text_cell(t, line->text, b->layout->width, false, false);
    struct annotate_text *added = body_add(b, ANNOTATE_SOURCE, t);
    if (added)
        added->file = line->file, added->line = line->line;
    return added;
}

/* The stretch of one source line, and its hits. */
static void add_source(struct body *b, size_t first, size_t end)
{
    const struct annotation *a = b->a;
    struct text t = {.bytes = NULL};
    bool shared = false;

    uint64_t hits = sum_of(a, first, end, &shared);
    body_numbers(b, &t, hits, part_of(a, hits), shared);
    size_t numbers = t.len;
    add_gutter(b, &t, first, true);
    struct annotate_text *added = add_source_line(b, &t, &a->lines[a->steps[first].line]);
    body_heat(added, numbers, part_of(a, hits));
    if (added)
        added->has_addr = true, added->addr = a->steps[first].item->addr;
}

static void add_step(struct body *b, size_t index)
{
    const struct annotate_step *s = &b->a->steps[index];
    unsigned digits = b->a->addr_size > 4 ? 12 : 8;
    struct text t = {.bytes = NULL};

    body_numbers(b, &t, s->hits, s->share.value, s->shared);
    size_t numbers = t.len;
    add_gutter(b, &t, index, false);
    const char *blank = strchr(s->item->text, ' ');
    size_t len = blank ? (size_t)(blank - s->item->text) : strlen(s->item->text);
    text_printf(&t, " %*" PRIx64 "  ", (int)digits, s->item->addr);
    text_add(&t, s->item->text, len);
    if (blank) {
        text_printf(&t, "%*s", len < 7 ? (int)(7 - len) : 0, "");
        text_add(&t, blank, strlen(blank));
    }
    struct annotate_text *added = body_add(b, ANNOTATE_STEP, &t);
    body_heat(added, numbers, s->share.value);
    if (added) {
        const struct annotate_line *line = &b->a->lines[s->line];
        added->has_addr = true;
        added->item = s->item;
        added->addr = s->item->addr;
        added->file = line->file;
        added->line = line->line;
    }
}

/* "inlined crc8 at crc.c:17 <- update at uart.c:40": where it was written, and each call. */
static void add_inline(struct body *b, size_t index)
{
    const struct annotation *a = b->a;
    const struct annotate_step *s = &a->steps[index];
    const struct symtab_inlined *frames = a->frames + s->first_frame;
    struct text t = {.bytes = NULL};
    char where[400];

    body_numbers(b, &t, 0, 0, false);
    add_gutter(b, &t, index, true);
    text_printf(&t, " ");
    if (s->frame_count) {
        body_where(frames[0].file, frames[0].line, where, sizeof(where));
        text_printf(&t, "inlined %.200s at %.200s", frames[0].name ? frames[0].name : "?", where);
    }
    for (size_t i = 0; i < s->frame_count; i++) {
        bool outermost = i + 1 == s->frame_count;
        const char *name = outermost ? a->parts[s->part].function->name : frames[i + 1].name;
        const char *file = outermost ? a->start.file : frames[i + 1].file;
        body_where(file, frames[i].call_line, where, sizeof(where));
        text_printf(&t, " <- %.200s at %.200s", name ? name : "?", where);
    }
    if (s->frame_count == 0)
        text_printf(&t, "in %.400s", a->parts[s->part].function->name);
    (void)body_add(b, ANNOTATE_INLINE, &t);
}

static bool same_frames(const struct annotation *a, size_t i, size_t j)
{
    return a->steps[i].first_frame == a->steps[j].first_frame &&
           a->steps[i].frame_count == a->steps[j].frame_count;
}

static void add_part(struct body *b, size_t part)
{
    const struct annotate_part *p = &b->a->parts[part];
    struct text t = {.bytes = NULL};

    if (part)
        body_blank(b);
    text_printf(&t, "%.400s at 0x%" PRIx64 ", %" PRIu64 " %s", p->function->name, p->function->addr,
                p->hits, b->a->unit);
    (void)body_add(b, ANNOTATE_TITLE, &t);
}

static void add_gap(struct body *b, size_t first, size_t end)
{
    struct text t = {.bytes = NULL};
    bool shared = false;

    uint64_t hits = sum_of(b->a, first, end, &shared);
    body_numbers(b, &t, hits, part_of(b->a, hits), shared);
    if (end < b->a->step_count && b->a->steps[end].part == b->a->steps[first].part)
        add_gutter(b, &t, end, true);
    else
        text_printf(&t, "%*s", (int)lanes_width(&b->lanes), "");
    text_printf(&t, " ... %zu instruction%s", end - first, end - first > 1 ? "s" : "");
    struct annotate_text *added = body_add(b, ANNOTATE_GAP, &t);
    if (added)
        added->has_addr = true, added->addr = b->a->steps[first].item->addr;
}

/* Nobody misses a stretch of instructions that is as cold as this. */
static bool is_hidden(const struct body *b, size_t step)
{
    const struct annotate_step *s = &b->a->steps[step];

    return b->layout->min > 0 && (s->hits == 0 || s->share.value < b->layout->min);
}

/* From a hidden step to the next one that is shown, in the same part. */
static size_t end_of_gap(const struct body *b, size_t first)
{
    size_t end = first;

    while (end < b->a->step_count && b->a->steps[end].part == b->a->steps[first].part &&
           is_hidden(b, end))
        end++;
    return end;
}

/* What stands above a step: whose code it is, and its source line, unless the last step that was
 * shown had them. */
static void add_above(struct body *b, size_t step, size_t last)
{
    const struct annotation *a = b->a;
    bool first = last == SIZE_MAX || a->steps[last].part != a->steps[step].part;

    if (first ? a->steps[step].frame_count > 0 : !same_frames(a, last, step))
        add_inline(b, step);
    if (first || last + 1 != step || !same_run(a, last, step))
        add_source(b, step, end_of_run(a, step));
}

static void add_steps(struct body *b)
{
    const struct annotation *a = b->a;
    size_t last = SIZE_MAX;

    for (size_t i = 0; i < a->step_count && !b->failed;) {
        if (a->part_count > 1 && (i == 0 || a->steps[i - 1].part != a->steps[i].part))
            add_part(b, a->steps[i].part);
        if (is_hidden(b, i)) {
            size_t end = end_of_gap(b, i);
            add_gap(b, i, end);
            i = end;
            continue;
        }
        add_above(b, i, last);
        last = i;
        add_step(b, i++);
    }
}

/* Without instructions: the source, from the first line that has any to the last. */
static void add_lines(struct body *b)
{
    const struct annotation *a = b->a;

    for (size_t i = 0; i < a->line_count && !b->failed; i++) {
        const struct annotate_line *line = &a->lines[i];
        struct text t = {.bytes = NULL};
        if (b->layout->min > 0 && line->share.value < b->layout->min)
            continue;
        body_numbers(b, &t, line->hits, line->share.value, line->shared);
        size_t numbers = t.len;
        body_heat(add_source_line(b, &t, line), numbers, line->share.value);
    }
}

void body_build(struct body *b)
{
    add_steps(b);
    if (b->a->step_count == 0)
        add_lines(b);
}

void body_measure(struct body *b)
{
    char text[400];

    int digits = snprintf(text, sizeof(text), "%" PRIu64, b->a->hits);
    b->hits_width = digits + 1 > 6 ? (unsigned)digits + 1 : 6;
    for (size_t i = 0; i < b->a->line_count; i++) {
        body_where(b->a->lines[i].file, b->a->lines[i].line, text, sizeof(text));
        unsigned width = (unsigned)text_cells(text);
        b->where_width = width > b->where_width ? width : b->where_width;
    }
    b->where_width = b->where_width > WHERE_MAX ? WHERE_MAX : b->where_width;
}
