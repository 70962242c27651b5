/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trends of functions, for people and for programs. */
#include <table/trend.h>

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <ranking/build.h>
#include <table/change_columns.h>
#include <table/json_parts.h>
#include <table/pictures.h>

#include "getters.h"

/* A point as a row: what is not known of it is NAN. */
struct row {
    struct view_trend_point point;
    const char *function, *file, *elf, *target, *unit; /* of its trend */
    const char *name;                                  /* what the function is called there */
    const char *was;
    double top; /* the largest share of its trend */
};

#define POINT const struct view_trend_point *p = &((const struct row *)of)->point

SHOW(show_number)
{
    POINT;

    UNUSED(scale), UNUSED(width);
    snprintf(text, capacity, "@%" PRIu64, p->number);
}

SHOW(show_build)
{
    POINT;

    UNUSED(scale), UNUSED(width);
    if (p->build[0])
        snprintf(text, capacity, "%.*s", view_build_len(p->build), p->build);
    else
        snprintf(text, capacity, "not known");
}

#define BAR 20

SHOW(show_bar)
{
    const struct row *row = of;
    double share = row->point.share.value;

    UNUSED(width);
    picture_bar(row->top > 0 && share > 0 ? share / row->top : 0, BAR, scale->utf8, text, capacity);
}

SHOW(show_change)
{
    POINT;

    UNUSED(width);
    text[0] = '\0';
    if (!isnan(p->change.ratio))
        view_show_ratio(&p->change, scale && scale->utf8, text, capacity);
}

GET(get_change)
{
    POINT;

    UNUSED(scale);
    view_get_ratio(&p->change, value);
}

GET(get_verdict)
{
    POINT;

    UNUSED(scale);
    value->kind = VIEW_VALUE_TEXT;
    value->text = view_verdict(&p->change);
}

static bool is_tested(const struct view_trend_point *p)
{
    return !isnan(p->change.p);
}

GET(get_significant)
{
    POINT;

    UNUSED(scale);
    value->kind = is_tested(p) ? VIEW_VALUE_FLAG : VIEW_VALUE_NONE;
    value->flag = p->change.significant;
}

GET(get_state)
{
    POINT;

    UNUSED(scale);
    value->kind = VIEW_VALUE_TEXT;
    value->text = p->change.state == DIFF_NEW    ? "new"
                  : p->change.state == DIFF_GONE ? "gone"
                                                 : "both";
}

/* What else is to be known of the change. */
static void write_note(const struct view_trend_point *p, char *text, size_t capacity)
{
    const char *change = p->alone       ? p->alone
                         : p->contested ? "cannot tell"
                         : is_tested(p) ? ""
                                        : "not tested";
    const char *blank = change[0] ? " " : "";

    if (p->name[0])
        snprintf(text, capacity, "%s%sas %s", change, blank, p->name);
    else if (p->was[0] && !p->alone)
        snprintf(text, capacity, "%s%swas %s?", change, blank, p->was);
    else
        snprintf(text, capacity, "%s", change);
}

GET(get_note)
{
    POINT;

    UNUSED(scale);
    write_note(p, value->room, sizeof(value->room));
    value->kind = VIEW_VALUE_TEXT;
    value->text = value->room;
}

#define AT(member, member_type) .at = VIEW_AT(struct row, member, member_type)
#define GOT(what, by)           .type = what, .get = by
#define TEXT(member)            .type = COLUMN_TEXT, AT(member, const char *)
#define COUNT(member)           .type = COLUMN_COUNT, AT(member, uint64_t)
#define NUMBER(member)          .type = COLUMN_NUMBER, AT(member, double)
#define SHARE(member)           .type = COLUMN_SHARE, AT(member, double)
#define TIME(member)            .type = COLUMN_TIME, AT(member, int64_t)
#define FLAG(member)            .type = COLUMN_FLAG, AT(member, bool)

/* In CSV, what is of the whole trend stands in each row. */
static const struct view_column columns[] = {
    {TEXT(function), .name = "function"},
    {TEXT(file), .name = "in"},
    {TEXT(elf), .name = "elf"},
    {TEXT(target), .name = "target"},
    {TEXT(unit), .name = "unit"},
    {TEXT(name), .name = "name"},
    {GOT(COLUMN_TEXT, get_verdict), .name = "verdict", .title = "", .unknown = ""},
    {COUNT(point.number), .name = "number", .title = "", .show = show_number},
    {TIME(point.time_ns), .name = "time", .title = "TIME", .unknown = "not known", .drop = 5},
    {TEXT(point.build), .name = "build", .title = "BUILD", .show = show_build},
    {COUNT(point.snapshots), .name = "snapshots"},
    {COUNT(point.runs), .name = "runs", .title = "RUNS", .drop = 3},
    {COUNT(point.hits), .name = "hits", .title = "HITS", .drop = 2},
    {COUNT(point.total), .name = "total"},
    {SHARE(point.share.value), .name = "share", .title = "SHARE%", .unknown = "", .decimals = 2},
    {SHARE(point.share.low), .name = "low"},
    {SHARE(point.share.high), .name = "high"},
    {.type = COLUMN_PICTURE, .title = "", .show = show_bar, .drop = 1},
    {GOT(COLUMN_SHARE, get_change), .name = "change", .title = "CHANGE [95 %]",
     .flags = COLUMN_INTERVAL, .show = show_change},
    {NUMBER(point.change.ratio), .name = "ratio"},
    {NUMBER(point.change.ratio_low), .name = "ratio_low"},
    {NUMBER(point.change.ratio_high), .name = "ratio_high"},
    {SHARE(point.change.change), .name = "delta", .flags = COLUMN_SIGNED},
    {NUMBER(point.change.p), .name = "p"},
    {GOT(COLUMN_FLAG, get_significant), .name = "significant"},
    {GOT(COLUMN_TEXT, get_note), .name = "note", .title = ""},
};
_Static_assert(sizeof(columns) / sizeof(columns[0]) <= VIEW_FIELDS_MAX, "all can be shown");

