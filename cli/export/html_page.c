/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page: its table and its words need no script. */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/path.h>
#include <profile/stats.h>
#include <profile/unsure.h>

#include "about.h"
#include "html.h"
#include <export/clean.h>

/* What is fetched from anywhere is refused by the browser, too. */
#define POLICY "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

/* A line of the table. */
struct ranked {
    const struct html_row *row;
    const struct export_function *function;
};

struct page {
    struct export *e;
    const struct html *h;
    const struct snapshot *s;
    FILE *out;
    struct ranked *order;
    size_t count;
};

static const char *unit_of(const struct page *p)
{
    const struct snapshot_type *type = source_type(&p->e->sources[0]);

    return strcmp(type->unit, "count") == 0 || !type->unit[0] ? type->name : type->unit;
}

static void put_head(const struct page *p)
{
    const struct snapshot_conditions *c = &p->s->conditions;

    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta name=\"generator\" content=\"mprof\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n<title>",
          p->out);
    clean_html(p->out, c->elf[0] ? c->elf : p->e->title);
    fprintf(p->out,
            ": where the time goes</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<header>\n<h1>",
            html_style);
    clean_html(p->out, c->elf[0] ? c->elf : p->e->title);
    fputs("</h1>\n<p class=\"lead\">", p->out);
}

static void put_time(const struct page *p)
{
    time_t seconds = (time_t)(p->s->time_ns / 1000000000);
    char text[40];
    struct tm tm;

    if (p->s->time_ns <= 0 || !gmtime_r(&seconds, &tm))
        return;
    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
    fprintf(p->out, ", <time datetime=\"%.10sT%.8sZ\">%s UTC</time>", text, text + 11, text);
}

/* Why there are no intervals. */
static void put_doubt(const struct page *p)
{
    const struct snapshot_conditions *c = &p->s->conditions;
    enum profile_doubt doubt = c->locked      ? PROFILE_DOUBT_LOCKED
                               : c->unsure[0] ? PROFILE_DOUBT_TABLE
                               : c->fixed     ? PROFILE_DOUBT_FIXED
                                              : PROFILE_SURE;
    char text[PROFILE_DOUBT_TEXT];

    if (doubt == PROFILE_SURE)
        return;
    profile_doubt_text(doubt, NULL, profile_unsure_parse(c->unsure), text);
    text[0] = (char)toupper((unsigned char)text[0]);
    fputs("<p class=\"alarm\" role=\"note\">", p->out);
    clean_html(p->out, text);
    fputs(".</p>\n", p->out);
}

static void put_lead(const struct page *p)
{
    const struct snapshot_conditions *c = &p->s->conditions;

    fprintf(p->out, "<strong>%" PRIu64 "</strong> ", p->h->sum);
    clean_html(p->out, unit_of(p));
    fprintf(p->out, " in <strong>%zu</strong> function%s", p->count, p->count == 1 ? "" : "s");
    if (p->s->duration_ns > 0)
        fprintf(p->out, ", over %.1f s", (double)p->s->duration_ns * 1e-9);
    if (c->target[0] || c->arch[0]) {
        fputs(", of ", p->out);
        clean_html(p->out, c->target[0] ? c->target : c->arch);
    }
    put_time(p);
    fputs("</p>\n", p->out);
    put_doubt(p);
    fputs("</header>\n", p->out);
}

/* Instead of a graph and a table without a line. */
static void put_empty(const struct page *p)
{
    fputs("<section>\n<p class=\"note\">Nothing was counted: this profile has no ", p->out);
    clean_html(p->out, unit_of(p));
    fputs(". Was the target running, with its timer on?</p>\n</section>\n", p->out);
}

