/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a diff and their formats, over names that the test makes up. */
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

#include <screen/change_text.h>
#include <table/change_output.h>

/* One function of a made up build: 16 bytes from addr. */
struct place {
    uint64_t addr;
    const char *function, *file;
    unsigned line;
};

struct build {
    const char *id;
    struct place places[8];
};

static const struct build old_build = {"aaaaaaaabbbb",
                                       {{0x100, "fir_filter", "src/dsp.c", 10},
                                        {0x110, "crc32", "src/crc.c", 20},
                                        {0x120, "idle.cold", "src/main.c", 30},
                                        {0x130, "going", "src/main.c", 40},
                                        {0x140, "before", "src/uart.c", 50},
                                        {0x150, NULL, NULL, 0}}};
static const struct build new_build = {"ccccccccdddd",
                                       {{0x200, "fir_filter.constprop.0", "/ci/src/dsp.c", 11},
                                        {0x210, "crc32", "src/crc.c", 21},
                                        {0x220, "idle", "src/main.c", 31},
                                        {0x230, "after", "src/uart.c", 51},
                                        {0x240, "e|v\x1b\"il", "src/new.c", 61},
                                        {0x250, NULL, NULL, 0}}};

static const struct place *place_of(const struct build *build, uint64_t addr)
{
    for (size_t i = 0; i < 8; i++) {
        if (build->places[i].function && addr - build->places[i].addr < 16)
            return &build->places[i];
    }
    return NULL;
}

static const struct symtab_function *find(void *context, uint64_t addr)
{
    static struct symtab_function functions[8];
    const struct build *build = context;
    const struct place *place = place_of(build, addr);

    if (!place)
        return NULL;
    struct symtab_function *function = &functions[place - build->places];
    *function = (struct symtab_function){.addr = place->addr, .size = 16, .name = place->function};
    return function;
}

static const struct symtab_function *find_caller(void *context, uint64_t caller)
{
    return find(context, naming_call(caller));
}

static bool find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    const struct place *place = place_of(context, addr);

    if (place)
        *line = (struct symtab_line){.file = place->file, .line = place->line};
    return place != NULL;
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    return find_line(context, function->addr, line);
}

static struct symbol_naming naming_of(const struct build *build)
{
    return (struct symbol_naming){.context = (void *)(uintptr_t)build,
                                  .find = find,
                                  .find_caller = find_caller,
                                  .find_line = find_line,
                                  .find_start = find_start};
}

/* What a test says of one snapshot; hits are of the build's places. */
struct sample {
    const struct build *build;
    uint64_t hits[8];
    const char *unit; /* NULL: samples */
    double sample_hz, duration_s;
    uint32_t dropped, inherited; /* of each row's hits */
    bool locked, arcs;
};

static bool add(struct view_set *set, enum view_side side, const struct sample *s, char *text)
{
    struct profile_hit rows[8];
    struct symbol_naming naming = naming_of(s->build);
    struct profile profile = {.unit = s->unit ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES,
                              .grain = 16,
                              .rows = rows,
                              .row_count = 8,
                              .dropped = s->dropped,
                              .locked = s->locked};
    struct view_run run = {.profile = &profile,
                           .naming = &naming,
                           .name = side == VIEW_BASE ? "old.pb.gz" : "new.pb.gz",
                           .elf = "fw.elf",
                           .build_id = s->build->id,
                           .unit = s->unit ? s->unit : "samples",
                           .sample_hz = s->sample_hz,
                           .duration_s = s->duration_s};

    for (size_t i = 0; i < 8; i++) {
        uint64_t caller = s->arcs ? s->build->places[(i + 1) % 5].addr + 5 : 0;
        rows[i] = (struct profile_hit){.addr = s->build->places[i].addr,
                                       .caller = caller,
                                       .hits = s->hits[i],
                                       .inherited = s->hits[i] < s->inherited ? 0 : s->inherited};
        profile.attributed += s->hits[i];
    }
    return view_set_add(set, side, &run, text, 600);
}

static const struct sample before = {.build = &old_build,
                                     .hits = {20000, 30000, 40000, 2000, 5000, 3000},
                                     .sample_hz = 1000,
                                     .duration_s = 100};
