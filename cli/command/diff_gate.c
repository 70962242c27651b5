/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thresholds and budgets against rows. */
#define _POSIX_C_SOURCE 200809L

#include "diff_gate.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junit.h"
#include "whole.h"

#define NAME_MAX_LEN 900
#define TEXT_MAX     1400

struct gate {
    const struct options *options;
    const struct view_changes *c;
    struct verdicts verdicts;
    bool failed; /* no memory */
};

static void add(struct gate *g, enum verdict_kind kind, const char *group, const char *name,
                const char *message)
{
    if (!verdicts_add(&g->verdicts, kind, group, name, message))
        g->failed = true;
    if (kind == VERDICT_FAILED)
        complain("gate: %s", message);
    else if (kind == VERDICT_SKIPPED)
        complain("gate: %s: %s", name, message);
}

static void name_of(const struct gate *g, const struct view_change *row, char *name)
{
    view_change_name(row, g->c->by, name, NAME_MAX_LEN);
}

static bool is_matched(const struct gate_threshold *t, const char *name)
{
    char glob[1024];

    if (t->glob_len == 0)
        return true;
    snprintf(glob, sizeof(glob), "%.*s", (int)t->glob_len, t->glob);
    return fnmatch(glob, name, 0) == 0;
}

/* "+4.8 % [+3.1, +6.5]" of the row, or the same in points. */
static void say_change(const struct gate_threshold *t, const struct diff_row *d, char *text,
                       size_t capacity)
{
    if (t->points)
        snprintf(text, capacity, "%+.2f pp [%+.2f, %+.2f]", 100 * d->change, 100 * d->change_low,
                 100 * d->change_high);
    else if (isinf(d->ratio))
        snprintf(text, capacity, "new, at least %+.1f %%", 100 * (d->ratio_low - 1));
    else
        snprintf(text, capacity, "%+.1f %% [%+.1f, %+.1f]", 100 * (d->ratio - 1),
                 100 * (d->ratio_low - 1), 100 * (d->ratio_high - 1));
}

static void fail_threshold(struct gate *g, const char *limit, const struct gate_threshold *t,
                           const char *name, const struct diff_row *d)
{
    char change[120], message[TEXT_MAX], title[TEXT_MAX];

    say_change(t, d, change, sizeof(change));
    snprintf(title, sizeof(title), "%s: %s", name, limit);
    snprintf(message, sizeof(message), "%s changed by %s: %s %s", name, change,
             signbit(t->limit) ? "below" : "above", limit);
    add(g, VERDICT_FAILED, "fail-above", title, message);
}

static void hold_threshold(struct gate *g, size_t index)
{
    const struct gate_threshold *t = &g->options->thresholds[index];
    const char *limit = g->options->threshold_texts[index];
    char name[NAME_MAX_LEN], text[80];
    size_t matched = 0, broken = 0;

    for (size_t i = 0; i < g->c->count; i++) {
        const struct view_change *row = &g->c->rows[i];
        name_of(g, row, name);
        if (!is_matched(t, name))
            continue;
        matched++;
        if (!gate_threshold_broken(t, name, &row->d))
            continue;
        broken++;
        fail_threshold(g, limit, t, name, &row->d);
    }
    snprintf(text, sizeof(text), "%zu row%s, none of them beyond", matched,
             matched == 1 ? "" : "s");
    if (matched == 0)
        add(g, VERDICT_SKIPPED, "fail-above", limit, "no row has such a name");
    else if (broken == 0)
        add(g, VERDICT_PASSED, "fail-above", limit, text);
}

static void hold_row(struct gate *g, const struct budget *b, const char *name,
                     const struct diff_row *d)
{
    static const enum verdict_kind kinds[] = {[GATE_WITHIN] = VERDICT_PASSED,
                                              [GATE_UNSURE] = VERDICT_UNSURE,
                                              [GATE_EXCEEDED] = VERDICT_FAILED};
    static const char *const words[] = {
        [GATE_WITHIN] = "within", [GATE_UNSURE] = "not surely within", [GATE_EXCEEDED] = "above"};
    char title[TEXT_MAX], message[TEXT_MAX];
    enum gate_budget result = gate_budget(d, b->max_share);

    snprintf(title, sizeof(title), "%s: %.6g%%", name, 100 * b->max_share);
    snprintf(message, sizeof(message), "%s takes %.2f %% [%.2f, %.2f]: %s %.6g %% (%s:%u)", name,
             100 * d->new_share, 100 * d->new_low, 100 * d->new_high, words[result],
             100 * b->max_share, g->options->budgets, b->line);
    add(g, kinds[result], "budgets", title, message);
}

static void hold_budget(struct gate *g, const struct budget *b)
{
    char name[NAME_MAX_LEN];
    bool matched = false;

    for (size_t i = 0; i < g->c->count; i++) {
        const struct view_change *row = &g->c->rows[i];
        name_of(g, row, name);
        if (fnmatch(b->glob, name, 0) != 0)
            continue;
        matched = true;
        hold_row(g, b, name, &row->d);
    }
    if (!matched)
        add(g, VERDICT_SKIPPED, "budgets", b->glob, "no row has such a name");
}

/* Shares without intervals exceed no budget, whatever they are. */
static bool has_intervals(const struct view_changes *c)
{
    return !c->sides[VIEW_BASE].locked && !c->sides[VIEW_NEW].locked;
}

static bool cannot_judge(struct gate *g, const struct budgets *budgets)
{
    static const char why[] = "nothing can be judged, see what is said above the rows";
    bool blind = false;

    for (size_t i = 0; i < g->options->threshold_count && !g->c->judged; i++) {
        add(g, VERDICT_SKIPPED, "fail-above", g->options->threshold_texts[i], why);
        blind = true;
    }
    for (size_t i = 0; i < budgets->count && !has_intervals(g->c); i++) {
        add(g, VERDICT_SKIPPED, "budgets", budgets->all[i].glob, why);
        blind = true;
    }
    return blind;
}

static int write_junit(struct gate *g)
{
    if (!g->options->junit)
        return STATUS_DONE;
    char *text = junit_text(&g->verdicts);
    int status = STATUS_FAILED;

    if (text)
        status = whole_write(g->options->junit, text);
    else
        complain("out of memory");
    free(text);
    return status;
}

int diff_gate(const struct options *options, const struct budgets *budgets,
              const struct view_changes *changes)
{
    struct gate g = {.options = options, .c = changes};
    bool blind = cannot_judge(&g, budgets);

    for (size_t i = 0; i < options->threshold_count && changes->judged; i++)
        hold_threshold(&g, i);
    for (size_t i = 0; i < budgets->count && has_intervals(changes); i++)
        hold_budget(&g, &budgets->all[i]);
    int status = g.failed ? STATUS_FAILED : write_junit(&g);
    if (g.failed)
        complain("out of memory");
    bool tripped = g.verdicts.kinds[VERDICT_FAILED] != 0;
    verdicts_free(&g.verdicts);
    if (status == STATUS_DONE && tripped)
        return STATUS_GATE;
    return status == STATUS_DONE && blind ? STATUS_FAILED : status;
}
