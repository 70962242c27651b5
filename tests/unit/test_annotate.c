/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of blocks to instructions and lines, jumps beside them, and what is shown of it all. */
#include <locale.h>

#include "unit.h"
#include <jansson.h>

#include <annotate/annotate_frame.h>
#include <ranking/rows.h>

#include "annotate_lanes.h"
#include <base/text.h>

/* A program that the test makes up: functions that meet anywhere, a hole between two. */
static struct symtab_function functions[4] = {
    {.addr = 0x100, .size = 0x2a, .name = "alpha"},
    {.addr = 0x12a, .size = 0x36, .name = "beta"},
    {.addr = 0x160, .size = 0x10, .name = "gamma"},
    {.addr = 0x200, .size = 0x20, .name = "alpha.cold"},
};

static const struct symtab_function *find(void *context, uint64_t addr)
{
    for (size_t i = 0; i < 4; i++) {
        if (addr - functions[i].addr < functions[i].size)
            return &functions[i];
    }
    return NULL;
}

/* Four bytes a line, every 32 bytes the same ones again; gamma has none. */
static bool find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    if (find(NULL, addr) == &functions[2])
        return false;
    *line = (struct symtab_line){.file = "/nowhere/one.c", .line = (unsigned)(addr % 32) / 4 + 1};
    return true;
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    return find_line(context, function->addr, line);
}

/* From 0x110 to 0x118 code of inner, in which innermost stands from 0x114 on. */
static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    static const struct symtab_inlined both[] = {
        {.name = "innermost", .file = "/nowhere/in.h", .line = 7, .call_line = 3},
        {.name = "inner", .file = "/nowhere/one.c", .line = 5, .call_line = 9}};
    size_t count = addr >= 0x114 && addr < 0x118 ? 2 : addr >= 0x110 && addr < 0x118 ? 1 : 0;

    memcpy(frames, both + 2 - count, count * sizeof(*frames));
    return count;
}

static const struct symbol_naming naming = {
    .find = find, .find_line = find_line, .find_start = find_start, .find_inlined = find_inlined};

#define HITS_MAX 64

struct made {
    struct profile profile;
    struct profile_hit hits[HITS_MAX];
    struct annotation annotation;
};

static void add_hits(struct made *m, uint64_t addr, uint64_t hits)
{
    m->hits[m->profile.row_count++] = (struct profile_hit){.addr = addr, .hits = hits};
    m->profile.rows = m->hits;
    m->profile.attributed += hits;
}

static void begin(struct made *m, unsigned grain)
{
    *m = (struct made){.profile = {.grain = grain, .unit = DECODE_UNIT_SAMPLES}};
}

/* The part's instructions have sizes that begin with those of the list, again and again. */
static void add_part(struct made *m, const struct symtab_function *function, const char *sizes)
{
    struct annotate_part *part = &m->annotation.parts[m->annotation.part_count++];
    uint64_t at = function->addr, end = at + function->size;

    part->function = function;
    for (size_t i = 0; sizes && at < end; i++) {
        struct listing_item item = {.addr = at, .text = (char[]){"nop"}};
        item.size = (unsigned)(sizes[i % strlen(sizes)] - '0');
        item.size = item.size < end - at ? item.size : (unsigned)(end - at);
        assert_true(listing_add(&part->listing, &item));
        at += item.size;
    }
}

static void build(struct made *m)
{
    const struct annotate_input input = {
        .profile = &m->profile, .names = &naming, .addr_size = 4, .unit = "samples"};

    assert_true(annotate_build(&m->annotation, &input));
}

static const struct annotate_step *step_at(const struct made *m, uint64_t addr)
{
    for (size_t i = 0; i < m->annotation.step_count; i++) {
        if (m->annotation.steps[i].item->addr == addr)
            return &m->annotation.steps[i];
    }
    fail_msg("no step at 0x%llx", (unsigned long long)addr);
    return NULL;
}

static void test_one_block(void **state)
{
    struct made m;

    begin(&m, 16);
    add_part(&m, &functions[0], "4224");
    add_hits(&m, 0x100, 80);
    add_hits(&m, 0x140, 20);
    build(&m);
    assert_int_equal(m.annotation.hits, 80);
    assert_int_equal(m.annotation.attributed, 100);
    assert_int_equal(step_at(&m, 0x100)->hits, 20);
    assert_int_equal(step_at(&m, 0x104)->hits, 10);
    assert_int_equal(step_at(&m, 0x108)->hits, 20);
    assert_int_equal(step_at(&m, 0x110)->hits, 0);
    assert_true(step_at(&m, 0x100)->shared);
    assert_false(step_at(&m, 0x110)->shared);
    /* Which of them it was nobody knows. */
    assert_true(step_at(&m, 0x100)->share.low < 0.001 && step_at(&m, 0x100)->share.high > 0.999);
    annotate_free(&m.annotation);
}