static const struct sample after = {.build = &new_build,
                                    .hits = {26000, 30000, 40000, 5000, 900, 3000},
                                    .sample_hz = 500,
                                    .duration_s = 210};

struct made {
    struct view_set *set;
    struct view_changes c;
};

static struct made make_of(enum view_by by, const struct sample *base, size_t base_count,
                           const struct sample *newer, size_t new_count)
{
    const struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct made m = {.set = view_set_new(by, NULL)};
    char text[600];

    for (size_t i = 0; i < base_count; i++)
        assert_true(add(m.set, VIEW_BASE, &base[i], text));
    for (size_t i = 0; i < new_count; i++)
        assert_true(add(m.set, VIEW_NEW, &newer[i], text));
    if (!view_changes_make(m.set, &options, &m.c, text, sizeof(text)))
        fail_msg("%s", text);
    view_changes_sort(&m.c, NULL);
    return m;
}

static struct made make(enum view_by by, const struct sample *base, const struct sample *newer)
{
    return make_of(by, base, 1, newer, 1);
}

static void drop(struct made *m)
{
    view_changes_free(&m->c);
    view_set_free(m->set);
}

static const struct view_change *row_of(const struct view_changes *c, const char *name)
{
    char text[200];

    for (size_t i = 0; i < c->count; i++) {
        view_change_name(&c->rows[i], c->by, text, sizeof(text));
        if (strcmp(text, name) == 0)
            return &c->rows[i];
    }
    fail_msg("no row %s", name);
    return NULL;
}

static struct view_change_layout layout_of(const char *list, struct view_fields *fields)
{
    char text[600];

    assert_true(view_fields_parse(&view_change_columns, list, fields, text, sizeof(text)));
    return (struct view_change_layout){.width = 150, .fields = fields};
}

/* Across builds: suffixes, folders, a guess, and what is on one side only. */
static void test_rows(void **state)
{
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);
    const struct view_change *fir = row_of(&m.c, "fir_filter"), *gone = row_of(&m.c, "going");

    (void)state;
    assert_int_equal(m.c.count, 7);
    assert_false(m.c.same_build);
    assert_int_equal(fir->d.base_hits, 20000);
    assert_int_equal(fir->d.new_hits, 26000);
    assert_true(fir->d.significant);
    assert_float_equal(fir->d.ratio, 1.3, 0.01);
    assert_string_equal(fir->file, "/ci/src/dsp.c");
    assert_int_equal(fir->line, 11);
    assert_int_equal(fir->addr, 0x200);
    assert_int_equal(row_of(&m.c, "idle")->d.state, DIFF_BOTH);
    assert_string_equal(row_of(&m.c, "after")->old_name, "before");
    assert_int_equal(gone->d.state, DIFF_GONE);
    assert_int_equal(gone->line, 40);
    assert_int_equal(row_of(&m.c, "e|v\x1b\"il")->d.state, DIFF_NEW);
    assert_true(row_of(&m.c, "[no name]")->unnamed);
    assert_int_equal(m.c.sides[VIEW_NEW].unnamed, 3000);
    drop(&m);
}

/* 20000 samples at 1000 Hz in 100 s; 26000 at 500 Hz in 210 s. */
static void test_times(void **state)
{
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);
    struct sample unknown = after;

    (void)state;
    assert_float_equal(row_of(&m.c, "fir_filter")->time[VIEW_BASE], 200, 1e-9);
    assert_float_equal(row_of(&m.c, "fir_filter")->time[VIEW_NEW], 26000 / 500.0 / 0.21, 1e-9);
    drop(&m);
    unknown.sample_hz = 0;
    m = make(VIEW_BY_FUNCTION, &before, &unknown);
    assert_true(isnan(row_of(&m.c, "crc32")->time[VIEW_NEW]));
    assert_false(isnan(row_of(&m.c, "crc32")->time[VIEW_BASE]));
    drop(&m);
}

