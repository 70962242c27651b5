/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, columns, frames and JSON over a symbol table that the test makes up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <base/text.h>
#include <screen/frame.h>
#include <table/ranking_output.h>

/* Stands in for the room symbol: two functions that meet inside a block, a hole, one more. */
static const struct symtab_function functions[] = {
    {.addr = 0x100, .size = 0x1c, .name = "alpha"},
    {.addr = 0x11c, .size = 0x24, .name = "beta"},
    {.addr = 0x150, .size = 0x08, .name = "evil\x1b[2Jname\n\xff"},
};

const struct symtab_function *symtab_find(const struct symtab *symtab, uint64_t addr)
{
    (void)symtab;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (addr >= functions[i].addr && addr - functions[i].addr < functions[i].size)
            return &functions[i];
    }
    return NULL;
}

/* Four bytes a line; everything from 0x150 on has none. */
bool symtab_find_line(struct symtab *symtab, uint64_t addr, struct symtab_line *line)
{
    (void)symtab;
    if (addr < 0x100 || addr >= 0x150)
        return false;
    line->file = addr < 0x120 ? "/src/one.c" : "/src/two.c";
    line->line = (unsigned)(addr - 0x100) / 4 + 1;
    return true;
}

uint64_t symtab_place(const struct symtab *symtab, uint64_t addr)
{
    (void)symtab;
    return addr;
}

const struct symtab_elf *symtab_elf(const struct symtab *symtab)
{
    static const struct symtab_elf elf = {.arch = "arm", .addr_size = 4};

    (void)symtab;
    return &elf;
}

size_t symtab_find_inlined(struct symtab *symtab, uint64_t addr, struct symtab_inlined *frames,
                           size_t max)
{
    (void)symtab, (void)addr, (void)frames, (void)max;
    return 0;
}

static char fake_symtab[1];
static struct symtab *symtab_of_test(void)
{
    return (struct symtab *)(void *)fake_symtab;
}

static struct profile_hit hits[] = {
    {.addr = 0x100, .hits = 600, .recent = 60},
    {.addr = 0x110, .hits = 101, .recent = 11, .inherited = 5}, /* 12 bytes alpha, 4 bytes beta */
    {.addr = 0x130, .hits = 90, .recent = 9, .stale = true},
    {.addr = 0x150, .hits = 7, .recent = 0}, /* 8 bytes named, 8 bytes of nothing */
    {.addr = 0x900, .hits = 2, .recent = 0},
    {.addr = 0x0, .hits = 0},
};

static struct profile make_profile(void)
{
    return (struct profile){
        .unit = DECODE_UNIT_SAMPLES,
        .grain = 16,
        .sample_hz = 1000,
        .rows = hits,
        .row_count = 6,
        .used = 5,
        .attributed = 800,
        .recent = 80,
        .events = 82,
        .dropped = 3,
        .updated_s = 5,
        .recent_s = 2,
    };
}

static struct view_rows build(enum view_by by)
{
    struct profile p = make_profile();
    struct view_rows rows;

    assert_true(view_rows_build(&p, symtab_of_test(), by, NULL, &rows));
    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "share", 5));
    return rows;
}

static const struct view_row *row_of(const struct view_rows *rows, const char *function)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].function && strcmp(rows->rows[i].function, function) == 0)
            return &rows->rows[i];
    }
    return NULL;
}

static uint64_t sum(const struct view_rows *rows)
{
    uint64_t all = 0;

    for (size_t i = 0; i < rows->count; i++)
        all += rows->rows[i].hits;
    return all;
}

