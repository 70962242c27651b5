/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By each grouping, the same hits are one row for the ranking, the sparkline, the diff and the live
 * screen's cursor. */
#include "unit.h"

#include <profile/recent_window.h>
#include <ranking/change.h>
#include <ranking/row_key.h>
#include <ranking/sparklines.h>

#include "live_private.h"
#include "row_key_checks.h"

static void test_ranking(void **state)
{
    struct counted c;

    for (const struct grouping *g = groupings; g < groupings + GROUPINGS; g++) {
        init_counted(&c, &first_build, g->exceptions);
        hit_all_rows(&c);
        struct view_rows rows = ranking_of(&c, &first_build, g->by);
        assert_int_equal(rows.count, length_of(g->rows));
        for (size_t i = 0; i < rows.count; i++)
            check_has(g, g->rows, rows.rows[i].hits);
        view_rows_free(&rows);
    }
}

/* Each row has a series of its own, whose share is that of its hits. */
static void test_sparkline(void **state)
{
    const struct symbol_naming naming = naming_of(&first_build);
    double shares[RECENT_WINDOW_SECONDS];
    struct counted c;

    for (const struct grouping *g = groupings; g < groupings + GROUPINGS; g++) {
        struct recent_window *past = recent_window_new();
        struct sparklines *view = sparklines_new();
        init_counted(&c, &first_build, g->exceptions);
        assert_true(recent_window_add(past, &c.profile));
        hit_all_rows(&c);
        assert_true(recent_window_add(past, &c.profile));
        assert_true(sparklines_update(view, past, &c.profile, &naming, g->by, NULL));
        struct view_rows rows = ranking_of(&c, &first_build, g->by);
        for (size_t i = 0; i < rows.count; i++) {
            assert_int_equal(sparklines_series(view, &rows.rows[i], shares, RECENT_WINDOW_SECONDS),
                             1);
            assert_near(shares[0] * ALL_HITS, (double)rows.rows[i].hits, 1e-6);
        }
        view_rows_free(&rows);
        sparklines_free(view);
        recent_window_free(past);
    }
}

static void add_run(struct view_set *set, enum view_side side, const struct build *b)
{
    const struct symbol_naming naming = naming_of(b);
    struct counted c;
    char text[600];

    init_counted(&c, b, false);
    hit_all_rows(&c);
    const struct view_run run = {.profile = &c.profile,
                                 .naming = &naming,
                                 .name = "a.pb.gz",
                                 .elf = "fw.elf",
                                 .build_id = b == &first_build ? "aaaa" : "bbbb",
                                 .unit = "samples",
                                 .start = b->base};
    assert_true(view_set_add(set, side, &run, text, sizeof(text)));
}

static void check_diff(const struct grouping *g, const struct build *newer, const uint64_t *wanted)
{
    const struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct view_set *set = view_set_new(g->by, NULL);
    struct view_changes c;
    char text[600];

    add_run(set, VIEW_BASE, &first_build);
    add_run(set, VIEW_NEW, newer);
    if (!view_changes_make(set, &options, &c, text, sizeof(text)))
        fail_msg("by %s: %s", g->name, text);
    assert_int_equal(c.count, length_of(wanted));
    for (size_t i = 0; i < c.count; i++) {
        check_has(g, wanted, c.rows[i].d.base_hits);
        assert_int_equal(c.rows[i].d.base_hits, c.rows[i].d.new_hits);
    }
    view_changes_free(&c);
    view_set_free(set);
}

/* These snapshots do not say in which exception a sample came: a diff has no such rows. */
static void test_diff(void **state)
{
    for (const struct grouping *g = groupings; g < groupings + GROUPINGS; g++) {
        if (!g->exceptions && g->by != VIEW_BY_CONTEXT)
            check_diff(g, &first_build, g->diff[0] ? g->diff : g->rows);
    }
}