/* A program counter is where an instruction begins. */
static void test_what_begins_before(void **state)
{
    struct made m;

    begin(&m, 2);
    add_part(&m, &functions[0], "42");
    add_hits(&m, 0x100, 7);
    add_hits(&m, 0x104, 5);
    add_hits(&m, 0x102, 1); /* in the middle of one: it is that one's */
    build(&m);
    assert_int_equal(step_at(&m, 0x100)->hits, 8);
    assert_int_equal(step_at(&m, 0x104)->hits, 5);
    assert_false(step_at(&m, 0x104)->shared);
    assert_true(step_at(&m, 0x104)->share.low > 0.1);
    annotate_free(&m.annotation);
    begin(&m, 16);
    add_part(&m, &functions[0], "664");
    add_hits(&m, 0x110, 90); /* 0x10c+6 reaches into it */
    build(&m);
    assert_int_equal(step_at(&m, 0x10c)->hits, 0);
    assert_int_equal(m.annotation.hits, 90);
    annotate_free(&m.annotation);
}

static void test_data_is_not_run(void **state)
{
    struct made m;

    begin(&m, 16);
    add_part(&m, &functions[0], "4");
    m.annotation.parts[0].listing.items[2].data = true;
    m.annotation.parts[0].listing.items[3].data = true;
    for (size_t i = 4; i < 8; i++)
        m.annotation.parts[0].listing.items[i].data = true;
    add_hits(&m, 0x100, 10);
    add_hits(&m, 0x110, 3); /* nothing but data: hits are not lost all the same */
    build(&m);
    assert_int_equal(step_at(&m, 0x100)->hits, 5);
    assert_int_equal(step_at(&m, 0x104)->hits, 5);
    assert_int_equal(step_at(&m, 0x108)->hits, 0);
    assert_int_equal(m.annotation.hits, 13);
    annotate_free(&m.annotation);
}

static uint64_t random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

/* What a ranking by function says of it. */
static uint64_t ranked(const struct profile *profile, const char *name)
{
    struct view_rows rows;
    uint64_t hits = 0;

    assert_true(view_rows_build_named(profile, &naming, VIEW_BY_FUNCTION, NULL, &rows));
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.rows[i].function && strcmp(rows.rows[i].function, name) == 0)
            hits += rows.rows[i].hits;
    }
    view_rows_free(&rows);
    return hits;
}

static void check_sums(const struct made *m, const char *name)
{
    const struct annotation *a = &m->annotation;
    uint64_t steps = 0, lines = 0, parts = 0;

    for (size_t i = 0; i < a->step_count; i++) {
        steps += a->steps[i].hits;
        assert_true(a->steps[i].least <= a->steps[i].hits && a->steps[i].hits <= a->steps[i].most);
    }
    for (size_t i = 0; i < a->line_count; i++) {
        lines += a->lines[i].hits;
        assert_true(a->lines[i].least <= a->lines[i].hits && a->lines[i].hits <= a->lines[i].most);
        assert_true(a->lines[i].share.low <= a->lines[i].share.value + 1e-9);
        assert_true(a->lines[i].share.high >= a->lines[i].share.value - 1e-9);
    }
    for (size_t i = 0; i < a->part_count; i++)
        parts += a->parts[i].hits;
    assert_int_equal(a->parts[0].hits, ranked(&m->profile, name));
    assert_int_equal(parts, a->hits);
    assert_int_equal(lines, a->hits);
    if (a->step_count)
        assert_int_equal(steps, a->hits);
}

/* Blocks of any size anywhere, functions that share them, instructions of any size. */
static void test_sums_are_the_rankings(void **state)
{
    static const unsigned grains[] = {1, 2, 4, 16, 16, 16, 64, 256};
    static const char *const sizes[] = {"2", "4", "24422", "13571", "6", NULL};
    uint64_t seed = 1;

    for (int round = 0; round < 4000; round++) {
        unsigned grain = grains[random_number(&seed) % 8];
        size_t which = random_number(&seed) % 3;
        const char *shape = sizes[random_number(&seed) % 6];
        struct made m;
        begin(&m, grain);
        add_part(&m, &functions[which], shape);
        if (which == 0)
            add_part(&m, &functions[3], shape);
        for (size_t n = random_number(&seed) % HITS_MAX; n > 0; n--)
            add_hits(&m, (0xf0 + random_number(&seed) % 0x140) / grain * grain,
                     random_number(&seed) % 1000);
        build(&m);
        check_sums(&m, functions[which].name);
        annotate_free(&m.annotation);
    }
}

