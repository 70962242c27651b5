/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a diff may pass. */
#include <profile/gate.h>

#include <math.h>
#include <string.h>

#include <base/number.h>

/* Longest glob that is taken. */
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

double gate_limit(const struct gate_threshold *threshold, const struct diff_row *row)
{
    double half_a_hit = row->base_hits ? row->base_share / (double)row->base_hits / 2
                                       : row->new_share / (double)(row->new_hits + 1) / 2;

    return threshold->points ? 1 + threshold->limit / fmax(row->base_share, half_a_hit)
                             : 1 + threshold->limit;
}

/* What all limits together may be wrong about. */
static const double family_error = 0.05;

enum gate_result gate_judge(const struct gate_threshold *threshold, const struct diff_row *row,
                            const struct diff_limit *limit)
{
    double low = threshold->points ? row->change_low : row->ratio_low - 1;
    double high = threshold->points ? row->change_high : row->ratio_high - 1;

    if (limit->adjusted <= family_error)
        return GATE_ABOVE;
    bool beyond = limit->falls ? low < threshold->limit : high > threshold->limit;
    return beyond ? GATE_OPEN : GATE_WITHIN;
}

enum gate_result gate_budget(const struct diff_row *row, double max_share, size_t budget_count,
                             double *low, double *high)
{
    diff_new_share(row, family_error / (double)(budget_count ? budget_count : 1), low, high);
    if (*low > max_share)
        return GATE_ABOVE;
    return *high <= max_share ? GATE_WITHIN : GATE_OPEN;
}