static void test_with_itself(void **state)
{
    (void)state;
    for (enum view_by by = VIEW_BY_FUNCTION; by <= VIEW_BY_ARC; by++) {
        struct made m = make(by, &before, &before);
        assert_true(m.c.same_build);
        assert_int_equal(m.c.count, by == VIEW_BY_FILE ? 5 : 6);
        assert_int_equal(m.c.significant, 0);
        for (size_t i = 0; i < m.c.count; i++) {
            const struct diff_row *d = &m.c.rows[i].d;
            assert_float_equal(d->change, 0, 0);
            assert_float_equal(d->share_change, 0, 0);
            assert_float_equal(d->ratio, 1, 0);
            assert_float_equal(d->p, 1, 0);
        }
        drop(&m);
    }
}

/* In one build nothing is renamed: another function took its place. */
static void test_one_build(void **state)
{
    struct sample a = before, b = before;

    (void)state;
    a.hits[3] = b.hits[2] = 0;
    b.hits[3] = a.hits[2];
    struct made m = make(VIEW_BY_FUNCTION, &a, &b);
    assert_int_equal(m.c.count, 6);
    assert_int_equal(row_of(&m.c, "idle")->d.state, DIFF_GONE);
    assert_int_equal(row_of(&m.c, "going")->d.state, DIFF_NEW);
    assert_null(row_of(&m.c, "going")->old_name);
    drop(&m);
}

/* Lines and addresses are of one build. */
static void test_other_build(void **state)
{
    const struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct view_changes c;
    char text[600];

    (void)state;
    for (enum view_by by = VIEW_BY_LINE; by <= VIEW_BY_ADDRESS; by++) {
        struct view_set *set = view_set_new(by, NULL);
        assert_true(add(set, VIEW_BASE, &before, text));
        assert_true(add(set, VIEW_NEW, &after, text));
        bool made = view_changes_make(set, &options, &c, text, sizeof(text));
        assert_int_equal(made, by == VIEW_BY_FILE);
        if (made)
            view_changes_free(&c);
        else
            assert_non_null(strstr(text, "old.pb.gz (build aaaaaaa), new is new.pb.gz"));
        view_set_free(set);
    }
}

static void test_arcs(void **state)
{
    struct sample a = before, b = after;
    struct made m;

    (void)state;
    a.arcs = b.arcs = true;
    m = make(VIEW_BY_ARC, &a, &b);
    assert_int_equal(row_of(&m.c, "crc32 -> fir_filter")->d.base_hits, 20000);
    assert_int_equal(row_of(&m.c, "crc32 -> fir_filter")->d.new_hits, 26000);
    assert_int_equal(row_of(&m.c, "idle -> crc32")->d.state, DIFF_BOTH);
    drop(&m);
}

/* What has no name is told apart by its address where that means something. */
static void test_unnamed(void **state)
{
    struct sample a = before, b = before;
    struct build moved = old_build;
    struct made m;

    (void)state;
    m = make(VIEW_BY_FUNCTION, &a, &b);
    assert_false(row_of(&m.c, "0x150")->unnamed);
    drop(&m);
    moved.id = "";
    b.build = &moved;
    m = make(VIEW_BY_FUNCTION, &a, &b);
    assert_true(row_of(&m.c, "[no name]")->unnamed);
    drop(&m);
}

static bool says(const struct view_changes *c, enum view_note_kind kind, const char *what)
{
    for (size_t i = 0; i < c->note_count; i++) {
        if (c->notes[i].kind == kind && strstr(c->notes[i].text, what))
            return true;
    }
    return false;
}

