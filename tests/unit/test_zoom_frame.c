/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function on the screen, at any size, and its callers and callees. */
#include <locale.h>

#include <annotate/calls.h>
#include <annotate/zoom_frame.h>
#include <base/text.h>

#include "fake_names.h"
#include "zoom_checks.h"

/* After base/say.h, which has a function of the name of one of its macros. */
#include "unit.h"

static struct symtab_function alpha = {.addr = 0x100, .size = 0x20, .name = "alpha"};

static bool line_at(const struct symtab_function *function, uint64_t addr, struct symtab_line *line)
{
    *line =
        (struct symtab_line){.file = "/nowhere/one.c", .line = (unsigned)(addr - 0x100) / 8 + 1};
    return function != NULL;
}

static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    frames[0] = (struct symtab_inlined){
        .name = "inner", .file = "/nowhere/one.c", .line = 5, .call_line = 9};
    return addr >= 0x110 && addr < 0x118;
}

static struct fake_names fake = {.functions = &alpha, .count = 1, .line_at = line_at};

static const struct symbol_naming alpha_naming = {FAKE_NAMES(&fake), .find_inlined = find_inlined};

struct made {
    struct profile_hit hits[2];
    struct profile profile;
    struct annotation annotation;
    struct annotate_frame panel, notes;
};

static void build(struct made *m, unsigned width)
{
    const struct annotate_input input = {
        .profile = &m->profile, .names = &alpha_naming, .addr_size = 4, .unit = "samples"};
    const struct annotate_layout layout = {.width = width, .program = ""};

    assert_true(annotate_build(&m->annotation, &input));
    assert_true(annotate_frame_body(&m->annotation, &layout, &m->panel));
    assert_true(annotate_frame_notes(&m->annotation, &layout, &m->notes));
}

/* Eight instructions, of which the last jumps back. */
static void make_annotation(struct made *m, unsigned width)
{
    static char nop[] = "nop", jump[] = "b 0x108 <alpha+8>";

    *m = (struct made){.hits = {{.addr = 0x108, .hits = 75}, {.addr = 0x200, .hits = 25}}};
    m->profile = (struct profile){.rows = m->hits,
                                  .row_count = 2,
                                  .attributed = 100,
                                  .block_size = 8,
                                  .unit = DECODE_UNIT_SAMPLES};
    m->annotation.parts[0].function = &alpha;
    m->annotation.part_count = 1;
    for (uint64_t at = 0x100; at < 0x120; at += 4) {
        struct listing_item item = {.addr = at, .size = 4, .text = nop};
        if (at == 0x11c)
            item.text = jump, item.jumps = true, item.target = 0x108;
        assert_true(listing_add(&m->annotation.parts[0].listing, &item));
    }
    build(m, width);
}

static void unmake(struct made *m)
{
    annotate_frame_free(&m->panel);
    annotate_frame_free(&m->notes);
    annotate_free(&m->annotation);
}

static void show(const struct made *m, struct view_layout *layout, struct view_frame *frame)
{
    static const struct view_key_hint hints[] = {
        {"Esc", "back"},       {"n", "next hot"}, {"Tab", "callers"},
        {"Enter", "annotate"}, {"?", "help"},     {"q", "quit"},
    };
    const struct view_zoom zoom = {
        .name = "alpha", .about = &m->annotation, .notes = &m->notes, .panel = &m->panel};

    layout->hints = hints;
    layout->hint_count = sizeof(hints) / sizeof(hints[0]);
    assert_true(view_zoom_frame(&zoom, layout, frame));
    assert_int_equal(frame->count, layout->height);
    for (size_t i = 0; i < frame->count; i++) {
        if ((unsigned)text_cells(frame->lines[i].text) > layout->width)
            fail_msg("wider than %u: %s", layout->width, frame->lines[i].text);
    }
}

static void expect_lines(const struct view_frame *frame, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_string_equal(frame->lines[i].text, lines[i]);
}

static void test_golden_small(void **state)
{
    static const char *const lines[] = {
#include "data/zoom_40x10.inc"
    };
    struct made m;
    struct view_frame frame;
    const struct annotate_layout narrow = {.width = 40, .program = ""};

    make_annotation(&m, 40);
    annotate_note(&m.annotation, "a note that has no room here");
    annotate_frame_free(&m.notes);
    assert_true(annotate_frame_notes(&m.annotation, &narrow, &m.notes));
    show(&m, &(struct view_layout){.width = 40, .height = 10, .selected = VIEW_NO_ROW}, &frame);
    expect_lines(&frame, lines, 10);
    view_frame_free(&frame);
    unmake(&m);
}