static void test_functions(void **state)
{
    struct view_rows rows = build(VIEW_BY_FUNCTION);
    const struct view_row *alpha = row_of(&rows, "alpha"), *beta = row_of(&rows, "beta");

    (void)state;
    assert_int_equal(rows.count, 4);
    assert_int_equal(sum(&rows), 800);
    assert_ptr_equal(alpha, &rows.rows[0]);
    /* 101 hits over 12 and 4 bytes: 75.75 and 25.25. */
    assert_int_equal(alpha->hits, 600 + 76);
    assert_int_equal(beta->hits, 25 + 90);
    assert_int_equal(alpha->addr, 0x100);
    assert_int_equal(alpha->recent + beta->recent, 80);
    assert_true(alpha->split && beta->split && !alpha->stale && beta->stale);
    assert_string_equal(alpha->file, "/src/one.c");
    assert_int_equal(alpha->line, 1);
    assert_true(fabs(alpha->rate - (double)alpha->recent / 2) < 1e-9);
    assert_true(fabs(alpha->share.value - 676.0 / 800) < 1e-9);
    assert_true(alpha->share.low < alpha->share.value && alpha->share.high > alpha->share.value);
    /* Bytes of no function beside a named one are padding. */
    assert_int_equal(row_of(&rows, functions[2].name)->hits, 7);
    assert_null(rows.rows[3].function);
    assert_int_equal(rows.rows[3].addr, 0x900);
    view_rows_free(&rows);
}

static void test_other_groupings(void **state)
{
    struct view_rows rows = build(VIEW_BY_FILE);

    (void)state;
    assert_int_equal(sum(&rows), 800);
    assert_string_equal(rows.rows[0].file, "/src/one.c");
    assert_int_equal(rows.rows[0].hits, 701);
    view_rows_free(&rows);

    rows = build(VIEW_BY_LINE);
    assert_int_equal(sum(&rows), 800);
    assert_int_equal(rows.rows[0].hits, 150);
    assert_int_equal(rows.rows[0].line, 1);
    view_rows_free(&rows);

    rows = build(VIEW_BY_ADDRESS);
    assert_int_equal(rows.count, 5);
    assert_int_equal(rows.rows[1].hits, 101);
    assert_int_equal(rows.rows[1].addr, 0x110);
    view_rows_free(&rows);
}

static void test_no_symbols(void **state)
{
    static const enum view_by all[] = {VIEW_BY_FUNCTION, VIEW_BY_LINE, VIEW_BY_FILE,
                                       VIEW_BY_ADDRESS};
    struct profile p = make_profile();
    struct view_rows rows;

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        assert_true(view_rows_build(&p, NULL, all[i], NULL, &rows));
        assert_int_equal(rows.count, 5);
        assert_int_equal(sum(&rows), 800);
        view_rows_free(&rows);
    }
}

/* A block of 64 bytes holds sixteen lines of four bytes: each gets its sixteenth. */
static void test_many_pieces(void **state)
{
    struct profile_hit hit = {.addr = 0x100, .hits = 1600, .recent = 160, .inherited = 16};
    struct profile p = make_profile();
    struct view_rows rows;

    (void)state;
    p.grain = 64;
    p.rows = &hit;
    p.row_count = 1;
    p.attributed = 1600;
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_LINE, NULL, &rows));
    assert_int_equal(rows.count, 16);
    for (size_t i = 0; i < rows.count; i++) {
        assert_int_equal(rows.rows[i].hits, 100);
        assert_int_equal(rows.rows[i].recent, 10);
        assert_int_equal(rows.rows[i].inherited, 1);
        assert_true(rows.rows[i].split);
    }
    view_rows_free(&rows);
}

/* More blocks than rows are kept for: the rows are those of a few blocks, with more hits. */
static void check_many_blocks(enum view_by by)
{
    enum { TIMES = 1000, BLOCKS = 5 };
    struct profile p = make_profile();
    const struct profile once = p;
    struct view_rows few, many;

    p.rows = calloc(TIMES * BLOCKS, sizeof(*p.rows));
    assert_non_null(p.rows);
    p.row_count = p.used = TIMES * BLOCKS;
    p.attributed *= TIMES;
    for (size_t i = 0; i < p.row_count; i++)
        p.rows[i] = once.rows[i % BLOCKS];
    assert_true(view_rows_build(&once, symtab_of_test(), by, NULL, &few));
    assert_true(view_rows_build(&p, symtab_of_test(), by, NULL, &many));
    assert_int_equal(few.count, many.count);
    assert_int_equal(sum(&many), 800 * TIMES);
    for (size_t i = 0; i < few.count; i++) {
        const struct view_row *a = &few.rows[i], *b = &many.rows[i];
        assert_int_equal(a->hits * TIMES, b->hits);
        assert_int_equal(a->inherited * TIMES, b->inherited);
        assert_int_equal(a->addr, b->addr);
        assert_ptr_equal(a->function, b->function);
        assert_int_equal(a->stale, b->stale);
        assert_int_equal(a->split, b->split);
    }
    view_rows_free(&few);
    view_rows_free(&many);
    free(p.rows);
}

