/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole screens of several sizes, as they are to look. */
#include "unit.h"

#include <base/text.h>

#include "screen_checks.h"
#include "screen_golden.h"

static char *text_of(const struct view_frame *frame)
{
    struct text t = {.bytes = NULL};

    for (size_t i = 0; i < frame->count; i++) {
        text_add(&t, frame->lines[i].text, strlen(frame->lines[i].text));
        text_add(&t, "\n", 1);
    }
    assert_false(t.failed);
    return t.bytes;
}

static void check_golden(struct scene *s, const char *expected)
{
    struct view_frame frame = frame_of(s);
    char *text = text_of(&frame);

    check_frame(s, &frame);
    view_frame_free(&frame);
    bool same = strcmp(text, expected) == 0;
    if (!same)
        fprintf(stderr, "GOLDEN\n%sEND\n", text);
    free(text);
    assert_true(same);
}

static void test_golden_small(void **state)
{
    struct scene s;

    make_scene(&s, 40, 10);
    check_golden(&s, GOLDEN_40);
    s.layout.ascii = false;
    s.layout.selected = 1;
    check_golden(&s, GOLDEN_40_UTF8);
    s.status.message = "lost :6666: waiting for it to come back";
    s.status.alarm = true;
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_int_equal(frame.lines[1].style, VIEW_STYLE_ALARM);
    view_frame_free(&frame);
}

static void test_golden_comfortable(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    struct sparklines *past = make_past(&s);
    check_golden(&s, GOLDEN_80);
    s.layout.ascii = false;
    s.layout.selected = 5;
    s.status.message = "halted for 4 ms by each poll, as --allow-halt says";
    check_golden(&s, GOLDEN_80_UTF8);
    sparklines_free(past);
}

static void test_golden_wide(void **state)
{
    struct scene s;

    make_scene(&s, 200, 50);
    struct sparklines *past = make_past(&s);
    check_golden(&s, GOLDEN_200);
    s.layout.ascii = false;
    check_golden(&s, GOLDEN_200_UTF8);
    sparklines_free(past);
}

/* Little is known: no rate, no CPU line, no past, no rows. */
static void test_empty(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    s.rows.count = 0;
    s.layout.usage = NULL;
    s.profile = (struct profile){.unit = DECODE_UNIT_CALLS};
    check_golden(&s, GOLDEN_EMPTY);
    assert_int_equal(show(&s), 0);
    s.layout.search = "x";
    struct view_frame frame = frame_of(&s);
    assert_true(contains(&frame, "nothing matches"));
    view_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_small),
        cmocka_unit_test(test_golden_comfortable),
        cmocka_unit_test(test_golden_wide),
        cmocka_unit_test(test_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
