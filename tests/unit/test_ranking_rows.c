/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a profile: how hits are shared out among functions, lines and blocks. */
#include <math.h>

#include "unit.h"

#include "ranking_checks.h"

static void test_functions(void **state)
{
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    const struct view_row *alpha = row_of(&rows, "alpha"), *beta = row_of(&rows, "beta");

    assert_int_equal(rows.count, 4);
    assert_int_equal(sum(&rows), 800);
    assert_ptr_equal(alpha, &rows.rows[0]);
    /* 101 hits over 12 and 4 bytes: 75.75 and 25.25. */
    assert_int_equal(alpha->hits, 600 + 76);
    assert_int_equal(beta->hits, 25 + 90);
    assert_int_equal(alpha->addr, 0x100);
    assert_int_equal(alpha->recent + beta->recent, 80);
    assert_true(alpha->split && beta->split && !alpha->stale && beta->stale);
    assert_string_equal(alpha->file, "/src/one.c");
    assert_int_equal(alpha->line, 1);
    assert_true(fabs(alpha->rate - (double)alpha->recent / 2) < 1e-9);
    assert_true(fabs(alpha->share.value - 676.0 / 800) < 1e-9);
    assert_true(alpha->share.low < alpha->share.value && alpha->share.high > alpha->share.value);
    /* Bytes of no function beside a named one are padding. */
    assert_int_equal(row_of(&rows, made_functions[2].name)->hits, 7);
    assert_null(rows.rows[3].function);
    assert_int_equal(rows.rows[3].addr, 0x900);
    view_rows_free(&rows);
}

static void test_other_groupings(void **state)
{
    struct view_rows rows = build_rows(VIEW_BY_FILE);

    assert_int_equal(sum(&rows), 800);
    assert_string_equal(rows.rows[0].file, "/src/one.c");
    assert_int_equal(rows.rows[0].hits, 701);
    view_rows_free(&rows);

    rows = build_rows(VIEW_BY_LINE);
    assert_int_equal(sum(&rows), 800);
    /* Each block has several lines: it is a row, and they have a range. */
    assert_int_equal(rows.rows[0].hits, 600);
    assert_true(rows.rows[0].block && !rows.rows[0].file && !rows.rows[0].split);
    assert_string_equal(rows.rows[0].function, "alpha");
    assert_int_equal(rows.rows[0].addr, 0x100);
    assert_string_equal(rows.rows[0].lines.file, "/src/one.c");
    assert_int_equal(rows.rows[0].lines.first, 1);
    assert_int_equal(rows.rows[0].lines.last, 4);
    for (size_t i = 0; i < rows.count; i++) {
        const struct view_row *row = &rows.rows[i];
        if (row->line == 1) {
            assert_int_equal(row->hits, 0);
            assert_int_equal(row->most, 600);
            assert_true(row->share.low < 1e-9 && row->share.high > 0.75);
        }
        assert_true(row->line == 0 || row->hits == 0);
        assert_true(row->addr != 0x110 || !row->block || row->several);
    }
    view_rows_free(&rows);

    rows = build_rows(VIEW_BY_ADDRESS);
    assert_int_equal(rows.count, 5);
    assert_int_equal(rows.rows[1].hits, 101);
    assert_int_equal(rows.rows[1].addr, 0x110);
    view_rows_free(&rows);
}

static void test_no_symbols(void **state)
{
    static const enum view_by all[] = {VIEW_BY_FUNCTION, VIEW_BY_LINE, VIEW_BY_FILE,
                                       VIEW_BY_ADDRESS};
    struct profile p = make_profile();
    struct view_rows rows;

    for (size_t i = 0; i < COUNT(all); i++) {
        assert_true(view_rows_build(&p, NULL, all[i], NULL, &rows));
        assert_int_equal(rows.count, 5);
        assert_int_equal(sum(&rows), 800);
        view_rows_free(&rows);
    }
}

/* A block of 64 bytes holds sixteen lines of four bytes: any of them may have all hits. */
static void test_many_pieces(void **state)
{
    struct profile_hit hit = {.addr = 0x100, .hits = 1600, .recent = 160, .inherited = 16};
    struct profile p = make_profile();
    struct view_rows rows;

    p.block_size = 64;
    p.rows = &hit;
    p.row_count = 1;
    p.attributed = 1600;
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_LINE, NULL, &rows));
    assert_int_equal(rows.count, 17);
    for (size_t i = 0; i < rows.count; i++) {
        const struct view_row *row = &rows.rows[i];
        assert_int_equal(row->hits, row->block ? 1600 : 0);
        assert_int_equal(row->recent, row->block ? 160 : 0);
        assert_int_equal(row->inherited, row->block ? 16 : 0);
        assert_int_equal(row->least, row->hits);
        assert_int_equal(row->most, 1600);
        assert_int_equal(row->split, !row->block);
    }
    view_rows_sort(&rows, NULL);
    assert_true(rows.rows[0].block);
    view_rows_free(&rows);
}