/* What docs/statistics.md wants said. */
static void test_notes(void **state)
{
    struct sample three[3] = {before, before, before}, half = before, calls = before, lost = after;
    struct sample locked = after, little = {.build = &new_build, .hits = {0, 100, 0, 0, 99900}};
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);

    (void)state;
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "one snapshot a side"));
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "base at 1000 Hz, new at 500 Hz"));
    assert_true(says(&m.c, VIEW_NOTE_PLAIN, "no function is known of 3.0 % of base"));
    assert_false(says(&m.c, VIEW_NOTE_ALARM, ""));
    drop(&m);

    m = make_of(VIEW_BY_FUNCTION, three, 3, &before, 1);
    assert_false(says(&m.c, VIEW_NOTE_WARNING, "one snapshot a side"));
    assert_int_equal(m.c.sides[VIEW_BASE].count, 3);
    assert_float_equal(m.c.sides[VIEW_BASE].duration_s, 300, 1e-9);
    assert_int_equal(row_of(&m.c, "crc32")->d.base_hits, 90000);
    drop(&m);

    half.hits[0] *= 2;
    half.hits[1] *= 2;
    m = make(VIEW_BY_FUNCTION, &before, &half);
    assert_true(m.c.whole.contested);
    assert_true(says(&m.c, VIEW_NOTE_ALARM, "CONTESTED"));
    drop(&m);

    calls.unit = "calls";
    m = make(VIEW_BY_FUNCTION, &calls, &calls);
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "calls are counted, not sampled"));
    assert_false(m.c.judged);
    drop(&m);

    m = make(VIEW_BY_FUNCTION, &before, &after);
    double high = row_of(&m.c, "crc32")->d.ratio_high;
    drop(&m);
    lost.dropped = 5000;
    m = make(VIEW_BY_FUNCTION, &before, &lost);
    assert_true(row_of(&m.c, "going")->d.ratio_high > 1);
    assert_float_equal(row_of(&m.c, "crc32")->d.ratio_high, high, 1e-9);
    drop(&m);
    lost.inherited = 2000;
    m = make(VIEW_BY_FUNCTION, &before, &lost);
    assert_true(row_of(&m.c, "crc32")->d.ratio_high > high + 0.1);
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "dropped: 0.0 % of base, 4.5 % of new"));
    drop(&m);

    locked.locked = true;
    m = make(VIEW_BY_FUNCTION, &before, &locked);
    assert_true(says(&m.c, VIEW_NOTE_ALARM, "LOCKED TO THE FIRMWARE'S TICK (new)"));
    assert_false(m.c.judged);
    assert_int_equal(m.c.significant, 0);
    assert_true(isnan(row_of(&m.c, "fir_filter")->d.p));
    drop(&m);

    m = make(VIEW_BY_FUNCTION, &before, &little);
    assert_true(says(&m.c, VIEW_NOTE_ALARM, "LITTLE IN COMMON"));
    drop(&m);
}

