/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed, on screens of three sizes, held against text. */
#define _POSIX_C_SOURCE 200809L

#include "unit.h"

#include <base/text.h>
#include <screen/change_screen.h>

#include "fake_names.h"
#include "golden_change.h"

/* One function: 16 bytes, on a line of its own, and its hits in base and now. */
struct place {
    const char *function;
    uint64_t base, now;
};

static const struct place places[] = {
    {"fir_filter", 20000, 26000},
    {"crc32", 30000, 30100},
    {"idle", 40000, 39800},
    {"uart_poll", 5000, 900},
    {"spi_transfer", 3000, 3020},
    {"adc_read_all_channels_of_the_second_converter_and_scale_them", 2500, 2510},
    {"going", 2000, 0},
    {"came", 0, 1800},
    {"ev\x1b[2Jil\xc3\xa9\xff", 1000, 990},
    {"memcpy", 900, 905},
    {"memset", 800, 790},
    {"pid_step", 700, 705},
    {"can_rx", 600, 610},
    {"can_tx", 500, 490},
    {"log_write", 400, 402},
    {"brand_new", 0, 9000},
};

#define PLACES  COUNT(places)
#define ROWS    (PLACES - 1) /* one of them was renamed */
#define ADDR(i) (0x1000 + 16 * (uint64_t)(i))

static struct symtab_function functions[PLACES];

static bool line_at(const struct symtab_function *function, uint64_t addr, struct symtab_line *line)
{
    *line = (struct symtab_line){.file = "src/fw.c",
                                 .line = 10 * (unsigned)(function - functions) + 10};
    return true;
}

static void add_run(struct view_set *set, enum view_side side, double scale)
{
    struct profile_hit rows[PLACES];
    struct fake_names fake = {.functions = functions, .count = PLACES, .line_at = line_at};
    struct symbol_naming naming = {FAKE_NAMES(&fake)};
    struct profile profile = {
        .unit = DECODE_UNIT_SAMPLES, .block_size = 16, .rows = rows, .row_count = PLACES};
    struct view_run run = {.profile = &profile,
                           .naming = &naming,
                           .name = side == VIEW_BASE ? "14:03:07" : "now",
                           .elf = "fw.elf",
                           .build_id = side == VIEW_BASE ? "aaaaaaaabbbb" : "ccccccccdddd",
                           .unit = "samples",
                           .sample_hz = 1000};
    char text[400];

    for (size_t i = 0; i < PLACES; i++) {
        uint64_t hits = side == VIEW_BASE ? places[i].base : places[i].now;
        functions[i] =
            (struct symtab_function){.addr = ADDR(i), .size = 16, .name = places[i].function};
        rows[i] = (struct profile_hit){.addr = ADDR(i), .hits = (uint64_t)((double)hits * scale)};
        profile.attributed += rows[i].hits;
    }
    assert_true(view_set_add(set, side, &run, text, sizeof(text)));
}

struct made {
    struct view_set *set;
    struct view_changes c;
};

/* scale: how much longer it counted than base did. */
static struct made make_changes(double scale)
{
    struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct made m = {.set = view_set_new(VIEW_BY_FUNCTION, NULL)};
    char text[600];

    options.diff.repeated = true;
    add_run(m.set, VIEW_BASE, 1);
    add_run(m.set, VIEW_NEW, scale);
    assert_true(view_changes_make(m.set, &options, &m.c, text, sizeof(text)));
    view_changes_sort(&m.c, NULL);
    return m;
}

static void drop(struct made *m)
{
    view_changes_free(&m->c);
    view_set_free(m->set);
}

static const struct view_key_hint hints[] = {
    {"b", "back"}, {"Enter", "zoom"}, {"s", "sort"}, {"q", "quit"}, {"h", "help"},
};

static struct view_layout layout_of(unsigned width, unsigned height, size_t first, size_t selected)
{
    return (struct view_layout){.width = width,
                                .height = height,
                                .screen = true,
                                .first = first,
                                .selected = selected,
                                .hints = hints,
                                .hint_count = COUNT(hints)};
}

/* Below a header of three lines, of which the last one is the message. */
static struct view_frame frame_of(const struct view_changes *c, const struct view_layout *layout)
{
    struct view_frame frame = {.lines = NULL};
    struct text t = {.bytes = NULL};
    char message[1200];

    assert_true(view_frame_add(&frame, VIEW_STYLE_TITLE, strdup("header 1"), VIEW_NO_ROW));
    assert_true(view_frame_add(&frame, VIEW_STYLE_NORMAL, strdup("header 2"), VIEW_NO_ROW));
    assert_false(view_changes_screen_message(c, message, sizeof(message)));
    text_cell(&t, message, layout->width, false, false);
    assert_true(view_frame_add(&frame, VIEW_STYLE_DIM, t.bytes, VIEW_NO_ROW));
    assert_true(view_changes_screen(layout, c, NULL, &frame));
    return frame;
}

