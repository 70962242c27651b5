/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a diff, over names that the test makes up: pairs, times, notes. */
#include <math.h>

#include "unit.h"

#include "change_checks.h"

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

/* Across builds: suffixes, folders, a guess, and what is on one side only. */
static void test_rows(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    const struct view_change *fir = row_of(&m.c, "fir_filter"), *gone = row_of(&m.c, "going");

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
    drop_changes(&m);
}

/* 20000 samples at 1000 Hz in 100 s; 26000 at 500 Hz in 210 s. */
static void test_times(void **state)
{
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    struct sample unknown = after;

    assert_float_equal(row_of(&m.c, "fir_filter")->time[VIEW_BASE], 200, 1e-9);
    assert_float_equal(row_of(&m.c, "fir_filter")->time[VIEW_NEW], 26000 / 500.0 / 0.21, 1e-9);
    drop_changes(&m);
    unknown.sample_hz = 0;
    m = make_changes(VIEW_BY_FUNCTION, &before, &unknown);
    assert_true(isnan(row_of(&m.c, "crc32")->time[VIEW_NEW]));
    assert_false(isnan(row_of(&m.c, "crc32")->time[VIEW_BASE]));
    drop_changes(&m);
}

static void test_with_itself(void **state)
{
    for (enum view_by by = VIEW_BY_FUNCTION; by <= VIEW_BY_ARC; by++) {
        struct made m = make_changes(by, &before, &before);
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
        drop_changes(&m);
    }
}

/* In one build nothing is renamed: another function took its place. */
static void test_one_build(void **state)
{
    struct sample a = before, b = before;

    a.hits[3] = b.hits[2] = 0;
    b.hits[3] = a.hits[2];
    struct made m = make_changes(VIEW_BY_FUNCTION, &a, &b);
    assert_int_equal(m.c.count, 6);
    assert_int_equal(row_of(&m.c, "idle")->d.state, DIFF_GONE);
    assert_int_equal(row_of(&m.c, "going")->d.state, DIFF_NEW);
    assert_null(row_of(&m.c, "going")->old_name);
    drop_changes(&m);
}

/* Lines and addresses are of one build. */
static void test_other_build(void **state)
{
    const struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct view_changes c;
    char text[600];

    for (enum view_by by = VIEW_BY_LINE; by <= VIEW_BY_ADDRESS; by++) {
        struct view_set *set = view_set_new(by, NULL);
        assert_true(add_sample(set, VIEW_BASE, &before, text));
        assert_true(add_sample(set, VIEW_NEW, &after, text));
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

    a.arcs = b.arcs = true;
    m = make_changes(VIEW_BY_ARC, &a, &b);
    assert_int_equal(row_of(&m.c, "crc32 -> fir_filter")->d.base_hits, 20000);
    assert_int_equal(row_of(&m.c, "crc32 -> fir_filter")->d.new_hits, 26000);
    assert_int_equal(row_of(&m.c, "idle -> crc32")->d.state, DIFF_BOTH);
    drop_changes(&m);
}

/* What has no name is told apart by its address where that means something. */
static void test_unnamed(void **state)
{
    struct sample a = before, b = before;
    struct made_build moved = old_build;
    struct made m;

    m = make_changes(VIEW_BY_FUNCTION, &a, &b);
    assert_false(row_of(&m.c, "0x150")->unnamed);
    drop_changes(&m);
    moved.id = "";
    b.build = &moved;
    m = make_changes(VIEW_BY_FUNCTION, &a, &b);
    assert_true(row_of(&m.c, "[no name]")->unnamed);
    drop_changes(&m);
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
    struct sample locked = after, fixed = before,
                  little = {.build = &new_build, .hits = {0, 100, 0, 0, 99900}};
    struct made m = make_changes(VIEW_BY_FUNCTION, &before, &after);

    assert_true(says(&m.c, VIEW_NOTE_WARNING, "one run a side: marks are as good as the 0 %"));
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "base at 1000 Hz, new at 500 Hz"));
    assert_true(says(&m.c, VIEW_NOTE_PLAIN, "unknown function: 3.0 % of base"));
    assert_false(says(&m.c, VIEW_NOTE_ALARM, ""));
    drop_changes(&m);

    noise_between_runs = DIFF_NOISE_UNKNOWN;
    m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "one run a side: changes are those of these two recordings"));
    assert_int_equal(m.c.significant, 0);
    assert_false(m.c.judged);
    drop_changes(&m);

    three[0].hits[1] = 90000;
    m = make_changes_of(VIEW_BY_FUNCTION, three, 3, three + 1, 2);
    assert_false(says(&m.c, VIEW_NOTE_WARNING, "one run a side"));
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "base has 3 runs and new 2: its 2 newest"));
    assert_int_equal(m.c.sides[VIEW_BASE].count, 2);
    assert_int_equal(m.c.sides[VIEW_BASE].spare, 1);
    assert_float_equal(m.c.sides[VIEW_BASE].duration_s, 200, 1e-9);
    assert_int_equal(row_of(&m.c, "crc32")->d.base_hits, 60000);
    assert_true(row_of(&m.c, "idle")->idle && !row_of(&m.c, "crc32")->idle);
    drop_changes(&m);

    calls.unit = "calls";
    m = make_changes(VIEW_BY_FUNCTION, &calls, &calls);
    assert_false(m.c.judged);
    drop_changes(&m);
    noise_between_runs = 0;

    half.hits[0] *= 2;
    half.hits[1] *= 2;
    m = make_changes(VIEW_BY_FUNCTION, &before, &half);
    assert_true(m.c.whole.contested);
    assert_true(says(&m.c, VIEW_NOTE_ALARM, "cannot tell which rows changed: those with "));
    drop_changes(&m);

    m = make_changes(VIEW_BY_FUNCTION, &before, &after);
    double high = row_of(&m.c, "crc32")->d.ratio_high;
    drop_changes(&m);
    lost.dropped = 5000;
    m = make_changes(VIEW_BY_FUNCTION, &before, &lost);
    assert_true(row_of(&m.c, "going")->d.ratio_high > 1);
    assert_float_equal(row_of(&m.c, "crc32")->d.ratio_high, high, 1e-9);
    drop_changes(&m);
    lost.inherited = 2000;
    m = make_changes(VIEW_BY_FUNCTION, &before, &lost);
    assert_true(row_of(&m.c, "crc32")->d.ratio_high > high + 0.1);
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "lost by the target: 0.0 % of base, 4.5 % of new"));
    drop_changes(&m);

    locked.locked = true;
    m = make_changes(VIEW_BY_FUNCTION, &before, &locked);
    assert_true(says(&m.c, VIEW_NOTE_ALARM, "LOCKED TO THE FIRMWARE'S TICK (new)"));
    assert_false(m.c.judged);
    assert_int_equal(m.c.significant, 0);
    assert_true(isnan(row_of(&m.c, "fir_filter")->d.p));
    drop_changes(&m);

    fixed.fixed = true;
    m = make_changes(VIEW_BY_FUNCTION, &fixed, &after);
    assert_true(says(&m.c, VIEW_NOTE_WARNING, "fixed timer period (base): "));
    assert_false(m.c.judged);
    assert_true(isnan(row_of(&m.c, "fir_filter")->d.p));
    drop_changes(&m);

    m = make_changes(VIEW_BY_FUNCTION, &before, &little);
    assert_true(says(&m.c, VIEW_NOTE_ALARM, "these may be two different programs: "));
    drop_changes(&m);
}

