/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a diff may pass. */
#include <profile/gate.h>

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include <base/number.h>

/* Longest glob that is matched. */
#define GLOB_MAX 1024

static bool parse_limit(const char *text, struct gate_threshold *out)
{
    const char *unit = text + 1;
    double limit;

    if ((*text != '+' && *text != '-') || !number_take_decimal(&unit, &limit))
        return false;
    if (strcmp(unit, "pp") != 0 && strcmp(unit, "%") != 0)
        return false;
    out->points = *unit == 'p';
    out->limit = copysign(limit / 100, *text == '-' ? -1 : 1);
    return true;
}

bool gate_parse(const char *text, struct gate_threshold *out)
{
    const char *equals = strrchr(text, '=');
    size_t len = equals != NULL ? (size_t)(equals - text) : 0;
    struct gate_threshold threshold = {.glob = text, .glob_len = len};

    if ((equals != NULL && len == 0) || len >= GLOB_MAX ||
        !parse_limit(equals != NULL ? equals + 1 : text, &threshold))
        return false;
    *out = threshold;
    return true;
}

static bool matches(const struct gate_threshold *threshold, const char *name)
{
    char glob[GLOB_MAX];

    if (threshold->glob_len == 0)
        return true;
    memcpy(glob, threshold->glob, threshold->glob_len);
    glob[threshold->glob_len] = '\0';
    return name != NULL && fnmatch(glob, name, 0) == 0;
}

bool gate_threshold_broken(const struct gate_threshold *threshold, const char *name,
                           const struct diff_row *row)
{
    double change = threshold->points ? row->change : row->ratio - 1;
    bool falls = signbit(threshold->limit);

    if (!row->significant || row->direction != (falls ? -1 : 1) || !matches(threshold, name))
        return false;
    return falls ? change < threshold->limit : change > threshold->limit;
}

/* What all budgets together may be wrong about. */
static const double family_error = 0.05;

enum gate_budget gate_budget(const struct diff_row *row, double max_share, size_t budget_count,
                             double *low, double *high)
{
    diff_new_share(row, family_error / (double)(budget_count ? budget_count : 1), low, high);
    if (*low > max_share)
        return GATE_EXCEEDED;
    return *high <= max_share ? GATE_WITHIN : GATE_UNSURE;
}
