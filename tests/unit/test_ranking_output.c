/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows as JSON, CSV and Markdown, and which of their fields. */
#include <math.h>

#include "unit.h"
#include <jansson.h>

#include <base/text.h>

#include "frame_checks.h"
#include "ranking_checks.h"

static void test_fields(void **state)
{
    struct view_fields fields = {.count = 99};
    char text[400];

    assert_true(
        view_fields_parse(&view_ranking_columns, "hits,function", &fields, text, sizeof(text)));
    assert_int_equal(fields.count, 2);
    assert_string_equal(fields.column[1]->name, "function");
    assert_false(
        view_fields_parse(&view_ranking_columns, "hits,nonsense", &fields, text, sizeof(text)));
    assert_non_null(strstr(text, "'nonsense'"));
    assert_non_null(strstr(text, "location"));
    assert_false(view_fields_parse(&view_ranking_columns, "", &fields, text, sizeof(text)));
    assert_false(view_fields_parse(&view_ranking_columns, "hits,", &fields, text, sizeof(text)));
    assert_false(view_fields_parse(&view_ranking_columns, "shar", &fields, text, sizeof(text)));
    assert_int_equal(fields.count, 2);
}

static void test_json(void **state)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    p.restarts = 2;
    status.halts = 12;
    char *line = view_json(&status, &p, &rows, 0);

    assert_non_null(line);
    assert_null(strchr(line, '\n'));
    json_t *object = json_loads(line, 0, NULL);
    assert_non_null(object);
    json_t *link = json_object_get(object, "link");
    assert_int_equal(json_integer_value(json_object_get(link, "halts")), 12);
    assert_true(json_is_true(json_object_get(link, "live")));
    assert_int_equal(json_integer_value(json_object_get(object, "hits")), 800);
    assert_int_equal(json_integer_value(json_object_get(object, "restarts")), 2);
    assert_string_equal(json_string_value(json_object_get(object, "identity")), "= flash");
    json_t *unattributed = json_object_get(object, "unattributed");
    assert_int_equal(json_integer_value(json_object_get(unattributed, "dropped")), 3);
    assert_int_equal(json_integer_value(json_object_get(unattributed, "sleeping")), 0);
    assert_true(json_is_null(json_object_get(object, "stub_share")));
    json_t *array = json_object_get(object, "rows");
    assert_int_equal(json_array_size(array), 4);
    json_t *first = json_array_get(array, 0);
    assert_string_equal(json_string_value(json_object_get(first, "function")), "alpha");
    assert_string_equal(json_string_value(json_object_get(first, "address")), "0x100");
    assert_true(fabs(json_real_value(json_object_get(first, "share")) - 0.845) < 1e-6);
    assert_true(json_is_null(json_object_get(json_array_get(array, 3), "function")));
    assert_true(json_is_null(json_object_get(json_array_get(array, 3), "line")));
    json_decref(object);
    free(line);
    view_rows_free(&rows);
}

static json_t *json_of(const struct view_rows *rows)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    char *line = view_json(&status, &p, rows, 0);

    assert_non_null(line);
    json_t *object = json_loads(line, 0, NULL);
    free(line);
    return object;
}

static void check_markdown(const struct view_rows *rows, const char *last)
{
    const struct view_fields fields = view_fields_of(&view_ranking_columns, "hits,function");
    struct profile p = make_profile();
    struct view_status status = make_status();
    char *text = view_markdown(&status, &fields, &p, rows, 0);

    assert_int_equal(text && strstr(text, "without a row"), last[0] != '\0');
    assert_true(text && strlen(text) >= strlen(last) &&
                strcmp(text + strlen(text) - strlen(last), last) == 0);
    free(text);
}

static void test_without_row(void **state)
{
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    json_t *object = json_of(&rows), *without;

    assert_true(json_is_null(json_object_get(object, "without_row")));
    json_decref(object);
    check_markdown(&rows, "");

    rows.without = (struct view_without_row){.functions = 12, .most = 9, .high = 0.0123};
    object = json_of(&rows);
    without = json_object_get(object, "without_row");
    assert_int_equal(json_integer_value(json_object_get(without, "functions")), 12);
    assert_true(fabs(json_real_value(json_object_get(without, "high")) - 0.0123) < 1e-9);
    json_decref(object);
    check_markdown(&rows, "\n12 functions without a row: up to 1.2% each\n");

    rows.without = (struct view_without_row){.most = 9, .high = -1};
    object = json_of(&rows);
    without = json_object_get(object, "without_row");
    assert_true(json_is_null(json_object_get(without, "functions")));
    assert_true(json_is_null(json_object_get(without, "high")));
    json_decref(object);
    check_markdown(&rows, "");
    view_rows_free(&rows);
}

