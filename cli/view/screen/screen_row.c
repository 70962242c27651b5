/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headings and rows of a screen. */
#define _POSIX_C_SOURCE 200809L

#include "screen_row.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/text.h>
#include <base/utf8.h>
#include <table/pictures.h>

#include "frame_lines.h"

/* Shares that are worth a colour, as perf has it. */
#define HOT_SHARE  0.05
#define WARM_SHARE 0.005

/* Cells of the last minute: at 80 columns and up to WIDE, and what is added up to WIDEST. */
#define TREND_LEAST 10
#define TREND_MOST  RECENT_WINDOW_SECONDS
#define WIDE        120
#define WIDEST      200

/* So many rows say how wide the names are. */
#define MEASURED 500

/* This part of the width is a bar's in any case, and in a pipe at most. */
#define BAR_PART      8
#define BAR_PART_MOST 4

/* Narrower columns say nothing. */
#define LEAST 4

#define CELL_SIZE 512

static unsigned trend_width(unsigned width)
{
    if (width <= WIDE)
        return TREND_LEAST;
    width = width < WIDEST ? width : WIDEST;
    return TREND_LEAST + (width - WIDE) * (TREND_MOST - TREND_LEAST) / (WIDEST - WIDE);
}

/* Cells that the widest cell of a column of text has. */
static unsigned needed(const struct screen_columns *s, const struct view_column *c,
                       const struct view_rows *rows)
{
    size_t count = rows->count < MEASURED ? rows->count : MEASURED;
    size_t most = text_cells(c->title) + 1;
    char cell[CELL_SIZE];

    for (size_t i = 0; i < count; i++) {
        view_column_show(c, &rows->rows[i], &s->scale, 0, cell, sizeof(cell));
        size_t cells = text_cells(cell);
        most = cells > most ? cells : most;
    }
    return (unsigned)most;
}

static bool is_flexible(const struct view_column *c)
{
    return c->width == 0 && c->type != COLUMN_TREND;
}

/* Cells that the columns of a known width leave. */
static unsigned fix_widths(struct screen_columns *s)
{
    unsigned fixed = 0;

    for (size_t i = 0; i < s->fields.count; i++) {
        const struct view_column *c = s->fields.column[i];
        s->widths[i] = view_column_width(c, &s->scale);
        if (c->type == COLUMN_TREND)
            s->widths[i] = trend_width(s->layout->width);
        fixed += s->widths[i] + (i ? FRAME_GAP : 0);
    }
    return s->layout->width > fixed ? s->layout->width - fixed : 0;
}

/* Shares the room between columns of text by their parts; one that needs less leaves the rest to
 * the others. needs is 0 for columns that have their width. What nobody needs comes back. */
static unsigned share_out(struct screen_columns *s, unsigned room, unsigned needs[VIEW_FIELDS_MAX])
{
    for (bool again = true; again;) {
        unsigned parts = 0, given = 0;
        again = false;
        for (size_t i = 0; i < s->fields.count; i++)
            parts += needs[i] ? s->fields.column[i]->part : 0;
        for (size_t i = 0; i < s->fields.count && !again; i++) {
            if (needs[i] == 0)
                continue;
            unsigned part = room * s->fields.column[i]->part / parts;
            again = needs[i] <= part;
            s->widths[i] = again ? needs[i] : part < LEAST ? LEAST : part;
            if (again) {
                room -= needs[i];
                needs[i] = 0;
            }
            given += s->widths[i];
        }
        if (!again)
            room -= given < room ? given : room;
    }
    return room;
}

/* What the columns of text need, each; returns all of it. */
static unsigned measure(const struct screen_columns *s, const struct view_rows *rows,
                        unsigned needs[VIEW_FIELDS_MAX])
{
    unsigned sum = 0;

    for (size_t i = 0; i < s->fields.count; i++) {
        const struct view_column *c = s->fields.column[i];
        bool text = is_flexible(c) && c->type != COLUMN_BAR;
        needs[i] = text ? needed(s, c, rows) : 0;
        sum += needs[i];
    }
    return sum;
}

