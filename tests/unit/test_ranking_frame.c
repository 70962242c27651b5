/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows on a screen of any size, and the message above them. */
#include "unit.h"

#include "frame_checks.h"
#include "ranking_checks.h"

static struct view_frame frame_of(unsigned width, unsigned height, size_t limit)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    struct view_fields fields;
    struct view_frame frame;
    char text[400];

    status.halts = 12;
    status.message = "all is well";
    status.halted_ms = 3.25;
    status.halted_share = 0.0031;
    assert_true(view_fields_parse(&view_ranking_columns, view_fields_default(VIEW_BY_FUNCTION),
                                  &fields, text, sizeof(text)));
    struct view_layout layout = {
        .width = width, .height = height, .limit = limit, .fields = &fields, .footer = "q quit"};
    if (height == 0)
        layout.footer = NULL;
    assert_true(view_frame_build(&layout, &status, &p, &rows, &frame));
    view_rows_free(&rows);
    return frame;
}

static void test_frame(void **state)
{
    struct view_frame frame = frame_of(80, 24, 0);

    assert_int_equal(frame.count, 24);
    assert_true(contains(&frame, "fw.elf 3f9a21c (= flash)"));
    assert_true(contains(&frame, "halts 12, 3.2 ms (0.3%)"));
    assert_true(contains(&frame, "800 samples   41/s of 1000   dropped 3   rows 5 of 6"));
    assert_true(contains(&frame, "  84.5   "));
    assert_true(contains(&frame, "one.c:1"));
    assert_true(contains(&frame, "evil?[2Jname??"));
    assert_true(contains(&frame, "0x00000900"));
    assert_int_equal(frame.lines[23].style, VIEW_STYLE_FOOTER);
    view_frame_free(&frame);

    frame = frame_of(80, 0, 2);
    assert_true(contains(&frame, "2 others"));
    assert_false(contains(&frame, "0x00000900"));
    view_frame_free(&frame);
}

static struct view_frame frame_with(const char *message, bool alarm, unsigned width)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    struct view_fields fields;
    struct view_frame frame;
    char text[400];

    assert_true(
        view_fields_parse(&view_ranking_columns, "share,function", &fields, text, sizeof(text)));
    struct view_layout layout = {.width = width, .fields = &fields};
    status.message = message;
    status.alarm = alarm;
    assert_true(view_frame_build(&layout, &status, &p, &rows, &frame));
    view_rows_free(&rows);
    return frame;
}

/* A message has two lines, and is cut only behind the second one. */
static void test_long_message(void **state)
{
    struct view_frame frame = frame_with("one two three", true, 20);

    assert_int_equal(frame.lines[3].style, VIEW_STYLE_ALARM);
    assert_string_equal(frame.lines[3].text, "one two three");
    assert_string_equal(frame.lines[4].text, "");
    assert_int_equal(frame.lines[5].style, VIEW_STYLE_HEADING);
    view_frame_free(&frame);

    frame = frame_with("a message of more than one line", true, 20);
    assert_string_equal(frame.lines[3].text, "a message of more");
    assert_string_equal(frame.lines[4].text, "than one line");
    assert_int_equal(frame.lines[4].style, VIEW_STYLE_ALARM);
    assert_int_equal(frame.lines[5].style, VIEW_STYLE_HEADING);
    view_frame_free(&frame);

    frame = frame_with("exactly of 20 cells.", false, 20);
    assert_string_equal(frame.lines[3].text, "exactly of 20 cells.");
    assert_string_equal(frame.lines[4].text, "");
    view_frame_free(&frame);

    frame = frame_with("awordthatislongerthanaline", false, 20);
    assert_string_equal(frame.lines[3].text, "awordthatislongerth~");
    assert_string_equal(frame.lines[4].text, "");
    view_frame_free(&frame);
}

/* At any size: no line too long, no control character, never more lines than the screen has. */
static void test_every_size(void **state)
{
    for (unsigned width = 1; width < 210; width += 3) {
        for (unsigned height = 7; height < 60; height += 5) {
            struct view_frame frame = frame_of(width, height, 0);
            assert_true(frame.count <= height);
            for (size_t i = 0; i < frame.count; i++) {
                assert_true(strlen(frame.lines[i].text) <= width);
                for (const char *c = frame.lines[i].text; *c; c++)
                    assert_true(*c >= ' ' && *c < 0x7f);
            }
            view_frame_free(&frame);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_long_message),
        cmocka_unit_test(test_every_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
