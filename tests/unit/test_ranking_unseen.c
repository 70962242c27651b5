/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rows may have of the events that the target's table lost. */
#include <math.h>

#include "unit.h"

#include "fake_names.h"
#include "ranking_checks.h"
#include "unseen.h"

/* Regions of 16 bytes, of which every fourth shares a counter. alpha is in blocks 0x100 and 0x110,
 * beta in 0x110, 0x120 and 0x130, a third function in 0x150. */
static uint64_t counts[8] = {7, 10, 4, 3};

static struct profile profile_of(struct profile_hit *hits, size_t count)
{
    struct profile p = {
        .source = DECODE_TABLE,
        .unit = DECODE_UNIT_SAMPLES,
        .block_size = 16,
        .rest = {.counts = counts, .recent = counts + 4, .count = 4, .region_size = 16},
        .rows = hits,
        .row_count = count,
        .used = count};

    for (size_t i = 0; i < count; i++)
        p.attributed += hits[i].hits;
    return p;
}

static struct view_rows build(const struct profile *p, enum view_by by)
{
    struct view_rows rows;

    assert_true(view_rows_build(p, symtab_of_test(), by, NULL, &rows));
    return rows;
}

static void check(const struct view_row *row, uint64_t least, double likely, uint64_t most)
{
    assert_non_null(row);
    assert_int_equal(row->unseen.least, least);
    assert_int_equal(row->unseen.most, most);
    assert_true(fabs(row->unseen.likely - likely) < 1e-9);
}

static void test_functions(void **state)
{
    struct profile_hit hits[] = {
        {.addr = 0x100, .hits = 50, .stamp = 1, .complete = true},
        {.addr = 0x110, .hits = 40, .stamp = 1},
        {.addr = 0x130, .hits = 10, .stamp = 1, .complete = true},
    };
    const struct profile p = profile_of(hits, COUNT(hits));
    struct view_rows rows = build(&p, VIEW_BY_FUNCTION);

    assert_int_equal(rows.count, 2);
    /* Counter 1 is of a block of both and of one of the third function; 2 of beta alone. In 0 and 3
     * all code is complete: who lost that is not in the file. */
    check(row_of(&rows, "alpha"), 0, 10 * 12.0 / 24, 10); /* 12 bytes of 12, 4 and 8 */
    check(row_of(&rows, "beta"), 4, 10 * 4.0 / 24 + 4, 14);
    const struct view_row *alpha = row_of(&rows, "alpha");
    /* Of the shared block it has 12 bytes of 16: between nothing and all of its hits. */
    assert_int_equal(alpha->hits, 80);
    assert_int_equal(alpha->least, 50);
    assert_int_equal(alpha->most, 90);
    assert_true(fabs(alpha->share.value - (80 + 5.0) / 124) < 1e-9);
    assert_true(fabs(alpha->share.low - stats_wilson(50, 124).low) < 1e-9);
    assert_true(fabs(alpha->share.high - stats_wilson(100, 124).high) < 1e-9);
    view_rows_free(&rows);
}

/* Of functions that nothing was counted of. */
static void test_without_row(void **state)
{
    struct profile_hit hits[] = {{.addr = 0x100, .hits = 50, .stamp = 1, .complete = true}};
    struct profile p = profile_of(hits, COUNT(hits));
    struct view_rows rows = build(&p, VIEW_BY_FUNCTION);

    /* beta has blocks in regions 1, 2 and 3, the third function one in 1. */
    assert_int_equal(rows.without.functions, 2);
    assert_int_equal(rows.without.most, 17);
    assert_true(fabs(rows.without.high - stats_wilson(17, 74).high) < 1e-9);
    view_rows_free(&rows);
    rows = build(&p, VIEW_BY_CONTEXT);
    assert_int_equal(rows.without.most, 17);
    view_rows_free(&rows);
    rows = build(&p, VIEW_BY_LINE);
    assert_int_equal(rows.without.most, 0);
    view_rows_free(&rows);
    p.fixed = true;
    rows = build(&p, VIEW_BY_FUNCTION);
    assert_true(rows.without.high < 0);
    view_rows_free(&rows);
}