static void test_golden(void **state)
{
    static const char *const lines[] = {
#include "data/zoom_80x24.inc"
    };
    struct made m;
    struct view_frame frame;

    make_annotation(&m, 80);
    show(&m, &(struct view_layout){.width = 80, .height = 24, .selected = 7}, &frame);
    expect_lines(&frame, lines, 24);
    assert_int_equal(frame.heading, 2);
    assert_int_equal(frame.total, 14);
    assert_int_equal(frame.shown, 14);
    for (size_t i = 0; i < frame.count; i++)
        assert_int_equal(frame.lines[i].selected, i == 3 + 7);
    /* The numbers of a hot one are red, and nothing else. */
    const struct view_line *hot = &frame.lines[3 + 3];
    assert_int_equal(hot->span_count, 1);
    assert_int_equal(hot->spans[0].style, VIEW_STYLE_HOT);
    assert_int_equal(hot->spans[0].cells, 14);
    assert_int_equal(hot->style, VIEW_STYLE_SOURCE);
    assert_int_equal(frame.lines[23].style, VIEW_STYLE_FOOTER);
    assert_int_equal(frame.lines[23].spans[1].style, VIEW_STYLE_KEY);
    view_frame_free(&frame);
    unmake(&m);
}

static void test_golden_large(void **state)
{
    struct made m;
    struct view_frame frame;

    make_annotation(&m, 200);
    show(&m, &(struct view_layout){.width = 200, .height = 50, .selected = VIEW_NO_ROW}, &frame);
    assert_string_equal(frame.lines[0].text,
                        "alpha  75.0 % [65.7, 82.5] counting only  75 of 100 samples  "
                        "one.c:1  block size 8 bytes");
    assert_string_equal(frame.lines[1].text, "no source: cannot read /nowhere/one.c; give its "
                                             "folder with --source DIR");
    assert_string_equal(frame.lines[7].text, " 100.0     75 ┏ ┌>      108  nop");
    assert_string_equal(frame.lines[17].text, "");
    assert_string_equal(frame.lines[49].text, "Esc back  n next hot  Tab callers  Enter "
                                              "annotate  ? help  q quit");
    view_frame_free(&frame);
    unmake(&m);
}

static void test_any_size(void **state)
{
    uint64_t seed = 7;

    for (int round = 0; round < 3000; round++) {
        struct view_layout layout = {
            .width = 1 + (unsigned)random_number(&seed) % 120,
            .height = 1 + (unsigned)random_number(&seed) % 40,
            .first = random_number(&seed) % 30,
            .selected = random_number(&seed) % 5 ? random_number(&seed) % 20 : VIEW_NO_ROW,
        };
        struct made m;
        struct view_frame frame;
        make_annotation(&m, layout.width);
        if (random_number(&seed) % 4 == 0)
            annotate_frame_free(&m.notes);
        show(&m, &layout, &frame);
        check_frame(&frame, &layout);
        view_frame_free(&frame);
        unmake(&m);
    }
}

static void test_calls(void **state)
{
    static struct view_row arcs[] = {
        {.function = "alpha", .addr = 0x100, .caller = "small", .caller_addr = 0x40, .hits = 25},
        {.function = "alpha", .addr = 0x100, .caller = "big", .caller_addr = 0x50, .hits = 70},
        {.function = "alpha", .addr = 0x100, .caller_addr = 0x999, .hits = 5},
        {.function = "leaf", .addr = 0x200, .caller = "alpha", .caller_addr = 0x100, .hits = 9},
        {.function = "alpha", .addr = 0x300, .caller = "big", .caller_addr = 0x50, .hits = 9},
        {.addr = 0x100, .caller = "big", .caller_addr = 0x50, .hits = 9}, /* padding's block */
    };
    static const char *const lines[] = {"SHARE%      CALLS  CALLERS AND CALLEES",
                                        "                   called by",
                                        "  70.0         70    big",
                                        "  25.0         25    small",
                                        "   5.0          5    0x999",
                                        " 100.0        100  alpha   one.c:1",
                                        "                   calls",
                                        " 100.0          9    leaf"};
    const struct view_rows rows = {.rows = arcs, .count = 6, .arcs = true};
    const struct annotate_layout layout = {.width = 80, .program = ""};
    struct view_calls calls;
    struct annotate_frame frame;

    assert_true(view_calls_build(&rows, &alpha, &calls));
    assert_int_equal(calls.caller_count, 3);
    assert_int_equal(calls.callee_count, 1);
    assert_int_equal(calls.in, 100);
    assert_true(view_calls_frame(&calls, &alpha_naming, NULL, &layout, &frame));
    assert_int_equal(frame.count, 8);
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(frame.lines[i].text, lines[i]);
    assert_false(frame.lines[4].has_addr); /* of no function */
    assert_int_equal(frame.lines[3].addr, 0x40);
    annotate_frame_free(&frame);
    view_calls_free(&calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_small), cmocka_unit_test(test_golden),
        cmocka_unit_test(test_golden_large), cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_calls),
    };

    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
