/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows on a screen of any size, and the message above them. */
#include "unit.h"

#include "frame_checks.h"
#include "ranking_checks.h"

static struct view_frame frame_of(unsigned width, size_t limit)
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
    struct view_layout layout = {.width = width, .limit = limit, .fields = &fields};
    assert_true(view_frame_build(&layout, &status, &p, &rows, &frame));
    view_rows_free(&rows);
    return frame;
}

static void test_frame(void **state)
{
    struct view_frame frame = frame_of(80, 0);

    assert_true(contains(&frame, "fw.elf 3f9a21c (= flash)"));
    assert_true(contains(&frame, "halts 12, 3.2 ms (0.3% of time)"));
    assert_true(contains(&frame, "800 samples   41/s of 1000 Hz   lost 3   rows 5 of 6"));
    assert_true(contains(&frame, "  84.5  "));
    assert_true(contains(&frame, "one.c:1"));
    assert_true(contains(&frame, "evil?[2Jname??"));
    assert_true(contains(&frame, "0x00000900"));
    view_frame_free(&frame);

    frame = frame_of(80, 2);
    assert_true(contains(&frame, "2 others"));
    assert_false(contains(&frame, "0x00000900"));
    view_frame_free(&frame);
}

/* In a pipe below the rows, on a screen in the header. */
static void check_without(const struct view_without_row *without, const char *words)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    const struct view_fields fields = view_fields_of(&view_ranking_columns, "share,function");
    struct view_layout pipe = {.width = 80, .limit = 2, .fields = &fields};
    struct view_layout screen = {.screen = true, .width = 100, .height = 24};
    struct view_frame frame, header = {.lines = NULL};

    rows.without = *without;
    rows.profile = &p;
    assert_true(view_frame_build(&pipe, &status, &p, &rows, &frame));
    assert_int_equal(contains(&frame, "without a row"), words[0] != '\0');
    if (words[0])
        assert_string_equal(frame.lines[frame.count - 1].text + 8, words);
    assert_true(view_frame_header(&screen, &status, &p, &rows, &header));
    assert_int_equal(contains(&header, "without a row"), words[0] != '\0');
    assert_true(contains(&header, words));
    view_frame_free(&header);
    view_frame_free(&frame);
    view_rows_free(&rows);
}

static void test_functions_without_a_row(void **state)
{
    check_without(&(struct view_without_row){.functions = 12, .most = 9, .high = 0.0123},
                  "12 functions without a row: up to 1.2% each");
    check_without(&(struct view_without_row){.functions = 1, .most = 9, .high = 0.0123},
                  "1 function without a row: up to 1.2%");
    check_without(&(struct view_without_row){.most = 9, .high = 0.0123},
                  "functions without a row: up to 1.2% each");
    check_without(&(struct view_without_row){.high = 0.0123}, "");
    check_without(&(struct view_without_row){.functions = 12, .most = 9, .high = -1}, "");
}

/* On a screen the advice takes the place of how the connection was made, and of nothing else. */
static void test_advice_on_a_screen(void **state)
{
    struct profile p = make_profile();
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    struct view_layout layout = {.screen = true, .width = 100, .height = 24};

    p.dropped = 100;
    rows.profile = &p;
    for (unsigned i = 0; i < 4; i++) {
        struct view_status status = make_status();
        struct view_frame frame = {.lines = NULL};
        status.message = "a message";
        status.warning = i == 1;
        status.answer = i == 2;
        status.chosen = i == 3;
        assert_true(view_frame_header(&layout, &status, &p, &rows, &frame));
        assert_int_equal(contains(&frame, "11.1 % lost"), i == 0);
        assert_int_equal(contains(&frame, "a message"), i != 0);
        view_frame_free(&frame);
    }
    view_rows_free(&rows);
}

/* A pipe's header, with what a profile adds to it. */
static struct view_frame frame_about(const struct profile *p, double event_cycles)
{
    struct view_status status = make_status();
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    struct view_fields fields = view_fields_of(&view_ranking_columns, "share,function");
    struct view_frame frame;
    struct view_layout layout = {.width = 100, .fields = &fields};