static void test_many_blocks(void **state)
{
    (void)state;
    for (int by = VIEW_BY_FUNCTION; by <= VIEW_BY_ARC; by++)
        check_many_blocks((enum view_by)by);
}

static void test_first_refresh_has_no_rates(void **state)
{
    struct profile p = make_profile();
    struct view_rows rows;

    (void)state;
    p.recent_s = 0;
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_FUNCTION, NULL, &rows));
    assert_true(rows.rows[0].rate < 0 && rows.rows[0].recent_share < 0);
    view_rows_free(&rows);
}

static void test_sort(void **state)
{
    struct view_rows rows = build(VIEW_BY_FUNCTION);

    (void)state;
    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "function", 8));
    assert_string_equal(rows.rows[0].function, "alpha");
    assert_null(rows.rows[3].function);
    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "address", 7));
    assert_int_equal(rows.rows[0].addr, 0x100);
    assert_int_equal(rows.rows[3].addr, 0x900);
    view_rows_free(&rows);
}

static void test_fields(void **state)
{
    struct view_fields fields = {.count = 99};
    char text[400];

    (void)state;
    assert_true(
        view_fields_parse(&view_ranking_columns, "hits,function", &fields, text, sizeof(text)));
    assert_int_equal(fields.count, 2);
    assert_string_equal(fields.column[1]->name, "function");
    assert_false(
        view_fields_parse(&view_ranking_columns, "hits,nonsense", &fields, text, sizeof(text)));
    assert_non_null(strstr(text, "'nonsense'"));
    assert_non_null(strstr(text, "location"));
    assert_false(view_fields_parse(&view_ranking_columns, "", &fields, text, sizeof(text)));
    assert_false(view_fields_parse(&view_ranking_columns, "hits,", &fields, text, sizeof(text)));
    assert_false(view_fields_parse(&view_ranking_columns, "shar", &fields, text, sizeof(text)));
    assert_int_equal(fields.count, 2);
}

static struct view_status make_status(void)
{
    return (struct view_status){
        .elf = "fw.elf",
        .build_id = "3f9a21c0ff",
        .identity = "= flash",
        .kind = "openocd-tcl",
        .server = "Open On-Chip Debugger",
        .address = "localhost:6666",
        .target = "mps2.cpu",
        .arch = "arm",
        .state = "RUNNING",
        .sampler = "table",
        .message = "all is well",
        .live = true,
        .halts = 12,
        .halted_ms = 3.25,
        .halted_share = 0.0031,
        .poll_ms = 4.2,
        .command = "top",
        .age_s = 0.1,
        .time_s = 12.5,
        .addr_size = 4,
    };
}

static struct view_frame frame_of(unsigned width, unsigned height, size_t limit)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build(VIEW_BY_FUNCTION);
    struct view_fields fields;
    struct view_frame frame;
    char text[400];

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

static bool contains(const struct view_frame *frame, const char *word)
{
    for (size_t i = 0; i < frame->count; i++) {
        if (strstr(frame->lines[i].text, word))
            return true;
    }
    return false;
}

static void test_frame(void **state)
{
    struct view_frame frame = frame_of(80, 24, 0);

    (void)state;
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
    struct view_rows rows = build(VIEW_BY_FUNCTION);
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

    (void)state;
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
    (void)state;
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

static void test_json(void **state)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build(VIEW_BY_FUNCTION);
    p.restarts = 2;
    char *line = view_json(&status, &p, &rows, 0);

    (void)state;
    assert_non_null(line);
    assert_null(strchr(line, '\n'));
    json_t *object = json_loads(line, 0, NULL);
    assert_non_null(object);
    json_t *link = json_object_get(object, "link");
    assert_int_equal(json_integer_value(json_object_get(link, "halts")), 12);
    assert_true(json_is_true(json_object_get(link, "live")));
    assert_int_equal(json_integer_value(json_object_get(object, "hits")), 800);
    assert_int_equal(json_integer_value(json_object_get(object, "restarts")), 2);
    assert_string_equal(json_string_value(json_object_get(object, "identity")), "= flash");
    json_t *unattributed = json_object_get(object, "unattributed");
    assert_int_equal(json_integer_value(json_object_get(unattributed, "dropped")), 3);
    assert_int_equal(json_integer_value(json_object_get(unattributed, "sleeping")), 0);
    json_t *array = json_object_get(object, "rows");
    assert_int_equal(json_array_size(array), 4);
    json_t *first = json_array_get(array, 0);
    assert_string_equal(json_string_value(json_object_get(first, "function")), "alpha");
    assert_string_equal(json_string_value(json_object_get(first, "address")), "0x100");
    assert_true(fabs(json_real_value(json_object_get(first, "share")) - 0.845) < 1e-6);
    assert_true(json_is_null(json_object_get(json_array_get(array, 3), "function")));
    assert_true(json_is_null(json_object_get(json_array_get(array, 3), "line")));
    json_decref(object);
    free(line);
    view_rows_free(&rows);
}