static void put_graph(const struct page *p)
{
    fputs("<section id=\"tools\" hidden>\n<label for=\"search\">Search</label>\n"
          "<input id=\"search\" type=\"search\" placeholder=\"function or file\" "
          "autocomplete=\"off\" spellcheck=\"false\">\n"
          "<output id=\"found\" for=\"search\"></output>\n</section>\n"
          "<noscript><p class=\"note\">The graph, sorting and searching need JavaScript; the table "
          "is complete without it.</p></noscript>\n"
          "<section id=\"graph-section\" aria-labelledby=\"graph-title\" hidden>\n"
          "<h2 id=\"graph-title\">",
          p->out);
    fputs(p->h->has_callers ? "Callers above, callees below" : "File, function, line", p->out);
    fputs("</h2>\n<p class=\"note\">", p->out);
    fputs(p->h->has_callers ? "The width of a box is its share of the hits, including its callees."
                            : "The callers of these hits are not known. From top to bottom: file, "
                              "function, inlined functions, line.",
          p->out);
    fputs(" <span class=\"keys\">Click or Enter: zoom in. Escape: out. Arrow keys: move.</span>"
          "</p>\n<div id=\"graph\" role=\"tree\" aria-labelledby=\"graph-title\"></div>\n"
          "<p id=\"detail\" aria-live=\"polite\"></p>\n</section>\n",
          p->out);
}

static void put_cell(const struct page *p, double value)
{
    if (value < 0)
        fputs("<td class=\"n\" data-v=\"-1\"><span title=\"not known\">-</span></td>", p->out);
    else
        fprintf(p->out, "<td class=\"n\" data-v=\"%.9g\">%.1f</td>", value, 100 * value);
}

/* Whether the intervals of shares are known. */
static bool has_intervals(const struct page *p)
{
    const struct snapshot_conditions *c = &p->s->conditions;

    return !c->locked && !c->fixed && !c->unsure[0];
}

static double error_of(const struct page *p, const struct stats_share *share)
{
    return !has_intervals(p) ? -1 : fmax(share->value - share->low, share->high - share->value);
}

static bool is_sampled(const struct page *p)
{
    return strcmp(source_type(&p->e->sources[0])->name, "samples") == 0;
}

static struct stats_share share_of(const struct page *p, const struct html_row *row)
{
    const struct snapshot_conditions *c = &p->s->conditions;
    uint64_t inherited = row->inherited < row->hits ? row->inherited : row->hits;
    const struct stats_whole whole = {
        .attributed = p->h->sum,
        .dropped = c->dropped,
        .located = p->s->rest.counts != NULL,
        .decays = c->decays,
        .sampled = is_sampled(p),
        .spread = p->h->profile.spread,
    };
    /* A page has functions and not their code: each may have lost anything. */
    const struct stats_count count = {
        .hits = row->hits,
        .inherited = inherited,
        .least = row->hits,
        .most = row->hits,
        .unseen = {.most = c->dropped,
                   .likely = (double)row->hits / fmax((double)p->h->sum, 1) * (double)c->dropped},
        .spread = wander_spread(&row->wander, &p->h->wander, p->h->profile.wander.cosines),
    };

    return stats_share_of(&count, &whole);
}

static void put_place(const struct page *p, const struct export_function *f)
{
    if (!f->file[0]) {
        fputs("<td class=\"where\"></td></tr>\n", p->out);
        return;
    }
    fputs("<td class=\"where\" title=\"", p->out);
    clean_html(p->out, f->file);
    fputs("\">", p->out);
    clean_html(p->out, path_base_name(f->file));
    if (f->line > 0)
        fprintf(p->out, ":%" PRId64, f->line);
    fputs("</td></tr>\n", p->out);
}

static void put_row(const struct page *p, const struct ranked *line)
{
    const struct html_row *row = line->row;
    const struct export_function *f = line->function;
    struct stats_share share = share_of(p, row);

    fprintf(p->out, "<tr style=\"--s:%.4f%%\">", 100 * share.value);
    put_cell(p, share.value);
    put_cell(p, error_of(p, &share));
    fprintf(p->out, "<td class=\"n\" data-v=\"%" PRIu64 "\">%" PRIu64 "</td>", row->hits,
            row->hits);
    if (p->h->has_callers)
        put_cell(p, p->h->sum ? (double)row->total / (double)p->h->sum : -1);
    fputs("<th scope=\"row\">", p->out);
    clean_html(p->out, f->name);
    fputs("</th>", p->out);
    put_place(p, f);
}

