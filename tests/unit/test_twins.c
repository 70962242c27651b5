/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of functions with the same name, and of those whose symbol is another one. */
#include "unit.h"

#include "fake_names.h"

#include <ranking/rows.h>
#include <table/ranking_columns.h>

static const struct symtab_function functions[] = {
    {.addr = 0x100, .size = 0x100, .name = "init"},
    {.addr = 0x200, .size = 0x100, .name = "init"},
    {.addr = 0x300, .size = 0x100, .name = "outer::over(int)", .symbol = "_ZN5outer4overEi"},
};

static bool line_at(const struct symtab_function *function, uint64_t addr, struct symtab_line *line)
{
    static const char *const files[] = {"/src/a.c", "/src/b.c", "/src/over.cc"};

    *line = (struct symtab_line){.file = files[function - functions], .line = 7};
    return true;
}

static struct fake_names fake = {
    .functions = functions, .count = COUNT(functions), .line_at = line_at};

static struct view_rows build(uint64_t second, const char *ignored, enum view_by by)
{
    const struct symbol_naming names = {FAKE_NAMES(&fake)};
    struct profile_hit hits[] = {
        {.addr = 0x100, .hits = 50}, {.addr = 0x210, .hits = second}, {.addr = 0x320, .hits = 10}};
    struct profile profile = {.unit = DECODE_UNIT_SAMPLES,
                              .block_size = 16,
                              .rows = hits,
                              .row_count = 3,
                              .attributed = 60 + second};
    struct view_ignore ignore = {.count = 0};
    struct view_rows rows;
    char text[200];

    if (ignored)
        assert_true(view_ignore_parse(ignored, &ignore, text, sizeof(text)));
    assert_true(view_rows_build_named(&profile, &names, by, &ignore, &rows));
    return rows;
}

static bool shows(const struct view_rows *rows, const char *wanted)
{
    const struct view_column *column = view_column_find(&view_ranking_columns, "function", 8);
    const struct view_scale scale = {.addr_size = 4};
    char text[200];

    for (size_t i = 0; i < rows->count; i++) {
        view_column_show(column, &rows->rows[i], &scale, 60, text, sizeof(text));
        if (strcmp(text, wanted) == 0)
            return true;
    }
    return false;
}

static void told_apart(void **state)
{
    struct view_rows rows = build(40, NULL, VIEW_BY_FUNCTION);
    assert_int_equal(rows.count, 3);
    assert_true(shows(&rows, "init (a.c)"));
    assert_true(shows(&rows, "init (b.c)"));
    assert_true(shows(&rows, "outer::over(int)"));
    view_rows_free(&rows);
}

static void only_where_needed(void **state)
{
    struct view_rows rows = build(0, NULL, VIEW_BY_FUNCTION);
    assert_int_equal(rows.count, 2);
    assert_true(shows(&rows, "init"));
    view_rows_free(&rows);
    rows = build(40, NULL, VIEW_BY_LINE); /* which has the file in every row */
    assert_true(shows(&rows, "init"));
    view_rows_free(&rows);
}

static void both_names_are_ignored(void **state)
{
    static const char *const globs[] = {"outer::over*", "_ZN5outer*", "*over(int)",
                                        "_ZN5outer4overEi", "over"};

    for (size_t i = 0; i < COUNT(globs); i++) {
        struct view_rows rows = build(40, globs[i], VIEW_BY_FUNCTION);
        assert_int_equal(rows.ignored, 10);
        assert_int_equal(rows.count, 2);
        view_rows_free(&rows);
    }
    struct view_rows rows = build(40, "ver", VIEW_BY_FUNCTION);
    assert_int_equal(rows.ignored, 0);
    view_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_apart),
        cmocka_unit_test(only_where_needed),
        cmocka_unit_test(both_names_are_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