static void test_refused(void **state)
{
    struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct view_set *set = view_set_new(VIEW_BY_FUNCTION, NULL);
    struct sample calls = after, none = {.build = &new_build}, timeless = after;
    struct view_changes c;
    char text[600];

    calls.unit = "calls";
    assert_true(add_sample(set, VIEW_BASE, &before, text));
    assert_false(add_sample(set, VIEW_NEW, &calls, text));
    assert_string_equal(
        text, "old.pb.gz counts samples and new.pb.gz counts calls: choose one with --type");
    assert_true(add_sample(set, VIEW_NEW, &none, text));
    assert_false(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_string_equal(text, "new.pb.gz has no hits: nothing can be compared");
    timeless.sample_hz = 0;
    assert_true(add_sample(set, VIEW_NEW, &timeless, text));
    options.diff.per = DIFF_PER_FUNCTION;
    options.per_function = "nobody";
    assert_false(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_non_null(strstr(text, "--per function:nobody: no function has this name"));
    options.per_function = "going";
    assert_false(view_changes_make(set, &options, &c, text, sizeof(text)));
    assert_non_null(strstr(text, "no hits on one side"));
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
    assert_non_null(
        strstr(text, "--per second: the sampling rate or duration of a snapshot is not known"));
    view_set_free(set);
}

/* The same in whatever order the files come. */
static void test_order(void **state)
{
    struct sample runs[3] = {before, before, before}, turned[3];

    for (size_t i = 0; i < 8; i++) {
        runs[1].hits[i] += runs[1].hits[i] / (30 + i);
        runs[2].hits[i] -= runs[2].hits[i] / (20 + 3 * i);
    }
    for (size_t i = 0; i < 3; i++)
        turned[i] = runs[2 - i];
    const struct sample newer[3] = {after, after, after};
    struct made m = make_changes_of(VIEW_BY_FUNCTION, runs, 3, newer, 3);
    struct made n = make_changes_of(VIEW_BY_FUNCTION, turned, 3, newer, 3);
    assert_int_equal(m.c.count, n.c.count);
    for (size_t i = 0; i < m.c.count; i++) {
        assert_int_equal(m.c.rows[i].d.base_hits, n.c.rows[i].d.base_hits);
        assert_float_equal(m.c.rows[i].d.p, n.c.rows[i].d.p, 1e-9);
    }
    drop_changes(&m);
    drop_changes(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_times),
        cmocka_unit_test(test_with_itself), cmocka_unit_test(test_other_build),
        cmocka_unit_test(test_arcs),        cmocka_unit_test(test_one_build),
        cmocka_unit_test(test_unnamed),     cmocka_unit_test(test_notes),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
