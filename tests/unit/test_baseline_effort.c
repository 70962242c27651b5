/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the changes since a base are made again: if something asks for it, and within a budget of
 * time. */
#define _XOPEN_SOURCE 700

#include "baseline_checks.h" /* cmocka has a macro fail() */

#include "unit.h"

#include <base/monotonic.h>

#define MANY 300

/* How often a set of changes was made. */
static unsigned made;

bool __real_view_changes_make(struct view_set *set, const struct view_change_options *options,
                              struct view_changes *changes, char *text, size_t capacity);
bool __wrap_view_changes_make(struct view_set *set, const struct view_change_options *options,
                              struct view_changes *changes, char *text, size_t capacity);
bool __wrap_view_changes_make(struct view_set *set, const struct view_change_options *options,
                              struct view_changes *changes, char *text, size_t capacity)
{
    made++;
    return __real_view_changes_make(set, options, changes, text, capacity);
}

static void test_made_anew_only_when_needed(void **state)
{
    struct target *t = *state;

    made = 0;
    count_hits(t, 100, 200, 300, 400);
    struct baseline *b = take_base(t);
    count_hits(t, 10, 20, 30, 40);
    for (int i = 0; i < 3; i++)
        assert_sides(compare(t, b), 1000, 100);
    assert_int_equal(made, 1);
    count_hits(t, 1, 0, 0, 0);
    assert_sides(compare(t, b), 1000, 101);
    assert_int_equal(made, 2);
    t->options.by = VIEW_BY_FILE;
    assert_int_equal(compare(t, b)->count, 1);
    assert_int_equal(made, 3);
    t->options.by = VIEW_BY_ADDRESS;
    assert_int_equal(compare(t, b)->count, FUNCTIONS);
    t->options.by = VIEW_BY_ARC;
    assert_int_equal(compare(t, b)->count, FUNCTIONS);
    assert_int_equal(made, 5);
    char text[80];
    assert_true(view_ignore_parse("beta", &t->options.ignore, text, sizeof(text)));
    assert_sides(compare(t, b), 800, 81);
    baseline_free(b);
}

/* Counts alone are no reason before it is due; what is asked for is. */
static void test_effort(void **state)
{
    struct target *t = *state;

    made = 0;
    count_hits(t, 100, 200, 300, 400);
    struct baseline *b = take_base(t);
    baseline_set_effort(b, 1e-9);
    count_hits(t, 10, 20, 30, 40);
    assert_sides(compare(t, b), 1000, 100);
    count_hits(t, 1, 2, 3, 4);
    assert_sides(compare(t, b), 1000, 100);
    t->options.by = VIEW_BY_FILE;
    assert_sides(compare(t, b), 1000, 110);
    assert_int_equal(made, 2);
    baseline_set_effort(b, 1);
    restart(t, 2);
    count_hits(t, 5, 5, 5, 5);
    assert_sides(compare(t, b), 1000, 20);
    baseline_free(b);
}

/* MPROF_BENCH=1: what a frame of so many functions costs. */
static void test_cost(void **state)
{
    struct target *t = *state;
    const struct view_layout layout = {.width = 200, .height = 50, .footer = "q"};
    struct profile_hit rows[MANY];
    unsigned rounds = getenv("MPROF_BENCH") ? 200 : 2;
    struct profile *p = &t->watch.profile;
    double whole = 0, again = 0;

    p->rows = calloc(MANY, sizeof(rows[0]));
    p->row_count = p->used = MANY;
    p->sample_hz = 1000;
    p->cores = 1;
    for (int i = 0; i < MANY; i++) {
        char name[20];
        snprintf(name, sizeof(name), "f_%d", i + 1);
        p->rows[i] =
            (struct profile_hit){.addr = addr_of(t->watch.session.elf.symtab, name), .stamp = 1};
    }
    made = 0;
    struct baseline *b = NULL;
    for (unsigned round = 0; round <= rounds; round++) {
        for (int i = 0; i < MANY; i++) {
            p->rows[i].hits += 1 + (uint64_t)(random() % 100);
            p->attributed += p->rows[i].hits;
        }
        p->heartbeat += 1000;
        p->updated_s = monotonic_s();
        if (!b) {
            b = take_base(t);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            struct view_frame frame;
            double before = monotonic_s();
            assert_true(baseline_frame(b, &t->watch, p, &t->options, &layout, &frame, t->text,
                                       sizeof(t->text)));
            *(i ? &again : &whole) += monotonic_s() - before;
            view_frame_free(&frame);
        }
    }
    assert_int_equal(made, rounds);
    print_message("%d functions: %.2f ms a frame, %.2f ms where nothing changed\n", MANY,
                  1e3 * whole / rounds, 1e3 * again / rounds);
    baseline_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TARGET_TEST(test_made_anew_only_when_needed),
        TARGET_TEST(test_effort),
        TARGET_TEST(test_cost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