/* Rows without what the list names; by function unless said otherwise. */
static struct view_rows build_without(const char *list, enum view_by by)
{
    struct profile p = make_profile();
    struct view_ignore ignore = {.count = 0};
    struct view_rows rows;
    char text[400];

    if (!view_ignore_parse(list, &ignore, text, sizeof(text)))
        fail_msg("%s", text);
    assert_true(view_rows_build(&p, symtab_of_test(), by, &ignore, &rows));
    assert_int_equal(sum(&rows), rows.attributed);
    assert_int_equal(rows.attributed + rows.ignored, 800);
    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "share", 5));
    return rows;
}

static void check_without(const char *list, uint64_t ignored, bool alpha, bool beta)
{
    struct view_rows rows = build_without(list, VIEW_BY_FUNCTION);
    double shares = 0;

    assert_int_equal(rows.ignored, ignored);
    assert_int_equal(row_of(&rows, "alpha") != NULL, alpha);
    assert_int_equal(row_of(&rows, "beta") != NULL, beta);
    for (size_t i = 0; i < rows.count; i++)
        shares += rows.rows[i].share.value;
    assert_true(fabs(shares - 1) < 1e-9);
    view_rows_free(&rows);
    /* The same hits however the others are grouped. */
    for (int by = VIEW_BY_LINE; by <= VIEW_BY_ADDRESS; by++) {
        rows = build_without(list, (enum view_by)by);
        assert_true(rows.ignored + 1 >= ignored && rows.ignored <= ignored + 1);
        view_rows_free(&rows);
    }
}

static void test_ignore(void **state)
{
    (void)state;
    check_without("alpha", 676, false, true);
    check_without("al*,gamma", 676, false, true);
    check_without("[ab]*a", 676 + 115, false, false);
    check_without("ALPHA", 0, true, true);
    /* 0x110 to 0x11b are 12 of the 16 bytes of a block of 101. */
    check_without("0x110-0x11c", 76, true, true);
    check_without("0x110+0xc", 76, true, true);
    check_without("0x100+0x20,0x900+16", 600 + 101 + 2, false, true);
    /* alpha is in one.c, as the first line of beta. */
    check_without("one.c", 701, false, true);
    check_without("/src/t*.c", 90, true, true);
    check_without("*/src/*", 791, false, false);
    check_without("src/one.c", 0, true, true);
    struct view_rows rows = build_without("alpha", VIEW_BY_FUNCTION);
    const struct view_row *beta = row_of(&rows, "beta");
    assert_true(fabs(beta->share.value - 115.0 / 124) < 1e-9);
    assert_true(beta->recent_share > 0.9 && beta->recent_share <= 1);
    view_rows_free(&rows);
}

