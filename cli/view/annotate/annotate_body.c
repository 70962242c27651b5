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

#include "annotate_brackets.h"

#define HOT_FROM 0.05

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

static double share_of(const struct body *b, uint64_t hits)
{
    return b->a->divided ? (double)hits / (double)b->a->divided : 0;
}

/* Of "12.3   456 ". */
static unsigned numbers_width(const struct body *b)
{
    return 6 + 1 + b->hits_width + 1;
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

/* "[0.0, 62.1]"; without an interval, from the least to the most hits. */
static void show_range(const struct body *b, const struct annotate_range *r, char *text,
                       size_t capacity)
{
    bool known = r->share.low >= 0;
    double low = known ? r->share.low : share_of(b, r->hits);
    double high = known ? r->share.high : share_of(b, r->most);

    snprintf(text, capacity, "[%.1f, %.1f]", 100 * low, 100 * high);
}

void body_ends(const struct body *b, const struct annotate_range *range, char *text,
               size_t capacity)
{
    const struct view_interval i = interval_of(&range->share);

    if (annotate_is_shared(range))
        show_range(b, range, text, capacity);
    else
        view_show_ends(&i, !b->layout->ascii, text, capacity);
}

static enum annotate_heat heat_of(double share)
{
    if (share >= HOT_FROM)
        return ANNOTATE_HOT;
    return share >= ANNOTATE_WARM_FROM ? ANNOTATE_WARM : ANNOTATE_COLD;
}

void body_numbers(const struct body *b, struct text *t, uint64_t hits, double share)
{
    if (hits == 0)
        text_printf(t, "%*s", (int)numbers_width(b), "");
    else
        text_printf(t, "%6.1f %*" PRIu64 " ", 100 * share, (int)b->hits_width, hits);
}

/* Code that shares hits has a range in the place of a number. */
static void add_range(const struct body *b, struct text *t, const struct annotate_range *range)
{
    char text[80];

    if (!annotate_is_shared(range)) {
        body_numbers(b, t, range->hits, range->share.value);
        return;
    }
    show_range(b, range, text, sizeof(text));
    size_t before = t->len;
    text_printf(t, "%*s", (int)numbers_width(b) - 1, text);
    if (t->len - before < numbers_width(b))
        text_printf(t, " ");
}

void body_heat(struct annotate_text *line, size_t len, double least, double most)
{
    if (!line)
        return;
    line->numbers = len;
    line->heat = heat_of(least);
    line->share = least;
    line->most = most;
}

void body_range_heat(const struct body *b, struct annotate_text *line, size_t len,
                     const struct annotate_range *range)
{
    body_heat(line, len, share_of(b, range->hits), share_of(b, range->most));
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

/* Of brackets and jumps, between the numbers and the code. */
static unsigned gutter_width(const struct body *b)
{
    return (b->brackets ? BRACKET_WIDTH : 0) + lanes_width(&b->lanes);
}

void body_headings(struct body *b)
{
    struct text t = {.bytes = NULL};
    unsigned digits = b->a->addr_size > 4 ? 12 : 8;

    text_printf(&t, "%6s %*s ", "SHARE%", (int)b->hits_width, "HITS");
    if (b->a->step_count)
        text_printf(&t, "%*s %*s  INSTRUCTION", (int)gutter_width(b), "", (int)digits, "ADDRESS");
    else
        text_printf(&t, " SOURCE");
    (void)body_add(b, ANNOTATE_HEADING, &t);
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
    if (b->brackets)
        brackets_draw(b->a, step, above, b->layout->ascii, t);
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
    const struct annotate_range range = annotate_range_of(a, first, end);
    struct text t = {.bytes = NULL};

    add_range(b, &t, &range);
    size_t numbers = t.len;
    add_gutter(b, &t, first, true);
    struct annotate_text *added = add_source_line(b, &t, &a->lines[a->steps[first].line]);
    body_range_heat(b, added, numbers, &range);
    if (added)
        added->has_addr = true, added->addr = a->steps[first].item->addr;
}

static void add_step(struct body *b, size_t index)
{
    static const struct annotate_range none = {.hits = 0};
    const struct annotate_step *s = &b->a->steps[index];
    const struct annotate_block *block = brackets_find(b->a, index);
    const struct annotate_range *range = !block                  ? &s->range
                                         : index == block->first ? &block->range
                                                                 : &none;
    unsigned digits = b->a->addr_size > 4 ? 12 : 8;
    struct text t = {.bytes = NULL};

    add_range(b, &t, range);
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
    body_range_heat(b, added, numbers, range);
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

    body_numbers(b, &t, 0, 0);
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
    const struct annotate_range range = annotate_range_of(b->a, first, end);
    struct text t = {.bytes = NULL};

    add_range(b, &t, &range);
    if (end < b->a->step_count && b->a->steps[end].part == b->a->steps[first].part)
        add_gutter(b, &t, end, true);
    else
        text_printf(&t, "%*s", (int)gutter_width(b), "");
    text_printf(&t, " ... %zu instruction%s", end - first, end - first > 1 ? "s" : "");
    struct annotate_text *added = body_add(b, ANNOTATE_GAP, &t);
    if (added)
        added->has_addr = true, added->addr = b->a->steps[first].item->addr;
}

/* Nobody misses a stretch of instructions that is as cold as this. */
static bool is_hidden(const struct body *b, size_t step)
{
    const struct annotate_range *range = &b->a->steps[step].range;

    return b->layout->min > 0 && (range->most == 0 || share_of(b, range->most) < b->layout->min);
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
        if (b->layout->min > 0 && share_of(b, line->range.most) < b->layout->min)
            continue;
        add_range(b, &t, &line->range);
        size_t numbers = t.len;
        body_range_heat(b, add_source_line(b, &t, line), numbers, &line->range);
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
    b->where_width = b->where_width > BODY_PLACE_MAX ? BODY_PLACE_MAX : b->where_width;
}