/* More blocks than rows are kept for: the rows are those of a few blocks, with more hits. */
static void check_many_blocks(enum view_by by)
{
    enum { TIMES = 1000, BLOCKS = 5 };
    struct profile p = make_profile();
    const struct profile once = p;
    struct view_rows few, many;

    p.rows = calloc(TIMES * BLOCKS, sizeof(*p.rows));
    assert_non_null(p.rows);
    p.row_count = p.used = TIMES * BLOCKS;
    p.attributed *= TIMES;
    for (size_t i = 0; i < p.row_count; i++)
        p.rows[i] = once.rows[i % BLOCKS];
    assert_true(view_rows_build(&once, symtab_of_test(), by, NULL, &few));
    assert_true(view_rows_build(&p, symtab_of_test(), by, NULL, &many));
    assert_int_equal(few.count, many.count);
    assert_int_equal(sum(&many), 800 * TIMES);
    for (size_t i = 0; i < few.count; i++) {
        const struct view_row *a = &few.rows[i], *b = &many.rows[i];
        assert_int_equal(a->hits * TIMES, b->hits);
        assert_int_equal(a->inherited * TIMES, b->inherited);
        assert_int_equal(a->addr, b->addr);
        assert_ptr_equal(a->function, b->function);
        assert_int_equal(a->stale, b->stale);
        assert_int_equal(a->split, b->split);
    }
    view_rows_free(&few);
    view_rows_free(&many);
    free(p.rows);
}

static void test_many_blocks(void **state)
{
    for (int by = VIEW_BY_FUNCTION; by <= VIEW_BY_ARC; by++)
        check_many_blocks((enum view_by)by);
}

static void test_first_refresh_has_no_rates(void **state)
{
    struct profile p = make_profile();
    struct view_rows rows;

    p.recent_s = 0;
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_FUNCTION, NULL, &rows));
    assert_true(rows.rows[0].rate < 0 && rows.rows[0].recent_share < 0);
    view_rows_free(&rows);
}

static void test_sort(void **state)
{
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);

    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "function", 8));
    assert_string_equal(rows.rows[0].function, "alpha");
    assert_null(rows.rows[3].function);
    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "address", 7));
    assert_int_equal(rows.rows[0].addr, 0x100);
    assert_int_equal(rows.rows[3].addr, 0x900);
    view_rows_free(&rows);
}

/* What is shown as the share has an order, also where a row with fewer hits has the larger share.
 */
static void test_sort_by_share(void **state)
{
    struct view_row some[] = {{.function = "more hits", .hits = 11, .share = {.value = 0.2}},
                              {.function = "large", .hits = 10, .share = {.value = 0.3}},
                              {.function = "small", .hits = 10, .share = {.value = 0.2}}};
    struct view_rows rows = {.rows = some, .count = 3};

    view_rows_sort(&rows, NULL);
    assert_string_equal(some[0].function, "large");
    assert_string_equal(some[1].function, "more hits");
    assert_string_equal(some[2].function, "small");
}

/* What decay took away belongs to the count. */
static void test_decay(void **state)
{
    struct profile_hit some[] = {
        {.addr = 0x100, .hits = 90, .recent = 10},
        {.addr = 0x110, .hits = 10, .lost = 4}, /* alpha's three quarters, beta's quarter */
    };
    struct profile p = make_profile();
    struct view_rows rows;

    p.rows = some;
    p.row_count = 2;
    p.attributed = 100;
    p.recent = 10;
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_FUNCTION, NULL, &rows));
    assert_true(fabs(row_of(&rows, "alpha")->rate - 7.0 / 2) < 1e-9);
    assert_true(row_of(&rows, "beta")->rate < 0);
    assert_true(row_of(&rows, "beta")->recent_share < 0);
    view_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),   cmocka_unit_test(test_other_groupings),
        cmocka_unit_test(test_no_symbols),  cmocka_unit_test(test_many_pieces),
        cmocka_unit_test(test_many_blocks), cmocka_unit_test(test_first_refresh_has_no_rates),
        cmocka_unit_test(test_sort),        cmocka_unit_test(test_sort_by_share),
        cmocka_unit_test(test_decay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