static const struct view_column hidden[] = {
    {GOT(COLUMN_TEXT, get_state), .name = "state"},
    {SHARE(point.change.change_low), .name = "delta_low", .key = "low", .flags = COLUMN_SIGNED},
    {SHARE(point.change.change_high), .name = "delta_high", .key = "high", .flags = COLUMN_SIGNED},
    {FLAG(point.contested), .name = "contested"},
    {TEXT(was), .name = "was"},
};

static const struct view_columns trend_columns = {
    .column = columns,
    .count = sizeof(columns) / sizeof(columns[0]),
    .hidden = hidden,
    .hidden_count = sizeof(hidden) / sizeof(hidden[0]),
};

/* The keys are a contract. */
#define JSON_POINT "number,time,name,build,snapshots,runs,hits,total,share,low,high"
#define JSON_CHANGE                                                                 \
    "state,verdict,change,delta,delta_low,delta_high,ratio,ratio_low,ratio_high,p," \
    "significant,contested,was"

static double top_share(const struct view_trend *t)
{
    double top = 0;

    for (size_t i = 0; i < t->count; i++)
        top = fmax(top, t->points[i].share.value);
    return top;
}

static struct row row_of(const struct view_trend *t, const struct view_trend_point *p)
{
    struct row row = {.point = *p,
                      .function = t->function,
                      .file = t->file,
                      .elf = t->elf,
                      .target = t->target,
                      .unit = t->unit,
                      .name = !p->there    ? NULL
                              : p->name[0] ? p->name
                                           : t->function,
                      .was = p->was};

    if (p->total == 0)
        row.point.share.value = NAN;
    if (p->alone)
        row.point.change = (struct diff_row){.change = NAN,
                                             .change_low = NAN,
                                             .change_high = NAN,
                                             .ratio = NAN,
                                             .ratio_low = NAN,
                                             .ratio_high = NAN,
                                             .p = NAN};
    return row;
}

/* The points of count trends. */
struct points {
    struct row *rows; /* to be freed; NULL: no memory */
    size_t count;
};

static struct points points_of(const struct view_trend *trends, size_t count)
{
    struct points points = {.count = 0};

    for (size_t i = 0; i < count; i++)
        points.count += trends[i].count;
    struct row *row = points.rows = calloc(points.count + 1, sizeof(*row));
    if (!row)
        points.count = 0;
    for (size_t t = 0; row && t < count; t++) {
        double top = top_share(&trends[t]);
        for (size_t i = 0; i < trends[t].count; i++, row++) {
            *row = row_of(&trends[t], &trends[t].points[i]);
            row->top = top;
        }
    }
    return points;
}

static struct view_table table_of(const struct points *points, const struct view_fields *fields,
                                  const struct view_scale *scale)
{
    return (struct view_table){.fields = fields,
                               .rows = points->rows,
                               .size = sizeof(*points->rows),
                               .count = points->count,
                               .scale = scale};
}

/* Builds beyond that many share their cells. */
#define SPARK 60

/* From the oldest to the newest. */
static void add_spark(struct text *to, const struct view_trend *t)
{
    double *shares = calloc(t->count, sizeof(*shares));
    char picture[SPARK * 4];

    for (size_t i = 0; shares && i < t->count; i++)
        shares[i] = t->points[t->count - 1 - i].share.value;
    if (shares)
        picture_trend(shares, t->count, 0, t->count < SPARK ? (unsigned)t->count : SPARK, true,
                      picture, sizeof(picture));
    text_printf(to, "%s", shares ? picture : "");
    to->failed |= !shares;
    free(shares);
}

static void add_name(struct text *to, const char *name, bool markdown)
{
    if (markdown)
        text_markdown(to, name);
    else
        text_escape(to, name, "", "");
}

