/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions of one trace in another one. */
#include <trace/call_diff.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>

/* The core's time means nothing to what comes after it. */
static void end_core(struct trace_span *s, unsigned core, double *longest)
{
    double seconds = 0;

    if (s->cores[core].begun && s->cores[core].hz != 0)
        seconds = (double)(s->cores[core].last - s->cores[core].first) / s->cores[core].hz;
    s->cores[core].begun = false;
    if (seconds > *longest)
        *longest = seconds;
}

/* Cores record at the same time. */
static void end_all(struct trace_span *s)
{
    double longest = 0;

    for (unsigned core = 0; core < TRACE_CORES; core++)
        end_core(s, core, &longest);
    s->seconds += longest;
}

static void take_time(struct trace_span *s, const struct trace_event *event)
{
    unsigned core = event->core;

    if (!s->cores[core].timed || s->cores[core].hz == 0) {
        s->unknown = true;
    } else if (!s->cores[core].begun) {
        s->cores[core].begun = true;
        s->cores[core].first = s->cores[core].last = event->ticks;
    } else if (event->ticks > s->cores[core].last) {
        s->cores[core].last = event->ticks;
    }
}

void trace_span_put(struct trace_span *span, const struct trace_event *event)
{
    struct trace_span *s = span;

    if (event->kind == TRACE_CALL) {
        take_time(s, event);
    } else if (event->kind == TRACE_RESTART || event->kind == TRACE_RUN ||
               event->kind == TRACE_END || event->kind == TRACE_DAMAGED) {
        end_all(s);
    } else if (event->kind == TRACE_CLOCK) {
        if (s->cores[event->core].begun && s->cores[event->core].hz != event->hz)
            end_all(s);
        s->cores[event->core].hz = event->hz;
        s->cores[event->core].timed = event->timed;
    }
}

double trace_span_end(struct trace_span *span)
{
    end_all(span);
    return span->unknown ? 0 : span->seconds;
}

/* A row of one side that is looked for on the other. */
struct item {
    const struct trace_call_row *row;
    const char *file; /* without folders */
    unsigned side;
    bool found;
};

static int by_name(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = strcmp(x->row->name, y->row->name);

    if (order == 0)
        order = strcmp(x->file, y->file);
    if (order == 0 && x->row->name[0] == '\0' && x->row->addr != y->row->addr)
        order = x->row->addr < y->row->addr ? -1 : 1;
    if (order == 0)
        order = (int)x->side - (int)y->side;
    return order ? order : (x->row->line > y->row->line) - (x->row->line < y->row->line);
}

struct match {
    struct item *items; /* owned; count of them, sorted by name and file */
    size_t count;
    struct trace_diff_row *rows; /* owned */
    size_t row_count;
    bool same_build;
};

static void add(struct match *m, struct item *base, struct item *new_one)
{
    struct trace_diff_row *row = &m->rows[m->row_count++];

    *row = (struct trace_diff_row){.impact = 0};
    if (base) {
        row->of[TRACE_SIDE_BASE] = base->row;
        base->found = true;
    }
    if (new_one) {
        row->of[TRACE_SIDE_NEW] = new_one->row;
        new_one->found = true;
    }
}

static bool is_one(const struct match *m, const struct item *a, const struct item *b)
{
    if (strcmp(a->row->name, b->row->name) != 0 || strcmp(a->file, b->file) != 0)
        return false;
    return a->row->name[0] != '\0' || (m->same_build && a->row->addr == b->row->addr);
}

/* Of the same name and file, the first of each side first. */
static void match_files(struct match *m)
{
    size_t end;

    for (size_t first = 0; first < m->count; first = end) {
        for (end = first + 1; end < m->count; end++) {
            if (!is_one(m, &m->items[first], &m->items[end]))
                break;
        }
        size_t middle = first;
        while (middle < end && m->items[middle].side == TRACE_SIDE_BASE)
            middle++;
        for (size_t i = 0; first + i < middle && middle + i < end; i++)
            add(m, &m->items[first + i], &m->items[middle + i]);
    }
}

