/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column of each type: a row in a table of columns is all that the four writers need. */
#include "unit.h"

#include <math.h>
#include <table/change_columns.h>
#include <table/json_parts.h>
#include <table/ranking_columns.h>
#include <table/table.h>

struct row {
    const char *name;
    unsigned line;
    uint64_t hits, addr;
    double ms, share, change, p;
    bool marked;
    int64_t time_ns;
};

static void get_address(const void *of, const struct view_scale *scale, struct view_value *value)
{
    const struct row *row = of;

    value->kind = row->addr ? VIEW_VALUE_ADDRESS : VIEW_VALUE_NONE;
    value->address = row->addr;
}

static void show_picture(const void *of, const struct view_scale *scale, unsigned width, char *text,
                         size_t capacity)
{
    assert_true(capacity > 3);
    strcpy(text, "###");
}

#define AT(member, member_type) .at = VIEW_AT(struct row, member, member_type)

static const struct view_column columns[] = {
    {.name = "name", .title = "NAME", .type = COLUMN_TEXT, AT(name, const char *)},
    {.name = "line", .title = "LINE", .type = COLUMN_LINE, AT(line, unsigned), .drop = 1},
    {.name = "hits", .title = "HITS", .type = COLUMN_COUNT, AT(hits, uint64_t)},
    {.name = "ms", .title = "MS", .type = COLUMN_NUMBER, AT(ms, double), .decimals = 1},
    {.name = "share", .title = "SHARE", .type = COLUMN_SHARE, AT(share, double), .decimals = 1},
    {.name = "change",
     .key = "delta",
     .title = "CHANGE",
     .type = COLUMN_SHARE,
     AT(change, double),
     .decimals = 2,
     .flags = COLUMN_SIGNED,
     .unknown = "none"},
    {.name = "p", .title = "P", .type = COLUMN_P, AT(p, double), .decimals = 4},
    {.name = "address", .title = "ADDRESS", .type = COLUMN_ADDRESS, .get = get_address},
    {.name = "marked", .title = "", .type = COLUMN_FLAG, AT(marked, bool)},
    {.name = "picture", .title = "", .type = COLUMN_PICTURE, .show = show_picture},
    {.title = "SHOWN", .type = COLUMN_TEXT, AT(name, const char *)},
    {.name = "time", .type = COLUMN_TIME, AT(time_ns, int64_t)},
};

static const struct view_column hidden[] = {
    {.name = "secret", .key = "name", .type = COLUMN_COUNT, AT(hits, uint64_t)},
};

static const struct view_columns toy = {
    .column = columns, .count = COUNT(columns), .hidden = hidden, .hidden_count = 1};

static const struct row rows[] = {
    {"main", 12, 7, 0x8000100, 1.25, 0.5, -0.0123, 0.00001, true, 0},
    {NULL, 0, 0, 0, -1, NAN, NAN, NAN, false, 0},
};

static char *write_as(enum view_format format, const struct view_fields *fields, unsigned width)
{
    const struct view_scale scale = {.addr_size = 4};
    const struct view_table table = {
        .fields = fields, .rows = rows, .size = sizeof(rows[0]), .count = 2, .scale = &scale};
    struct text t = {.bytes = NULL};

    view_table_write(&table, format, width, &t);
    return text_end(&t);
}

static void check_output(enum view_format format, unsigned width, const char *wanted)
{
    const struct view_fields all = view_fields_all(&toy);
    char *text = write_as(format, &all, width);

    assert_string_equal(text, wanted);
    free(text);
}

static void test_text(void **state)
{
    check_output(FORMAT_TABLE, 0,
                 "NAME  LINE  HITS   MS  SHARE  CHANGE        P  ADDRESS             SHOWN\n"
                 "main    12     7  1.2   50.0   -1.23  <0.0001  0x08000100  *  ###  main\n"
                 "-        -     0    -      -    none        -  -              ###  -\n");
}

/* What may be left out goes first, then the last column is cut. */
static void test_narrow(void **state)
{
    const struct view_fields fields = view_fields_of(&toy, "line,hits,name");
    char *text = write_as(FORMAT_TABLE, &fields, 10);

    assert_string_equal(text, "HITS  NAME\n   7  main\n   0  -\n");
    free(text);
}

static void test_csv(void **state)
{
    check_output(FORMAT_CSV, 0,
                 "name,line,hits,ms,share,change,p,address,marked,time\n"
                 "main,12,7,1.25,0.5,-0.0123,1e-05,0x8000100,true,\n"
                 ",,0,,,,,,false,\n");
}

