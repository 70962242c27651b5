/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shares of a row in the last minute, however rows are grouped. */
#include "unit.h"

#include <ranking/sparklines.h>

#include "fake_names.h"
#include "recent_window_checks.h"

/* Names: alpha holds the first four blocks, beta the others; a line for each block. */
static const struct symtab_function functions[] = {
    {.addr = 0x1000, .size = 0x40, .name = "alpha"},
    {.addr = 0x1040, .size = 0x40, .name = "beta"},
};

static bool line_at(const struct symtab_function *function, uint64_t addr, struct symtab_line *line)
{
    *line = (struct symtab_line){.file = "/src/all.c", .line = (unsigned)(addr - 0x1000) / 16 + 1};
    return true;
}

static struct fake_names fake = {
    .functions = functions, .count = COUNT(functions), .line_at = line_at};

static const struct symbol_naming names = {FAKE_NAMES(&fake)};

/* The row of the ranking that has the block at 0x1000. */
static struct view_row row_of(const struct source *s, const struct symbol_naming *naming,
                              enum view_by by)
{
    static const struct symbol_naming none;
    struct view_rows rows;

    assert_true(view_rows_build_named(&s->profile, naming ? naming : &none, by, NULL, &rows));
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.rows[i].addr == 0x1000) {
            struct view_row row = rows.rows[i];
            view_rows_free(&rows);
            return row;
        }
    }
    fail();
    return rows.rows[0];
}

struct minute {
    struct source source;
    struct recent_window *window;
    struct sparklines *view;
};

static void start_minute(struct minute *m)
{
    source_init(&m->source);
    m->window = window_of(&m->source);
    m->view = sparklines_new();
    assert_non_null(m->view);
}

/* In the first second the block at 0x1000 has 3/4 of the hits, in the next one 1/2. */
static void add_two_seconds(struct minute *m)
{
    add_interval(m->window, &m->source, 1, 3, 1);
    add_interval(m->window, &m->source, 1, 1, 1);
}

static void end_minute(struct minute *m)
{
    sparklines_free(m->view);
    recent_window_free(m->window);
}

static void update_series(struct minute *m, const struct symbol_naming *naming, enum view_by by,
                          const struct view_ignore *ignore)
{
    assert_true(sparklines_update(m->view, m->window, &m->source.profile, naming, by, ignore));
}

#define UNKNOWN (-1.0)

/* The row has these shares, the last second last. */
static void check_shares(const struct minute *m, const struct view_row *row, const double *expected,
                         size_t count)
{
    double shares[RECENT_WINDOW_SECONDS + 1];

    assert_int_equal(sparklines_series(m->view, row, shares, COUNT(shares)), count);
    for (size_t i = 0; i < count; i++)
        assert_near(shares[i], expected[i], 1e-9);
}

static void check_two(const struct minute *m, const struct view_row *row, double first, double last)
{
    check_shares(m, row, (const double[]){first, last}, 2);
}

static void check_series(struct minute *m, const struct symbol_naming *naming, enum view_by by,
                         double first, double last)
{
    const struct view_row row = row_of(&m->source, naming, by);
    double share;

    update_series(m, naming, by, NULL);
    check_two(m, &row, first, last);
    assert_int_equal(sparklines_series(m->view, &row, &share, 1), 1);
    assert_near(share, last, 1e-9);
}

/* However the rows are grouped, also when that changes. */
static void test_series(void **state)
{
    struct minute m;

    start_minute(&m);
    add_two_seconds(&m);
    check_series(&m, &names, VIEW_BY_FUNCTION, 0.75, 0.5);
    check_series(&m, &names, VIEW_BY_LINE, 0.75, 0.5);
    check_series(&m, &names, VIEW_BY_FILE, 1, 1);
    check_series(&m, NULL, VIEW_BY_ADDRESS, 0.75, 0.5);
    check_series(&m, NULL, VIEW_BY_FUNCTION, 0.75, 0.5);
    check_series(&m, &names, VIEW_BY_FUNCTION, 0.75, 0.5);
    end_minute(&m);
}

/* Code that was inlined at two places of a function is two rows of one address. */
static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t room)
{
    frames[0] = (struct symtab_inlined){
        .name = addr < 0x1020 ? "first" : "second", .file = "/src/all.c", .line = 3};
    return addr < 0x1040 ? 1 : 0;
}

/* The row of that chain. */
static struct view_row inlined_row(const struct view_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].function && strncmp(rows->rows[i].function, name, strlen(name)) == 0)
            return rows->rows[i];
    }
    fail();
    return rows->rows[0];
}

static void test_series_by_inline(void **state)
{
    struct symbol_naming naming = names;
    struct view_rows rows;
    struct minute m;

    naming.find_inlined = find_inlined;
    start_minute(&m);
    m.source.rows[5].addr = 0x1020;
    add_two_seconds(&m);
    assert_true(view_rows_build_named(&m.source.profile, &naming, VIEW_BY_INLINE, NULL, &rows));
    update_series(&m, &naming, VIEW_BY_INLINE, NULL);
    struct view_row first = inlined_row(&rows, "first"), second = inlined_row(&rows, "second");
    assert_int_equal(first.addr, second.addr);
    check_two(&m, &first, 0.75, 0.5);
    check_two(&m, &second, 0.25, 0.5);
    view_rows_free(&rows);
    end_minute(&m);
}