static void test_refused(void **state)
{
    struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct view_set *set = view_set_new(VIEW_BY_FUNCTION, NULL);
    struct sample calls = after, none = {.build = &new_build};
    struct view_changes c;
    char text[600];

    (void)state;
    calls.unit = "calls";
    assert_true(add(set, VIEW_BASE, &before, text));
    assert_false(add(set, VIEW_NEW, &calls, text));
    assert_string_equal(text, "old.pb.gz counts samples and new.pb.gz counts calls: they cannot be "
                              "compared");
    assert_true(add(set, VIEW_NEW, &none, text));
    assert_false(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_string_equal(text, "new.pb.gz has no hits: nothing can be compared");
    assert_true(add(set, VIEW_NEW, &after, text));
    options.diff.per = DIFF_PER_FUNCTION;
    options.per_function = "nobody";
    assert_false(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_non_null(strstr(text, "--per function:nobody: there is no function of that name"));
    options.per_function = "going";
    assert_false(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_non_null(strstr(text, "it has no hits on one side"));
    options.per_function = "crc32";
    assert_true(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_float_equal(row_of(&c, "crc32")->d.ratio, 1, 1e-12);
    view_changes_free(&c);
    options.per_function = "crc32.constprop.7";
    assert_true(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_float_equal(row_of(&c, "crc32")->d.ratio, 1, 1e-12);
    view_changes_free(&c);
    options.per_function = "before";
    assert_true(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_float_equal(row_of(&c, "after")->d.ratio, 1, 1e-12);
    assert_true(isnan(row_of(&c, "after")->d.p));
    view_changes_free(&c);
    options.diff.per = DIFF_PER_SECOND;
    assert_false(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_non_null(strstr(text, "--per second: a snapshot's rate or duration is not known"));
    view_set_free(set);
}

/* The same in whatever order the files come. */
static void test_order(void **state)
{
    struct sample runs[3] = {before, before, before}, turned[3];

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        runs[1].hits[i] += runs[1].hits[i] / (30 + i);
        runs[2].hits[i] -= runs[2].hits[i] / (20 + 3 * i);
    }
    for (size_t i = 0; i < 3; i++)
        turned[i] = runs[2 - i];
    struct made m = make_of(VIEW_BY_FUNCTION, runs, 3, &after, 1);
    struct made n = make_of(VIEW_BY_FUNCTION, turned, 3, &after, 1);
    assert_int_equal(m.c.count, n.c.count);
    for (size_t i = 0; i < m.c.count; i++) {
        assert_int_equal(m.c.rows[i].d.base_hits, n.c.rows[i].d.base_hits);
        assert_float_equal(m.c.rows[i].d.p, n.c.rows[i].d.p, 1e-9);
    }
    drop(&m);
    drop(&n);
}

static const char *const table[] = {
    "mprof diff   old.pb.gz (fw.elf, build aaaaaaa)  ->  new.pb.gz (fw.elf, build ccccccc)",
    "base  100000 samples, 1 snapshot, 100 s at 1000 Hz, dropped 0",
    "new   104900 samples, 1 snapshot, 210 s at 500 Hz, dropped 0",
    "3 of 7 functions changed beyond noise",
    "changes are relative to the median of the functions; any row marked falsely: at most 5 % of "
    "diffs",
    "! one snapshot a side: by how much runs of one firmware differ is not known, and shows as "
    "change; take three a side (--base A... --new B...), or give",
    "  --noise",
    "! sampled at different rates: base at 1000 Hz, new at 500 Hz",
    "! no function is known of 3.0 % of base and 2.9 % of new: together they are one row",
    "",
    "   BASE%   NEW%      CHANGE PP [95 %]             CHANGE [95 %]  STATE    FUNCTION    "
    "                                FILE:LINE",
    "*  20.00  24.79  +6.00 [+5.52, +6.48]    +30.0 % [+27.3, +32.8]           fir_filter  "
    "                                dsp.c:11",
    "*   2.00   0.00  -2.00 [-2.09, -1.91]  -100.0 % [-100.0, -99.9]  gone     going       "
    "                                main.c:40",
    "*   0.00   0.86  +0.90 [+0.84, +0.96]                       new  new      e|v?\"il     "
    "                                new.c:61",
    "   40.00  38.13   0.00 [-0.79, +0.79]        0.0 % [-2.0, +2.0]           idle        "
    "                                main.c:31",
    "   30.00  28.60   0.00 [-0.61, +0.61]        0.0 % [-2.0, +2.1]           crc32       "
    "                                crc.c:21",
    "    5.00   4.77   0.00 [-0.20, +0.20]        0.0 % [-4.0, +4.1]  renamed  after (was b"
    "efore)                          uart.c:51",
    "    3.00   2.86   0.00 [-0.15, +0.15]        0.0 % [-5.0, +5.3]           [no name]   "
    "                                -",
};

static void test_table(void **state)
{
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout =
        layout_of(view_change_fields_default(VIEW_BY_FUNCTION, 150), &fields);
    struct view_frame frame;

    (void)state;
    assert_true(view_changes_frame(&layout, &m.c, &frame));
    assert_int_equal(frame.count, sizeof(table) / sizeof(table[0]));
    for (size_t i = 0; i < frame.count; i++)
        assert_string_equal(frame.lines[i].text, table[i]);
    assert_int_equal(frame.lines[0].style, VIEW_STYLE_TITLE);
    assert_int_equal(frame.lines[11].style, VIEW_STYLE_WORSE);
    view_frame_free(&frame);

    layout.limit = 2;
    assert_true(view_changes_frame(&layout, &m.c, &frame));
    assert_string_equal(frame.lines[frame.count - 1].text, "5 more rows");
    view_frame_free(&frame);
    drop(&m);
}

static void test_csv(void **state)
{
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout =
        layout_of("function,state,old_name,change,ratio,base_hits,significant", &fields);

    (void)state;
    layout.limit = 3;
    char *text = view_changes_csv(&layout, &m.c);
    assert_string_equal(text, "function,state,old_name,change,ratio,base_hits,significant\n"
                              "fir_filter,,,0.06,1.3,20000,true\n"
                              "going,gone,,-0.02,0,2000,true\n"
                              "\"e|v?\"\"il\",new,,0.009,,0,true\n");
    free(text);
    drop(&m);
}

static void test_markdown(void **state)
{
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;
    struct view_change_layout layout = layout_of("significant,ratio,function", &fields);

    (void)state;
    char *text = view_changes_markdown(&layout, &m.c);
    const char *rows = strstr(text, "|  | CHANGE");
    assert_memory_equal(text, "**mprof diff:** 3 of 7 functions changed beyond noise.\n\n", 56);
    assert_non_null(rows);
    assert_non_null(strstr(rows, "| \\* | new | e\\|v?\"il |\n"));
    assert_non_null(strstr(rows, "|  | 0.0 % \\[-5.0, +5.3\\] | \\[no name\\] |\n"));
    assert_non_null(strstr(text, "> one snapshot a side"));
    free(text);
    layout.limit = 1;
    text = view_changes_markdown(&layout, &m.c);
    assert_non_null(strstr(text, "\n6 more rows.\n"));
    free(text);
    drop(&m);
}

static void test_json(void **state)
{
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);
    char *text = view_changes_json(&m.c, 0);
    json_t *root = json_loads(text, 0, NULL), *rows = json_object_get(root, "rows"), *row;
    size_t index;

    (void)state;
    assert_int_equal(json_array_size(rows), 7);
    json_array_foreach(rows, index, row)
    {
        assert_true(json_is_real(json_object_get(row, "base_share")));
        assert_true(json_is_real(json_object_get(row, "delta")));
        assert_true(json_is_boolean(json_object_get(row, "significant")));
    }
    row = json_array_get(rows, 2);
    assert_string_equal(json_string_value(json_object_get(row, "state")), "new");
    assert_true(json_is_null(json_object_get(row, "ratio")));
    assert_true(json_is_null(json_object_get(row, "ratio_high")));
    assert_true(json_is_real(json_object_get(row, "ratio_low")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(root, "base"), "elf")),
                        "fw.elf");
    assert_true(json_is_null(json_object_get(root, "noise")));
    json_decref(root);
    free(text);
    drop(&m);
}

static void test_sorted(void **state)
{
    struct made m = make(VIEW_BY_FUNCTION, &before, &after);
    struct view_fields fields;

    (void)state;
    for (size_t i = 1; i < m.c.count; i++) {
        const struct diff_row *a = &m.c.rows[i - 1].d, *b = &m.c.rows[i].d;
        assert_true(a->significant > b->significant ||
                    (a->significant == b->significant && fabs(a->change) >= fabs(b->change)));
    }
    (void)layout_of("new_share", &fields);
    view_changes_sort(&m.c, fields.column[0]);
    for (size_t i = 1; i < m.c.count; i++)
        assert_true(m.c.rows[i - 1].d.new_share >= m.c.rows[i].d.new_share);
    (void)layout_of("p", &fields);
    view_changes_sort(&m.c, fields.column[0]);
    for (size_t i = 1; i < m.c.count; i++)
        assert_true(m.c.rows[i - 1].d.p <= m.c.rows[i].d.p);
    drop(&m);
}

static void test_fields(void **state)
{
    struct view_fields fields;
    char text[400];

    (void)state;
    for (size_t i = 0; i < view_change_columns.count; i++) {
        const struct view_column *c = &view_change_columns.column[i];
        assert_true(view_fields_parse(&view_change_columns, c->name, &fields, text, sizeof(text)));
        assert_ptr_equal(fields.column[0], c);
        assert_true(c->help && c->title && (c->width || c->part));
    }
    assert_false(view_fields_parse(&view_change_columns, "p,nothing", &fields, text, sizeof(text)));
    assert_memory_equal(text, "no field 'nothing'; there are: significant,", 43);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_times),
        cmocka_unit_test(test_with_itself), cmocka_unit_test(test_other_build),
        cmocka_unit_test(test_arcs),        cmocka_unit_test(test_one_build),
        cmocka_unit_test(test_unnamed),     cmocka_unit_test(test_notes),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_order),
        cmocka_unit_test(test_table),       cmocka_unit_test(test_csv),
        cmocka_unit_test(test_markdown),    cmocka_unit_test(test_json),
        cmocka_unit_test(test_sorted),      cmocka_unit_test(test_fields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
