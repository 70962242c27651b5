/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff as a table, CSV, Markdown and JSON, its order and its fields. */
#include <math.h>

#include "unit.h"
#include <jansson.h>

#include "change_checks.h"

static struct view_change_layout change_layout_of(const char *list, struct view_fields *fields)
{
    char text[600];

    assert_true(view_fields_parse(&view_change_columns, list, fields, text, sizeof(text)));
    return (struct view_change_layout){.width = 150, .fields = fields};
}

static const char *const table[] = {
    "mprof diff   old.pb.gz (fw.elf, build aaaaaaa)  ->  new.pb.gz (fw.elf, build ccccccc"
    ")",
    "base  100000 samples, 1 run, 100 s at 1000 Hz, lost 0",
    "new   104900 samples, 1 run, 210 s at 500 Hz, lost 0",
    "3 of 7 functions changed: 2 more, 1 less",
    "changes are relative to the median of the functions; at most 5 % of diffs mark a row"
    " by chance; runs of one build differ by 0 % (--noise, or more)",
    "! one run a side: marks are as good as the 0 % that --noise gives for what runs of o"
    "ne build differ by",
    "! sampled at different rates: base at 1000 Hz, new at 500 Hz",
    "! unknown function: 3.0 % of base and 2.9 % of new, shown as one row",
    "",
    "      BASE %  NEW %           CHANGE [95 %]  FUNCTION                               "
    "                     FILE:LINE",
    "more   20.00  26.00  +30.0 % [+27.0, +33.1]  fir_filter                             "
    "                     dsp.c:11",
    "less    2.00   0.00                    gone  going                                  "
    "                     main.c:40",
    "more    0.00   0.90                     new  e|v?\"il                               "
    "                      new.c:61",
    "       40.00  40.00           0.0 % +/- 2.0  idle                                   "
    "                     main.c:31",
    "       30.00  30.00      0.0 % [-3.4, +3.6]  crc32                                  "
    "                     crc.c:21",
    "        5.00   5.00      0.0 % [-4.1, +4.3]  after (was before)                     "
    "                     uart.c:51",
    "        3.00   3.00      0.0 % [-5.1, +5.4]  [no name]                              "
    "                     -",
};

static void test_table(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout =
        change_layout_of("verdict,base,new,change,function,location", &fields);
    struct view_frame frame;

    assert_true(view_changes_frame(&layout, &m.c, &frame));
    for (size_t i = 0; getenv("GOLDEN_SHOW") && i < frame.count; i++)
        printf("%s\n", frame.lines[i].text);
    assert_int_equal(frame.count, COUNT(table));
    for (size_t i = 0; i < frame.count; i++)
        assert_string_equal(frame.lines[i].text, table[i]);
    assert_int_equal(frame.lines[0].style, VIEW_STYLE_TITLE);
    assert_int_equal(frame.lines[10].style, VIEW_STYLE_WORSE);
    view_frame_free(&frame);

    layout.limit = 2;
    assert_true(view_changes_frame(&layout, &m.c, &frame));
    assert_string_equal(frame.lines[frame.count - 1].text, "5 more rows");
    view_frame_free(&frame);
    drop_changes(&m);
}

static void test_csv(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout = change_layout_of(
        "function,state,old_name,verdict,base,new,change,delta,ratio,base_hits,significant",
        &fields);

    layout.limit = 3;
    char *text = view_changes_csv(&layout, &m.c);
    assert_string_equal(text, "function,state,old_name,verdict,base,new,change,delta,ratio,"
                              "base_hits,significant\n"
                              "fir_filter,,,more,0.2,0.26,0.3,0.06,1.3,20000,true\n"
                              "going,gone,,less,0.02,0,-1,-0.02,0,2000,true\n"
                              "\"e|v?\"\"il\",new,,more,0,0.009,,0.009,,0,true\n");
    free(text);
    drop_changes(&m);
}

