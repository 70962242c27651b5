/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a live view compares with its base: the counts of which time, of which build. */
#define _XOPEN_SOURCE 700

#include <target/save.h>

#include "baseline_checks.h" /* cmocka has a macro fail() */

#include "unit.h"

/* Whether a line of the screen has that text. */
static bool says(struct target *t, struct baseline *b, unsigned height, const char *what)
{
    const struct view_layout layout = {
        .width = 100, .height = height, .time_range = "since reset", .footer = "q"};
    struct view_frame frame;
    bool found = false;

    assert_true(baseline_frame(b, &t->watch, shown(t), &t->options, &layout, &frame, t->text,
                               sizeof(t->text)));
    for (size_t i = 0; i < frame.count; i++)
        found |= strstr(frame.lines[i].text, what) != NULL;
    view_frame_free(&frame);
    return found;
}

static const struct view_change *row_of(const struct view_changes *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->rows[i].function && strcmp(c->rows[i].function, name) == 0)
            return &c->rows[i];
    }
    fail_msg("no row %s", name);
    return NULL;
}

/* Of the run that the base is of, only what came since is compared. */
static void test_same_run(void **state)
{
    struct target *t = *state;

    count_hits(t, 1000, 2000, 3000, 4000);
    struct baseline *b = take_base(t);
    assert_int_equal(strlen(baseline_name(b)), 8);
    assert_null(compare(t, b));
    assert_non_null(strstr(t->text, "nothing counted since"));
    count_hits(t, 2000, 2000, 3000, 4000);
    const struct view_changes *c = compare(t, b);
    assert_sides(c, 10000, 11000);
    assert_int_equal(row_of(c, "alpha")->d.new_hits, 2000);
    assert_true(row_of(c, "alpha")->d.significant);
    assert_int_equal(c->significant, 1);
    assert_string_equal(c->rows[0].function, "alpha");
    assert_true(c->same_build);
    baseline_free(b);
}

/* The header's counts are those that are compared, and it says what they cover. */
static void test_header(void **state)
{
    struct target *t = *state;
    char covered[40];

    count_hits(t, 1000, 2000, 3000, 4000);
    struct baseline *b = take_base(t);
    count_hits(t, 20, 20, 30, 40);
    snprintf(covered, sizeof(covered), "since base %s", baseline_name(b));
    assert_true(says(t, b, 24, covered));
    assert_false(says(t, b, 24, "since reset"));
    assert_true(says(t, b, 24, "   110 samples"));
    assert_true(says(t, b, 10, "no evidence of a change"));
    assert_false(says(t, b, 7, "no evidence of a change"));
    /* All of another run is compared. */
    restart(t, 2);
    count_hits(t, 10, 20, 30, 40);
    assert_true(says(t, b, 24, "since reset"));
    baseline_free(b);
}

/* Names and the build of the base stay when ELF and flash change. */
static void test_other_build(void **state)
{
    struct target *t = *state;
    char older[80];

    count_hits(t, 1000, 2000, 3000, 4000);
    snprintf(older, sizeof(older), "%s", symtab_elf(t->watch.session.elf.symtab)->build_id);
    struct baseline *b = take_base(t);
    flash(t, NEWER);
    restart(t, 2);
    count_hits(t, 100, 400, 300, 400);
    const struct view_changes *c = compare(t, b);
    assert_sides(c, 10000, 1200);
    assert_string_equal(c->sides[VIEW_BASE].build_id, older);
    assert_string_not_equal(c->sides[VIEW_NEW].build_id, older);
    assert_string_equal(c->sides[VIEW_BASE].elf, "older.elf");
    assert_int_equal(c->count, FUNCTIONS);
    assert_int_equal(row_of(c, "beta")->d.base_hits, 2000);
    assert_int_equal(row_of(c, "beta")->d.new_hits, 400);
    assert_true(row_of(c, "beta")->d.significant);
    assert_int_equal(row_of(c, "gamma")->d.direction, 0);
    /* The run goes on, and all of it is compared. */
    count_hits(t, 1, 0, 0, 0);
    assert_sides(compare(t, b), 10000, 1201);
    baseline_free(b);
}

/* A restart of the same build, too. */
static void test_restart(void **state)
{
    struct target *t = *state;

    count_hits(t, 100, 200, 300, 400);
    struct baseline *b = take_base(t);
    count_hits(t, 10, 0, 0, 0);
    assert_sides(compare(t, b), 1000, 10);
    restart(t, 2);
    count_hits(t, 7, 1, 1, 1);
    assert_sides(compare(t, b), 1000, 10);
    count_hits(t, 0, 0, 0, 3000);
    assert_sides(compare(t, b), 1000, 3010);
    baseline_free(b);
}

/* A mark before the base, and one after it: what is compared is in no case in the base. */
static void test_with_marks(void **state)
{
    struct target *t = *state;

    count_hits(t, 5000, 0, 0, 0);
    assert_true(time_range_mark(&t->range, &t->watch));
    count_hits(t, 100, 200, 300, 400);
    struct baseline *b = take_base(t);
    count_hits(t, 10, 20, 30, 40);
    assert_sides(compare(t, b), 1000, 100);
    assert_true(time_range_mark(&t->range, &t->watch));
    count_hits(t, 1, 2, 3, 4);
    assert_sides(compare(t, b), 1000, 10);
    time_range_clear(&t->range);
    assert_sides(compare(t, b), 1000, 110);
    /* The last seconds reach back before the base. */
    time_range_toggle_recent(&t->range);
    assert_int_equal(shown(t)->attributed, 1110);
    assert_sides(compare(t, b), 1000, 110);
    baseline_free(b);
}

/* A file that is an earlier reading of the counts that go on: they are not compared twice. */
static void test_load_of_this_run(void **state)
{
    struct target *t = *state;
    char path[80], saved[PATH_MAX];

    count_hits(t, 100, 200, 300, 400);
    snprintf(path, sizeof(path), "%s/a.pb.gz", t->folder);
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_DONE);
    count_hits(t, 10, 20, 30, 40);
    struct options options;

    option_defaults(&options);
    options.elf = options.store = NULL;
    struct baseline *b = baseline_load(&options, path, t->text, sizeof(t->text));
    assert_string_equal(baseline_name(b), "a.pb.gz");
    baseline_set_effort(b, 1);
    assert_null(compare(t, b));
    count_hits(t, 1, 2, 3, 4);
    assert_sides(compare(t, b), 1000, 10);
    baseline_free(b);
    /* One of another run is compared with all that there is. */
    restart(t, 2);
    count_hits(t, 50, 0, 60, 0);
    b = baseline_load(&options, path, t->text, sizeof(t->text));
    assert_sides(compare(t, b), 1000, 110);
    baseline_free(b);
    assert_null(baseline_load(&options, "/nowhere.pb.gz", t->text, sizeof(t->text)));
    assert_non_null(strstr(t->text, "/nowhere.pb.gz"));
    assert_null(baseline_load(&options, "@0", t->text, sizeof(t->text)));
    assert_non_null(strstr(t->text, "MPROF_STORE"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TARGET_TEST(test_same_run),    TARGET_TEST(test_header),
        TARGET_TEST(test_other_build), TARGET_TEST(test_restart),
        TARGET_TEST(test_with_marks),  TARGET_TEST(test_load_of_this_run),
    };

    unsetenv("MPROF_STORE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
