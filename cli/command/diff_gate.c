/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thresholds and budgets against rows. */
#define _POSIX_C_SOURCE 200809L

#include "diff_gate.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <base/output.h>
#include <base/say.h>
#include <table/interval.h>
#include <table/junit.h>

#include "gate_names.h"

/* Bytes of a number with its interval. */
#define INTERVAL_MAX 100

struct gate {
    const struct options *options;
    const struct view_changes *c;
    struct gate_names names;
    struct verdicts verdicts;
    const char *doubt;   /* why rows that broke nothing prove nothing; NULL: they do */
    const char *uneven;  /* what is to be known although they do; NULL: nothing */
    size_t blind, broke; /* thresholds that could not be judged; rows that broke one */
    size_t budget_count; /* rows and budgets that are held against each other */
    bool failed;         /* no memory */
};

/* Of any length, since names are; to be freed. */
static char *make_text(struct gate *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static char *make_text(struct gate *g, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = len < 0 ? NULL : malloc((size_t)len + 1);
    if (text)
        vsnprintf(text, (size_t)len + 1, format, again);
    else
        g->failed = true;
    va_end(again);
    return text;
}

static void add_verdict(struct gate *g, enum verdict_kind kind, const char *group, const char *name,
                        const char *message)
{
    if (!name || !message || !verdicts_add(&g->verdicts, kind, group, name, message))
        g->failed = true;
    else if (kind == VERDICT_FAILED)
        complain("gate: %s", message);
    else if (kind == VERDICT_SKIPPED)
        complain("gate: %s: %s", name, message);
}

/* "f changed by +4.8 % [+3.1, +6.6]", or the same in points; what is new has no change of itself.
 */
static char *say_change(struct gate *g, const struct gate_threshold *t, const char *label,
                        const char *was, const struct diff_row *d)
{
    const char *open = was ? " (was " : "", *close = was ? ")" : "";

    const struct view_interval points = {.value = 100 * d->change,
                                         .low = 100 * d->change_low,
                                         .high = 100 * d->change_high,
                                         .decimals = 2,
                                         .is_signed = true,
                                         .unit = " pp"};
    const struct view_interval percent = {.value = 100 * (d->ratio - 1),
                                          .low = 100 * (d->ratio_low - 1),
                                          .high = 100 * (d->ratio_high - 1),
                                          .decimals = 1,
                                          .is_signed = true,
                                          .unit = " %"};
    char change[INTERVAL_MAX];

    if (!t->points && isinf(d->ratio))
        return make_text(g, "%s is new: %.2f %% of new's hits", label, 100 * d->new_share);
    view_show_interval(t->points ? &points : &percent, false, change, sizeof(change));
    return make_text(g, "%s%s%s%s changed by %s", label, open, was ? was : "", close, change);
}

static void fail_threshold(struct gate *g, size_t index, size_t row)
{
    const struct gate_threshold *t = &g->options->thresholds[index];
    const struct gate_name *name = &g->names.all[row];
    const char *limit = g->options->threshold_texts[index];
    char *title = make_text(g, "%s: %s", name->label, limit);
    char *change = say_change(g, t, name->label, name->old_name, &g->c->rows[row].d);
    char *message =
        change ? make_text(g, "%s: %s %s", change, signbit(t->limit) ? "below" : "above", limit)
               : NULL;

    add_verdict(g, VERDICT_FAILED, "fail-above", title, message);
    free(title);
    free(change);
    free(message);
}

/* Of a threshold that no row broke. */
static void pass_threshold(struct gate *g, const char *limit, size_t matched)
{
    char text[400];

    if (matched == 0) {
        add_verdict(g, VERDICT_SKIPPED, "fail-above", limit, "no row has this name");
    } else if (g->doubt) {
        add_verdict(g, VERDICT_ERROR, "fail-above", limit, g->doubt);
        g->blind++;
    } else {
        snprintf(text, sizeof(text), "%zu row%s, none over the limit%s%s", matched,
                 matched == 1 ? "" : "s", g->uneven ? "; " : "", g->uneven ? g->uneven : "");
        add_verdict(g, VERDICT_PASSED, "fail-above", limit, text);
    }
}

static void hold_threshold(struct gate *g, size_t index)
{
    const struct gate_threshold *t = &g->options->thresholds[index];
    size_t matched = 0, broken = 0;

    for (size_t i = 0; i < g->c->count; i++) {
        const char *name = gate_name_matched(&g->names.all[i], t->glob, t->glob_len);
        if (!name)
            continue;
        matched++;
        if (!gate_threshold_broken(t, name, &g->c->rows[i].d))
            continue;
        broken++;
        fail_threshold(g, index, i);
    }
    g->broke += broken;
    if (broken == 0)
        pass_threshold(g, g->options->threshold_texts[index], matched);
}

/* What the interval of a share does not hold; "": nothing. */
static const char *noise_doubt(const struct gate *g, const struct diff_row *d)
{
    const struct view_side_about *sides = g->c->sides;

    if (!isnan(d->noise))
        return "";
    return sides[VIEW_BASE].count == 1 && sides[VIEW_NEW].count == 1
               ? "; one snapshot on each side: noise between runs is not included"
               : "; noise between runs is not included";
}

static void hold_row(struct gate *g, const struct budget *b, size_t row)
{
    static const enum verdict_kind kinds[] = {[GATE_WITHIN] = VERDICT_PASSED,
                                              [GATE_UNSURE] = VERDICT_UNSURE,
                                              [GATE_EXCEEDED] = VERDICT_FAILED};
    static const char *const words[] = {
        [GATE_WITHIN] = "within", [GATE_UNSURE] = "may be above", [GATE_EXCEEDED] = "above"};
    const struct gate_name *name = &g->names.all[row];
    const struct diff_row *d = &g->c->rows[row].d;
    const char *was = name->old_name;
    double low, high;
    enum gate_budget result = gate_budget(d, b->max_share, g->budget_count, &low, &high);
    char *title = make_text(g, "%s: %.6g%%", name->label, 100 * b->max_share);
    const struct view_interval share = {.value = 100 * d->new_share,
                                        .low = 100 * low,
                                        .high = 100 * high,
                                        .decimals = 2,
                                        .unit = " %"};
    char takes[INTERVAL_MAX];

    view_show_interval(&share, false, takes, sizeof(takes));
    char *message =
        make_text(g, "%s%s%s%s takes %s: %s %.6g %% (%s:%u)%s", name->label, was ? " (was " : "",
                  was ? was : "", was ? ")" : "", takes, words[result], 100 * b->max_share,
                  g->options->budgets, b->line, noise_doubt(g, d));

    add_verdict(g, kinds[result], "budgets", title, message);
    free(title);
    free(message);
}

static void hold_budget(struct gate *g, const struct budget *b)
{
    bool matched = false;

    for (size_t i = 0; i < g->c->count; i++) {
        if (!gate_name_matched(&g->names.all[i], b->glob, strlen(b->glob)))
            continue;
        matched = true;
        hold_row(g, b, i);
    }
    if (!matched)
        add_verdict(g, VERDICT_SKIPPED, "budgets", b->glob, "no row has this name");
}

static void count_budget_rows(struct gate *g, const struct budgets *budgets)
{
    for (size_t i = 0; i < g->c->count; i++) {
        for (size_t k = 0; k < budgets->count; k++) {
            const char *glob = budgets->all[k].glob;
            g->budget_count += gate_name_matched(&g->names.all[i], glob, strlen(glob)) != NULL;
        }
    }
}

/* Shares without intervals exceed no budget, whatever they are. */
static bool has_intervals(const struct view_changes *c)
{
    return view_side_has_intervals(&c->sides[VIEW_BASE]) &&
           view_side_has_intervals(&c->sides[VIEW_NEW]);
}

static bool cannot_judge(struct gate *g, const struct budgets *budgets)
{
    static const char why[] = "nothing can be judged: see the warnings of the diff";
    size_t thresholds = g->c->judged ? 0 : g->options->threshold_count;
    size_t count = has_intervals(g->c) ? 0 : budgets->count;

    for (size_t i = 0; i < thresholds; i++)
        add_verdict(g, VERDICT_ERROR, "fail-above", g->options->threshold_texts[i], why);
    for (size_t i = 0; i < count; i++)
        add_verdict(g, VERDICT_ERROR, "budgets", budgets->all[i].glob, why);
    if (thresholds || count)
        complain("gate: %s", why);
    return thresholds || count;
}

/* What most rows agree on is no measure where it is not sure which rows those are. */
static void find_doubts(struct gate *g)
{
    const struct view_changes *c = g->c;

    if (c->options.per != DIFF_PER_MEDIAN)
        return;
    if (c->little_common)
        g->doubt = "LITTLE IN COMMON: rows found on both sides have too few hits; compare builds "
                   "of one program, or use --per second or --per function:NAME";
    else if (c->whole.contested)
        g->doubt = "AMBIGUOUS: shares cannot tell which rows changed; use --per second or --per "
                   "function:NAME";
    if (c->whole.uneven)
        g->uneven = "uneven: some rows changed, but shares cannot tell which; use --per second or "
                    "--per function:NAME";
}

/* Once for all thresholds, on one line. */
static void say_doubts(const struct gate *g)
{
    if (g->doubt && (g->blind || g->broke))
        complain("gate: %s%s", g->blind ? "--fail-above cannot be judged: " : "", g->doubt);
    else if (g->uneven && g->options->threshold_count && g->c->judged)
        complain("gate: %s", g->uneven);
}

static int write_verdicts(const char *path, const struct verdicts *verdicts)
{
    if (!path)
        return STATUS_DONE;
    char *text = junit_text(verdicts);
    if (!text)
        return fail("out of memory");
    int status = output_write(strcmp(path, "-") == 0 ? NULL : path, text);
    free(text);
    return status;
}

int diff_gate_error(const struct options *options, const char *message)
{
    struct verdicts verdicts = {.all = NULL};
    int status = STATUS_FAILED;

    if (verdicts_add(&verdicts, VERDICT_ERROR, "error", "mprof diff", message))
        status = write_verdicts(options->junit, &verdicts);
    verdicts_free(&verdicts);
    return status;
}

int diff_gate(const struct options *options, const struct budgets *budgets,
              const struct view_changes *changes)
{
    struct gate g = {.options = options, .c = changes};
    bool blind = false;

    find_doubts(&g);
    g.failed = !gate_names_make(changes, &g.names);
    if (!g.failed)
        blind = cannot_judge(&g, budgets);
    for (size_t i = 0; !g.failed && i < options->threshold_count && changes->judged; i++)
        hold_threshold(&g, i);
    if (!g.failed)
        count_budget_rows(&g, budgets);
    for (size_t i = 0; !g.failed && i < budgets->count && has_intervals(changes); i++)
        hold_budget(&g, &budgets->all[i]);
    say_doubts(&g);
    int status = g.failed ? fail("out of memory") : write_verdicts(options->junit, &g.verdicts);
    if (g.failed)
        (void)diff_gate_error(options, "out of memory");
    if (g.verdicts.kinds[VERDICT_FAILED] != 0)
        status = STATUS_GATE;
    else if (blind || g.blind)
        status = STATUS_FAILED;
    verdicts_free(&g.verdicts);
    gate_names_free(&g.names);
    return status;
}