static unsigned count_bars(const struct screen_columns *s)
{
    unsigned bars = 0;

    for (size_t i = 0; i < s->fields.count; i++)
        bars += s->fields.column[i]->type == COLUMN_BAR;
    return bars;
}

/* The next column that names do without; the count of them: none. What it is sorted by stays. */
static size_t next_spare(const struct screen_columns *s)
{
    const struct view_fields *f = &s->fields;
    size_t found = f->count;

    for (size_t i = 0; i < f->count; i++) {
        const struct view_column *c = f->column[i];
        if (c->drop && c != s->layout->sort &&
            (found == f->count || c->drop < f->column[found]->drop))
            found = i;
    }
    return found;
}

/* Columns that nobody asked for go before a name is cut. */
static void drop_spare(struct screen_columns *s, unsigned needs[VIEW_FIELDS_MAX], unsigned names)
{
    struct view_fields *f = &s->fields;
    size_t spare;

    while (names + count_bars(s) * LEAST > fix_widths(s) && (spare = next_spare(s)) < f->count) {
        f->count--;
        memmove(&f->column[spare], &f->column[spare + 1],
                (f->count - spare) * sizeof(f->column[0]));
        memmove(&needs[spare], &needs[spare + 1], (f->count - spare) * sizeof(needs[0]));
    }
}

/* A screen is filled; in a pipe a bar is no wider than it is read. */
static unsigned bar_width(const struct screen_columns *s, unsigned bar)
{
    unsigned most = s->layout->width / BAR_PART_MOST;

    if (!s->layout->screen && bar > most)
        bar = most;
    return bar < LEAST ? LEAST : bar;
}

/* Names come first: a bar takes what they leave, but has something in any case. */
static void set_widths(struct screen_columns *s, unsigned needs[VIEW_FIELDS_MAX], unsigned names)
{
    unsigned rest = fix_widths(s), bars = count_bars(s);

    unsigned bar = s->layout->width / BAR_PART;
    unsigned third = rest / 3 / (bars ? bars : 1);
    bar = bar < third ? bar : third;
    if (s->is_spare && names <= rest && bars) /* there is room for all of them */
        bar = bar < (rest - names) / bars ? bar : (rest - names) / bars;
    unsigned left = share_out(s, rest - bars * bar, needs);
    for (size_t i = 0; i < s->fields.count; i++)
        if (s->fields.column[i]->type == COLUMN_BAR)
            s->widths[i] = bar_width(s, bar + left / bars);
}

void screen_columns_init(struct screen_columns *columns, const struct view_layout *layout,
                         const struct view_status *status, const struct view_rows *rows)
{
    enum view_by by = rows->arcs ? VIEW_BY_ARC : layout->by;

    *columns = (struct screen_columns){.layout = layout,
                                       .scale = {.top_share = frame_top_share(rows),
                                                 .addr_size = status->addr_size,
                                                 .utf8 = !layout->ascii,
                                                 .sparklines = layout->sparklines}};
    columns->is_spare = !layout->fields || layout->spare_fields;
    if (layout->fields)
        columns->fields = *layout->fields;
    else
        columns->fields =
            view_fields_of(&view_ranking_columns, view_fields_screen(by, layout->width));
    unsigned needs[VIEW_FIELDS_MAX], names = measure(columns, rows, needs);
    if (columns->is_spare)
        drop_spare(columns, needs, names);
    set_widths(columns, needs, names);
}