static void test_ignore_wrong(void **state)
{
    static const char *const lists[] = {"",
                                        ",",
                                        "a,",
                                        "0x100",
                                        "1-",
                                        "0x20-10",
                                        "0x10-0x10",
                                        "16+0",
                                        "5x",
                                        "0x1-0x2-3",
                                        "1 - 2",
                                        "-",
                                        "0x1+-5",
                                        "99999999999999999999+1",
                                        "0xffffffffffffffff+2"};
    struct view_ignore ignore = {.count = 0};
    char text[400];

    (void)state;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        bool taken = view_ignore_parse(lists[i], &ignore, text, sizeof(text));
        if (taken && strcmp(lists[i], "-") != 0)
            fail_msg("\"%s\" was taken", lists[i]);
    }
    assert_int_equal(ignore.count, 1);
    assert_true(view_ignore_parse("0xfffffffffffffff0+0x10", &ignore, text, sizeof(text)));
    assert_true(view_ignore_hit(&ignore, UINT64_MAX, NULL, NULL));
    for (int i = 2; i < VIEW_IGNORE_MAX; i++)
        assert_true(view_ignore_parse("x", &ignore, text, sizeof(text)));
    assert_false(view_ignore_parse("x", &ignore, text, sizeof(text)));
}

static void test_ignored_is_shown(void **state)
{
    struct profile p = make_profile();
    struct view_status status = make_status();
    struct view_rows rows = build_without("beta", VIEW_BY_FUNCTION);
    struct view_fields fields;
    struct view_frame frame;
    char text[400];

    (void)state;
    p.ignored = 4;
    assert_true(
        view_fields_parse(&view_ranking_columns, "share,function", &fields, text, sizeof(text)));
    struct view_layout layout = {.width = 100, .fields = &fields};
    assert_true(view_frame_build(&layout, &status, &p, &rows, &frame));
    assert_true(contains(&frame, "685 samples"));
    assert_true(contains(&frame, "ignored 119"));
    view_frame_free(&frame);
    char *line = view_json(&status, &p, &rows, 0);
    assert_non_null(strstr(line, "\"hits\":685,\"unattributed\":{\"ignored\":119"));
    free(line);
    view_rows_free(&rows);
}

static void test_csv(void **state)
{
    struct view_status status = make_status();
    struct view_row row[] = {
        {.function = "a,b",
         .file = "/x/\"q\".c",
         .line = 7,
         .addr = 0x1f0,
         .hits = 5000000000,
         .share = {.value = 1.0 / 3, .low = 0.25, .high = 0.5},
         .recent_share = 0.5,
         .rate = 1.5},
        {.function = " x\x1b\n",
         .addr = 0x10,
         .hits = 1,
         .recent_share = -1,
         .rate = -1,
         .stale = true,
         .split = true},
    };
    struct view_rows rows = {.rows = row, .count = 2};
    struct view_fields fields;
    char text[400];

    (void)state;
    assert_true(
        view_fields_parse(&view_ranking_columns, VIEW_CSV_FIELDS, &fields, text, sizeof(text)));
    char *lines = view_csv(&status, &fields, &rows, 0, true);
    assert_string_equal(
        lines, "time," VIEW_CSV_FIELDS "\n"
               "12.5,\"a,b\",\"/x/"
               "\"\"q\"\".c\",7,0x1f0,5000000000,0.333333333,0.25,0.5,0.166666667,0.5,1.5,\n"
               "12.5,\" x??\",,,0x10,1,0,0,0,0,,,s/\n");
    free(lines);
    assert_true(
        view_fields_parse(&view_ranking_columns, "bar,location,hits", &fields, text, sizeof(text)));
    lines = view_csv(&status, &fields, &rows, 1, true);
    assert_string_equal(lines, "time,location,hits\n12.5,\"\"\"q\"\".c:7\",5000000000\n");
    free(lines);
    rows.count = 0;
    lines = view_csv(&status, &fields, &rows, 0, false);
    assert_string_equal(lines, "");
    free(lines);
}

/* What decay took away belongs to the count. */
static void test_decay(void **state)
{
    struct profile_hit some[] = {
        {.addr = 0x100, .hits = 90, .recent = 10},
        {.addr = 0x110, .hits = 10, .lost = 4}, /* alpha's three quarters, beta's quarter */
    };
    struct profile p = make_profile();
    struct view_rows rows;

    (void)state;
    p.rows = some;
    p.row_count = 2;
    p.attributed = 100;
    p.recent = 10;
    assert_true(view_rows_build(&p, symtab_of_test(), VIEW_BY_FUNCTION, NULL, &rows));
    assert_true(fabs(row_of(&rows, "alpha")->rate - 7.0 / 2) < 1e-9);
    assert_true(row_of(&rows, "beta")->rate < 0);
    assert_true(row_of(&rows, "beta")->recent_share < 0);
    view_rows_free(&rows);
}

