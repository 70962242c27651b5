/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that are ignored: they have no row, and their hits are said. */
#include <math.h>

#include "unit.h"

#include "frame_checks.h"
#include "ranking_checks.h"

/* Rows without what the list names; by function unless said otherwise. */
static struct view_rows build_without(const char *list, enum view_by by)
{
    struct profile p = make_profile();
    struct view_ignore ignore = {.count = 0};
    struct view_rows rows;
    char text[400];

    if (!view_ignore_parse(list, &ignore, text, sizeof(text)))
        fail_msg("%s", text);
    assert_true(view_rows_build(&p, symtab_of_test(), by, &ignore, &rows));
    assert_int_equal(sum(&rows), rows.attributed);
    assert_int_equal(rows.attributed + rows.ignored, 800);
    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "share", 5));
    return rows;
}

static void check_without(const char *list, uint64_t ignored, bool alpha, bool beta)
{
    struct view_rows rows = build_without(list, VIEW_BY_FUNCTION);
    double shares = 0;

    assert_int_equal(rows.ignored, ignored);
    assert_int_equal(row_of(&rows, "alpha") != NULL, alpha);
    assert_int_equal(row_of(&rows, "beta") != NULL, beta);
    for (size_t i = 0; i < rows.count; i++)
        shares += rows.rows[i].share.value;
    assert_true(fabs(shares - 1) < 1e-9);
    view_rows_free(&rows);
    /* The same hits however the others are grouped. */
    for (int by = VIEW_BY_LINE; by <= VIEW_BY_ADDRESS; by++) {
        rows = build_without(list, (enum view_by)by);
        assert_true(rows.ignored + 1 >= ignored && rows.ignored <= ignored + 1);
        view_rows_free(&rows);
    }
}

static void test_ignore(void **state)
{
    check_without("alpha", 676, false, true);
    check_without("al*,gamma", 676, false, true);
    check_without("[ab]*a", 676 + 115, false, false);
    check_without("ALPHA", 0, true, true);
    /* 0x110 to 0x11b are 12 of the 16 bytes of a block of 101. */
    check_without("0x110-0x11c", 76, true, true);
    check_without("0x110+0xc", 76, true, true);
    check_without("0x100+0x20,0x900+16", 600 + 101 + 2, false, true);
    /* A leading zero makes no octal number: 0272 is 272, or 0x110, and 012 is 12. */
    check_without("0272+012", 76, true, true);
    /* alpha is in one.c, as the first line of beta. */
    check_without("one.c", 701, false, true);
    check_without("/src/t*.c", 90, true, true);
    check_without("*/src/*", 791, false, false);
    check_without("src/one.c", 0, true, true);
    struct view_rows rows = build_without("alpha", VIEW_BY_FUNCTION);
    const struct view_row *beta = row_of(&rows, "beta");
    assert_true(fabs(beta->share.value - 115.0 / 124) < 1e-9);
    assert_true(beta->recent_share > 0.9 && beta->recent_share <= 1);
    view_rows_free(&rows);
}

static void test_ignore_wrong(void **state)
{
    static const char *const lists[] = {"",
                                        ",",
                                        "a,",
                                        "0x100",
                                        "1-",
                                        "0x20-10",
                                        "0x10-0x10",
                                        "16+0",
                                        "5x",
                                        "0x1-0x2-3",
                                        "1 - 2",
                                        "-",
                                        "0x1+-5",
                                        "99999999999999999999+1",
                                        "0xffffffffffffffff+2"};
    struct view_ignore ignore = {.count = 0};
    char text[400];

    for (size_t i = 0; i < COUNT(lists); i++) {
        bool taken = view_ignore_parse(lists[i], &ignore, text, sizeof(text));
        if (taken && strcmp(lists[i], "-") != 0)
            fail_msg("\"%s\" was taken", lists[i]);
    }
    assert_int_equal(ignore.count, 1);
    assert_true(view_ignore_parse("0xfffffffffffffff0+0x10", &ignore, text, sizeof(text)));
    assert_true(view_ignore_hit(&ignore, UINT64_MAX, NULL, NULL));
    for (int i = 2; i < VIEW_IGNORE_MAX; i++)
        assert_true(view_ignore_parse("x", &ignore, text, sizeof(text)));
    assert_false(view_ignore_parse("x", &ignore, text, sizeof(text)));
}

static void test_ignored_is_shown(void **state)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build_without("beta", VIEW_BY_FUNCTION);
    struct view_fields fields;
    struct view_frame frame;
    char text[400];

    p.ignored = 4;
    assert_true(
        view_fields_parse(&view_ranking_columns, "share,function", &fields, text, sizeof(text)));
    struct view_layout layout = {.width = 100, .fields = &fields};
    assert_true(view_frame_build(&layout, &status, &p, &rows, &frame));
    assert_true(contains(&frame, "685 samples"));
    assert_true(contains(&frame, "ignored 119"));
    view_frame_free(&frame);
    char *line = view_json(&status, &p, &rows, 0);
    assert_non_null(strstr(line, "\"hits\":685,\"unattributed\":{\"ignored\":119"));
    free(line);
    view_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ignore),
        cmocka_unit_test(test_ignore_wrong),
        cmocka_unit_test(test_ignored_is_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
