/* SPDX-License-Identifier: GPL-3.0-or-later */
/* More rows than a screen has lines for: which ones are shown, and where the cursor goes. */
#include "unit.h"

#include "screen_checks.h"
#include "screen_plan.h"

/* count rows by hits, so many of which are handlers and idle, at the end. */
static void make_many(struct scene *s, size_t count, size_t interrupts, size_t idle)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(s->names[i], sizeof(s->names[i]), "function_%zu", i);
        s->row[i] = make_row(s->names[i], "/src/many.c", (unsigned)i + 1, 10 * (count - i), 500000);
        s->row[i].context = i + idle >= count                ? VIEW_CONTEXT_IDLE
                            : i + idle + interrupts >= count ? VIEW_CONTEXT_INTERRUPT
                                                             : VIEW_CONTEXT_TASK;
    }
    s->rows.count = count;
}

/* 300 rows: each section shows its first row, and says how many it has in addition. */
static void test_many_rows(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    make_many(&s, 300, 40, 3);
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_non_null(line_of(&frame, 0));
    assert_non_null(line_of(&frame, 257));
    assert_non_null(line_of(&frame, 297));
    assert_true(contains(&frame, "251 others"));
    assert_true(contains(&frame, "37 others"));
    view_frame_free(&frame);
    s.layout.first = 100;
    frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_int_equal(frame.first, 100);
    assert_null(line_of(&frame, 99));
    assert_non_null(line_of(&frame, 100));
    assert_true(contains(&frame, "251 others, 100 above"));
    assert_non_null(line_of(&frame, 297));
    view_frame_free(&frame);
    /* Further than there are rows. */
    s.layout.first = 100000;
    frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_non_null(line_of(&frame, 299));
    assert_true(frame.shown > 10);
    view_frame_free(&frame);
}

/* Down and up again by one: the cursor is always in sight, and the screen never goes the other way.
 */
static void check_walk(struct scene *s)
{
    size_t first = 0, counts[SECTIONS];
    size_t *order = screen_order(&s->rows, counts);

    assert_non_null(order);
    s->layout.first = 0;
    for (size_t place = 0; place < s->rows.count; place++) {
        s->layout.first = first;
        s->layout.selected = order[place];
        size_t now = show(s);
        assert_true(now >= first && now <= place);
        first = now;
    }
    for (size_t place = s->rows.count; place-- > 0;) {
        s->layout.first = first;
        s->layout.selected = order[place];
        size_t now = show(s);
        assert_true(now <= first);
        first = now;
    }
    assert_int_equal(first, 0);
    free(order);
}

static void test_cursor(void **state)
{
    static const unsigned heights[] = {3, 6, 10, 13, 24, 50};
    struct scene s;

    for (size_t i = 0; i < COUNT(heights); i++) {
        make_scene(&s, 80, heights[i]);
        make_many(&s, 60, 14, 5);
        check_walk(&s);
        make_many(&s, 30, 0, 3);
        check_walk(&s);
        make_many(&s, 30, 30, 0);
        check_walk(&s);
    }
}

/* Without a cursor, each row comes by when first goes from one end to the other. */
static void test_scrolling(void **state)
{
    bool seen[ROWS_MAX] = {false};
    struct scene s;

    make_scene(&s, 80, 24);
    make_many(&s, 200, 30, 5);
    for (size_t first = 0; first < s.rows.count; first++) {
        s.layout.first = first;
        struct view_frame frame = frame_of(&s);
        check_frame(&s, &frame);
        for (size_t i = 0; i < frame.count; i++)
            if (frame.lines[i].row != VIEW_NO_ROW)
                seen[frame.lines[i].row] = true;
        view_frame_free(&frame);
    }
    for (size_t i = 0; i < s.rows.count; i++)
        assert_true(seen[i]);
}

/* Sections move rows: tasks come first, then interrupts, then what is idle. */
static void test_order(void **state)
{
    static const size_t wanted[] = {1, 2, 4, 5, 3, 0};
    size_t counts[SECTIONS];
    struct scene s;

    make_scene(&s, 80, 24);
    size_t *order = screen_order(&s.rows, counts);
    assert_non_null(order);
    assert_int_equal(s.rows.count, COUNT(wanted));
    assert_memory_equal(order, wanted, sizeof(wanted));
    free(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_cursor),
        cmocka_unit_test(test_scrolling),
        cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
