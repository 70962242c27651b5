/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene to make screens of, and what holds for every screen. */
#include "screen_checks.h"

#include "fake_names.h"
#include "unit.h"

#include <base/text.h>
#include <base/utf8.h>

const struct view_key_hint scene_hints[SCENE_HINTS] = {
    {"Enter", "zoom"}, {"/", "filter"}, {"s", "sort"}, {"t", "since/10s"}, {"b", "base"},
    {"w", "save"},     {"p", "pause"},  {"?", "help"}, {"q", "quit"},
};

struct view_row make_row(const char *function, const char *file, unsigned line, uint64_t hits,
                         uint64_t all)
{
    return (struct view_row){.function = function,
                             .file = file,
                             .line = line,
                             .addr = 0x8000000 + 16 * hits,
                             .hits = hits,
                             .recent = hits / 100,
                             .share = stats_wilson((double)hits, (double)all),
                             .recent_share = (double)hits / (double)all,
                             .rate = (double)hits / 100,
                             .mean = (double)hits / 250,
                             .cpu = (double)hits / (double)all};
}

void make_scene(struct scene *s, unsigned width, unsigned height)
{
    enum { ALL = 251904 };

    *s = (struct scene){
        .status = make_status(),
        .profile = {.unit = DECODE_UNIT_SAMPLES,
                    .source = DECODE_STREAM,
                    .block_size = 1,
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
                                     .time_range = "since reset",
                                     .hints = scene_hints,
                                     .hint_count = SCENE_HINTS};
}

struct view_frame frame_of(struct scene *s)
{
    struct view_frame frame;

    assert_true(view_frame_build(&s->layout, &s->status, &s->profile, &s->rows, &frame));
    return frame;
}

/* Functions of 16 bytes from 0x1000 on stand for the scene's rows. */
#define CODE 0x1000

static struct symtab_function functions[ROWS_MAX];

static struct fake_names fake = {.functions = functions, .count = ROWS_MAX};

struct sparklines *make_past(struct scene *s)
{
    const struct symbol_naming names = {FAKE_NAMES(&fake)};
    struct recent_window *past = recent_window_new();
    struct sparklines *view = sparklines_new();
    struct profile_hit *hits = calloc(s->rows.count + 1, sizeof(*hits));
    struct profile p = {
        .block_size = 16, .rows = hits, .row_count = s->rows.count, .updated_s = 1000};

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

const struct view_line *line_of(const struct view_frame *frame, size_t row)
{
    for (size_t i = 0; i < frame->count; i++)
        if (frame->lines[i].row == row)
            return &frame->lines[i];
    return NULL;
}

void check_frame(const struct scene *s, const struct view_frame *frame)
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

size_t show(struct scene *s)
{
    struct view_frame frame = frame_of(s);
    size_t first = frame.first;

    check_frame(s, &frame);
    view_frame_free(&frame);
    return first;
}