/* What is left of a name, if it is one on each side: its file has another name. */
static void match_name(struct match *m, size_t first, size_t end)
{
    struct item *left[TRACE_SIDES] = {NULL};
    size_t counts[TRACE_SIDES] = {0};

    for (size_t i = first; i < end; i++) {
        if (m->items[i].found)
            continue;
        left[m->items[i].side] = &m->items[i];
        counts[m->items[i].side]++;
    }
    if (counts[TRACE_SIDE_BASE] == 1 && counts[TRACE_SIDE_NEW] == 1 &&
        left[TRACE_SIDE_BASE]->row->name[0] != '\0')
        add(m, left[TRACE_SIDE_BASE], left[TRACE_SIDE_NEW]);
}

static void match_names(struct match *m)
{
    size_t end;

    for (size_t first = 0; first < m->count; first = end) {
        const char *name = m->items[first].row->name;
        end = first + 1;
        while (end < m->count && strcmp(m->items[end].row->name, name) == 0)
            end++;
        match_name(m, first, end);
    }
}

static void add_rest(struct match *m)
{
    for (size_t i = 0; i < m->count; i++) {
        struct item *item = &m->items[i];
        if (item->found)
            continue;
        add(m, item->side == TRACE_SIDE_BASE ? item : NULL,
            item->side == TRACE_SIDE_NEW ? item : NULL);
    }
}

/* Of a second of the recording, if its length is known. */
static double weight(const struct trace_side *side, const struct trace_call_row *row, bool timed)
{
    double value = !row ? 0 : timed ? (row->self > 0 ? row->self : 0) : (double)row->calls;

    return side->seconds > 0 ? value / side->seconds : value;
}

static int by_impact(const void *a, const void *b)
{
    const struct trace_diff_row *x = a, *y = b;
    const struct trace_call_row *f = x->of[x->of[TRACE_SIDE_NEW] ? TRACE_SIDE_NEW : 0];
    const struct trace_call_row *g = y->of[y->of[TRACE_SIDE_NEW] ? TRACE_SIDE_NEW : 0];

    if (x->impact != y->impact)
        return x->impact < y->impact ? 1 : -1;
    int order = strcmp(f->name, g->name);
    return order ? order : (f->addr > g->addr) - (f->addr < g->addr);
}

static bool collect(const struct trace_side sides[TRACE_SIDES], struct match *m)
{
    size_t all = sides[TRACE_SIDE_BASE].count + sides[TRACE_SIDE_NEW].count;

    m->items = calloc(all + 1, sizeof(*m->items));
    m->rows = calloc(all + 1, sizeof(*m->rows));
    if (!m->items || !m->rows)
        return false;
    for (unsigned side = 0; side < TRACE_SIDES; side++) {
        for (size_t i = 0; i < sides[side].count; i++) {
            const struct trace_call_row *row = &sides[side].rows[i];
            m->items[m->count++] =
                (struct item){.row = row, .file = path_base_name(row->file), .side = side};
        }
    }
    return true;
}

struct trace_diff_row *trace_diff_rows(const struct trace_side sides[TRACE_SIDES], bool same_build,
                                       size_t *count)
{
    struct match m = {.same_build = same_build};
    bool timed = trace_diff_is_timed(sides);

    *count = 0;
    if (!collect(sides, &m)) {
        free(m.items);
        free(m.rows);
        return NULL;
    }
    qsort(m.items, m.count, sizeof(*m.items), by_name);
    match_files(&m);
    match_names(&m);
    add_rest(&m);
    for (size_t i = 0; i < m.row_count; i++)
        m.rows[i].impact =
            fabs(weight(&sides[TRACE_SIDE_NEW], m.rows[i].of[TRACE_SIDE_NEW], timed) -
                 weight(&sides[TRACE_SIDE_BASE], m.rows[i].of[TRACE_SIDE_BASE], timed));
    qsort(m.rows, m.row_count, sizeof(*m.rows), by_impact);
    free(m.items);
    *count = m.row_count;
    return m.rows;
}

bool trace_side_has_durations(const struct trace_side *side)
{
    for (size_t i = 0; i < side->count; i++) {
        if (side->rows[i].timed != 0)
            return true;
    }
    return false;
}

bool trace_diff_is_timed(const struct trace_side sides[TRACE_SIDES])
{
    const struct trace_side *base = &sides[TRACE_SIDE_BASE], *new_one = &sides[TRACE_SIDE_NEW];

    return trace_side_has_durations(base) && trace_side_has_durations(new_one) &&
           base->state.seconds == new_one->state.seconds;
}
