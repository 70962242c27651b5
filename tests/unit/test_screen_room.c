/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gives way on a screen that has no room for all: columns, then names; never a warning. */
#include "unit.h"

#include "screen_checks.h"

/* The headings if the longest name has this number of cells. */
static void headings_for(unsigned width, size_t cells, char *headings, size_t capacity)
{
    char name[200];
    struct scene s;

    make_scene(&s, width, 24);
    memset(name, 'n', sizeof(name));
    name[cells] = '\0';
    s.row[1].function = name;
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    snprintf(headings, capacity, "%s", frame.lines[frame.heading].text);
    /* A name is cut only when no other column is left that nobody asked for. */
    if (strstr(headings, "MINUTE") || strstr(headings, "HITS"))
        assert_true(contains(&frame, name));
    view_frame_free(&frame);
}

/* Columns that nobody asked for go one after the other before a name is cut. */
static void test_spare_columns(void **state)
{
    static const char *const order[] = {"MEAN", "RATE", "HITS", "CPU", "MINUTE"};
    size_t gone = 0;
    char headings[300];

    for (size_t cells = 1; cells < 150; cells++) {
        headings_for(120, cells, headings, sizeof(headings));
        while (gone < COUNT(order) && !strstr(headings, order[gone]))
            gone++;
        for (size_t i = 0; i < COUNT(order); i++)
            assert_int_equal(strstr(headings, order[i]) != NULL, i >= gone);
        assert_non_null(strstr(headings, "SHARE"));
        assert_non_null(strstr(headings, "NOW"));
        assert_non_null(strstr(headings, "FILE:LINE"));
    }
    assert_int_equal(gone, COUNT(order));
}

/* What a ranking is sorted by was asked for. */
static void test_sorted_by_spare(void **state)
{
    char name[100];
    struct scene s;

    make_scene(&s, 120, 24);
    memset(name, 'n', sizeof(name));
    name[90] = '\0';
    s.row[1].function = name;
    s.layout.sort = view_column_find(&view_ranking_columns, "mean", 4);
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "MEANv"));
    assert_false(contains(&frame, "RATE"));
    view_frame_free(&frame);
}

/* A warning is read to its end. */
static void test_long_warning(void **state)
{
    static const char warning[] =
        "samples come with the firmware's own tick: interrupts and what keeps step with the tick "
        "are not seen, shares mislead; use a spare timer (mprof/isr.h), or a prime rate, and a "
        "second look at what the tick does; all of it has to be read before the numbers are "
        "believed, down to its LAST-WORD";
    static const unsigned widths[] = {80, 120};

    for (size_t i = 0; i < COUNT(widths); i++) {
        struct scene s;
        make_scene(&s, widths[i], 24);
        s.status.message = warning;
        s.status.warning = true;
        struct view_frame frame = frame_of(&s);
        check_frame(&s, &frame);
        assert_true(contains(&frame, "LAST-WORD"));
        assert_false(contains(&frame, "~"));
        view_frame_free(&frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spare_columns),
        cmocka_unit_test(test_sorted_by_spare),
        cmocka_unit_test(test_long_warning),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
