/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens of any size: what they look like, and what holds for all of them. */
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/text.h>
#include <base/utf8.h>
#include <screen/frame.h>

#include "counted.h"
#include "screen_golden.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ROWS_MAX 400

/* A screen and all that it is made from. */
struct scene {
    struct view_layout layout;
    struct view_status status;
    struct profile profile;
    struct view_row row[ROWS_MAX];
    char names[ROWS_MAX][40];
    struct view_rows rows;
    struct view_usage usage;
};

static const struct view_key_hint hints[] = {
    {"Enter", "zoom"}, {"/", "filter"}, {"s", "sort"}, {"t", "since/10s"}, {"b", "base"},
    {"w", "save"},     {"p", "pause"},  {"?", "help"}, {"q", "quit"},
};

static struct view_row make_row(const char *function, const char *file, unsigned line,
                                uint64_t hits, uint64_t all)
{
    return (struct view_row){.function = function,
                             .file = file,
                             .line = line,
                             .addr = 0x8000000 + 16 * hits,
                             .hits = hits,
                             .recent = hits / 100,
                             .share = stats_row_share(hits, 0, all, 0),
                             .recent_share = (double)hits / (double)all,
                             .rate = (double)hits / 100,
                             .mean = (double)hits / 250,
                             .cpu = (double)hits / (double)all};
}

/* The scene of the design: four tasks, a handler, idle. */
static void make_scene(struct scene *s, unsigned width, unsigned height)
{
    enum { ALL = 251904 };

    *s = (struct scene){
        .status = {.command = "top",
                   .elf = "fw.elf",
                   .build_id = "3f9a21c0ff",
                   .identity = "= flash",
                   .kind = "openocd-tcl",
                   .server = "Open On-Chip Debugger 0.12.0",
                   .address = ":6666",
                   .target = "STM32F407",
                   .arch = "Cortex-M4F",
                   .state = "RUNNING",
                   .sampler = "stream+table",
                   .message = "",
                   .live = true,
                   .poll_ms = 4,
                   .age_s = 0.1,
                   .addr_size = 4},
        .profile = {.unit = DECODE_UNIT_SAMPLES,
                    .source = DECODE_STREAM,
                    .grain = 1,
                    .sample_hz = 997,
                    .jittered = true,
                    .attributed = ALL,
                    .heartbeat = ALL,
                    .late = 1008,
                    .events = 996,
                    .recent_s = 1},
        .usage = {.tasks = 0.492,
                  .interrupts = 0.121,
                  .idle = 0.386,
                  .unknown = 0.001,
                  .total_tasks = 0.501,
                  .total_interrupts = 0.12,
                  .total_idle = 0.378,
                  .total_unknown = 0.001,
                  .wall = true},
    };
    s->row[0] = make_row("vApplicationIdleHook", "/src/main.c", 203, 97234, ALL);
    s->row[0].context = VIEW_CONTEXT_IDLE;
    s->row[1] = make_row("fir_filter", "/src/dsp.c", 41, 60709, ALL);
    s->row[2] = make_row("crc32_update", "/src/crc.c", 17, 24687, ALL);
    s->row[3] = make_row("ADC_IRQHandler", "/src/adc.c", 88, 17381, ALL);
    s->row[3].context = VIEW_CONTEXT_INTERRUPT;
    s->row[4] = make_row("__aeabi_ddiv", NULL, 0, 9320, ALL);
    s->row[5] = make_row("vPortExitCritical", "/src/port.c", 412, 1200, ALL);
    s->row[5].stale = true;
    s->rows = (struct view_rows){.rows = s->row, .count = 6, .attributed = ALL};
    s->layout = (struct view_layout){.width = width,
                                     .height = height,
                                     .screen = true,
                                     .ascii = true,
                                     .selected = VIEW_NO_ROW,
                                     .sort = view_column_find(&view_ranking_columns, "share", 5),
                                     .usage = &s->usage,
                                     .span = "since reset",
                                     .hints = hints,
                                     .hint_count = COUNT(hints)};
}

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

static struct view_frame frame_of(struct scene *s)
{
    struct view_frame frame;

    assert_true(view_frame_build(&s->layout, &s->status, &s->profile, &s->rows, &frame));
    return frame;
}

/* Functions of 16 bytes from 0x1000 on stand for the scene's rows. */
#define CODE 0x1000