/* What is complete has lost nothing, and what is ignored is not asked for. */
static void test_all_have_rows(void **state)
{
    struct profile_hit hits[] = {
        {.addr = 0x100, .hits = 50, .stamp = 1, .complete = true},
        {.addr = 0x120, .hits = 10, .stamp = 1},
        {.addr = 0x150, .stamp = 1, .complete = true},
    };
    const struct profile p = profile_of(hits, COUNT(hits));
    static struct view_ignore ignore;
    struct view_rows rows = build(&p, VIEW_BY_FUNCTION);
    char text[100];

    assert_int_equal(rows.without.functions, 0);
    assert_int_equal(rows.without.most, 0);
    view_rows_free(&rows);
    assert_true(view_ignore_parse("beta", &ignore, text, sizeof(text)));
    const struct profile one = profile_of(hits, 1);
    assert_true(view_rows_build(&one, symtab_of_test(), VIEW_BY_FUNCTION, &ignore, &rows));
    assert_int_equal(rows.without.functions, 1);
    assert_int_equal(rows.without.most, 10);
    view_rows_free(&rows);
}

/* What is left out leaves the total with its lost hits, of which it may have more or fewer. */
static void test_ignored(void **state)
{
    struct profile_hit hits[] = {
        {.addr = 0x100, .hits = 50, .stamp = 1, .complete = true},
        {.addr = 0x110, .hits = 40, .stamp = 1},
        {.addr = 0x130, .hits = 10, .stamp = 1, .complete = true},
    };
    const struct profile p = profile_of(hits, COUNT(hits));
    static struct view_ignore ignore;
    struct view_rows rows;
    char text[100];

    ignore = (struct view_ignore){.count = 0};
    assert_true(view_ignore_parse("beta", &ignore, text, sizeof(text)));
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_FUNCTION, &ignore, &rows));
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.attributed, 80);
    assert_int_equal(rows.ignored, 20);
    double likely = 10 * 4.0 / 24 + 4;
    assert_int_equal(rows.ignored_unseen.least, 4);
    assert_int_equal(rows.ignored_unseen.most, 14);
    assert_true(fabs(rows.ignored_unseen.likely - likely) < 1e-9);
    const struct view_row *alpha = row_of(&rows, "alpha");
    check(alpha, 0, 5, 10);
    assert_true(fabs(alpha->share.value - 85 / (80 + 24 - likely)) < 1e-9);
    /* Beta lost at least 4: the others are 100 at most. Alpha may have all of them. */
    assert_true(fabs(alpha->share.low - stats_wilson(50, 100).low) < 1e-9);
    assert_true(alpha->share.high == 1);
    view_rows_free(&rows);

    /* Of code that nothing can be lost of, only the hits go. */
    ignore = (struct view_ignore){.count = 0};
    assert_true(view_ignore_parse("0x100-0x110", &ignore, text, sizeof(text)));
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_FUNCTION, &ignore, &rows));
    assert_int_equal(rows.attributed, 50);
    assert_int_equal(rows.ignored_unseen.most, 0);
    assert_true(fabs(row_of(&rows, "beta")->share.value - (20 + likely) / 74) < 1e-9);
    view_rows_free(&rows);
}

/* Without a loss, and of what is not located, all is as before. */
static void test_nothing_lost(void **state)
{
    struct profile_hit hits[] = {{.addr = 0x100, .hits = 50, .stamp = 1, .complete = true},
                                 {.addr = 0x120, .hits = 50, .stamp = 1, .complete = true}};
    uint64_t none[8] = {0};
    struct profile p = profile_of(hits, COUNT(hits));

    p.rest.counts = none;
    struct view_rows rows = build(&p, VIEW_BY_FUNCTION);
    check(row_of(&rows, "alpha"), 0, 0, 0);
    assert_true(fabs(row_of(&rows, "alpha")->share.high - stats_wilson(50, 100).high) < 1e-9);
    assert_true(fabs(row_of(&rows, "alpha")->share.low - stats_wilson(50, 100).low) < 1e-9);
    view_rows_free(&rows);
}

/* Where hits come from code that no file tells of, that may have lost anything. */
static void test_foreign_code(void **state)
{
    struct profile_hit hits[] = {
        {.addr = 0x120, .hits = 40, .stamp = 1},
        {.addr = 0x920, .hits = 5, .stamp = 1},
    };
    const struct profile p = profile_of(hits, COUNT(hits));
    struct view_rows rows = build(&p, VIEW_BY_FUNCTION);

    /* beta's blocks are in regions 1, 2 and 3. */
    check(row_of(&rows, "beta"), 0, 10 * 4.0 / 24 + 4.0 / 2 + 3, 17);
    for (size_t i = 0; i < rows.count; i++) {
        if (!rows.rows[i].function)
            check(&rows.rows[i], 0, 4.0 / 2, 4);
    }
    view_rows_free(&rows);
}

