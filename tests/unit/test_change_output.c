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
    "base  100000 samples, 1 snapshot, 100 s at 1000 Hz, lost 0",
    "new   104900 samples, 1 snapshot, 210 s at 500 Hz, lost 0",
    "3 of 7 functions changed beyond noise",
    "changes are relative to the median of the functions; at most 5 % of diffs mark a row"
    " by chance",
    "! one snapshot on each side: noise between runs shows as change; mprof diff takes thre"
    "e a side (--base A... --new B...) or --noise",
    "! sampled at different rates: base at 1000 Hz, new at 500 Hz",
    "! unknown function: 3.0 % of base and 2.9 % of new, shown as one row",
    "",
    "   BASE%   NEW%  CHANGE PP (95 %)             CHANGE (95 %)  STATE    FUNCTION      "
    "                                FILE:LINE",
    "*  20.00  24.79    +6.00 +/- 0.48    +30.0 % [+27.3, +32.8]           fir_filter    "
    "                                dsp.c:11",
    "*   2.00   0.00    -2.00 +/- 0.09  -100.0 % [-100.0, -99.9]  gone     going         "
    "                                main.c:40",
    "*   0.00   0.86    +0.90 +/- 0.06                       new  new      e|v?\"il      "
    "                                 new.c:61",
    "   40.00  38.13     0.00 +/- 0.79             0.0 % +/- 2.0           idle          "
    "                                main.c:31",
    "   30.00  28.60     0.00 +/- 0.61        0.0 % [-2.0, +2.1]           crc32         "
    "                                crc.c:21",
    "    5.00   4.77     0.00 +/- 0.20        0.0 % [-4.0, +4.1]  renamed  after (was bef"
    "ore)                            uart.c:51",
    "    3.00   2.86     0.00 +/- 0.15        0.0 % [-5.0, +5.3]           [no name]     "
    "                                -",
};

static void test_table(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout =
        change_layout_of(view_change_fields_default(VIEW_BY_FUNCTION, 150), &fields);
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
    struct view_change_layout layout =
        change_layout_of("function,state,old_name,change,ratio,base_hits,significant", &fields);

    layout.limit = 3;
    char *text = view_changes_csv(&layout, &m.c);
    assert_string_equal(text, "function,state,old_name,change,ratio,base_hits,significant\n"
                              "fir_filter,,,0.06,1.3,20000,true\n"
                              "going,gone,,-0.02,0,2000,true\n"
                              "\"e|v?\"\"il\",new,,0.009,,0,true\n");
    free(text);
    drop_changes(&m);
}

static void test_markdown(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout = change_layout_of("significant,ratio,function", &fields);

    char *text = view_changes_markdown(&layout, &m.c);
    const char *rows = strstr(text, "|  | CHANGE");
    assert_memory_equal(text, "**mprof diff:** 3 of 7 functions changed beyond noise.\n\n", 56);
    assert_non_null(rows);
    assert_non_null(strstr(rows, "| \\* | new | e\\|v?\"il |\n"));
    assert_non_null(strstr(rows, "|  | 0.0 % \\[-5.0, +5.3\\] | \\[no name\\] |\n"));
    assert_non_null(strstr(text, "> one snapshot on each side"));
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
    assert_true(json_is_null(json_object_get(root, "noise")));
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
    for (size_t i = 1; i < m.c.count; i++)
        assert_true(m.c.rows[i - 1].d.p <= m.c.rows[i].d.p);
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
    assert_memory_equal(text, "unknown column 'nothing': use significant,", 42);
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
