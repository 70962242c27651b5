/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a zoom shows of a function that gdb disassembles, and where its keys lead. */
#include <locale.h>
#include <poll.h>

#include "zoom_checks.h"

/* After base/say.h, which has a function of the name of one of its macros. */
#include "unit.h"

static void test_lines_then_instructions(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");
    const char *file;
    unsigned number, again;

    expect_screen(zoom, "disassembling", true);
    expect_screen(zoom, "symbol_inlines.c:", true);
    expect_screen(zoom, "  ret\n", false);
    expect_screen(zoom, "30 of 40 samples", true);
    expect_screen(zoom, "while (sum < inlines_object[4])", true); /* without hits */
    size_t line = zoom_follow(zoom, 0);
    assert_int_equal(line, zoom_hottest(zoom, VIEW_NO_ROW));
    assert_true(zoom_place(zoom, line, &file, &number));
    assert_non_null(strstr(file, "data/symbol_inlines.c"));
    finish_zoom(zoom, f);
    expect_nobody();
    expect_screen(zoom, "disassembling", false);
    expect_screen(zoom, "  ret\n", true);
    expect_screen(zoom, "inlined innermost", true);
    line = zoom_follow(zoom, line);
    assert_true(zoom_place(zoom, line, &file, &again));
    assert_int_equal(again, number);
    zoom_close(zoom);
}

/* New numbers, the cursor stays. */
static void test_numbers_follow(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");

    finish_zoom(zoom, f);
    size_t line = zoom_follow(zoom, 0) + 5;
    f->hits[0].hits = 190;
    f->watch.profile.attributed = 200;
    f->watch.profile.updated_s = 2;
    char *before = zoom_screen(zoom, line);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    assert_int_equal(zoom_follow(zoom, line), line);
    char *after = zoom_screen(zoom, line);
    assert_non_null(strstr(after, "190 of 200 samples"));
    const char *x = strchr(before, '@'), *y = strchr(after, '@');
    assert_non_null(x);
    assert_memory_equal(x + 15, y + 15, strcspn(x + 15, "\n"));
    free(before);
    free(after);
    zoom_close(zoom);
}

/* A function that was opened before the first poll: its first hits take the cursor to them, once,
 * if it was not moved. */
static void test_first_hits(void **state)
{
    struct fixture *f = *state;

    for (size_t moved = 0; moved < 2; moved++) {
        f->watch.profile.row_count = 0;
        struct zoom *zoom = open_name(f, "inlines_first");
        finish_zoom(zoom, f);
        assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
        size_t first = zoom_follow(zoom, 0);
        f->watch.profile.row_count = 2;
        f->watch.profile.updated_s++;
        assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
        size_t hot = zoom_hottest(zoom, VIEW_NO_ROW);
        assert_true(hot != VIEW_NO_ROW && hot != first && hot != first + 1);
        assert_int_equal(zoom_follow(zoom, first + moved), moved ? first + moved : hot);
        assert_int_equal(zoom_follow(zoom, first), first);
        zoom_close(zoom);
    }
}

static void test_hottest_first(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");
    size_t cold = VIEW_NO_ROW;

    /* A block has one number, and instructions that share it have none. */
    f->hits[1].addr = 0x401000;
    f->hits[1].hits = 10;
    finish_zoom(zoom, f);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    size_t hot = zoom_hottest(zoom, cold);
    size_t next = zoom_hottest(zoom, hot);
    assert_true(next < hot); /* the block before it has less */
    assert_int_equal(zoom_hottest(zoom, next), hot);
    assert_int_equal(zoom_hottest(zoom, hot + 1), hot);
    char *screen = zoom_screen(zoom, hot);
    assert_non_null(strstr(screen, "  75.0     30 \u250f "));
    free(screen);
    zoom_close(zoom);
}