/* The lines, each behind a letter for its style and a mark for the cursor. */
static char *print(const struct view_frame *frame)
{
    struct text t = {.bytes = NULL};

    for (size_t i = 0; i < frame->count; i++) {
        const struct view_line *line = &frame->lines[i];
        const char *style = line->style == VIEW_STYLE_WORSE     ? "+"
                            : line->style == VIEW_STYLE_BETTER  ? "-"
                            : line->style == VIEW_STYLE_HEADING ? "H"
                            : line->style == VIEW_STYLE_WARNING ? "!"
                            : line->style == VIEW_STYLE_FOOTER  ? "F"
                            : line->style == VIEW_STYLE_DIM     ? "."
                                                                : " ";
        text_printf(&t, "%s%s|%s\n", style, line->selected ? ">" : " ", line->text);
    }
    assert_false(t.failed);
    return t.bytes;
}

static void check_screen(const struct view_layout *layout, const char *expected)
{
    struct made m = make_changes(2);
    struct view_frame frame = frame_of(&m.c, layout);
    char *text = print(&frame);

    assert_int_equal(frame.count, layout->height);
    for (size_t i = 0; i < frame.count; i++) {
        assert_true(text_cells(frame.lines[i].text) <= layout->width);
        assert_null(strchr(frame.lines[i].text, '\x1b'));
    }
    if (getenv("GOLDEN_SHOW"))
        printf("%s\n", text);
    else
        assert_string_equal(text, expected);
    free(text);
    view_frame_free(&frame);
    drop(&m);
}

static void test_80x24(void **state)
{
    const struct view_layout layout = layout_of(80, 24, 0, 1);

    check_screen(&layout, golden_80x24);
}

static void test_200x50(void **state)
{
    const struct view_layout layout = layout_of(200, 50, 0, VIEW_NO_ROW);

    check_screen(&layout, golden_200x50);
}

static void test_40x10(void **state)
{
    const struct view_layout layout = layout_of(40, 10, 3, 4);

    check_screen(&layout, golden_40x10);
}

/* Which rows stand there, wherever it is scrolled to. */
static void test_scrolled(void **state)
{
    struct made m = make_changes(1);

    for (size_t first = 0; first < ROWS + 3; first++) {
        const struct view_layout layout = layout_of(60, 12, first, 2);
        struct view_frame frame = frame_of(&m.c, &layout);
        size_t row = frame.first, lines = 0, marked = 0;
        assert_int_equal(frame.count, 12);
        assert_int_equal(frame.total, ROWS);
        assert_int_equal(frame.shown, 12 - 3 - 2);
        assert_int_equal(frame.first, first < ROWS - 7 ? first : ROWS - 7);
        for (size_t i = 0; i < frame.count; i++) {
            marked += frame.lines[i].selected;
            if (frame.lines[i].row == VIEW_NO_ROW)
                continue;
            assert_int_equal(frame.lines[i].row, row++);
            lines++;
        }
        assert_int_equal(lines, frame.shown);
        assert_int_equal(marked, frame.first <= 2);
        view_frame_free(&frame);
    }
    drop(&m);
}

/* Screens that have no room for a row, or for a key. */
static void test_tiny(void **state)
{
    struct made m = make_changes(1);

    for (unsigned height = 1; height < 8; height++) {
        for (unsigned width = 1; width < 60; width += 7) {
            const struct view_layout layout = layout_of(width, height, 0, 0);
            struct view_frame frame = frame_of(&m.c, &layout);
            for (size_t i = 3; i < frame.count; i++)
                assert_true(text_cells(frame.lines[i].text) <= width);
            view_frame_free(&frame);
        }
    }
    drop(&m);
}

/* Keys are marked where they are; help and quit, the last two, are there at any width. */
static void test_hints(void **state)
{
    const struct view_layout layout = layout_of(30, 12, 0, 0);
    struct made m = make_changes(1);
    struct view_frame frame = frame_of(&m.c, &layout);
    const struct view_line *last = &frame.lines[frame.count - 1];

    assert_string_equal(last->text, "b back  q quit  h help");
    assert_int_equal(last->span_count, 3);
    assert_int_equal(last->spans[1].column, 8);
    assert_int_equal(last->spans[1].cells, 1);
    assert_int_equal(last->spans[1].style, VIEW_STYLE_KEY);
    view_frame_free(&frame);
    drop(&m);
}

/* The same rule as mprof diff: a change that is no more than noise is not marked. */
static void test_message(void **state)
{
    struct made m = make_changes(2);
    char text[1200];

    assert_false(view_changes_screen_message(&m.c, text, sizeof(text)));
    assert_string_equal(
        text, "3 of 15 functions changed: 2 more, 1 less, relative to the median, since 14:03:07 "
              "(build aaaaaaa), this boot");
    drop(&m);
    m = make_changes(0.001);
    assert_false(view_changes_screen_message(&m.c, text, sizeof(text)));
    assert_memory_equal(text, "no evidence of a change", 23);
    drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_80x24),   cmocka_unit_test(test_200x50),
        cmocka_unit_test(test_40x10),   cmocka_unit_test(test_scrolled),
        cmocka_unit_test(test_tiny),    cmocka_unit_test(test_hints),
        cmocka_unit_test(test_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