static void test_markdown(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout = change_layout_of("verdict,change,function", &fields);

    char *text = view_changes_markdown(&layout, &m.c);
    const char *rows = strstr(text, "|  | CHANGE");
    assert_memory_equal(text, "**mprof diff:** 3 of 7 functions changed: 2 more, 1 less.\n\n", 58);
    assert_non_null(rows);
    assert_non_null(strstr(rows, "| more | new | e\\|v?\"il |\n"));
    assert_non_null(strstr(rows, " | \\[no name\\] |\n"));
    assert_non_null(strstr(text, "> one run a side: "));
    free(text);
    layout.limit = 1;
    text = view_changes_markdown(&layout, &m.c);
    assert_non_null(strstr(text, "\n6 more rows.\n"));
    free(text);
    drop_changes(&m);
}

static void test_json(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    char *text = view_changes_json(&m.c, 0);
    json_t *root = json_loads(text, 0, NULL), *rows = json_object_get(root, "rows"), *row;
    size_t index;

    assert_int_equal(json_array_size(rows), 7);
    json_array_foreach(rows, index, row)
    {
        assert_true(json_is_real(json_object_get(row, "base_share")));
        assert_true(json_is_real(json_object_get(row, "delta")));
        assert_true(json_is_boolean(json_object_get(row, "significant")));
    }
    row = json_array_get(rows, 2);
    assert_string_equal(json_string_value(json_object_get(row, "state")), "new");
    assert_true(json_is_null(json_object_get(row, "ratio")));
    assert_true(json_is_null(json_object_get(row, "ratio_high")));
    assert_true(json_is_real(json_object_get(row, "ratio_low")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(root, "base"), "elf")),
                        "fw.elf");
    assert_string_equal(json_string_value(json_object_get(row, "verdict")), "more");
    assert_true(json_is_null(json_object_get(row, "change")));
    row = json_array_get(rows, 0);
    assert_float_equal(json_real_value(json_object_get(row, "change")), 0.3, 1e-6);
    assert_float_equal(json_real_value(json_object_get(row, "new")), 0.26, 1e-6);
    assert_float_equal(json_real_value(json_object_get(root, "noise")), 0, 0);
    json_decref(root);
    free(text);
    drop_changes(&m);
}

static void test_sorted(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;

    for (size_t i = 1; i < m.c.count; i++) {
        const struct diff_row *a = &m.c.rows[i - 1].d, *b = &m.c.rows[i].d;
        assert_true(a->significant > b->significant ||
                    (a->significant == b->significant && fabs(a->change) >= fabs(b->change)));
    }
    (void)change_layout_of("new_share", &fields);
    view_changes_sort(&m.c, fields.column[0]);
    for (size_t i = 1; i < m.c.count; i++)
        assert_true(m.c.rows[i - 1].d.new_share >= m.c.rows[i].d.new_share);
    (void)change_layout_of("p", &fields);
    view_changes_sort(&m.c, fields.column[0]);
    for (size_t i = 1; i + 1 < m.c.count; i++)
        assert_true(m.c.rows[i - 1].d.p <= m.c.rows[i].d.p);
    assert_true(isnan(m.c.rows[m.c.count - 1].d.p)); /* idle */
    drop_changes(&m);
}

static void test_fields(void **state)
{
    struct view_fields fields;
    char text[400];

    for (size_t i = 0; i < view_change_columns.count; i++) {
        const struct view_column *c = &view_change_columns.column[i];
        assert_true(view_fields_parse(&view_change_columns, c->name, &fields, text, sizeof(text)));
        assert_ptr_equal(fields.column[0], c);
        assert_true(c->help && c->title && (c->width || c->part));
    }
    assert_false(view_fields_parse(&view_change_columns, "p,nothing", &fields, text, sizeof(text)));
    assert_memory_equal(text, "unknown column 'nothing': use verdict,", 38);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),    cmocka_unit_test(test_csv),
        cmocka_unit_test(test_markdown), cmocka_unit_test(test_json),
        cmocka_unit_test(test_sorted),   cmocka_unit_test(test_fields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
