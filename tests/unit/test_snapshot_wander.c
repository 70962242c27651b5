/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How shares wander, in a snapshot: the same intervals when it is shown again. */
#include <math.h>

#include "unit.h"

#include "snapshot_checks.h"

/* A profile, and polls in which its rows wander. */
static struct profile polled(uint32_t seed, unsigned polls)
{
    struct profile p = checks_profile(seed, 16, false);
    struct slices *slices = slices_new();

    for (unsigned k = 0; k < polls; k++) {
        for (size_t i = 0; i < p.row_count; i++) {
            uint64_t part = p.rows[i].hits * ((3 * k / polls + i) % 3) / polls;
            if (part)
                assert_true(slices_add(slices, profile_place(&p.rows[i]), part));
        }
        slices_end_poll(slices);
    }
    slices_wander(slices, &p.wander);
    slices_free(slices);
    return p;
}

/* How many rows of a profile have wider intervals than by counting; they are those of another one.
 */
static size_t compare(enum view_by by, const struct profile *a, const struct symbol_naming *of_a,
                      const struct profile *b, const struct symbol_naming *of_b)
{
    struct profile counting = *a; /* of the same rows */
    struct view_rows left, right, narrow;
    size_t wider = 0;

    counting.wander = (struct wander_list){.count = 0};
    assert_true(view_rows_build_named(a, of_a, by, NULL, &left));
    assert_true(view_rows_build_named(b, of_b, by, NULL, &right));
    assert_true(view_rows_build_named(&counting, of_a, by, NULL, &narrow));
    assert_false(view_counting_only(&left));
    assert_false(view_counting_only(&right));
    assert_true(view_counting_only(&narrow));
    assert_int_equal(left.count, right.count);
    for (size_t i = 0; i < left.count; i++) {
        const struct stats_share *x = &left.rows[i].share, *y = &right.rows[i].share;
        const struct stats_share *z = &narrow.rows[i].share;
        /* The file has whole numbers. */
        assert_near((y->high - y->low) / (x->high - x->low), 1, 0.02);
        assert_true(x->low <= z->low + 1e-12 && x->high >= z->high - 1e-12);
        wider += x->high - x->low > 1.5 * (z->high - z->low);
    }
    view_rows_free(&left);
    view_rows_free(&right);
    view_rows_free(&narrow);
    return wider;
}

static void test_same_intervals(void **state)
{
    const struct symbol_naming names = checks_naming();

    for (uint32_t seed = 1; seed <= 5; seed++) {
        struct profile p = polled(seed, 40);
        struct snapshot *made = checks_make(&p, "board"), *s = checks_copy(made);
        struct profile back = checks_back(s, "samples");
        const struct symbol_naming kept = snapshot_naming(s);
        size_t wider = 0;
        for (enum view_by by = VIEW_BY_FUNCTION; by <= VIEW_BY_ADDRESS; by++)
            wider += compare(by, &p, &names, &back, &kept);
        assert_true(wider > 20);
        profile_free(&p);
        profile_free(&back);
        snapshot_free(made);
        snapshot_free(s);
    }
}

/* A sum has the sums of both, in any order; a part that knows fewer cosines is all that is known.
 */
static void test_sum(void **state)
{
    struct profile a = polled(1, 40), b = polled(2, 12), c = polled(3, 1);
    struct snapshot *sum[2],
        *parts[] = {checks_make(&a, "x"), checks_make(&b, "x"), checks_make(&c, "x")};
    const char *const names[] = {"a", "b", "c"};
    char text[200];

    assert_int_equal(a.wander.cosines, 8);
    assert_int_equal(b.wander.cosines, 6);
    assert_int_equal(parts[2]->wander_count, 0);
    for (int turn = 0; turn < 2; turn++) {
        const struct snapshot *all[] = {parts[turn ? 2 : 0], parts[1], parts[turn ? 0 : 2]};
        assert_int_equal(snapshot_merge(all, names, 3, &sum[turn], text, sizeof(text)),
                         SNAPSHOT_OK);
    }
    assert_true(checks_same(sum[0], sum[1]));
    assert_int_equal(sum[0]->cosines, 6);
    int64_t hits = 0, wanted = 0;
    for (int i = 0; i < 2; i++)
        for (size_t n = 0; n < parts[i]->wander_count; n++)
            wanted += parts[i]->wanders[n].hits;
    for (size_t n = 0; n < sum[0]->wander_count; n++) {
        hits += sum[0]->wanders[n].hits;
        assert_int_equal(sum[0]->wanders[n].cosine[6], 0);
    }
    assert_int_equal(hits, wanted);
    struct snapshot *copy = checks_copy(sum[0]);
    assert_int_equal(copy->wander_count, sum[0]->wander_count);
    snapshot_free(copy);
    for (int i = 0; i < 3; i++)
        snapshot_free(parts[i]);
    snapshot_free(sum[0]);
    snapshot_free(sum[1]);
    profile_free(&a);
    profile_free(&b);
    profile_free(&c);
}

/* Of the runs of a file, each has its own. */
static void test_runs(void **state)
{
    struct profile a = polled(1, 40), b = polled(2, 40), back;
    struct snapshot *parts[] = {checks_make(&a, "x"), checks_make(&b, "x")}, *joined;
    char text[200];

    for (int i = 0; i < 2; i++)
        parts[i]->time_ns = parts[i]->duration_ns = 1000 + i;
    assert_int_equal(snapshot_join(parts, 2, &joined, text, sizeof(text)), SNAPSHOT_OK);
    struct snapshot *s = checks_copy(joined);
    for (uint32_t run = 1; run <= 2; run++) {
        const struct profile *from = run == 1 ? &a : &b;
        const struct symbol_naming names = checks_naming(), kept = snapshot_naming(s);
        assert_int_equal(snapshot_run_profile(s, 0, run, false, &back, text, sizeof(text)),
                         SNAPSHOT_OK);
        assert_true(compare(VIEW_BY_ADDRESS, from, &names, &back, &kept) > 5);
        profile_free(&back);
    }
    snapshot_free(joined);
    snapshot_free(s);
    snapshot_free(parts[0]);
    snapshot_free(parts[1]);
    profile_free(&a);
    profile_free(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_same_intervals),
    cmocka_unit_test(test_sum),
    cmocka_unit_test(test_runs),
};

int main(void)
{
    return cmocka_run_group_tests(tests, NULL, NULL);
}
