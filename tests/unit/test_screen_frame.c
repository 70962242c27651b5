/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a screen says of each row, in its headings, and below the rows. */
#include <regex.h>

#include "unit.h"

#include <base/utf8.h>

#include "screen_checks.h"

/* Whether some cells of the line have the style; where the first ones are. */
static bool has_style(const struct view_line *line, enum view_style style, struct view_span *span)
{
    for (size_t i = 0; i < line->span_count; i++) {
        if (line->spans[i].style == style) {
            *span = line->spans[i];
            return true;
        }
    }
    return false;
}

static void test_one_row(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    s.rows.count = 1; /* which is idle */
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "-- idle 38.6% of samples ---"));
    assert_false(contains(&frame, "interrupts"));
    assert_false(contains(&frame, "others"));
    view_frame_free(&frame);
}

/* Calls are counted, not sampled: their shares have no interval, so nothing of a bar is in doubt.
 */
static void test_calls(void **state)
{
    struct view_span span;
    struct scene s;

    make_scene(&s, 80, 24);
    struct view_frame frame = frame_of(&s);
    s.layout.ascii = false;
    view_frame_free(&frame);
    frame = frame_of(&s);
    assert_true(has_style(line_of(&frame, 1), VIEW_STYLE_DIM, &span));
    assert_int_equal(span.cells, 1);
    view_frame_free(&frame);
    s.profile.unit = DECODE_UNIT_CALLS;
    for (size_t i = 0; i < s.rows.count; i++)
        s.row[i].share.low = s.row[i].share.high = s.row[i].share.value;
    frame = frame_of(&s);
    assert_false(has_style(line_of(&frame, 1), VIEW_STYLE_DIM, &span));
    assert_true(has_style(line_of(&frame, 1), VIEW_STYLE_BAR, &span));
    assert_true(contains(&frame, "251904 calls"));
    assert_false(contains(&frame, "of 997"));
    view_frame_free(&frame);
    /* An error that is no chance has no interval either. */
    for (size_t i = 0; i < s.rows.count; i++)
        s.row[i].share.low = s.row[i].share.high = -1;
    frame = frame_of(&s);
    assert_false(has_style(line_of(&frame, 1), VIEW_STYLE_DIM, &span));
    view_frame_free(&frame);
}

/* The stub may be on either side of TrustZone; the samples of the other side are counted. */
static void test_other_side(void **state)
{
    struct scene s;

    make_scene(&s, 200, 24);
    struct view_frame frame = frame_of(&s);
    assert_false(contains(&frame, "TrustZone"));
    view_frame_free(&frame);
    s.profile.other_side = 7;
    frame = frame_of(&s);
    assert_true(contains(&frame, "other TrustZone side 7"));
    view_frame_free(&frame);
}

static void test_arcs(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    s.rows.arcs = true;
    s.row[1].caller = "main_loop";
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "CALLED FROM"));
    assert_true(contains(&frame, "main_loop"));
    view_frame_free(&frame);
}

/* Fields that were asked for are those that are shown. */
static void test_own_fields(void **state)
{
    struct view_fields fields;
    struct scene s;
    char text[400];

    make_scene(&s, 80, 24);
    assert_true(view_fields_parse(&view_ranking_columns, "hits,cpu,mean,function", &fields, text,
                                  sizeof(text)));
    s.layout.fields = &fields;
    s.row[2].cpu = s.row[2].mean = -1;
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_int_equal(frame.title_count, 4);
    assert_string_equal(frame.lines[frame.heading].text, "      HITS    CPU      MEAN  FUNCTION");
    assert_true(contains(&frame, "     60709   24.1     242.8  fir_filter"));
    assert_true(contains(&frame, "     24687      -         -  crc32_update"));
    view_frame_free(&frame);
}

/* What is off by more to one side is shown without a sign, and both ends below the ranking; what
 * was lost stands beside what came. */
static void test_lopsided(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    s.row[1].share = (struct stats_share){.value = 0.503, .low = 0.1927, .high = 0.5175};
    s.row[2].share = (struct stats_share){.value = 0.1, .low = 0.09, .high = 0.125};
    s.row[3].share = (struct stats_share){.value = 0.05, .low = 0.04, .high = 0.07};
    s.profile.events = 1397;
    s.profile.missed = 837;
    s.profile.dropped = 4000;
    s.layout.selected = 1;
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "   50.30 % [19.27, 51.75]   "));
    assert_true(contains(&frame, "> 50.3  31.0 "));
    assert_true(contains(&frame, "  10.0   2.5 "));
    assert_true(contains(&frame, "   5.0   2.0 "));
    assert_true(contains(&frame, "  560/s of 997 Hz, jittered   lost 4000, 837/s"));
    view_frame_free(&frame);
}

/* What the counts cover stands longer than for how long we halted, and how old it is. */
static void test_time_range_stays(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    s.status.halts = 123;
    s.status.halted_ms = 12345.6;
    s.status.address = "localhost:66666";
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "halts 123 (0.0% of time)"));
    assert_true(contains(&frame, "since reset"));
    view_frame_free(&frame);
    s.layout.width = 200;
    frame = frame_of(&s);
    assert_true(contains(&frame, "halts 123, 12345.6 ms (0.0% of time)"));
    view_frame_free(&frame);
}

static void test_several_functions(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    s.row[1].function = NULL;
    s.row[1].several = true;
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "several functions"));
    view_frame_free(&frame);
}

/* Where a heading is pointed at, its column is meant. */
static void test_titles(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    struct view_frame frame = frame_of(&s);
    const char *heading = frame.lines[frame.heading].text;
    assert_int_equal(frame.title_count, 7);
    for (size_t i = 0; i < frame.title_count; i++) {
        const struct view_title *t = &frame.titles[i];
        const char *found = strstr(heading, t->what->title);
        if (strcmp(t->what->name, "bar") == 0 || strcmp(t->what->name, "trend") == 0)
            continue;
        assert_non_null(found);
        assert_in_range(found - heading, t->column, t->column + t->cells - 1);
    }
    view_frame_free(&frame);
}

