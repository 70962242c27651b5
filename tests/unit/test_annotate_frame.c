/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps beside the instructions of a function, and what is shown and written of it all. */
#include <locale.h>

#include "unit.h"
#include <jansson.h>

#include "annotate_checks.h"
#include "annotate_lanes.h"
#include <base/text.h>

/* The frame's text, lines one below another. */
static char *shown(const struct made *m, const struct annotate_layout *layout)
{
    struct annotate_frame frame;
    struct text text = {.bytes = NULL};

    assert_true(annotate_frame_build(&m->annotation, layout, &frame));
    for (size_t i = 0; i < frame.count; i++) {
        if ((unsigned)text_cells(frame.lines[i].text) > layout->width)
            fail_msg("wider than %u: %s", layout->width, frame.lines[i].text);
        for (const char *c = frame.lines[i].text; *c; c++)
            assert_true((unsigned char)*c >= ' ' && *c != 0x7f);
        assert_true(frame.lines[i].numbers <= strlen(frame.lines[i].text) + 2);
        text_add(&text, frame.lines[i].text, strlen(frame.lines[i].text));
        text_add(&text, "\n", 1);
    }
    annotate_frame_free(&frame);
    assert_false(text.failed);
    return text.bytes;
}

static void expect(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("no '%s' in:\n%s", wanted, text);
}

/* A step's gutter. */
static void expect_lane(const struct lanes *lanes, size_t step, const char *wanted)
{
    struct text text = {.bytes = NULL};

    lanes_draw(lanes, step, false, false, &text);
    assert_string_equal(text.bytes, wanted);
    free(text.bytes);
}

static void test_nested_loops(void **state)
{
    struct made m;
    struct lanes lanes;

    init_made(&m, 16);
    add_part(&m, &made_functions[3], "4");
    set_jump(&m, 0x210, 0x208); /* inner loop */
    set_jump(&m, 0x218, 0x204); /* outer loop, from two places */
    set_jump(&m, 0x214, 0x204);
    set_jump(&m, 0x200, 0x21c); /* around them all */
    set_jump(&m, 0x20c, 0x100); /* to elsewhere: no line */
    set_jump(&m, 0x21c, 0x206); /* into an instruction: none */
    build(&m);
    assert_true(lanes_build(&m.annotation, &lanes));
    assert_int_equal(lanes.used, 3);
    expect_lane(&lanes, 0, "┌───");
    expect_lane(&lanes, 1, "│┌─>");
    expect_lane(&lanes, 2, "││┌>");
    expect_lane(&lanes, 3, "│││ ");
    expect_lane(&lanes, 4, "││└─");
    expect_lane(&lanes, 5, "│├──");
    expect_lane(&lanes, 6, "│└──");
    expect_lane(&lanes, 7, "└──>");
    lanes_free(&lanes);
    annotate_free(&m.annotation);
}

/* A jump to itself, and more jumps than there are lanes. */
static void test_many_jumps(void **state)
{
    struct made m;
    struct lanes lanes;

    init_made(&m, 16);
    add_part(&m, &made_functions[1], "2");
    for (uint64_t i = 0; i < 13; i++)
        set_jump(&m, 0x12a + 2 * i, 0x12a + 2 * (26 - i));
    set_jump(&m, 0x12a + 26, 0x12a + 26);
    build(&m);
    assert_true(lanes_build(&m.annotation, &lanes));
    assert_int_equal(lanes.used, LANES_MAX);
    lanes_free(&lanes);
    const struct annotate_layout layout = {.width = 80, .program = "x"};
    free(shown(&m, &layout));
    annotate_free(&m.annotation);
}

static void test_frame(void **state)
{
    struct made m;

    init_made(&m, 4);
    add_part(&m, &made_functions[0], "4");
    add_part(&m, &made_functions[3], "4");
    set_jump(&m, 0x10c, 0x104);
    add_hits(&m, 0x104, 90);
    add_hits(&m, 0x114, 6);
    add_hits(&m, 0x208, 4);
    build(&m);
    struct annotate_layout layout = {.width = 100, .program = "fw.elf"};
    char *text = shown(&m, &layout);
    expect(text, "mprof annotate   alpha   one.c:1   fw.elf");
    expect(text, "100 of 100 samples, 100.0 % [96.3, 100.0] counting only");
    expect(text, "\nblock size: 4 bytes\n");
    expect(text, "no source: cannot read /nowhere/one.c");
    expect(text, "  90.0     90 ┌>      104  nop\n");
    expect(text, "              └─      10c  nop\n");
    expect(text, "inlined inner at one.c:5 <- alpha at one.c:9\n");
    expect(text, "inlined innermost at in.h:7 <- inner at one.c:3 <- alpha at one.c:9\n");
    expect(text, "in alpha\n");
    expect(text, "alpha at 0x100, 96 samples\n");
    expect(text, "alpha.cold at 0x200, 4 samples\n");
    free(text);
    layout.ascii = true;
    text = shown(&m, &layout);
    expect(text, "  90.0     90 +>      104  nop\n");
    free(text);
    layout.min = 0.05;
    text = shown(&m, &layout);
    expect(text, "... 1 instruction\n");
    expect(text, "   4.0      4    ... 8 instructions\n");
    assert_null(strstr(text, " 208 "));
    expect(text, " 114 ");
    free(text);
    annotate_free(&m.annotation);
}

