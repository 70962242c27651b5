/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the target's table lost, in a snapshot: the same rows may have lost the same. */
#include <math.h>

#include "unit.h"

#include "snapshot_checks.h"

#define REGIONS 8

/* A profile of which some was lost; of its rows, every third one is whole. */
static struct profile lossy(uint32_t seed, unsigned block_size, size_t regions)
{
    struct profile p = checks_profile(seed, block_size, false);

    assert_true(profile_rest_init(&p.rest, regions, 256));
    p.dropped = 0;
    for (size_t i = 0; i < regions; i++) {
        p.rest.counts[i] = i % 3 == 1 ? 0 : 5 + 7 * i;
        p.dropped += (uint32_t)p.rest.counts[i];
    }
    for (size_t i = 0; i < p.row_count; i++) {
        p.rows[i].inherited = 0;
        p.rows[i].stamp = 1;
        p.rows[i].complete = i % 3 == 0 && p.rows[i].hits != 0;
    }
    return p;
}

/* Rows of both by that, and that each may have lost the same; how many may have lost anything. */
static size_t compare(enum view_by by, const struct profile *a, const struct symbol_naming *of_a,
                      const struct profile *b, const struct symbol_naming *of_b)
{
    struct view_rows left, right;
    size_t partial = 0;

    assert_true(view_rows_build_named(a, of_a, by, NULL, &left));
    assert_true(view_rows_build_named(b, of_b, by, NULL, &right));
    assert_int_equal(left.count, right.count);
    for (size_t i = 0; i < left.count; i++) {
        const struct view_row *x = &left.rows[i], *y = &right.rows[i];
        assert_int_equal(x->line, y->line);
        assert_true(x->addr == y->addr);
        assert_int_equal(x->hits, y->hits);
        assert_int_equal(x->unseen.most, y->unseen.most);
        assert_int_equal(x->unseen.least, y->unseen.least);
        /* A snapshot does not know how much of a block is padding. */
        assert_true(by == VIEW_BY_ADDRESS || fabs(x->unseen.likely - y->unseen.likely) < 1e-6);
        assert_true(fabs(x->share.high - y->share.high) < 1e-9);
        partial += x->unseen.most != 0;
    }
    view_rows_free(&left);
    view_rows_free(&right);
    return partial;
}

static void test_same_rows(void **state)
{
    const struct symbol_naming names = checks_naming();

    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct profile p = lossy(seed, seed % 2 ? 16 : 8, REGIONS);
        struct snapshot *s = checks_make(&p, "");
        struct snapshot *copy = checks_copy(s);
        struct profile back = checks_back(copy, "samples");
        const struct symbol_naming of_copy = snapshot_naming(copy);
        assert_int_equal(back.rest.count, REGIONS);
        /* Places that may have lost something are no rows of the table. */
        assert_true(back.row_count > back.used);
        assert_int_equal(back.capacity, 0);
        assert_int_equal(profile_rest_sum(&back.rest), p.dropped);
        assert_true(compare(VIEW_BY_FUNCTION, &p, &names, &back, &of_copy) > 5);
        compare(VIEW_BY_LINE, &p, &names, &back, &of_copy);
        compare(VIEW_BY_INLINE, &p, &names, &back, &of_copy);
        compare(VIEW_BY_ADDRESS, &p, &names, &back, &of_copy);
        profile_free(&back);
        snapshot_free(copy);
        snapshot_free(s);
        profile_free(&p);
    }
}

/* Nothing lost: the file is as it always was. */
static void test_nothing_lost(void **state)
{
    struct profile p = lossy(3, 16, REGIONS), without = checks_profile(3, 16, false);
    size_t a_len, b_len;

    memset(p.rest.counts, 0, REGIONS * sizeof(*p.rest.counts));
    p.dropped = without.dropped;
    for (size_t i = 0; i < p.row_count; i++)
        p.rows[i].inherited = without.rows[i].inherited;
    struct snapshot *a = checks_make(&p, ""), *b = checks_make(&without, "");
    uint8_t *a_bytes = snapshot_bytes(a, &a_len), *b_bytes = snapshot_bytes(b, &b_len);
    assert_int_equal(a_len, b_len);
    assert_memory_equal(a_bytes, b_bytes, a_len);
    free(a_bytes);
    free(b_bytes);
    snapshot_free(a);
    snapshot_free(b);
    profile_free(&p);
    profile_free(&without);
}

