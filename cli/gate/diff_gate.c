/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thresholds and budgets against rows. */
#define _POSIX_C_SOURCE 200809L

#include <gate/diff_gate.h>

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

/* Rows that are open are named up to this many; there may be hundreds. */
#define OPEN_NAMED 5

/* A row that a threshold is for. */
struct held {
    size_t threshold, row;
};

struct gate {
    const struct options *options;
    const struct view_changes *c;
    struct gate_names names;
    struct verdicts verdicts;
    struct held *held; /* count of them, with their limits */
    struct diff_limit *limits;
    size_t count;
    size_t open, unknown; /* rows that are neither proven nor excluded; that cannot be judged */
    size_t budget_count;  /* rows and budgets that are held against each other */
    bool failed;          /* no memory */
    char noise[80];       /* what --noise gave */
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

/* Neither above the limit nor below it for certain: passes, unless that was ruled out. */
static void add_open(struct gate *g, const char *group, const char *name, const char *message)
{
    if (message && g->open < OPEN_NAMED)
        complain("gate: open: %s", message);
    g->open++;
    add_verdict(g, g->options->strict ? VERDICT_ERROR : VERDICT_UNSURE, group, name, message);
}

/* What a proof rests on besides the runs. */
static const char *noise_of(const struct gate *g)
{
    return g->c->options.noise >= 0 && g->c->whole.runs == 1 ? g->noise : "";
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

static char *say_limit(struct gate *g, size_t index, bool above)
{
    const struct gate_threshold *t = &g->options->thresholds[g->held[index].threshold];
    const struct gate_name *name = &g->names.all[g->held[index].row];
    const char *limit = g->options->threshold_texts[g->held[index].threshold];
    const struct diff_row *d = &g->c->rows[g->held[index].row].d;
    char *change = say_change(g, t, name->label, name->old_name, d);
    char *message = !change ? NULL
                    : above ? make_text(g, "%s: %s %s%s", change,
                                        signbit(t->limit) ? "below" : "above", limit, noise_of(g))
                            : make_text(g, "%s, limit %s: more runs decide", change, limit);

    free(change);
    return message;
}

/* What is known of a row and its limit. */
static void hold_limit(struct gate *g, size_t index)
{
    const struct held *held = &g->held[index];
    const struct diff_limit *limit = &g->limits[index];
    char *title = make_text(g, "%s: %s", g->names.all[held->row].label,
                            g->options->threshold_texts[held->threshold]);
    enum gate_result result =
        gate_judge(&g->options->thresholds[held->threshold], &g->c->rows[held->row].d, limit);

    if (isnan(limit->adjusted)) {
        g->unknown++;
        add_verdict(g, VERDICT_ERROR, "fail-above", title, "cannot tell whether it changed");
    } else if (result != GATE_WITHIN) {
        char *message = say_limit(g, index, result == GATE_ABOVE);
        if (result == GATE_ABOVE)
            add_verdict(g, VERDICT_FAILED, "fail-above", title, message);
        else
            add_open(g, "fail-above", title, message);
        free(message);
    }
    free(title);
}

static size_t count_held(const struct gate *g, size_t threshold)
{
    size_t count = 0;

    for (size_t i = 0; i < g->count; i++)
        count += g->held[i].threshold == threshold;
    return count;
}

static bool is_idle_only(const struct gate *g, size_t threshold)
{
    const struct gate_threshold *t = &g->options->thresholds[threshold];

    for (size_t i = 0; i < g->c->count; i++) {
        if (g->c->rows[i].idle && gate_name_matched(&g->names.all[i], t->glob, t->glob_len))
            return true;
    }
    return false;
}

/* One for all rows of a threshold that are within it. */
static void pass_threshold(struct gate *g, size_t threshold, size_t verdicts_before)
{
    const char *limit = g->options->threshold_texts[threshold];
    size_t held = count_held(g, threshold), others = g->verdicts.count - verdicts_before;
    char text[100];

    if (held == 0) {
        add_verdict(g, VERDICT_SKIPPED, "fail-above", limit,
                    is_idle_only(g, threshold) ? "idle is shown and never judged"
                                               : "no row has this name");
    } else if (held > others) {
        snprintf(text, sizeof(text), "%zu row%s within the limit", held - others,
                 held - others == 1 ? "" : "s");
        add_verdict(g, VERDICT_PASSED, "fail-above", limit, text);
    }
}

/* Idle is no work of anybody: it is shown, and never judged. */
static void find_held(struct gate *g, size_t threshold)
{
    const struct gate_threshold *t = &g->options->thresholds[threshold];

    for (size_t i = 0; i < g->c->count; i++) {
        const struct view_change *row = &g->c->rows[i];
        double limit = gate_limit(t, &row->d);
        if (row->idle || row->d.state == DIFF_EMPTY ||
            !gate_name_matched(&g->names.all[i], t->glob, t->glob_len))
            continue;
        g->held[g->count] = (struct held){.threshold = threshold, .row = i};
        g->limits[g->count++] = (struct diff_limit){
            .row = row->d.index, .limit = fmax(limit, 1e-9), .falls = signbit(t->limit)};
    }
}

static void hold_thresholds(struct gate *g)
{
    size_t thresholds = g->options->threshold_count, room = thresholds * g->c->count + 1;

    g->held = calloc(room, sizeof(*g->held));
    g->limits = calloc(room, sizeof(*g->limits));
    g->failed = !g->held || !g->limits;
    for (size_t t = 0; t < thresholds && !g->failed; t++)
        find_held(g, t);
    g->failed = g->failed || !diff_prove(&g->c->whole, g->limits, g->count);
    for (size_t t = 0; t < thresholds && !g->failed; t++) {
        size_t before = g->verdicts.count;
        for (size_t i = 0; i < g->count; i++) {
            if (g->held[i].threshold == t)
                hold_limit(g, i);
        }
        pass_threshold(g, t, before);
    }
    free(g->held);
    free(g->limits);
}

static void hold_row(struct gate *g, const struct budget *b, size_t row)
{
    static const enum verdict_kind kinds[] = {
        [GATE_WITHIN] = VERDICT_PASSED, [GATE_ABOVE] = VERDICT_FAILED};
    static const char *const words[] = {
        [GATE_WITHIN] = "within", [GATE_OPEN] = "more runs decide, limit", [GATE_ABOVE] = "above"};
    const struct gate_name *name = &g->names.all[row];
    const struct diff_row *d = &g->c->rows[row].d;
    const char *was = name->old_name;
    double low, high;
    enum gate_result result = gate_budget(d, b->max_share, g->budget_count, &low, &high);
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
                  g->options->budgets, b->line, result == GATE_ABOVE ? noise_of(g) : "");

    if (result == GATE_OPEN)
        add_open(g, "budgets", title, message);
    else
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

/* Shares without intervals exceed no budget, whatever they are; nor does one run. */
static bool has_intervals(const struct view_changes *c)
{
    return view_side_has_intervals(&c->sides[VIEW_BASE]) &&
           view_side_has_intervals(&c->sides[VIEW_NEW]) && !isnan(c->whole.noise);
}

static bool cannot_judge(struct gate *g, const struct budgets *budgets)
{
    bool alone = g->c->whole.runs == 1 && g->c->options.noise < 0;
    const char *why = alone ? "nothing can be judged with one run a side: take five of each build: "
                              "mprof snapshot --runs 5"
                            : "nothing can be judged: see the warnings of the diff";
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

/* Once for all rows. */
static void say_rest(const struct gate *g)
{
    if (g->open > OPEN_NAMED)
        complain("gate: open: %zu more rows; --junit lists them all", g->open - OPEN_NAMED);
    if (g->open && g->options->strict)
        complain("gate: --strict: %zu row%s open", g->open, g->open == 1 ? " is" : "s are");
    if (g->unknown)
        complain("gate: cannot tell which rows changed: see the first warning of the diff");
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

    snprintf(g.noise, sizeof(g.noise), "; if runs of one build differ by %.3g %%, as --noise says",
             100 * changes->options.noise);
    g.failed = !gate_names_make(changes, &g.names);
    if (!g.failed)
        blind = cannot_judge(&g, budgets);
    if (!g.failed && changes->judged && options->threshold_count)
        hold_thresholds(&g);
    if (!g.failed)
        count_budget_rows(&g, budgets);
    for (size_t i = 0; !g.failed && i < budgets->count && has_intervals(changes); i++)
        hold_budget(&g, &budgets->all[i]);
    say_rest(&g);
    int status = g.failed ? fail("out of memory") : write_verdicts(options->junit, &g.verdicts);
    if (g.failed)
        (void)diff_gate_error(options, "out of memory");
    if (g.verdicts.kinds[VERDICT_FAILED] != 0)
        status = STATUS_GATE;
    else if (blind || g.unknown || (g.open && options->strict))
        status = STATUS_FAILED;
    verdicts_free(&g.verdicts);
    gate_names_free(&g.names);
    return status;
}
