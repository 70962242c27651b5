/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sides of a diff with made hits. */
#include "unit.h"

#include "diff_checks.h"

void make_pair(struct pair *pair, const uint64_t base[ROWS], const uint64_t newer[ROWS])
{
    *pair = (struct pair){.options = DIFF_OPTIONS_DEFAULT};
    pair->options.noise = 0; /* runs differ by counting alone */
    for (size_t i = 0; i < ROWS; i++) {
        pair->hits[0][i].hits = base[i];
        pair->hits[1][i].hits = newer[i];
    }
    for (int side = 0; side < 2; side++) {
        pair->snapshots[side].rows = pair->hits[side];
        pair->sides[side] = (struct diff_side){.snapshots = &pair->snapshots[side], .count = 1};
    }
}

enum diff_code compare(const struct pair *pair, struct diff *out)
{
    return diff_make(&pair->sides[0], &pair->sides[1], ROWS, &pair->options, out);
}

struct diff diff_of(const struct pair *pair)
{
    struct diff d;

    assert_int_equal(compare(pair, &d), DIFF_OK);
    return d;
}

struct diff diff_between(struct pair *pair, const uint64_t base[ROWS], const uint64_t newer[ROWS])
{
    make_pair(pair, base, newer);
    return diff_of(pair);
}

const uint64_t plain[ROWS] = {40000, 20000, 20000, 10000, 9900, 100};

void make_runs(struct runs *r, double changed)
{
    static const int wobble[] = {-6, 8, -2, 5, -9, 4, 0};

    *r = (struct runs){.options = DIFF_OPTIONS_DEFAULT};
    for (size_t k = 0; k < 2 * SIDE; k++) {
        for (size_t i = 0; i < ROWS; i++) {
            double hits = (double)plain[i] * (1 + 0.001 * wobble[(i + 2 * (k % SIDE)) % 7]);
            r->hits[k][i].hits = (uint64_t)(hits * (i == 1 && k >= SIDE ? changed : 1));
        }
        r->snapshots[k] = (struct diff_snapshot){
            .rows = r->hits[k], .sample_hz = 1000, .duration_s = 100, .idle = 0.1};
    }
    r->sides[0] = (struct diff_side){.snapshots = r->snapshots, .count = SIDE};
    r->sides[1] = (struct diff_side){.snapshots = r->snapshots + SIDE, .count = SIDE};
}

struct diff diff_of_runs(const struct runs *r)
{
    struct diff d;

    assert_int_equal(diff_make(&r->sides[0], &r->sides[1], ROWS, &r->options, &d), DIFF_OK);
    return d;
}