static void test_kept(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");

    finish_zoom(zoom, f);
    zoom_close(zoom);
    f->options.disassembler = "/nowhere/gdb";
    zoom = open_name(f, "inlines_first");
    expect_screen(zoom, "  ret\n", true);
    assert_int_equal(zoom_fd(zoom), -1);
    zoom_close(zoom);
    /* Of another function, or of another file of that name, it was not. */
    zoom = open_name(f, "_start");
    finish_zoom(zoom, f);
    expect_screen(zoom, "no instructions", true);
    zoom_close(zoom);
    copy_file(ZOOM_ELF, f->elf);
    load_zoom(f);
    zoom = open_name(f, "inlines_first");
    finish_zoom(zoom, f);
    expect_screen(zoom, "no instructions", true);
    zoom_close(zoom);
    expect_nobody();
}

static size_t line_with(struct zoom *zoom, const char *wanted)
{
    const struct view_layout layout = {.width = 120, .height = 150, .selected = VIEW_NO_ROW};
    struct view_frame frame;
    size_t row = VIEW_NO_ROW;

    assert_true(zoom_frame(zoom, &layout, &frame));
    for (size_t i = 0; i < frame.count && row == VIEW_NO_ROW; i++) {
        if (frame.lines[i].row != VIEW_NO_ROW && strstr(frame.lines[i].text, wanted))
            row = frame.lines[i].row;
    }
    view_frame_free(&frame);
    assert_true(row != VIEW_NO_ROW);
    return row;
}

/* The name of the function that a line leads to; NULL: none. */
static const char *target(struct zoom *zoom, size_t line)
{
    struct view_row row;

    return zoom_target_row(zoom, line, &row) ? row.function : NULL;
}

static void test_targets(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "_start");
    struct view_row row;
    char text[600];

    finish_zoom(zoom, f);
    size_t call = line_with(zoom, "call");
    assert_string_equal(target(zoom, call), "inlines_first");
    assert_null(target(zoom, line_with(zoom, "  ret")));
    assert_null(target(zoom, 1000));
    assert_true(zoom_target_row(zoom, call, &row));
    struct zoom *next = zoom_open(&f->watch, &row, text, sizeof(text));
    assert_non_null(next);
    zoom_close(zoom);
    finish_zoom(next, f);
    expect_screen(next, "inlines_first  75.0 %", true);
    zoom_close(next);
}

static void make_arcs(struct fixture *f)
{
    f->hits[0] = (struct profile_hit){.addr = 0x401000, .caller = 0x4010a0, .hits = 6};
    f->hits[1] = (struct profile_hit){.addr = 0x401080, .caller = 0x4010a8, .hits = 4};
    f->watch.profile.source = DECODE_ARCS;
    f->watch.profile.unit = DECODE_UNIT_CALLS;
    f->watch.profile.attributed = 10;
    f->watch.profile.block_size = 2;
}

/* An arcs profile is the one that is shown. */
static void test_callers_of_arcs(void **state)
{
    struct fixture *f = *state;

    make_arcs(f);
    struct zoom *zoom = open_name(f, "_start");
    finish_zoom(zoom, f);
    zoom_next_panel(zoom);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, " 60.0          6    inlines_first   symbol_inlines.c:", true);
    expect_screen(zoom, " 40.0          4    inlines_plain", true);
    expect_screen(zoom, "(no caller was recorded)", true);
    size_t self = zoom_follow(zoom, 1000);
    assert_null(target(zoom, self));
    assert_int_equal(self, line_with(zoom, "_start"));
    assert_string_equal(target(zoom, line_with(zoom, "inlines_plain")), "inlines_plain");
    zoom_next_panel(zoom);
    expect_screen(zoom, "call", true);
    zoom_close(zoom);
}

/* The panel is there before they are: the cursor goes to the function, and stays where it is put.
 */
static void test_callers_come_late(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "_start");

    finish_zoom(zoom, f);
    zoom_next_panel(zoom);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "reading callers and callees", true);
    size_t line = zoom_follow(zoom, 1000);
    make_arcs(f);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    line = zoom_follow(zoom, line);
    assert_int_equal(line, line_with(zoom, "_start"));
    /* Another callee, above which the cursor is on a title. */
    line = line_with(zoom, " calls");
    f->hits[1].addr = 0x401000;
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    assert_int_equal(zoom_follow(zoom, line), line_with(zoom, " calls"));
    zoom_close(zoom);
}