/* All hits of the block at 0x1000 come in an exception. */
static void start_with_an_exception(struct minute *m)
{
    start_minute(m);
    m->source.profile.exceptions = true;
    m->source.profile.rows[0].exception = 21;
    add_two_seconds(m);
}

/* Shares of one context are not those of all, though nothing else has changed. */
static void test_series_of_a_context(void **state)
{
    const struct view_ignore one = {.some_contexts = true, .contexts = {[21] = true}};
    struct minute m;

    start_with_an_exception(&m);
    const struct view_row row = row_of(&m.source, &names, VIEW_BY_FUNCTION);
    update_series(&m, &names, VIEW_BY_FUNCTION, &one);
    check_two(&m, &row, 1, 1);
    update_series(&m, &names, VIEW_BY_FUNCTION, NULL);
    check_two(&m, &row, 0.75, 0.5);
    end_minute(&m);
}

/* An exception is known by its number, whatever is shown of it; of what is no handler's, which is
 * made of many functions, nothing is known. */
static void test_series_by_context(void **state)
{
    const struct view_row handler = {.function = "IRQ 5", .addr = 0x1040, .exception = 21};
    const struct view_row thread = {.function = "thread", .unplaced = true};
    struct minute m;

    start_with_an_exception(&m);
    update_series(&m, &names, VIEW_BY_CONTEXT, NULL);
    check_two(&m, &handler, 0.75, 0.5);
    m.source.profile.exceptions = false;
    update_series(&m, &names, VIEW_BY_CONTEXT, NULL);
    check_two(&m, &thread, UNKNOWN, UNKNOWN);
    end_minute(&m);
}

static void test_series_ignores(void **state)
{
    struct view_ignore ignore = {.count = 0};
    struct minute m;
    char text[200];

    start_minute(&m);
    add_interval(m.window, &m.source, 1, 3, 1);
    const struct view_row row = row_of(&m.source, &names, VIEW_BY_FUNCTION);
    update_series(&m, &names, VIEW_BY_FUNCTION, &ignore);
    check_shares(&m, &row, (const double[]){0.75}, 1);
    assert_true(view_ignore_parse("beta", &ignore, text, sizeof(text)));
    update_series(&m, &names, VIEW_BY_FUNCTION, &ignore);
    check_shares(&m, &row, (const double[]){1}, 1);
    end_minute(&m);
}

/* Seconds of which nothing is known, or in which nothing was counted, have no share. */
static void test_series_gaps(void **state)
{
    double expected[8 + 10] = {0.5, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0.25, 0.25, 0.75};
    struct minute m;

    start_minute(&m);
    add_interval(m.window, &m.source, 1, 1, 1);
    count_hits(&m.source, 3, false, 50, 50);
    assert_true(recent_window_add(m.window, &m.source.profile));
    add_interval(m.window, &m.source, 1, 0, 0);
    add_interval(m.window, &m.source, 2, 1, 3);
    add_interval(m.window, &m.source, 0.5, 9, 0); /* not over yet */
    const struct view_row row = row_of(&m.source, &names, VIEW_BY_FUNCTION);
    update_series(&m, &names, VIEW_BY_FUNCTION, NULL);
    check_shares(&m, &row, expected, 7);
    add_interval(m.window, &m.source, 0.5, 0, 3);
    update_series(&m, &names, VIEW_BY_FUNCTION, NULL);
    check_shares(&m, &row, expected, 8);
    /* The target stands still: the minute goes on. */
    count_hits(&m.source, 10, false, 0, 0);
    assert_true(recent_window_add(m.window, &m.source.profile));
    update_series(&m, &names, VIEW_BY_FUNCTION, NULL);
    for (size_t i = 8; i < COUNT(expected); i++)
        expected[i] = UNKNOWN;
    check_shares(&m, &row, expected, COUNT(expected));
    end_minute(&m);
}

/* Whatever the pace of the readings, there is a share for each second. */
static void test_series_at_any_pace(void **state)
{
    for (int run = 0; run < 100; run++) {
        double shares[RECENT_WINDOW_SECONDS];
        struct minute m;
        start_minute(&m);
        add_at_any_pace(m.window, &m.source);
        update_series(&m, &names, VIEW_BY_FUNCTION, NULL);
        const struct view_row row = row_of(&m.source, &names, VIEW_BY_FUNCTION);
        assert_in_range(sparklines_series(m.view, &row, shares, RECENT_WINDOW_SECONDS), 48, 52);
        end_minute(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_series_by_inline),
        cmocka_unit_test(test_series_of_a_context),
        cmocka_unit_test(test_series_by_context),
        cmocka_unit_test(test_series_ignores),
        cmocka_unit_test(test_series_gaps),
        cmocka_unit_test(test_series_at_any_pace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