/* A screen that looks again and again. */
static void test_built_again(void **state)
{
    struct made m, other;

    begin(&m, 16);
    add_part(&m, &functions[0], "42");
    annotate_note(&m.annotation, "mine");
    add_hits(&m, 0x100, 10);
    build(&m);
    size_t notes = m.annotation.note_count, frames = m.annotation.frame_count;
    add_hits(&m, 0x110, 20);
    build(&m);
    begin(&other, 16);
    add_part(&other, &functions[0], "42");
    add_hits(&other, 0x100, 10);
    add_hits(&other, 0x110, 20);
    build(&other);
    check_sums(&m, "alpha");
    assert_int_equal(m.annotation.hits, 30);
    assert_int_equal(m.annotation.note_count, notes);
    assert_string_equal(m.annotation.notes[0], "mine");
    assert_int_equal(m.annotation.frame_count, frames);
    assert_int_equal(m.annotation.source_count, 1);
    assert_int_equal(m.annotation.step_count, other.annotation.step_count);
    assert_int_equal(m.annotation.line_count, other.annotation.line_count);
    for (size_t i = 0; i < other.annotation.step_count; i++)
        assert_int_equal(m.annotation.steps[i].hits, other.annotation.steps[i].hits);
    annotate_free(&other.annotation);
    annotate_free(&m.annotation);
}

static void test_lines(void **state)
{
    struct made m;

    begin(&m, 4);
    add_part(&m, &functions[0], "2");
    add_hits(&m, 0x104, 30);
    add_hits(&m, 0x124, 10); /* the same line again */
    add_hits(&m, 0x108, 60);
    build(&m);
    assert_int_equal(m.annotation.line_count, 8);
    assert_int_equal(m.annotation.lines[1].hits, 40);
    assert_int_equal(m.annotation.lines[2].hits, 60);
    assert_int_equal(m.annotation.lines[0].hits, 0);
    /* Its blocks are its own: only chance is in the interval. */
    assert_true(m.annotation.lines[1].share.low > 0.3 && m.annotation.lines[1].share.high < 0.5);
    assert_int_equal(step_at(&m, 0x124)->line, 1);
    annotate_free(&m.annotation);
}

static void test_inline_chains(void **state)
{
    struct made m;

    begin(&m, 16);
    add_part(&m, &functions[0], "4");
    add_hits(&m, 0x110, 60);
    build(&m);
    assert_int_equal(step_at(&m, 0x10c)->frame_count, 0);
    assert_int_equal(step_at(&m, 0x110)->frame_count, 1);
    assert_int_equal(step_at(&m, 0x114)->frame_count, 2);
    assert_int_equal(step_at(&m, 0x118)->frame_count, 0);
    assert_int_equal(m.annotation.frame_count, 3);
    annotate_free(&m.annotation);
}

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

static void set_jump(struct made *m, uint64_t from, uint64_t to)
{
    struct listing *l = &m->annotation.parts[0].listing;

    for (size_t i = 0; i < l->count; i++) {
        if (l->items[i].addr == from) {
            l->items[i].jumps = true;
            l->items[i].target = to;
        }
    }
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

    begin(&m, 16);
    add_part(&m, &functions[3], "4");
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

    begin(&m, 16);
    add_part(&m, &functions[1], "2");
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

    begin(&m, 4);
    add_part(&m, &functions[0], "4");
    add_part(&m, &functions[3], "4");
    set_jump(&m, 0x10c, 0x104);
    add_hits(&m, 0x104, 90);
    add_hits(&m, 0x114, 6);
    add_hits(&m, 0x208, 4);
    build(&m);
    struct annotate_layout layout = {.width = 100, .program = "fw.elf"};
    char *text = shown(&m, &layout);
    expect(text, "mprof annotate   alpha   one.c:1   fw.elf");
    expect(text, "100 of 100 samples, 100.0%");
    expect(text, "\nresolution: 4 bytes: ~ are hits of a block, divided by bytes\n");
    expect(text, "no source: /nowhere/one.c is not there");
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

/* Where there are no instructions. */
static void test_frame_of_lines(void **state)
{
    struct made m;

    begin(&m, 4);
    add_part(&m, &functions[0], NULL);
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
}

/* Names of any kind and length, in a terminal of any width. */
static void test_hostile_names(void **state)
{
    static char name[10002];
    struct symtab_function kept = functions[0];
    struct made m;

    memset(name, 'n', 10000);
    memcpy(name + 3, "\x1b[31m\xc2\x9b\xff\xe6\xbc\xa2\xe2\x80\xae", 15);
    functions[0].name = name;
    begin(&m, 16);
    add_part(&m, &functions[0], "4");
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
    functions[0] = kept;
}

static void test_json(void **state)
{
    struct made m;
    const char *function, *file, *address, *text;
    json_int_t hits, line_hits, step_hits, resolution;
    double share;

    begin(&m, 4);
    add_part(&m, &functions[0], "4");
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
        cmocka_unit_test(test_one_block),
        cmocka_unit_test(test_what_begins_before),
        cmocka_unit_test(test_data_is_not_run),
        cmocka_unit_test(test_sums_are_the_rankings),
        cmocka_unit_test(test_built_again),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_inline_chains),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_many_jumps),
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_frame_of_lines),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_json),
    };

    setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
