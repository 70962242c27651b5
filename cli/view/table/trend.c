/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trends of functions as text, CSV and Markdown. */
#include <table/trend.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/text.h>
#include <ranking/build.h>
#include <table/grid.h>
#include <table/log.h>
#include <table/time.h>

#define BAR 20

/* What is read of a point for itself, and of all points before CSV's own. */
static const struct view_grid_column columns[] = {
    {.name = "function"},
    {.name = "in"},
    {.name = "elf"},
    {.name = "target"},
    {.name = "unit"},
    {.name = "name"},
    {.name = "number", .title = "", .right = true},
    {.name = "time", .title = "TIME", .drop = 5},
    {.name = "build", .title = "BUILD"},
    {.name = "snapshots"},
    {.name = "runs", .title = "RUNS", .right = true, .drop = 3},
    {.name = "hits", .title = "HITS", .right = true, .drop = 2},
    {.name = "total"},
    {.name = "share", .title = "SHARE%", .right = true},
    {.title = "95 %", .right = true, .drop = 4},
    {.name = "low"},
    {.name = "high"},
    {.title = "", .picture = true, .drop = 1},
    {.name = "change", .title = "CHANGE"},
    {.name = "change_low"},
    {.name = "change_high"},
    {.name = "ratio"},
    {.name = "p"},
    {.name = "significant"},
    {.name = "note", .title = ""},
};

static void add(struct view_grid *g, const char *text)
{
    view_grid_add(g, text, text);
}

static void add_count(struct view_grid *g, uint64_t count)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, count);
    add(g, text);
}

/* For programs; what is not known, or no number, is empty. */
static void add_value(struct view_grid *g, double value, bool known)
{
    char text[40] = "";

    if (known && isfinite(value))
        snprintf(text, sizeof(text), "%.9g", value);
    view_grid_add(g, "", text);
}

static void add_share(struct view_grid *g, const struct view_trend_point *p)
{
    char shown[32] = "", value[40] = "", interval[40] = "";

    if (p->total > 0) {
        snprintf(shown, sizeof(shown), "%.2f", 100 * p->share.value);
        snprintf(value, sizeof(value), "%.9g", p->share.value);
    }
    if (p->share.low >= 0)
        snprintf(interval, sizeof(interval), "%.2f-%.2f", 100 * p->share.low, 100 * p->share.high);
    view_grid_add(g, shown, value);
    view_grid_add(g, interval, "");
    add_value(g, p->share.low, p->share.low >= 0);
    add_value(g, p->share.high, p->share.high >= 0);
}

static double top_share(const struct view_trend *t)
{
    double top = 0;

    for (size_t i = 0; i < t->count; i++)
        top = fmax(top, t->points[i].share.value);
    return top;
}

static void add_bar(struct view_grid *g, const struct view_trend_point *p, double top, bool utf8)
{
    static const char *const parts[] = {"",       "\u258f", "\u258e", "\u258d",
                                        "\u258c", "\u258b", "\u258a", "\u2589"};
    int eighths = top > 0 ? (int)lround(p->share.value / top * BAR * 8) : 0;
    char bar[BAR * 4 + 8] = "";

    for (int i = 0; i < (utf8 ? eighths : eighths + 4) / 8; i++)
        strcat(bar, utf8 ? "\u2588" : "#");
    if (utf8)
        strcat(bar, parts[eighths % 8]);
    view_grid_add(g, bar, "");
}

static bool is_tested(const struct view_trend_point *p)
{
    return !p->alone && !isnan(p->change.p);
}

static void show_change(const struct view_trend_point *p, char *text, size_t capacity)
{
    const struct diff_row *c = &p->change;

    text[0] = '\0';
    if (p->alone || isnan(c->change))
        return;
    int len = snprintf(text, capacity, "%+.2f pp", 100 * c->change);
    if (!isnan(c->change_low) && !isnan(c->change_high))
        snprintf(text + len, capacity - (size_t)len, " (%+.2f to %+.2f)", 100 * c->change_low,
                 100 * c->change_high);
}

/* What else is to be known of the change. */
static void show_note(const struct view_trend_point *p, char *text, size_t capacity)
{
    const struct diff_row *c = &p->change;

    if (p->alone) {
        snprintf(text, capacity, "%s%s%s", p->alone,
                 p->name[0] && p->alone[0] ? " as "
                 : p->name[0]              ? "as "
                                           : "",
                 p->name);
        return;
    }
    snprintf(text, capacity, "%s%s%s%s%s%s%s%s%s",
             c->significant && c->direction > 0   ? "* more"
             : c->significant && c->direction < 0 ? "* less"
             : is_tested(p)                       ? ""
                                                  : "not tested",
             c->state == DIFF_NEW    ? " new"
             : c->state == DIFF_GONE ? " gone"
                                     : "",
             p->contested ? " contested" : "", p->uneven ? " uneven" : "", p->name[0] ? " as " : "",
             p->name, p->was[0] ? " was " : "", p->was, p->was[0] ? "?" : "");
    if (text[0] == ' ')
        memmove(text, text + 1, strlen(text));
}