/* The arrow of the order stands behind the title, or at the end of one that has no room. */
static void mark_order(const struct view_layout *l, const struct view_column *c, unsigned width,
                       char *title, size_t capacity)
{
    bool up = view_column_is_upwards(c) != l->reversed;
    const char *arrow = l->ascii ? (up ? "^" : "v") : (up ? "\u25b2" : "\u25bc");
    char plain[CELL_SIZE - 8];

    if (width == 0 || strlen(title) + strlen(arrow) >= sizeof(plain))
        return;
    snprintf(plain, sizeof(plain), "%.*s", (int)width - 1, title);
    snprintf(title, capacity, "%s%s", plain, arrow);
}

/* A picture says in its heading what it is scaled to. */
static void make_title(const struct screen_columns *s, size_t index, char *title, size_t capacity)
{
    const struct view_column *c = s->fields.column[index];
    unsigned width = s->widths[index];

    snprintf(title, capacity, "%s", c->title);
    if (c->heading && (c->title[0] || c != s->layout->sort))
        c->heading(&s->scale, width, title, capacity);
    if (c->brief && width < strlen(c->title))
        snprintf(title, capacity, "%s", c->brief);
    if (c == s->layout->sort)
        mark_order(s->layout, c, width, title, capacity);
}

bool screen_add_headings(const struct screen_columns *columns, struct view_frame *frame)
{
    struct text t = {.bytes = NULL};
    char title[CELL_SIZE];
    unsigned column = 0;

    frame->title_count = 0;
    for (size_t i = 0; i < columns->fields.count; i++) {
        const struct view_column *c = columns->fields.column[i];
        make_title(columns, i, title, sizeof(title));
        text_cell(&t, "", i ? FRAME_GAP : 0, false, true);
        text_cell(&t, title, columns->widths[i], view_column_is_right(c), true);
        column += i ? FRAME_GAP : 0;
        if (column < columns->layout->width)
            frame->titles[frame->title_count++] =
                (struct view_title){.column = column, .cells = columns->widths[i], .what = c};
        column += columns->widths[i];
    }
    frame->heading = frame->count;
    return frame_add_clean(frame, VIEW_STYLE_HEADING, &t, columns->layout->width, VIEW_NO_ROW);
}

/* A row while it is made: its cells, and what is different about them. */
struct making {
    const struct screen_columns *s;
    const struct view_row *row;
    struct text text;
    unsigned column; /* that comes next */
    struct view_span spans[4 * VIEW_FIELDS_MAX];
    size_t span_count;
};

static void mark(struct making *m, unsigned column, unsigned cells, enum view_style style)
{
    unsigned width = m->s->layout->width;

    if (column >= width || cells == 0 || m->span_count == sizeof(m->spans) / sizeof(m->spans[0]))
        return;
    cells = cells < width - column ? cells : width - column;
    m->spans[m->span_count++] =
        (struct view_span){.column = column, .cells = cells, .style = style};
}

/* What of the bar is beyond the lower end of the interval may not be there. */
static void mark_bar(struct making *m, unsigned width, const char *cell)
{
    const struct view_scale *scale = &m->s->scale;
    unsigned edge = scale->utf8 ? 0 : 1;
    unsigned cells = (unsigned)text_cells(cell), sure = cells;

    if (m->row->stale || cells <= edge)
        return;
    if (m->row->share.low >= 0 && m->row->share.low < m->row->share.value && width > edge)
        sure = edge +
               picture_bar_cells(m->row->share.low / scale->top_share, width - edge, scale->utf8);
    if (sure > cells)
        sure = cells;
    mark(m, m->column + edge, sure - edge, VIEW_STYLE_BAR);
    mark(m, m->column + sure, cells - sure, VIEW_STYLE_DIM);
}

static void mark_share(struct making *m, unsigned width, const char *cell)
{
    double share = m->row->share.value;
    unsigned cells = (unsigned)text_cells(cell);

    if (m->row->stale || share < WARM_SHARE)
        return;
    cells = cells < width ? cells : width;
    mark(m, m->column + width - cells, cells,
         share >= HOT_SHARE ? VIEW_STYLE_HOT : VIEW_STYLE_WARM);
}