/* What has a name is the same row in another build; all that has none is one row. */
static void test_diff_of_builds(void **state)
{
    for (const struct grouping *g = groupings; g < groupings + GROUPINGS; g++) {
        uint64_t wanted[BLOCKS] = {0};
        if (g->exceptions || g->by == VIEW_BY_CONTEXT || g->by == VIEW_BY_LINE ||
            g->by == VIEW_BY_ADDRESS)
            continue;
        memcpy(wanted, g->across, sizeof(wanted));
        wanted[length_of(wanted)] = 384;
        check_diff(g, &moved_build, wanted);
    }
}

static bool is_across(const struct grouping *g, uint64_t hits)
{
    for (size_t i = 0; i < length_of(g->across); i++) {
        if (g->across[i] == hits)
            return true;
    }
    return false;
}

static void reverse_rows(struct view_rows *rows)
{
    for (size_t i = 0, j = rows->count; i + 1 < j; i++) {
        struct view_row row = rows->rows[i];
        rows->rows[i] = rows->rows[--j];
        rows->rows[j] = row;
    }
}

/* The hits of the row that the cursor goes to from a row of that number. */
static uint64_t follow_row(struct live *live, const struct view_rows *from, size_t number,
                           const struct view_rows *to, bool same_build)
{
    live->shown.session.elf.loaded.size = 1;
    live->model.rows = *from;
    live_remember(live, number);
    live->shown.session.elf.loaded.size = same_build ? 1 : 2;
    live->model.rows = *to;
    live->cursors.ranking.selected = SIZE_MAX;
    live_follow(live);
    return to->rows[live->cursors.ranking.selected].hits;
}

/* The cursor goes with its row to another rank, and to another build. What has no name is where it
 * was: nowhere in this one. */
static void test_cursor(void **state)
{
    struct options options = {.by = VIEW_BY_FUNCTION};
    struct live *live = calloc(1, sizeof(*live));
    struct counted before, after;

    assert_non_null(live);
    live->options = &options;
    for (const struct grouping *g = groupings; g < groupings + GROUPINGS; g++) {
        options.by = g->by;
        init_counted(&before, &first_build, g->exceptions);
        init_counted(&after, &moved_build, g->exceptions);
        hit_all_rows(&before);
        hit_all_rows(&after);
        struct view_rows rows = ranking_of(&before, &first_build, g->by);
        struct view_rows again = ranking_of(&before, &first_build, g->by);
        struct view_rows newer = ranking_of(&after, &moved_build, g->by);
        reverse_rows(&again);
        reverse_rows(&newer);
        for (size_t i = 0; i < rows.count; i++) {
            uint64_t hits = rows.rows[i].hits;
            assert_int_equal(follow_row(live, &rows, i, &again, true), hits);
            if (is_across(g, hits))
                assert_int_equal(follow_row(live, &rows, i, &newer, false), hits);
        }
        view_rows_free(&rows);
        view_rows_free(&again);
        view_rows_free(&newer);
    }
    free(live);
}

/* What has no name is a row of its own where it has an address, and be that 0. */
static void test_without_a_name(void **state)
{
    static const struct view_row at_0 = {.addr = 0}, nowhere = {.unplaced = true};
    static const enum view_by by[] = {VIEW_BY_FUNCTION, VIEW_BY_ARC};

    for (size_t i = 0; i < COUNT(by); i++) {
        const struct row_key placed = row_key_across(by[i], false, true, &at_0);
        const struct row_key unplaced = row_key_across(by[i], false, true, &nowhere);
        const struct row_key elsewhere = row_key_across(by[i], false, false, &at_0);
        assert_int_not_equal(row_key_compare(&placed, &unplaced), 0);
        assert_int_equal(row_key_compare(&elsewhere, &unplaced), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranking), cmocka_unit_test(test_sparkline),
        cmocka_unit_test(test_diff),    cmocka_unit_test(test_diff_of_builds),
        cmocka_unit_test(test_cursor),  cmocka_unit_test(test_without_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