static void test_csv(void **state)
{
    struct view_status status = make_status();
    struct view_row row[] = {
        {.function = "a,b",
         .file = "/x/\"q\".c",
         .line = 7,
         .addr = 0x1f0,
         .hits = 5000000000,
         .share = {.value = 1.0 / 3, .low = 0.25, .high = 0.5},
         .recent_share = 0.5,
         .rate = 1.5},
        {.function = " x\x1b\n",
         .addr = 0x10,
         .hits = 1,
         .recent_share = -1,
         .rate = -1,
         .stale = true,
         .split = true},
    };
    struct view_rows rows = {.rows = row, .count = 2};
    struct view_fields fields;
    char text[400];

    assert_true(
        view_fields_parse(&view_ranking_columns, VIEW_CSV_FIELDS, &fields, text, sizeof(text)));
    char *lines = view_csv(&status, &fields, &rows, 0, true);
    assert_string_equal(
        lines, "time," VIEW_CSV_FIELDS "\n"
               "12.5,\"a,b\",\"/x/"
               "\"\"q\"\".c\",7,0x1f0,5000000000,0.333333333,0.25,0.5,0.166666667,0.5,1.5,\n"
               "12.5,\" x??\",,,0x10,1,0,0,0,0,,,s/\n");
    free(lines);
    assert_true(
        view_fields_parse(&view_ranking_columns, "bar,location,hits", &fields, text, sizeof(text)));
    lines = view_csv(&status, &fields, &rows, 1, true);
    assert_string_equal(lines, "time,location,hits\n12.5,\"\"\"q\"\".c:7\",5000000000\n");
    free(lines);
    rows.count = 0;
    lines = view_csv(&status, &fields, &rows, 0, false);
    assert_string_equal(lines, "");
    free(lines);
}

static void check_text(void (*add)(struct text *text, const char *from), const char *from,
                       const char *expected)
{
    struct text text = {.bytes = NULL};

    add(&text, from);
    assert_false(text.failed);
    assert_string_equal(text.bytes, expected);
    free(text.bytes);
}

static void add_cell(struct text *text, const char *from)
{
    text_cell(text, from, 60, false, false);
}

static void test_hidden_characters(void **state)
{
    static const char *const hidden[] = {
        "\u061c",     "\u200e", "\u200f", "\u202a", "\u202e", "\u2066",     "\u2069",
        "\ufeff",     "\u2028", "\u200b", "\u200d", "\u2060", "\u00ad",     "\U000e0041",
        "\U000e0100", "\ufe0f", "\u115f", "\u3164", "\ufff9", "\U0001d173",
    };
    static const char *const shown[] = {
        "U+061C",  "U+200E", "U+200F", "U+202A", "U+202E", "U+2066",  "U+2069",
        "U+FEFF",  "U+2028", "U+200B", "U+200D", "U+2060", "U+00AD",  "U+E0041",
        "U+E0100", "U+FE0F", "U+115F", "U+3164", "U+FFF9", "U+1D173",
    };

    for (size_t i = 0; i < COUNT(hidden); i++) {
        char name[16], wanted[32], marked[32];
        snprintf(name, sizeof(name), "a%sb", hidden[i]);
        snprintf(wanted, sizeof(wanted), "a<%s>b", shown[i]);
        snprintf(marked, sizeof(marked), "a\\<%s>b", shown[i]);
        check_text(add_cell, name, wanted);
        check_text(text_markdown, name, marked);
        check_text(text_csv, name, wanted);
    }
    check_text(add_cell, "\u061b\u200a\u202f\ufefe\U0001f642",
               "\u061b\u200a\u202f\ufefe\U0001f642");
}

/* A spreadsheet runs what begins like a formula, and numbers stay numbers. */
static void test_formulas_in_csv(void **state)
{
    static const char *const plain[] = {
        "main", "-0.5", "+3.2", "-1e-9", "+.5", "-12%", "a=b", "a+b", "1-2", "1e5",
    };

    check_text(text_csv, "=cmd|'/c calc'!A1", "\"'=cmd|'/c calc'!A1\"");
    check_text(text_csv, "+1+cmd", "\"'+1+cmd\"");
    check_text(text_csv, "-[Pump run:]", "\"'-[Pump run:]\"");
    check_text(text_csv, "-1;=2", "\"'-1;=2\"");
    check_text(text_csv, "-1e", "\"'-1e\"");
    check_text(text_csv, "-.", "\"'-.\"");
    check_text(text_csv, "@SUM(A1)", "\"'@SUM(A1)\"");
    check_text(text_csv, "=\"a\",1", "\"'=\"\"a\"\",1\"");
    check_text(text_csv, "\t=1", "\"'?=1\"");
    check_text(text_csv, "\r=1", "\"'?=1\"");
    check_text(text_csv, "\uff1d1", "\"'\uff1d1\"");
    check_text(text_csv, "a;=1", "\"a;=1\"");
    for (size_t i = 0; i < COUNT(plain); i++)
        check_text(text_csv, plain[i], plain[i]);
}

static void test_markdown_makes_no_links(void **state)
{
    check_text(text_markdown, "@name", "@<!-- -->name");
    check_text(text_markdown, "x#12@y", "x#<!-- -->12@<!-- -->y");
    check_text(text_markdown, "https://a_b", "https:<!-- -->//a\\_b");
    check_text(text_markdown, "WWW.a", "WWW<!-- -->.a");
    check_text(text_markdown, "a::b@@V | #", "a::b@@<!-- -->V \\| #");
    check_text(text_markdown, "n\u00e4 <i>", "n\u00e4 \\<i>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_without_row),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_hidden_characters),
        cmocka_unit_test(test_formulas_in_csv),
        cmocka_unit_test(test_markdown_makes_no_links),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