static struct symtab_function functions[ROWS_MAX];

static const struct symtab_function *find(void *context, uint64_t addr)
{
    size_t index = (size_t)(addr - CODE) / 16;

    (void)context;
    return addr >= CODE && index < ROWS_MAX ? &functions[index] : NULL;
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    (void)context, (void)function, (void)line;
    return false;
}

/* A minute in which the hits of the rows rise, fall, come and go. */
static struct sparklines *make_past(struct scene *s)
{
    const struct symbol_naming names = {.find = find, .find_start = find_start};
    struct recent_window *past = recent_window_new();
    struct sparklines *view = sparklines_new();
    struct profile_hit *hits = calloc(s->rows.count + 1, sizeof(*hits));
    struct profile p = {.grain = 16, .rows = hits, .row_count = s->rows.count, .updated_s = 1000};

    assert_true(past && view && hits);
    for (size_t i = 0; i < s->rows.count; i++) {
        s->row[i].addr = hits[i].addr = CODE + 16 * i;
        functions[i] =
            (struct symtab_function){.addr = CODE + 16 * i, .size = 16, .name = s->row[i].function};
    }
    for (uint32_t second = 0; second <= 60; second++) {
        static const uint32_t shapes[] = {10, 1, 60, 0, 30, 5};
        for (size_t i = 0; i < s->rows.count; i++)
            hits[i].recent = i % 6 == 1   ? second
                             : i % 6 == 2 ? 60 - second
                             : i % 6 == 3 ? (second / 10 % 2 ? 40 : 0)
                                          : shapes[i % 6];
        p.updated_s += 1;
        p.recent_s = second > 0;
        assert_true(recent_window_add(past, &p));
    }
    assert_true(sparklines_update(view, past, &p, &names, VIEW_BY_FUNCTION, NULL));
    recent_window_free(past);
    free(hits);
    s->layout.sparklines = view;
    return view;
}

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

static bool contains(const struct view_frame *frame, const char *word)
{
    for (size_t i = 0; i < frame->count; i++)
        if (strstr(frame->lines[i].text, word))
            return true;
    return false;
}

/* The line of a row, NULL: it is not on the screen. */
static const struct view_line *line_of(const struct view_frame *frame, size_t row)
{
    for (size_t i = 0; i < frame->count; i++)
        if (frame->lines[i].row == row)
            return &frame->lines[i];
    return NULL;
}

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

/* What holds for every screen. */
static void check_frame(const struct scene *s, const struct view_frame *frame)
{
    size_t rows = 0, selected = 0;

    assert_int_equal(frame->count, s->layout.height);
    for (size_t i = 0; i < frame->count; i++) {
        const struct view_line *line = &frame->lines[i];
        unsigned column = 0;
        assert_true(text_cells(line->text) <= s->layout.width);
        for (const char *at = line->text; *at; at += utf8_next(at).len) {
            char buffer[UTF8_SHOWN_MAX];
            assert_null(utf8_shown(utf8_next(at).code, buffer));
            assert_true(!s->layout.ascii || utf8_next(at).len == 1);
        }
        for (size_t k = 0; k < line->span_count; k++) {
            assert_true(line->spans[k].column >= column && line->spans[k].cells > 0);
            column = line->spans[k].column + line->spans[k].cells;
            assert_true(column <= s->layout.width);
        }
        rows += line->row != VIEW_NO_ROW;
        selected += line->selected;
        assert_true(line->row == VIEW_NO_ROW || line->row < s->rows.count);
        assert_true(line->selected ==
                    (line->row == s->layout.selected && line->row != VIEW_NO_ROW));
    }
    assert_int_equal(frame->shown, rows);
    assert_int_equal(frame->total, s->rows.count);
    assert_int_equal(selected, s->layout.selected < s->rows.count);
    for (size_t i = 0; i < frame->title_count; i++)
        assert_true(frame->titles[i].what && frame->heading < frame->count);
}