static void put_table(const struct page *p)
{
    fputs("<section aria-labelledby=\"table-title\">\n<h2 id=\"table-title\">Functions</h2>\n"
          "<div class=\"scroll\"><table id=\"table\">\n"
          "<caption>Share of all hits &plusmn; its 95 % interval",
          p->out);
    if (is_sampled(p) && has_intervals(p))
        fprintf(p->out, " (%s)",
                wander_intervals(p->h->profile.wander.cosines, p->h->profile.spread));
    fputs(
        "</caption>\n<thead><tr>\n"
        "<th scope=\"col\" class=\"n\" data-kind=\"n\" aria-sort=\"descending\">Share&nbsp;%</th>\n"
        "<th scope=\"col\" class=\"n\" data-kind=\"n\">&plusmn;</th>\n"
        "<th scope=\"col\" class=\"n\" data-kind=\"n\">",
        p->out);
    clean_html(p->out, unit_of(p));
    fputs("</th>\n", p->out);
    if (p->h->has_callers)
        fputs("<th scope=\"col\" class=\"n\" data-kind=\"n\">Total %</th>\n", p->out);
    fputs("<th scope=\"col\" data-kind=\"t\">Function</th>\n"
          "<th scope=\"col\" data-kind=\"t\">Location</th>\n</tr></thead>\n<tbody>\n",
          p->out);
    for (size_t i = 0; i < p->count && !export_is_stopped(p->e); i++)
        put_row(p, &p->order[i]);
    fputs("</tbody></table></div>\n</section>\n", p->out);
}

static void put_about(const struct page *p)
{
    struct about_item items[ABOUT_MAX];
    size_t count = about_list(p->s, items, ABOUT_MAX);

    fputs(
        "<section aria-labelledby=\"about-title\">\n<h2 id=\"about-title\">Conditions</h2>\n<dl>\n"
        "<div><dt>file</dt><dd>",
        p->out);
    clean_html(p->out, p->e->title);
    fputs("</dd></div>\n", p->out);
    for (size_t i = 0; i < count; i++) {
        fprintf(p->out, "<div><dt>%s</dt><dd>", items[i].title);
        if (items[i].text)
            clean_html(p->out, items[i].text);
        else
            fprintf(p->out, "%" PRIu64, items[i].number);
        fputs("</dd></div>\n", p->out);
    }
    fputs("</dl>\n", p->out);
    if (!p->s->ours)
        fputs("<p class=\"note\">Made by another program: lost hits and the conditions of "
              "the measurement are not known.</p>\n",
              p->out);
    fputs("</section>\n", p->out);
}

/* Its data are JSON in which no < stands. */
static bool put_data(const struct page *p)
{
    fputs("<script id=\"data\" type=\"application/json\">{\"unit\":", p->out);
    clean_json(p->out, unit_of(p));
    fprintf(p->out, ",\"callers\":%s,\n", p->h->has_callers ? "true" : "false");
    if (!html_graph(p->e))
        return false;
    fprintf(p->out, "}</script>\n<script>\n%s</script>\n</body>\n</html>\n", html_script);
    return true;
}

static int order_rows(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->row->hits != y->row->hits)
        return x->row->hits > y->row->hits ? -1 : 1;
    if (x->row->total != y->row->total)
        return x->row->total > y->row->total ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool rank(struct page *p)
{
    p->order = malloc((p->h->row_count + 1) * sizeof(*p->order));
    if (!p->order)
        return false;
    for (size_t i = 0; i < p->h->row_count; i++) {
        const struct html_row *row = &p->h->rows[i];
        if (row->hits || row->total)
            p->order[p->count++] =
                (struct ranked){.row = row, .function = &p->e->table.functions[i]};
    }
    if (p->count)
        qsort(p->order, p->count, sizeof(*p->order), order_rows);
    return true;
}

bool html_write(struct export *e)
{
    struct page p = {.e = e, .h = e->state, .s = e->sources[0].snapshot, .out = e->out};
    bool done = rank(&p);

    if (done) {
        put_head(&p);
        put_lead(&p);
        fputs("<main>\n", p.out);
        if (p.count == 0)
            put_empty(&p);
        put_graph(&p);
        put_table(&p);
        put_about(&p);
        fputs("</main>\n", p.out);
        done = put_data(&p);
    }
    free(p.order);
    return done || export_no_memory(e);
}