    status.event_cycles = event_cycles;
    rows.profile = p;
    assert_true(view_frame_build(&layout, &status, p, &rows, &frame));
    view_rows_free(&rows);
    return frame;
}

static void test_stub_and_losses(void **state)
{
    struct profile p = make_profile();

    p.tick_hz = 16000000;
    struct view_frame frame = frame_about(&p, 100);
    assert_true(contains(&frame, "41/s of 1000 Hz   stub ~0.6%   lost 3   rows 5 of 6"));
    assert_false(contains(&frame, "% lost"));
    view_frame_free(&frame);

    /* The core's clock is not known. */
    p.dropped = 100;
    frame = frame_about(&p, 0);
    assert_true(contains(&frame, "41/s of 1000 Hz   lost 100   rows 5 of 6"));
    assert_true(contains(&frame, "11.1 % lost: the table is too small. Build with a larger "
                                 "MPROF_CNT"));
    view_frame_free(&frame);

    p.tick_hz = 400000000;
    frame = frame_about(&p, 100);
    assert_true(contains(&frame, "stub <0.1%"));
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

/* The lines of the message, in their style, stand between the header and an empty line. */
static void check_message(const char *message, bool alarm, const char *const *lines, size_t count)
{
    struct view_frame frame = frame_with(message, alarm, 20);
    size_t at = 0;

    while (at < frame.count && strcmp(frame.lines[at].text, lines[0]) != 0)
        at++;
    assert_true(at + count + 1 < frame.count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(frame.lines[at + i].text, lines[i]);
        assert_int_equal(frame.lines[at + i].style, alarm ? VIEW_STYLE_ALARM : VIEW_STYLE_DIM);
    }
    assert_string_equal(frame.lines[at + count].text, "");
    assert_int_equal(frame.lines[at + count + 1].style, VIEW_STYLE_HEADING);
    view_frame_free(&frame);
}

/* A message has as many lines as it needs, and nothing of it is cut. */
static void test_long_message(void **state)
{
    check_message("one two three", true, (const char *[]){"one two three"}, 1);
    check_message("a message of more than one line", true,
                  (const char *[]){"a message of more", "than one line"}, 2);
    check_message("exactly of 20 cells.", false, (const char *[]){"exactly of 20 cells."}, 1);
    check_message("awordthatislongerthanaline", false,
                  (const char *[]){"awordthatislongertha", "naline"}, 2);
    check_message("a message of quite a few lines that say what is wrong", true,
                  (const char *[]){"a message of quite a", "few lines that say", "what is wrong"},
                  3);
}

/* Of any width: no line too long, no control character. */
static void test_every_width(void **state)
{
    for (unsigned width = 1; width < 210; width += 3) {
        struct view_frame frame = frame_of(width, 0);
        for (size_t i = 0; i < frame.count; i++) {
            assert_true(strlen(frame.lines[i].text) <= width);
            for (const char *c = frame.lines[i].text; *c; c++)
                assert_true(*c >= ' ' && *c < 0x7f);
        }
        view_frame_free(&frame);
    }
}

/* As on a screen, what handlers and what idle took stands apart; the first rows are the same in all
 * formats. */
static void test_sections(void **state)
{
    struct view_status status = make_status();
    struct view_fields fields = view_fields_of(&view_ranking_columns, "share,function");
    struct view_layout layout = {.width = 60, .fields = &fields, .limit = 3};
    struct profile p = make_profile();
    struct view_row row[] = {
        {.function = "irq", .share.value = 0.4, .context = VIEW_CONTEXT_INTERRUPT},
        {.function = "task", .share.value = 0.3},
        {.function = "idle", .share.value = 0.2, .context = VIEW_CONTEXT_IDLE},
        {.function = "irq_2", .share.value = 0.1, .context = VIEW_CONTEXT_INTERRUPT},
    };
    struct view_rows rows = {.rows = row, .count = COUNT(row), .attributed = 10};
    static const char *const lines[] = {
        " SHARE  FUNCTION",
        "  30.0  task",
        "-- interrupts 50.0% of samples, 1 not shown ----------------",
        "  40.0  irq",
        "-- idle 20.0% of samples -----------------------------------",
        "  20.0  idle",
        "  10.0  1 other",
    };
    struct view_frame frame;

    assert_true(view_frame_build(&layout, &status, &p, &rows, &frame));
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_string_equal(frame.lines[frame.count - COUNT(lines) + i].text, lines[i]);
    view_frame_free(&frame);
}

/* Grouped by what the data does not have, a ranking says how to get it. */
static void test_advice(void **state)
{
    static const struct {
        enum view_by by;
        const char *origin, *advice;
    } cases[] = {
        {VIEW_BY_ARC, NULL, "--sampler arcs reads them"},
        {VIEW_BY_ARC, "a.pb.gz", "take a snapshot with --sampler arcs"},
        {VIEW_BY_CONTEXT, NULL, "--sampler stream tells"},
        {VIEW_BY_CONTEXT, "a.pb.gz", "with --sampler stream"},
        {VIEW_BY_FUNCTION, NULL, NULL},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct view_status status = make_status();
        struct view_rows rows = build_rows(cases[i].by);
        struct view_fields fields = view_fields_of(&view_ranking_columns, "share,function");
        struct view_layout layout = {.width = 200, .fields = &fields};
        struct profile p = make_profile();
        struct view_frame frame;
        status.origin = cases[i].origin;
        assert_true(view_frame_build(&layout, &status, &p, &rows, &frame));
        assert_int_equal(contains(&frame, cases[i].advice ? cases[i].advice : "--sampler"),
                         cases[i].advice != NULL);
        view_frame_free(&frame);
        view_rows_free(&rows);
    }
}

/* The header has the words, on a screen and without one. */
static void check_header(const struct view_status *status, const char *words)
{
    struct view_rows rows = build_rows(VIEW_BY_FUNCTION);
    struct view_fields fields = view_fields_of(&view_ranking_columns, "share,function");
    struct view_layout layout = {.width = 120, .fields = &fields};
    struct profile p = make_profile();
    struct view_frame frame;

    for (layout.height = 0; layout.height <= 24; layout.height += 24) {
        assert_true(view_frame_build(&layout, status, &p, &rows, &frame));
        assert_true(contains(&frame, words));
        view_frame_free(&frame);
    }
    view_rows_free(&rows);
}

/* The first read's halts are nearly all the time so far, which is shown instead of a share. */
static void test_one_look(void **state)
{
    struct view_status status = make_status();

    status.halts = 3;
    status.halted_ms = 27.1;
    status.halted_share = 27.1 / 27.4;
    status.once = true;
    check_header(&status, "halts 3, 27.1 ms of 27.4 ms connected   ");
}

/* Why samples are taken so is worth a line, if mprof has chosen that. */
static void test_sampler(void **state)
{
    struct view_status status = make_status();

    status.sampler = "pcsr";
    status.sampler_why = "no stub in fw.elf; DWT_PCSR answers";
    status.sampler_chosen = true;
    check_header(&status, "sampler pcsr: no stub in fw.elf; DWT_PCSR answers");
}

static void test_slow_link(void **state)
{
    struct view_status status = make_status();

    check_header(&status, "poll 4.0 ms   updated");
    status.period_s = 1.23;
    check_header(&status, "poll 4.0 ms   every 1.2 s: slow link   updated");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_advice_on_a_screen),
        cmocka_unit_test(test_functions_without_a_row),
        cmocka_unit_test(test_stub_and_losses),
        cmocka_unit_test(test_long_message),
        cmocka_unit_test(test_every_width),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_one_look),
        cmocka_unit_test(test_sampler),
        cmocka_unit_test(test_slow_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