/* What gdb says meanwhile does not put them off. */
static void test_callers_while_gdb_speaks(void **state)
{
    struct fixture *f = *state;

    make_arcs(f);
    write_gdb(f, "#!/bin/sh\necho '~\"a\\n\"'\nwhile read line; do :; done\n");
    struct zoom *zoom = open_name(f, "_start");
    struct pollfd fd = {.fd = zoom_fd(zoom), .events = POLLIN};
    assert_int_equal(poll(&fd, 1, 60000), 1);
    zoom_next_panel(zoom);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "inlines_plain", true);
    assert_int_equal(zoom_follow(zoom, 0), line_with(zoom, "_start"));
    zoom_close(zoom);
}

static void read_arcs(struct zoom *zoom, struct fixture *f)
{
    struct zoom_arcs *arcs = zoom_arcs_new();

    assert_non_null(arcs);
    assert_true(zoom_wants_arcs(zoom, &f->watch.profile));
    zoom_arcs_read(arcs, &f->watch.session);
    assert_true(zoom_take_arcs(zoom, arcs));
    zoom_arcs_free(arcs);
    assert_false(zoom_wants_arcs(zoom, &f->watch.profile));
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
}

/* Hardware is not halted for it; a table without a header has none. */
static void test_callers_are_not_read(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "_start");

    finish_zoom(zoom, f);
    zoom_next_panel(zoom);
    expect_screen(zoom, "reading callers and callees", true);
    f->watch.session.link = (struct gdbmi_link *)f; /* nothing is asked of it */
    read_arcs(zoom, f);
    expect_screen(zoom, "each read halts this target", true);
    f->watch.session.elf.kind = SYMTAB_TABLE_HEADERLESS;
    zoom_next_panel(zoom);
    zoom_next_panel(zoom);
    read_arcs(zoom, f);
    expect_screen(zoom, "a table without a header has no arcs", true);
    f->watch.session.link = NULL;
    zoom_close(zoom);
}

static void test_random_keys(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"_start", "inlines_first", "inlines_plain"};
    uint64_t seed = 3;
    struct zoom *zoom = open_name(f, names[0]);

    for (int round = 0; round < 400; round++) {
        struct view_layout layout = {.width = 1 + (unsigned)random_number(&seed) % 200,
                                     .height = 1 + (unsigned)random_number(&seed) % 60,
                                     .first = random_number(&seed) % 100,
                                     .selected = random_number(&seed) % 100};
        size_t line = random_number(&seed) % 100;
        struct view_frame frame;
        struct view_row row;
        const char *file;
        unsigned number;
        switch (random_number(&seed) % 6) {
        case 0:
            zoom_next_panel(zoom);
            break;
        case 1:
            f->hits[0].hits += random_number(&seed) % 9;
            f->watch.profile.updated_s++;
            assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
            break;
        case 2:
            (void)zoom_place(zoom, line, &file, &number);
            (void)zoom_target_row(zoom, line, &row);
            break;
        case 3:
            (void)zoom_hottest(zoom, line);
            break;
        case 4:
            (void)zoom_follow(zoom, line);
            break;
        case 5:
            if (random_number(&seed) % 8 == 0) {
                zoom_close(zoom);
                zoom = open_name(f, names[random_number(&seed) % 3]);
            }
            break;
        }
        assert_true(zoom_frame(zoom, &layout, &frame));
        assert_int_equal(frame.count, layout.height);
        check_frame(&frame, &layout);
        view_frame_free(&frame);
    }
    zoom_close(zoom);
    expect_nobody();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ZOOM_TEST(test_lines_then_instructions),
        ZOOM_TEST(test_numbers_follow),
        ZOOM_TEST(test_first_hits),
        ZOOM_TEST(test_hottest_first),
        ZOOM_TEST(test_kept),
        ZOOM_TEST(test_targets),
        ZOOM_TEST(test_callers_of_arcs),
        ZOOM_TEST(test_callers_come_late),
        ZOOM_TEST(test_callers_while_gdb_speaks),
        ZOOM_TEST(test_callers_are_not_read),
        ZOOM_TEST(test_random_keys),
    };

    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