static struct snapshot *merged(struct snapshot *a, struct snapshot *b)
{
    static const char *const names[] = {"a", "b"};
    const struct snapshot *both[] = {a, b};
    struct snapshot *sum = NULL;
    char text[120] = "";

    assert_int_equal(snapshot_merge(both, names, 2, &sum, text, sizeof(text)), SNAPSHOT_OK);
    return sum;
}

/* Each row may have all that was lost, and none must have it. */
static void check_any_row(struct snapshot *s, uint64_t lost)
{
    const struct symbol_naming names = snapshot_naming(s);
    struct profile p = checks_back(s, "samples");
    struct view_rows rows;

    assert_true(view_rows_build_named(&p, &names, VIEW_BY_FUNCTION, NULL, &rows));
    assert_true(rows.count > 5);
    for (size_t i = 0; i < rows.count; i++) {
        assert_int_equal(rows.rows[i].unseen.most, lost);
        assert_int_equal(rows.rows[i].unseen.least, 0);
    }
    view_rows_free(&rows);
    profile_free(&p);
}

/* Of a sum nothing is whole: what one has, the other may have lost. */
static void test_merge(void **state)
{
    struct profile p = lossy(1, 16, REGIONS), q = lossy(2, 16, REGIONS);
    struct profile none = checks_profile(4, 16, false), other = lossy(5, 16, 2 * REGIONS);
    struct snapshot *a = checks_make(&p, ""), *b = checks_make(&q, "");
    struct snapshot *whole = checks_make(&none, ""), *large = checks_make(&other, "");

    whole->conditions.dropped = 0;
    struct snapshot *sum = merged(a, b);
    assert_int_equal(sum->rest.counts[2], 2 * p.rest.counts[2]);
    for (size_t i = 0; i < sum->sample_count; i++)
        assert_true(sum->samples[i].partial);
    snapshot_free(sum);
    sum = merged(whole, a);
    assert_int_equal(sum->rest.counts[2], p.rest.counts[2]);
    snapshot_free(sum);
    sum = merged(a, large); /* regions of the one are not regions of the other */
    assert_int_equal(sum->rest.count, 1);
    assert_int_equal(sum->rest.counts[0], p.dropped + other.dropped);
    assert_true(sum->samples[0].partial);
    assert_int_equal(sum->conditions.dropped, p.dropped + other.dropped);
    snapshot_free(sum);
    whole->conditions.dropped = 3; /* and nobody knows where */
    sum = merged(a, whole);
    assert_int_equal(sum->rest.count, 1);
    assert_int_equal(sum->rest.counts[0], p.dropped + 3);
    check_any_row(sum, p.dropped + 3);
    struct snapshot *again = merged(sum, a), *other_way = merged(a, sum);
    assert_int_equal(again->rest.counts[0], 2 * p.dropped + 3);
    assert_int_equal(other_way->rest.counts[0], 2 * p.dropped + 3);
    snapshot_free(again);
    snapshot_free(other_way);
    snapshot_free(sum);
    large->conditions.dropped = 2;
    profile_rest_free(&large->rest); /* both do not say where */
    sum = merged(whole, large);
    assert_null(sum->rest.counts);
    assert_false(sum->samples[0].partial);
    snapshot_free(sum);
    snapshot_free(a);
    snapshot_free(b);
    snapshot_free(whole);
    snapshot_free(large);
    profile_free(&p);
    profile_free(&q);
    profile_free(&none);
    profile_free(&other);
}

/* More counters than one comment holds. */
static void test_many_regions(void **state)
{
    struct profile p = lossy(6, 16, 4096);
    struct snapshot *s = checks_make(&p, ""), *copy = checks_copy(s);

    assert_int_equal(copy->rest.count, 4096);
    assert_memory_equal(copy->rest.counts, p.rest.counts, 4096 * sizeof(*p.rest.counts));
    snapshot_free(copy);
    snapshot_free(s);
    profile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_rows),
        cmocka_unit_test(test_nothing_lost),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_many_regions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