static void check_mark(struct scene *s, const char *column, bool reversed, const char *expected)
{
    s->layout.sort = view_column_find(&view_ranking_columns, column, strlen(column));
    s->layout.reversed = reversed;
    struct view_frame frame = frame_of(s);
    check_frame(s, &frame);
    if (!strstr(frame.lines[frame.heading].text, expected))
        fail_msg("%s: %s", expected, frame.lines[frame.heading].text);
    view_frame_free(&frame);
}

static void test_sort_mark(void **state)
{
    struct scene s;

    make_scene(&s, 80, 24);
    check_mark(&s, "share", false, "SHAREv");
    check_mark(&s, "share", true, "SHARE^");
    check_mark(&s, "function", false, "FUNCTION^");
    check_mark(&s, "location", true, "FILE:LINEv");
    s.layout.ascii = false;
    check_mark(&s, "error", false, "\u00b1\u25bc");
    check_mark(&s, "function", false, "FUNCTION\u25b2");
    check_mark(&s, "recent", true, "NOW\u25b2");
}

static void test_heat(void **state)
{
    struct view_span span;
    struct scene s;

    make_scene(&s, 80, 24);
    struct view_frame frame = frame_of(&s);
    assert_true(has_style(line_of(&frame, 1), VIEW_STYLE_HOT, &span));
    assert_int_equal(span.column, 2);
    assert_int_equal(span.cells, 4);
    assert_false(has_style(line_of(&frame, 4), VIEW_STYLE_HOT, &span));
    assert_true(has_style(line_of(&frame, 4), VIEW_STYLE_WARM, &span));
    /* What is stale is dim, and nothing of it stands out. */
    assert_int_equal(line_of(&frame, 5)->style, VIEW_STYLE_DIM);
    assert_int_equal(line_of(&frame, 5)->span_count, 0);
    view_frame_free(&frame);
}

/* The cells that are marked in the row's line, as text; "": none. */
static void check_match(struct scene *s, size_t row, const char *expected)
{
    struct view_frame frame = frame_of(s);
    const struct view_line *line = line_of(&frame, row);
    struct view_span span = {.cells = 0};
    char marked[100] = "";

    check_frame(s, &frame);
    if (has_style(line, VIEW_STYLE_MATCH, &span)) {
        const char *at = line->text;
        for (unsigned i = 0; i < span.column; i++)
            at += utf8_next(at).len;
        const char *end = at;
        for (unsigned i = 0; i < span.cells; i++)
            end += utf8_next(end).len;
        snprintf(marked, sizeof(marked), "%.*s", (int)(end - at), at);
    }
    assert_string_equal(marked, expected);
    view_frame_free(&frame);
}

static void test_search(void **state)
{
    struct scene s;
    regex_t pattern;

    make_scene(&s, 80, 24);
    s.layout.ascii = false;
    s.layout.search = "adc";
    check_match(&s, 3, "ADC");
    check_match(&s, 1, "");
    s.layout.search = "Adc";
    check_match(&s, 3, "");
    s.layout.search = "dsp.c:4";
    check_match(&s, 1, "dsp.c:4");
    s.layout.search = "\u00e4";
    s.row[1].function = "f\u00fcr_\u00e4";
    check_match(&s, 1, "\u00e4");
    assert_int_equal(regcomp(&pattern, "^[a-z]*3[0-9]", REG_EXTENDED), 0);
    s.layout.pattern = &pattern;
    check_match(&s, 2, "crc32");
    check_match(&s, 5, "");
    regfree(&pattern);
    assert_int_equal(regcomp(&pattern, "x*", REG_EXTENDED), 0); /* finds nothing everywhere */
    check_match(&s, 5, "");
    regfree(&pattern);
}

static void test_footer(void **state)
{
    static const struct {
        unsigned width;
        const char *text;
    } cases[] = {
        {200, "Enter zoom  / filter  s sort  t since/10s  b base  w save  p pause  ? help  q quit"},
        {82, "Enter zoom  / filter  s sort  t since/10s  b base  w save  p pause  ? help  q quit"},
        {81, "Enter zoom  / filter  s sort  t since/10s  b base  w save  ? help  q quit"},
        {40, "Enter zoom  / filter  ? help  q quit"},
        {14, "? help  q quit"},
        {13, "q quit"},
        {6, "q quit"},
        {5, ""},
    };
    struct scene s;

    for (size_t i = 0; i < COUNT(cases); i++) {
        make_scene(&s, cases[i].width, 24);
        struct view_frame frame = frame_of(&s);
        const struct view_line *line = &frame.lines[23];
        check_frame(&s, &frame);
        assert_string_equal(line->text, cases[i].text);
        assert_int_equal(line->style, VIEW_STYLE_FOOTER);
        if (line->span_count) {
            const struct view_span *last = &line->spans[line->span_count - 1];
            assert_int_equal(last->style, VIEW_STYLE_KEY);
            assert_int_equal(line->text[last->column], 'q');
        }
        view_frame_free(&frame);
    }
    make_scene(&s, 80, 24);
    s.layout.hints = NULL;
    s.layout.footer = "q quit";
    struct view_frame frame = frame_of(&s);
    assert_string_equal(frame.lines[23].text, "q quit");
    view_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_other_side),
        cmocka_unit_test(test_arcs),
        cmocka_unit_test(test_own_fields),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_sort_mark),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_footer),
        cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_time_range_stays),
        cmocka_unit_test(test_several_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
