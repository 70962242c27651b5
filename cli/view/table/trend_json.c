/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trends as the object of --format json. */
#include <table/trend.h>

#include <math.h>

#include <table/json_parts.h>
#include <table/log.h>

static json_t *number(double value, bool known)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

static const char *state_of(const struct diff_row *row)
{
    return row->state == DIFF_NEW ? "new" : row->state == DIFF_GONE ? "gone" : "both";
}

static json_t *change_object(const struct view_trend_point *p)
{
    const struct diff_row *c = &p->change;

    if (p->alone)
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o}", "state",
                     state_of(c), "delta", number(c->change, true), "low",
                     number(c->change_low, true), "high", number(c->change_high, true), "ratio",
                     number(c->ratio, true), "ratio_low", number(c->ratio_low, true), "ratio_high",
                     number(c->ratio_high, true), "p", number(c->p, true), "significant",
                     isnan(c->p) ? json_null() : json_boolean(c->significant), "contested",
                     p->contested, "uneven", p->uneven, "was", json_text(p->was));
}

/* What the function is called there. */
static json_t *name_of(const struct view_trend *t, const struct view_trend_point *p)
{
    return p->there ? json_text(p->name[0] ? p->name : t->function) : json_null();
}

static json_t *point_object(const struct view_trend *t, const struct view_trend_point *p)
{
    bool known = p->share.low >= 0;

    return json_pack("{s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "number",
                     (json_int_t)p->number, "time", json_time(p->time_ns), "name", name_of(t, p),
                     "build", json_text(p->build), "snapshots", (json_int_t)p->snapshots, "runs",
                     (json_int_t)p->runs, "hits", (json_int_t)p->hits, "total",
                     (json_int_t)p->total, "share", number(p->share.value, p->total > 0), "low",
                     number(p->share.low, known), "high", number(p->share.high, known), "change",
                     change_object(p));
}

static json_t *trend_object(const struct view_trend *t)
{
    json_t *points = json_array();

    for (size_t i = 0; points && i < t->count; i++)
        (void)json_array_append_new(points, point_object(t, &t->points[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "function", json_text(t->function),
                     "file", json_text(t->file), "elf", json_text(t->elf), "target",
                     json_text(t->target), "unit", json_text(t->unit), "points", points, "older",
                     (json_int_t)t->older);
}

char *view_trend_json(const struct view_trends *trends)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < trends->count; i++)
        (void)json_array_append_new(array, trend_object(&trends->trends[i]));
    json_t *object = json_pack("{s:o, s:o}", "store", json_text(trends->folder), "trends", array);
    return json_line(object);
}