static void test_markdown(void **state)
{
    check_output(FORMAT_MARKDOWN, 0,
                 "| NAME | LINE | HITS | MS | SHARE | CHANGE | P | ADDRESS |  | SHOWN |\n"
                 "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |\n"
                 "| main | 12 | 7 | 1.2 | 50.0 | -1.23 | \\<0.0001 | 0x08000100 | \\* | main |\n"
                 "| - | - | 0 | - | - | none | - | - |  | - |\n");
}

static void test_json(void **state)
{
    const struct view_fields fields =
        view_fields_of(&toy, "secret,line,ms,share,change,p,address,marked,time");
    const struct view_table table = {
        .fields = &fields, .rows = rows, .size = sizeof(rows[0]), .count = 2};
    char *line = json_line(view_table_json(&table));

    assert_string_equal(
        line, "[{\"name\":7,\"line\":12,\"ms\":1.25,\"share\":0.5,\"delta\":-0.0123,\"p\":1e-5,"
              "\"address\":\"0x8000100\",\"marked\":true,\"time\":null},"
              "{\"name\":0,\"line\":null,\"ms\":null,\"share\":null,\"delta\":null,\"p\":null,"
              "\"address\":null,\"marked\":false,\"time\":null}]");
    free(line);
}

/* The first row comes first by each, the second one where the first is not known. */
static void test_order(void **state)
{
    static const struct row pair[] = {
        {"a", 1, 9, 0x10, 9, 0.9, 0.9, 0.1, true, 9},
        {"b", 2, 1, 0x20, 1, 0.1, 0.1, 0.9, false, 1},
    };

    for (size_t i = 0; i < toy.count; i++) {
        const struct view_column *c = &columns[i];
        if (view_column_is_picture(c))
            continue;
        assert_true(view_column_compare(c, &pair[0], &pair[1]) < 0);
        assert_int_equal(view_column_compare(c, &pair[0], &pair[0]), 0);
        assert_true(view_column_compare(c, &pair[1], &rows[1]) <= 0);
        assert_true(view_column_compare(c, &rows[1], &pair[1]) >= 0);
    }
}

static int by_hits(const void *a, const void *b)
{
    return view_column_compare(&columns[2], a, b);
}

static void test_sort(void **state)
{
    struct row some[] = {{"b", .hits = 1}, {"a", .hits = 1}, {"b", .hits = 3}, {NULL, .hits = 9}};

    view_sort(some, 4, sizeof(some[0]), &columns[0], by_hits);
    assert_string_equal(some[0].name, "a");
    assert_int_equal(some[1].hits, 3);
    assert_int_equal(some[2].hits, 1);
    assert_null(some[3].name);
    view_sort(some, 0, sizeof(some[0]), &columns[0], by_hits);
}

/* What people may type is of the first table alone. */
static void test_names(void **state)
{
    struct view_fields fields;
    char text[200];

    assert_true(view_fields_parse(&toy, "p,name", &fields, text, sizeof(text)));
    assert_ptr_equal(fields.column[0], &columns[6]);
    assert_false(view_fields_parse(&toy, "secret", &fields, text, sizeof(text)));
    assert_null(view_column_find(&toy, "secret", 6));
    assert_ptr_equal(view_fields_of(&toy, "secret").column[0], &hidden[0]);
    fields = view_fields_of(&toy, "p,change,name");
    view_fields_drop(&fields, COLUMN_SIGNED);
    assert_int_equal(fields.count, 2);
}

/* Of the tables of the program: each column can be shown, ordered, and put in its place. */
static void test_tables(void **state)
{
    static const struct view_row row = {.function = "f"};
    static const struct view_change change = {.function = "f"};
    const struct view_scale scale = {.top_share = 1};
    const struct view_columns *const tables[] = {&view_ranking_columns, &view_change_columns};
    const void *const of[] = {&row, &change};
    char text[1000];

    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < tables[t]->count; i++) {
            const struct view_column *c = &tables[t]->column[i];
            assert_true(c->name && c->title && c->help && (c->width || c->part));
            assert_true(c->compare || !view_column_is_picture(c));
            view_column_show(c, of[t], &scale, 10, text, sizeof(text));
            assert_int_equal(view_column_compare(c, of[t], of[t]), 0);
        }
        for (size_t i = 0; i < tables[t]->hidden_count; i++)
            assert_true(tables[t]->hidden[i].name && !tables[t]->hidden[i].title);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),   cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_csv),    cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_json),   cmocka_unit_test(test_order),
        cmocka_unit_test(test_sort),   cmocka_unit_test(test_names),
        cmocka_unit_test(test_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