static void add_change(struct view_grid *g, const struct view_trend_point *p)
{
    const struct diff_row *c = &p->change;
    char shown[80], value[40] = "", note[240];

    show_change(p, shown, sizeof(shown));
    if (shown[0])
        snprintf(value, sizeof(value), "%.9g", c->change);
    view_grid_add(g, shown, value);
    add_value(g, c->change_low, !p->alone);
    add_value(g, c->change_high, !p->alone);
    add_value(g, c->ratio, !p->alone);
    add_value(g, c->p, !p->alone);
    view_grid_add(g, "", !is_tested(p) ? "" : c->significant ? "true" : "false");
    show_note(p, note, sizeof(note));
    add(g, note);
}

static void add_point(struct view_grid *g, const struct view_trend *t,
                      const struct view_trend_point *p, bool utf8)
{
    char shown[48], value[48];

    add(g, t->function);
    add(g, t->file);
    add(g, t->elf);
    add(g, t->target);
    add(g, t->unit);
    add(g, !p->there ? "" : p->name[0] ? p->name : t->function);
    snprintf(shown, sizeof(shown), "@%zu", p->number);
    view_grid_add(g, shown, shown + 1);
    view_time(p->time_ns, false, shown, sizeof(shown));
    view_time(p->time_ns, true, value, sizeof(value));
    view_grid_add(g, shown[0] ? shown : "not known", value);
    snprintf(shown, sizeof(shown), "%.*s", view_build_len(p->build), p->build);
    view_grid_add(g, shown[0] ? shown : "not known", p->build);
    add_count(g, p->snapshots);
    add_count(g, p->runs);
    add_count(g, p->hits);
    add_count(g, p->total);
    add_share(g, p);
    add_bar(g, p, top_share(t), utf8);
    add_change(g, p);
}

static struct view_grid new_grid(void)
{
    return (struct view_grid){.columns = columns,
                              .column_count = sizeof(columns) / sizeof(columns[0])};
}

static void add_points(struct view_grid *g, const struct view_trend *t, bool utf8)
{
    for (size_t i = 0; i < t->count; i++)
        add_point(g, t, &t->points[i], utf8);
}

/* From the oldest to the newest. */
static void add_spark(struct text *to, const struct view_trend *t)
{
    static const char *const steps[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                        "\u2585", "\u2586", "\u2587", "\u2588"};
    double top = top_share(t);

    for (size_t i = t->count; top > 0 && i-- > 0;) {
        int step = (int)lround(t->points[i].share.value / top * 7);
        text_add(to, steps[step], strlen(steps[step]));
    }
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

/* Two points of one run each do not show what runs differ by. */
static bool has_single_runs(const struct view_trends *trends)
{
    for (size_t t = 0; t < trends->count; t++) {
        const struct view_trend *trend = &trends->trends[t];
        for (size_t i = 0; i + 1 < trend->count; i++) {
            const struct view_trend_point *p = trend->points;
            if (p[i].change.significant && p[i].runs + p[i + 1].runs < 3)
                return true;
        }
    }
    return false;
}

static void add_warning(struct text *to, const struct view_trends *trends)
{
    static const char line[] =
        "\nOf builds with one run each it is not known what runs differ by, and that may be all "
        "that changed:\ntake three of each (mprof snapshot --duration 10 --repeat 3).\n";

    if (has_single_runs(trends))
        text_add(to, line, strlen(line));
}

/* In Markdown a line that follows a table is a row of it. */
static void add_older(struct text *to, const struct view_trend *t, bool markdown)
{
    if (t->older)
        text_printf(to, "%s%zu older builds\n", markdown ? "\n" : "", t->older);
}

static char *finish(struct text *t)
{
    text_add(t, "", 0);
    if (!t->failed)
        return t->bytes;
    free(t->bytes);
    return NULL;
}

/* Each trend for itself. */
static char *each(const struct view_trends *trends, bool markdown)
{
    struct text t = {.bytes = NULL};

    for (size_t i = 0; i < trends->count; i++) {
        const struct view_trend *trend = &trends->trends[i];
        struct view_grid g = new_grid();
        text_add(&t, "\n", i > 0);
        text_add(&t, "### ", markdown ? 4 : 0);
        add_title(&t, trend, markdown, trends->utf8);
        text_add(&t, "\n", markdown);
        add_points(&g, trend, trends->utf8);
        char *table = markdown ? view_grid_markdown(&g) : view_grid_text(&g, trends->width);
        t.failed = t.failed || !table;
        text_add(&t, table, table ? strlen(table) : 0);
        add_older(&t, trend, markdown);
        free(table);
        view_grid_free(&g);
    }
    add_warning(&t, trends);
    return finish(&t);
}

char *view_trend_text(const struct view_trends *trends)
{
    return each(trends, false);
}

char *view_trend_markdown(const struct view_trends *trends)
{
    return each(trends, true);
}

char *view_trend_csv(const struct view_trends *trends)
{
    struct view_grid g = new_grid();

    for (size_t i = 0; i < trends->count; i++)
        add_points(&g, &trends->trends[i], false);
    char *text = view_grid_csv(&g, true);
    view_grid_free(&g);
    return text;
}