/* A bracket joins the instructions of a block. */
static void test_brackets(void **state)
{
    struct made m;

    init_made(&m, 8);
    add_part(&m, &made_functions[3], "4");
    set_jump(&m, 0x20c, 0x204);
    add_hits(&m, 0x200, 75);
    add_hits(&m, 0x208, 25);
    build(&m);
    struct annotate_layout layout = {.width = 80, .program = "fw.elf"};
    char *text = shown(&m, &layout);
    expect(text, "block size: 8 bytes; ┃ joins code that shares one number, [a, b] is a range\n");
    /* A block is named in the list, a line of it is not: none of its hits are certain. */
    expect(text, "hottest lines\n"
                 "  75.0     75  [65.7, 82.5]  one.c:1-2  2 lines in the block at 200\n"
                 "  25.0     25  [17.5, 34.3]  one.c:3-4  2 lines in the block at 208\n\n");
    expect(text, "  [0.0, 82.5]      one.c:1\n"
                 "  75.0     75 ┏         200  nop\n"
                 "  [0.0, 82.5] ┃    one.c:2\n"
                 "              ┗ ┌>      204  nop\n"
                 "  [0.0, 34.3]   │  one.c:3\n"
                 "  25.0     25 ┏ │       208  nop\n"
                 "  [0.0, 34.3] ┃ │  one.c:4\n"
                 "              ┗ └─      20c  nop\n");
    free(text);
    layout.ascii = true;
    text = shown(&m, &layout);
    expect(text, "  25.0     25 / |       208  nop\n"
                 "  [0.0, 34.3] | |  one.c:4\n"
                 "              \\ +-      20c  nop\n");
    free(text);
    layout.min = 0.3;
    text = shown(&m, &layout);
    expect(text, "  25.0     25      ... 6 instructions\n");
    free(text);
    annotate_free(&m.annotation);
}

/* Where there are no instructions. */
static void test_frame_of_lines(void **state)
{
    struct made m;

    init_made(&m, 4);
    add_part(&m, &made_functions[0], NULL);
    add_hits(&m, 0x104, 30);
    add_hits(&m, 0x108, 70);
    build(&m);
    assert_int_equal(m.annotation.step_count, 0);
    assert_int_equal(m.annotation.line_count, 2);
    const struct annotate_layout layout = {.width = 80, .program = "fw.elf"};
    char *text = shown(&m, &layout);
    expect(text, "  30.0     30  one.c:2\n  70.0     70  one.c:3\n");
    free(text);
    annotate_free(&m.annotation);
    init_made(&m, 16);
    add_part(&m, &made_functions[0], NULL);
    add_hits(&m, 0x104, 100);
    build(&m);
    text = shown(&m, &layout);
    expect(text, "block size: 16 bytes; lines that share a block have a range [a, b]\n");
    expect(text, " 100.0    100  [96.3, 100.0]  one.c:2-5  4 lines in the block at 104\n");
    expect(text, " [0.0, 100.0]  one.c:2\n [0.0, 100.0]  one.c:3\n");
    free(text);
    annotate_free(&m.annotation);
}

/* Names of any kind and length, in a terminal of any width. */
static void test_hostile_names(void **state)
{
    static char name[10002];
    struct symtab_function kept = made_functions[0];
    struct made m;

    memset(name, 'n', 10000);
    memcpy(name + 3, "\x1b[31m\xc2\x9b\xff\xe6\xbc\xa2\xe2\x80\xae", 15);
    made_functions[0].name = name;
    init_made(&m, 16);
    add_part(&m, &made_functions[0], "4");
    free(m.annotation.parts[0].listing.items[1].text);
    m.annotation.parts[0].listing.items[1].text = strdup(name);
    add_hits(&m, 0x100, 1000000000000);
    build(&m);
    for (unsigned width = 40; width < 200; width += 7) {
        const struct annotate_layout layout = {.width = width, .program = name};
        char *text = shown(&m, &layout);
        assert_null(strstr(text, "\xe2\x80\xae"));
        free(text);
    }
    char *json = annotate_json(&m.annotation, name);
    json_t *object = json_loads(json, 0, NULL);
    assert_non_null(object);
    json_decref(object);
    free(json);
    annotate_free(&m.annotation);
    made_functions[0] = kept;
}

static void test_json(void **state)
{
    struct made m;
    const char *function, *file, *address, *text;
    json_int_t hits, line_hits, step_hits, resolution;
    double share;

    init_made(&m, 4);
    add_part(&m, &made_functions[0], "4");
    set_jump(&m, 0x10c, 0x104);
    add_hits(&m, 0x104, 30);
    add_hits(&m, 0x10c, 90);
    build(&m);
    char *json = annotate_json(&m.annotation, "fw.elf");
    json_t *object = json_loads(json, 0, NULL);
    assert_non_null(object);
    assert_int_equal(json_unpack(object, "{s:s, s:s, s:s, s:I, s:I}", "function", &function, "file",
                                 &file, "address", &address, "hits", &hits, "resolution",
                                 &resolution),
                     0);
    assert_string_equal(function, "alpha");
    assert_string_equal(address, "0x100");
    assert_int_equal(hits, 120);
    assert_int_equal(resolution, 4);
    json_t *line = json_array_get(json_object_get(object, "lines"), 3);
    json_t *step = json_array_get(json_object_get(line, "instructions"), 0);
    assert_int_equal(
        json_unpack(line, "{s:I, s:F, s:n}", "hits", &line_hits, "share", &share, "source"), 0);
    assert_int_equal(line_hits, 90);
    assert_true(share > 0.7499 && share < 0.7501);
    assert_int_equal(json_unpack(step, "{s:I, s:s}", "hits", &step_hits, "target", &text), 0);
    assert_int_equal(step_hits, 90);
    assert_string_equal(text, "0x104");
    json_decref(object);
    free(json);
    annotate_free(&m.annotation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_loops),   cmocka_unit_test(test_many_jumps),
        cmocka_unit_test(test_frame),          cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_frame_of_lines), cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_json),
    };

    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