static void test_lines_and_blocks(void **state)
{
    struct profile_hit hits[] = {
        {.addr = 0x110, .hits = 16, .stamp = 1},
        {.addr = 0x120, .hits = 40, .stamp = 1, .complete = true},
    };
    const struct profile p = profile_of(hits, COUNT(hits));
    struct view_rows rows = build(&p, VIEW_BY_LINE);

    /* A line has four bytes: four in each block. */
    for (size_t i = 0; i < rows.count; i++) {
        bool partial = rows.rows[i].addr < 0x120;
        assert_int_equal(rows.rows[i].unseen.most, partial ? 10 : 0);
        assert_int_equal(rows.rows[i].unseen.least, 0);
    }
    view_rows_free(&rows);
    rows = build(&p, VIEW_BY_ADDRESS);
    assert_int_equal(rows.count, 2);
    for (size_t i = 0; i < rows.count; i++)
        assert_int_equal(rows.rows[i].unseen.most, rows.rows[i].addr == 0x110 ? 10 : 0);
    view_rows_free(&rows);
}

/* A function is called in one place: when that is complete, all of it is. */
static void test_calls(void **state)
{
    struct profile_hit hits[] = {{.addr = 0x102, .hits = 9, .stamp = 1, .complete = true},
                                 {.addr = 0x11e, .hits = 9, .stamp = 1}};
    struct profile p = profile_of(hits, COUNT(hits));

    p.source = DECODE_CALLS;
    p.unit = DECODE_UNIT_CALLS;
    p.block_size = 2;
    struct view_rows rows = build(&p, VIEW_BY_FUNCTION);
    const struct view_row *alpha = row_of(&rows, "alpha");
    check(alpha, 0, 0, 0);
    assert_true(fabs(alpha->share.low - 9.0 / 42) < 1e-9 &&
                fabs(alpha->share.high - 9.0 / 42) < 1e-9);
    assert_int_equal(row_of(&rows, "beta")->unseen.most, 17);
    view_rows_free(&rows);
    /* Of arcs, another caller may be the one that was lost. */
    p.source = DECODE_ARCS;
    rows = build(&p, VIEW_BY_ARC);
    assert_int_equal(row_of(&rows, "alpha")->unseen.most, 17);
    view_rows_free(&rows);
}

/* What faded is with what was lost: the share is of what is there. */
static void test_decay(void **state)
{
    struct profile_hit hits[] = {{.addr = 0x100, .hits = 50, .stamp = 1},
                                 {.addr = 0x120, .hits = 50, .stamp = 1}};
    struct profile p = profile_of(hits, COUNT(hits));

    p.decays = true;
    struct view_rows rows = build(&p, VIEW_BY_FUNCTION);
    const struct view_row *alpha = row_of(&rows, "alpha");
    assert_true(fabs(alpha->share.value - 0.5) < 1e-9);
    assert_true(alpha->share.low < 50.0 / 124 && alpha->share.high > 67.0 / 124);
    view_rows_free(&rows);
}

static const struct symtab_function huge_functions[] = {
    {.name = "alpha", .addr = 0x100, .size = 16},
    {.name = "huge", .addr = 0x200, .size = (uint64_t)1 << 60},
};

static const struct symtab_function *huge_list(void *context, size_t *count)
{
    *count = COUNT(huge_functions);
    return huge_functions;
}

/* An ELF file may claim more code than anybody can look at. What is said of it then is true. */
static void test_too_much_code(void **state)
{
    struct profile_hit hits[] = {{.addr = 0x100, .hits = 50, .stamp = 1, .complete = true},
                                 {.addr = 0x200, .hits = 50, .stamp = 1}};
    const struct profile p = profile_of(hits, COUNT(hits));
    struct fake_names fake = {.functions = huge_functions, .count = COUNT(huge_functions)};
    const struct symbol_naming names = {FAKE_NAMES(&fake), .functions = huge_list};
    struct view_rows rows;

    assert_true(view_rows_build_named(&p, &names, VIEW_BY_FUNCTION, NULL, &rows));
    assert_int_equal(rows.count, 2);
    check(row_of(&rows, "alpha"), 0, 0, 24);
    check(row_of(&rows, "huge"), 0, 0, 24);
    assert_int_equal(rows.without.functions, 0);
    assert_int_equal(rows.without.most, 24); /* how many such functions there are is not counted */
    view_rows_free(&rows);
    assert_int_equal(unseen_of_code(&p, 0x200, (uint64_t)1 << 60), 24);
    assert_int_equal(unseen_of_code(&p, 0x110, 32), 14); /* two regions, neither complete */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),    cmocka_unit_test(test_nothing_lost),
        cmocka_unit_test(test_foreign_code), cmocka_unit_test(test_lines_and_blocks),
        cmocka_unit_test(test_calls),        cmocka_unit_test(test_decay),
        cmocka_unit_test(test_ignored),      cmocka_unit_test(test_too_much_code),
        cmocka_unit_test(test_without_row),  cmocka_unit_test(test_all_have_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