/* Shows it, holds it to what holds for all, and says where it begins. */
static size_t show(struct scene *s)
{
    struct view_frame frame = frame_of(s);
    size_t first = frame.first;

    check_frame(s, &frame);
    view_frame_free(&frame);
    return first;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

static void test_one_row(void **state)
{
    struct scene s;

    (void)state;
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

    (void)state;
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
        s.row[i].share = stats_exact_share(s.row[i].hits, 0, s.rows.attributed, 0);
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

static void test_arcs(void **state)
{
    struct scene s;

    (void)state;
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

    (void)state;
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

/* What is off by more to one side says to which; what was lost stands beside what came. */
static void test_lopsided(void **state)
{
    struct scene s;

    (void)state;
    make_scene(&s, 80, 24);
    s.row[1].share = (struct stats_share){.value = 0.503, .low = 0.1927, .high = 0.5175};
    s.row[2].share = (struct stats_share){.value = 0.1, .low = 0.09, .high = 0.125};
    s.row[3].share = (struct stats_share){.value = 0.05, .low = 0.04, .high = 0.07};
    s.profile.events = 1397;
    s.profile.missed = 837;
    s.profile.dropped = 4000;
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "  50.3   -31 "));
    assert_true(contains(&frame, "  10.0  +2.5 "));
    assert_true(contains(&frame, "   5.0   2.0 "));
    assert_true(contains(&frame, "  560/s of 997 jittered   lost 4000, 837/s"));
    view_frame_free(&frame);
}

/* What the counts cover stands longer than for how long we halted, and how old it is. */
static void test_span_stays(void **state)
{
    struct scene s;

    (void)state;
    make_scene(&s, 80, 24);
    s.status.halts = 123;
    s.status.halted_ms = 12345.6;
    s.status.address = "localhost:66666";
    struct view_frame frame = frame_of(&s);
    check_frame(&s, &frame);
    assert_true(contains(&frame, "halts 123 (0.0%)"));
    assert_true(contains(&frame, "since reset"));
    view_frame_free(&frame);
    s.layout.width = 200;
    frame = frame_of(&s);
    assert_true(contains(&frame, "halts 123, 12345.6 ms (0.0%)"));
    view_frame_free(&frame);
}

static void test_several_functions(void **state)
{
    struct scene s;

    (void)state;
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

    (void)state;
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

    (void)state;
    make_scene(&s, 80, 24);
    check_mark(&s, "share", false, "SHAREv");
    check_mark(&s, "share", true, "SHARE^");
    check_mark(&s, "function", false, "FUNCTION^");
    check_mark(&s, "location", true, "FILE:LINEv");
    s.layout.ascii = false;
    check_mark(&s, "error", false, "+/-\u25bc");
    check_mark(&s, "function", false, "FUNCTION\u25b2");
    check_mark(&s, "recent", true, "NOW\u25b2");
}

static void test_heat(void **state)
{
    struct view_span span;
    struct scene s;

    (void)state;
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

    (void)state;
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

    (void)state;
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

/* 300 rows: each section shows its first row, and says how many it has beside what it shows. */
static void test_many_rows(void **state)
{
    struct scene s;

    (void)state;
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
    size_t first = 0;

    s->layout.first = 0;
    for (size_t place = 0; place < s->rows.count; place++) {
        s->layout.first = first;
        s->layout.selected = view_screen_row(&s->rows, place);
        size_t now = show(s);
        assert_true(now >= first && now <= place);
        first = now;
    }
    for (size_t place = s->rows.count; place-- > 0;) {
        s->layout.first = first;
        s->layout.selected = view_screen_row(&s->rows, place);
        size_t now = show(s);
        assert_true(now <= first);
        first = now;
    }
    assert_int_equal(first, 0);
}

static void test_cursor(void **state)
{
    static const unsigned heights[] = {3, 6, 10, 13, 24, 50};
    struct scene s;

    (void)state;
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

    (void)state;
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

static void test_places(void **state)
{
    struct scene s;

    (void)state;
    make_scene(&s, 80, 24);
    static const size_t order[] = {1, 2, 4, 5, 3, 0};
    for (size_t i = 0; i < COUNT(order); i++) {
        assert_int_equal(view_screen_row(&s.rows, i), order[i]);
    }
    assert_true(view_screen_row(&s.rows, COUNT(order)) == VIEW_NO_ROW);
}

static uint32_t seed = 7;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static const char *draw_name(char *room, size_t size)
{
    static const char *const names[] = {"short",
                                        "a_name_that_is_longer_than_most_columns_are",
                                        "\x1b[31mevil\n",
                                        "\xff\xfe",
                                        "\u00fcn\u00efcode",
                                        ""};
    size_t len = draw(2) ? 0 : draw((uint32_t)size);

    if (len == 0)
        return names[draw(COUNT(names))];
    for (size_t i = 0; i < len; i++)
        room[i] = (char)(draw(4) ? 'a' + draw(26) : 1 + draw(255));
    room[len] = '\0';
    return room;
}

static void draw_rows(struct scene *s)
{
    s->rows.count = draw(10) ? draw(40) : draw(ROWS_MAX);
    for (size_t i = 0; i < s->rows.count; i++) {
        const char *name = draw(8) ? draw_name(s->names[i], sizeof(s->names[i])) : NULL;
        s->row[i] = make_row(name, draw(4) ? "/x/y.c" : NULL, draw(100000), draw(100000), 300000);
        s->row[i].context = (enum view_context)draw(3);
        s->row[i].stale = draw(8) == 0;
        s->row[i].split = draw(8) == 0;
        s->row[i].recent_share = draw(2) ? -1 : 0.3;
        if (draw(8) == 0)
            s->row[i].share.low = s->row[i].share.high = -1;
    }
}

static void draw_fields(struct scene *s, struct view_fields *fields)
{
    const struct view_columns *of = &view_ranking_columns;

    fields->count = 1 + draw(VIEW_FIELDS_MAX);
    for (size_t i = 0; i < fields->count; i++)
        fields->column[i] = &of->column[draw((uint32_t)of->count)];
    s->layout.fields = draw(2) ? fields : NULL;
    s->layout.sort = draw(4) ? &of->column[draw((uint32_t)of->count)] : NULL;
    s->layout.reversed = draw(2);
}

static void draw_layout(struct scene *s)
{
    static char message[400], words[400];

    s->layout.ascii = draw(2);
    s->layout.by = (enum view_by)draw(5);
    s->rows.arcs = draw(8) == 0;
    s->layout.first = draw(2) ? draw(ROWS_MAX) : 0;
    s->layout.selected = draw(2) && s->rows.count ? draw((uint32_t)s->rows.count) : VIEW_NO_ROW;
    s->layout.usage = draw(2) ? &s->usage : NULL;
    s->usage.idle = draw(2) ? -1 : 0.1;
    s->usage.total_tasks = draw(2) ? -1 : 0.1;
    s->layout.hints = draw(4) ? hints : NULL;
    s->layout.hint_count = s->layout.hints ? draw(COUNT(hints) + 1) : 0;
    s->layout.span = draw(2) ? "last 10 s" : NULL;
    s->layout.search = draw(4) ? NULL : draw(2) ? "a" : "e_";
    s->status.message = draw(2) ? draw_name(message, sizeof(message)) : "";
    s->status.alarm = draw(2);
    s->status.elf = draw_name(words, sizeof(words));
    s->status.age_s = draw(4) ? draw(100000) : NAN;
    s->status.origin = draw(4) ? NULL : "a.mprof";
    s->status.addr_size = draw(2) ? 4 : 8;
    s->profile.dropped = draw(2) ? draw(1000000) : 0;
    s->profile.recent_s = draw(2);
}

/* Nothing but ASCII is drawn, but names are what they are. */
static void check_any(struct scene *s)
{
    bool ascii = s->layout.ascii;
    struct view_frame frame = frame_of(s);

    s->layout.ascii = false;
    check_frame(s, &frame);
    s->layout.ascii = ascii;
    view_frame_free(&frame);
}

static size_t random_frames;

static void test_random(void **state)
{
    const char *soak = getenv("MPROF_SOAK");
    int times = soak && strcmp(soak, "1") == 0 ? 100000 : 2000;
    static struct scene s;

    (void)state;
    for (int i = 0; i < times; i++) {
        struct view_fields fields;
        make_scene(&s, 1 + draw(draw(2) ? 90 : 260), 1 + draw(draw(2) ? 30 : 80));
        draw_rows(&s);
        draw_layout(&s);
        draw_fields(&s, &fields);
        struct sparklines *past = draw(16) ? NULL : make_past(&s);
        check_any(&s);
        sparklines_free(past);
        random_frames++;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_small),
        cmocka_unit_test(test_golden_comfortable),
        cmocka_unit_test(test_golden_wide),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_arcs),
        cmocka_unit_test(test_own_fields),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_sort_mark),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_footer),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_cursor),
        cmocka_unit_test(test_scrolling),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_span_stays),
        cmocka_unit_test(test_several_functions),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, random_frames, "random frames");
}