/* Small letters are of either case, unless there are capitals among them. */
static const char *find_word(const char *text, const char *word, size_t *len)
{
    bool exact = false;

    *len = strlen(word);
    for (const char *c = word; *c; c++)
        exact |= isupper((unsigned char)*c) != 0;
    for (; *len && *text; text++)
        if (exact ? strncmp(text, word, *len) == 0 : strncasecmp(text, word, *len) == 0)
            return text;
    return NULL;
}

/* The next part of text that was searched for; NULL: there is none. */
static const char *find_match(const struct view_layout *l, const char *text, bool start,
                              size_t *len)
{
    regmatch_t match = {.rm_so = -1, .rm_eo = -1};

    if (!l->pattern)
        return l->search ? find_word(text, l->search, len) : NULL;
    if (regexec(l->pattern, text, 1, &match, start ? 0 : REG_NOTBOL) != 0 || match.rm_so < 0 ||
        match.rm_eo <= match.rm_so)
        return NULL;
    *len = (size_t)(match.rm_eo - match.rm_so);
    return text + match.rm_so;
}

static unsigned cells_between(const char *from, const char *to)
{
    unsigned cells = 0;

    while (from < to) {
        char one[8] = "";
        size_t len = utf8_next(from).len;
        memcpy(one, from, len);
        cells += (unsigned)text_cells(one);
        from += len;
    }
    return cells;
}

/* The cell as it is shown stands at the end of the row's text, from there on. */
static void mark_matches(struct making *m, size_t from)
{
    const char *text = m->text.bytes ? m->text.bytes + from : "";
    const char *at = text;
    unsigned column = m->column;
    size_t len;

    if (!m->s->layout->pattern && !m->s->layout->search)
        return;
    for (const char *found; (found = find_match(m->s->layout, at, at == text, &len));) {
        unsigned before = cells_between(at, found), cells = cells_between(found, found + len);
        mark(m, column + before, cells, VIEW_STYLE_MATCH);
        column += before + cells;
        at = found + len;
    }
}

static void add_cell(struct making *m, size_t index)
{
    const struct view_column *c = m->s->fields.column[index];
    unsigned width = m->s->widths[index];
    char cell[CELL_SIZE];

    text_cell(&m->text, "", index ? FRAME_GAP : 0, false, true);
    m->column += index ? FRAME_GAP : 0;
    view_column_show(c, m->row, &m->s->scale, width, cell, sizeof(cell));
    size_t from = m->text.len;
    text_cell(&m->text, cell, width, view_column_is_right(c), true);
    if (c->type == COLUMN_BAR)
        mark_bar(m, width, cell);
    else if (c->flags & COLUMN_HEAT)
        mark_share(m, width, cell);
    else if (c->type == COLUMN_TREND && !m->row->stale)
        mark(m, m->column, width, VIEW_STYLE_BAR);
    else if (view_column_is_upwards(c))
        mark_matches(m, from);
    m->column += width;
}

bool screen_add_row(const struct screen_columns *columns, const struct view_row *row, size_t index,
                    struct view_frame *frame)
{
    struct making m = {.s = columns, .row = row};

    for (size_t i = 0; i < columns->fields.count; i++)
        add_cell(&m, i);
    bool selected = index == columns->layout->selected;
    /* Where colours are few, the cursor is seen by its sign. */
    if (selected && m.text.bytes && m.text.bytes[0] == ' ')
        m.text.bytes[0] = '>';
    if (!frame_add_clean(frame, row->stale ? VIEW_STYLE_DIM : VIEW_STYLE_ROW, &m.text,
                         columns->layout->width, index))
        return false;
    frame->lines[frame->count - 1].selected = selected;
    for (size_t i = 0; i < m.span_count; i++)
        if (!view_frame_span(frame, m.spans[i].column, m.spans[i].cells, m.spans[i].style))
            return false;
    return true;
}