/* What the trend is of. */
static void add_title(struct text *to, const struct view_trend *t, bool markdown, bool spark)
{
    const char *parts[] = {path_base_name(t->file), t->elf, t->target, t->unit};

    add_name(to, t->function, markdown);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!parts[i][0] || (i == 2 && strcmp(t->elf, t->target) == 0))
            continue;
        text_add(to, "   ", 3);
        add_name(to, parts[i], markdown);
    }
    if (spark && t->count > 1) {
        text_add(to, "   ", 3);
        add_spark(to, t);
    }
    text_add(to, "\n", 1);
}

/* Builds of one run each are compared with nothing. */
static bool has_single_runs(const struct view_trends *trends)
{
    for (size_t t = 0; t < trends->count; t++) {
        const struct view_trend *trend = &trends->trends[t];
        for (size_t i = 0; i + 1 < trend->count; i++) {
            const struct view_trend_point *p = trend->points;
            if (!p[i].alone && (p[i].runs < 2 || p[i + 1].runs < 2))
                return true;
        }
    }
    return false;
}

/* width 0: lines have no edge. */
static void add_warning(struct text *to, const struct view_trends *trends, unsigned width)
{
    const char *rest =
        "only one run of a build: nothing tells its changes from noise, so none is marked; take "
        "five runs of each build: mprof snapshot --runs 5";
    unsigned room = width ? width : UINT_MAX;

    if (!has_single_runs(trends))
        return;
    for (; *rest; rest = text_next_line(rest, room))
        text_printf(to, "\n%.*s", (int)text_line_len(rest, room), rest);
    text_add(to, "\n", 1);
}

/* In Markdown a line that follows a table is a row of it. */
static void add_older(struct text *to, const struct view_trend *t, bool markdown)
{
    if (t->older)
        text_printf(to, "%s%zu older build%s\n", markdown ? "\n" : "", t->older,
                    t->older == 1 ? "" : "s");
}

static void add_trend(struct text *to, const struct view_trend *trend, enum view_format format,
                      const struct view_page *page)
{
    const struct view_fields fields = view_fields_all(&trend_columns);
    const struct view_scale scale = {.utf8 = page->utf8};
    const struct points points = points_of(trend, 1);
    const struct view_table table = table_of(&points, &fields, &scale);
    bool markdown = format == FORMAT_MARKDOWN;

    text_add(to, "### ", markdown ? 4 : 0);
    add_title(to, trend, markdown, page->utf8);
    text_add(to, "\n", markdown);
    view_table_write(&table, format, page->width, to);
    to->failed |= !points.rows;
    add_older(to, trend, markdown);
    free(points.rows);
}

/* Each trend for itself. */
static char *each(const struct view_trends *trends, enum view_format format,
                  const struct view_page *page)
{
    struct text t = {.bytes = NULL};

    for (size_t i = 0; i < trends->count; i++) {
        text_add(&t, "\n", i > 0);
        add_trend(&t, &trends->trends[i], format, page);
    }
    add_warning(&t, trends, format == FORMAT_MARKDOWN ? 0 : page->width);
    return text_end(&t);
}

static char *csv(const struct view_trends *trends)
{
    const struct view_fields fields = view_fields_all(&trend_columns);
    const struct points points = points_of(trends->trends, trends->count);
    const struct view_table table = table_of(&points, &fields, NULL);
    struct text t = {.failed = !points.rows};

    view_table_csv(&table, true, &t);
    free(points.rows);
    return text_end(&t);
}

/* The points, each with its change. */
static json_t *points_array(const struct view_trend *trend)
{
    const struct view_fields point = view_fields_of(&trend_columns, JSON_POINT);
    const struct view_fields change = view_fields_of(&trend_columns, JSON_CHANGE);
    const struct points points = points_of(trend, 1);
    const struct view_table of_points = table_of(&points, &point, NULL);
    const struct view_table of_changes = table_of(&points, &change, NULL);
    json_t *array = view_table_json(&of_points), *changes = view_table_json(&of_changes);

    for (size_t i = 0; array && changes && i < trend->count; i++) {
        json_t *object =
            trend->points[i].alone ? json_null() : json_incref(json_array_get(changes, i));
        (void)json_object_set_new(json_array_get(array, i), "change", object);
    }
    json_decref(changes);
    free(points.rows);
    return array;
}

static json_t *trend_object(const struct view_trend *t)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "function", json_text(t->function),
                     "file", json_text(t->file), "elf", json_text(t->elf), "target",
                     json_text(t->target), "unit", json_text(t->unit), "points", points_array(t),
                     "older", (json_int_t)t->older);
}

static char *json(const struct view_trends *trends)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < trends->count; i++)
        (void)json_array_append_new(array, trend_object(&trends->trends[i]));
    json_t *object = json_pack("{s:o, s:o}", "store", json_text(trends->folder), "trends", array);
    return json_line(object);
}

char *view_trends(const struct view_trends *trends, enum view_format format,
                  const struct view_page *page)
{
    if (format == FORMAT_JSON)
        return json(trends);
    return format == FORMAT_CSV ? csv(trends) : each(trends, format, page);
}
