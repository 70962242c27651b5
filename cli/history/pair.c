/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two points: all functions as rows, all snapshots as runs. */
#include "pair.h"

#include <stdlib.h>

bool pair_match(struct pair *p)
{
    size_t count = p->sides[0]->row_count + p->sides[1]->row_count, at = 0;

    p->rows = calloc(count + 1, sizeof(*p->rows));
    if (!p->rows)
        return false;
    for (int side = 0; side < 2; side++) {
        const struct point_data *data = p->sides[side];
        for (size_t i = 0; i < data->row_count; i++) {
            struct match_row *row = &p->rows[at++];
            *row = (struct match_row){
                .function = data->rows[i].function, .file = data->rows[i].file, .newer = side == 1};
            for (size_t r = 0; r < data->run_count; r++)
                row->hits += data->runs[r].hits[i].hits;
        }
    }
    return match_rows(p->rows, count, &p->keys, &p->key_count);
}

size_t pair_key(const struct pair *p, int side, size_t row)
{
    return p->rows[row + (side ? p->sides[0]->row_count : 0)].key;
}

static bool fill_side(struct pair *p, int side)
{
    const struct point_data *data = p->sides[side];

    p->snapshots[side] = calloc(data->run_count, sizeof(*p->snapshots[side]));
    p->hits[side] = calloc(data->run_count * (p->key_count + 1), sizeof(*p->hits[side]));
    if (!p->snapshots[side] || !p->hits[side])
        return false;
    for (size_t r = 0; r < data->run_count; r++) {
        const struct point_run *run = &data->runs[r];
        struct diff_hits *hits = p->hits[side] + r * p->key_count;
        for (size_t i = 0; i < data->row_count; i++) {
            struct diff_hits *to = &hits[pair_key(p, side, i)];
            to->hits += run->hits[i].hits;
            to->inherited += run->hits[i].inherited;
        }
        p->snapshots[side][r] = (struct diff_snapshot){.rows = hits,
                                                       .dropped = run->dropped,
                                                       .sample_hz = run->sample_hz,
                                                       .duration_s = run->duration_s};
    }
    return true;
}

void pair_free(struct pair *p)
{
    for (int side = 0; side < 2; side++) {
        free(p->snapshots[side]);
        free(p->hits[side]);
    }
    free(p->rows);
    free(p->keys);
    diff_free(&p->diff);
}

static bool any_locked(const struct point_data *p)
{
    for (size_t i = 0; i < p->run_count; i++) {
        if (p->runs[i].locked)
            return true;
    }
    return false;
}

static const char *why_not(const struct pair *p)
{
    if (p->sides[0]->run_count == 0 || p->sides[1]->run_count == 0)
        return "cannot be read";
    if (any_locked(p->sides[0]) || any_locked(p->sides[1]))
        return "locked to the tick";
    return NULL;
}

bool pair_compare(struct pair *p, const char **why)
{
    struct diff_options options = DIFF_OPTIONS_DEFAULT;

    *why = why_not(p);
    if (*why)
        return true;
    options.exact = p->sides[1]->exact;
    if (!fill_side(p, 0) || !fill_side(p, 1))
        return false;
    const struct diff_side base = {p->snapshots[0], p->sides[0]->run_count};
    const struct diff_side newer = {p->snapshots[1], p->sides[1]->run_count};
    enum diff_code code = diff_make(&base, &newer, p->key_count, &options, &p->diff);
    *why = code == DIFF_OK ? NULL : "no hits";
    return code != DIFF_EMEMORY;
}