static void check_text(void (*add)(struct text *text, const char *from), const char *from,
                       const char *expected)
{
    struct text text = {.bytes = NULL};

    add(&text, from);
    assert_false(text.failed);
    assert_string_equal(text.bytes, expected);
    free(text.bytes);
}

static void add_cell(struct text *text, const char *from)
{
    text_cell(text, from, 60, false, false);
}

static void test_hidden_characters(void **state)
{
    static const char *const hidden[] = {
        "\u061c",     "\u200e", "\u200f", "\u202a", "\u202e", "\u2066",     "\u2069",
        "\ufeff",     "\u2028", "\u200b", "\u200d", "\u2060", "\u00ad",     "\U000e0041",
        "\U000e0100", "\ufe0f", "\u115f", "\u3164", "\ufff9", "\U0001d173",
    };
    static const char *const shown[] = {
        "U+061C",  "U+200E", "U+200F", "U+202A", "U+202E", "U+2066",  "U+2069",
        "U+FEFF",  "U+2028", "U+200B", "U+200D", "U+2060", "U+00AD",  "U+E0041",
        "U+E0100", "U+FE0F", "U+115F", "U+3164", "U+FFF9", "U+1D173",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        char name[16], wanted[32], marked[32];
        snprintf(name, sizeof(name), "a%sb", hidden[i]);
        snprintf(wanted, sizeof(wanted), "a<%s>b", shown[i]);
        snprintf(marked, sizeof(marked), "a\\<%s>b", shown[i]);
        check_text(add_cell, name, wanted);
        check_text(text_markdown, name, marked);
        check_text(text_csv, name, wanted);
    }
    check_text(add_cell, "\u061b\u200a\u202f\ufefe\U0001f642",
               "\u061b\u200a\u202f\ufefe\U0001f642");
}

/* A spreadsheet runs what begins like a formula, and numbers stay numbers. */
static void test_formulas_in_csv(void **state)
{
    static const char *const plain[] = {
        "main", "-0.5", "+3.2", "-1e-9", "+.5", "-12%", "a=b", "a+b", "1-2", "1e5",
    };

    (void)state;
    check_text(text_csv, "=cmd|'/c calc'!A1", "\"'=cmd|'/c calc'!A1\"");
    check_text(text_csv, "+1+cmd", "\"'+1+cmd\"");
    check_text(text_csv, "-[Pump run:]", "\"'-[Pump run:]\"");
    check_text(text_csv, "-1;=2", "\"'-1;=2\"");
    check_text(text_csv, "-1e", "\"'-1e\"");
    check_text(text_csv, "-.", "\"'-.\"");
    check_text(text_csv, "@SUM(A1)", "\"'@SUM(A1)\"");
    check_text(text_csv, "=\"a\",1", "\"'=\"\"a\"\",1\"");
    check_text(text_csv, "\t=1", "\"'?=1\"");
    check_text(text_csv, "\r=1", "\"'?=1\"");
    check_text(text_csv, "\uff1d1", "\"'\uff1d1\"");
    check_text(text_csv, "a;=1", "\"a;=1\"");
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
        check_text(text_csv, plain[i], plain[i]);
}

static void test_markdown_makes_no_links(void **state)
{
    (void)state;
    check_text(text_markdown, "@name", "@<!-- -->name");
    check_text(text_markdown, "x#12@y", "x#<!-- -->12@<!-- -->y");
    check_text(text_markdown, "https://a_b", "https:<!-- -->//a\\_b");
    check_text(text_markdown, "WWW.a", "WWW<!-- -->.a");
    check_text(text_markdown, "a::b@@V | #", "a::b@@<!-- -->V \\| #");
    check_text(text_markdown, "n\u00e4 <i>", "n\u00e4 \\<i>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_hidden_characters),
        cmocka_unit_test(test_formulas_in_csv),
        cmocka_unit_test(test_markdown_makes_no_links),
        cmocka_unit_test(test_other_groupings),
        cmocka_unit_test(test_no_symbols),
        cmocka_unit_test(test_many_pieces),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_first_refresh_has_no_rates),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_long_message),
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_ignore),
        cmocka_unit_test(test_ignore_wrong),
        cmocka_unit_test(test_ignored_is_shown),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_decay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
