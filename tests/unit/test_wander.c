/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of a run, and the coefficients that tell how shares wander. */
#include <math.h>

#include "unit.h"

#include <profile/stats.h>
#include <wander/wander.h>

#define PLACE(address)                  \
    (struct wander_place)               \
    {                                   \
        .addr = (address), .caller = 0, \
    }

static void poll(struct slices *s, uint64_t a, uint64_t b)
{
    if (a)
        assert_true(slices_add(s, PLACE(1), a));
    if (b)
        assert_true(slices_add(s, PLACE(2), b));
    slices_end_poll(s);
}

/* What is known of both places, added up. */
static struct wander all_of(const struct wander_list *list)
{
    struct wander all = {.hits = 0};

    for (size_t i = 0; i < list->count; i++)
        wander_add(&all, &list->rows[i].wander, 1);
    return all;
}

static double spread_of(const struct wander_list *list, size_t row)
{
    const struct wander all = all_of(list);

    return wander_spread(&list->rows[row].wander, &all, list->cosines);
}

/* By hand: 16 slices of 100 hits, of which the first place has all in the first half. */
static void test_coefficients(void **state)
{
    struct slices *s = slices_new();
    struct wander_list list;
    double wanted[WANDER_COSINES] = {0}, first = 0;

    for (int k = 0; k < 16; k++)
        poll(s, k < 8 ? 100 : 0, k < 8 ? 0 : 100);
    slices_wander(s, &list);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.cosines, WANDER_COSINES);
    for (int j = 0; j < WANDER_COSINES; j++) {
        for (int k = 0; k < 8; k++)
            wanted[j] += 100 * sqrt(2) * cos(3.14159265358979 * (j + 1) * (k + 0.5) / 16);
        assert_near(list.rows[0].wander.cosine[j], wanted[j], 1e-6);
        assert_near(list.rows[1].wander.cosine[j], -wanted[j], 1e-6);
        first += j < 4 ? wanted[j] * wanted[j] : 0;
    }
    assert_near(list.rows[0].wander.hits, 800, 0);
    /* Over the variance of counting, 1600 / 4, by Student's t with 4 degrees of freedom: it is
     * slow. */
    assert_near(spread_of(&list, 0), first / 4 / 400 * pow(2.776 / 1.96, 2), 1e-2 * first / 1600);
    wander_list_free(&list);
    slices_free(s);
}

/* By all cosines; of a variance of 1.5 times counting and more, also by the first four. */
static void test_slow(void **state)
{
    const struct wander all = {.hits = 1600};
    struct wander row = {.hits = 800};

    for (int j = 0; j < WANDER_COSINES; j++)
        row.cosine[j] = j < 4 ? sqrt(400 * 2) : sqrt(400 * 0.9);
    assert_near(wander_spread(&row, &all, 8), 1.45 * pow(2.306 / 1.96, 2), 0.01);
    assert_near(wander_spread(&row, &all, 6), 2 * pow(2.776 / 1.96, 2), 0.01);
    for (int j = 4; j < WANDER_COSINES; j++)
        row.cosine[j] = sqrt(400 * 1.1);
    assert_near(wander_spread(&row, &all, 8), 2 * pow(2.776 / 1.96, 2), 0.01);
    for (int j = 0; j < 4; j++)
        row.cosine[j] = sqrt(400 * 0.1);
    for (int j = 4; j < WANDER_COSINES; j++)
        row.cosine[j] = sqrt(400 * 3.9);
    assert_near(wander_spread(&row, &all, 8), 2 * pow(2.306 / 1.96, 2), 0.01);
}

/* What is the same in each poll does not wander, however many polls there were. */
static void test_many_polls(void **state)
{
    for (int polls = 1; polls <= 3000; polls += polls < 40 ? 1 : 997) {
        struct slices *s = slices_new();
        struct wander_list list;
        for (int k = 0; k < polls; k++)
            poll(s, 30, 90);
        slices_wander(s, &list);
        assert_int_equal(list.cosines, polls < 8 ? 0 : polls < 16 ? polls / 2 : WANDER_COSINES);
        assert_int_equal(list.count, polls < 8 ? 0 : 2);
        if (polls >= 8) {
            assert_near(list.rows[1].wander.hits, 90 * polls, 0);
            assert_near(spread_of(&list, 0), 1, 0);
        }
        wander_list_free(&list);
        slices_free(s);
    }
}

/* A place that appears late has had no hits before, and hits of one place add up to its parts. */
static void test_late(void **state)
{
    struct slices *s = slices_new();
    struct wander_list list;

    for (int k = 0; k < 100; k++)
        poll(s, 50, k < 50 ? 0 : 50);
    slices_wander(s, &list);
    assert_near(list.rows[1].wander.hits, 2500, 0);
    /* Two thirds of the time, it has none: its first cosine is large, and negative. */
    assert_true(list.rows[1].wander.cosine[0] < -1000);
    assert_true(spread_of(&list, 1) > 100);
    struct wander half = {.hits = 0};
    wander_add(&half, &list.rows[1].wander, 0.5);
    assert_near(half.cosine[0], list.rows[1].wander.cosine[0] / 2, 1e-9);
    wander_list_free(&list);
    /* Polls of a halted target do not count. A new run has none of the hits. */
    slices_clear(s);
    slices_wander(s, &list);
    assert_int_equal(list.count, 0);
    slices_free(s);
}

/* Few hits say nothing, and neither does a share of all. */
static void test_few_hits(void **state)
{
    struct slices *s = slices_new();
    struct wander_list list;

    for (int k = 0; k < 16; k++)
        poll(s, k == 0 ? 19 : 0, 1000);
    slices_wander(s, &list);
    assert_near(spread_of(&list, 0), 1, 0);
    assert_near(spread_of(&list, 1), 1, 0);
    wander_list_free(&list);
    slices_free(s);
}

/* Places of several cores are one place: its wander is given once. */
static void test_taken_once(void **state)
{
    struct slices *s = slices_new();
    struct wander_list list, copy;
    bool taken[2] = {false, false};

    for (int k = 0; k < 16; k++)
        poll(s, 1, 1);
    slices_wander(s, &list);
    wander_list_copy(&list, &copy);
    assert_non_null(wander_list_take(&copy, PLACE(2), taken));
    assert_null(wander_list_take(&copy, PLACE(2), taken));
    assert_null(wander_list_take(&copy, PLACE(3), taken));
    assert_non_null(wander_list_take(&copy, PLACE(1), taken));
    wander_list_free(&list);
    wander_list_free(&copy);
    slices_free(s);
}

/* So many places are not kept: counting only. */
static void test_too_many(void **state)
{
    struct slices *s = slices_new();
    struct wander_list list;
    uint64_t places = 0;

    while (slices_add(s, PLACE(places), 1))
        places++;
    assert_int_equal(places, 65536);
    for (int k = 0; k < 16; k++)
        slices_end_poll(s);
    slices_wander(s, &list);
    assert_int_equal(list.count, 0);
    slices_clear(s);
    assert_true(slices_add(s, PLACE(7), UINT32_MAX));
    assert_false(slices_add(s, PLACE(7), 1));
    slices_free(s);
}

/* Half as many samples that tell something make an interval that is wider by the root of 2. */
static void test_interval(void **state)
{
    struct stats_count count = {.hits = 4000, .least = 4000, .most = 4000};
    struct stats_whole whole = {.attributed = 10000, .sampled = true};
    struct stats_share counting = stats_share_of(&count, &whole);

    count.spread = 2;
    struct stats_share wider = stats_share_of(&count, &whole);
    assert_near((wider.high - wider.low) / (counting.high - counting.low), sqrt(2), 1e-3);
    assert_near(wider.value, counting.value, 0);
    whole.located = true;
    assert_near(stats_share_of(&count, &whole).low, wider.low, 1e-12);
    whole.sampled = false; /* calls have no error */
    assert_near(stats_share_of(&count, &whole).low, 0.4, 1e-12);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_slow),       cmocka_unit_test(test_coefficients),
    cmocka_unit_test(test_many_polls), cmocka_unit_test(test_late),
    cmocka_unit_test(test_few_hits),   cmocka_unit_test(test_taken_once),
    cmocka_unit_test(test_too_many),   cmocka_unit_test(test_interval),
};

int main(void)
{
    return cmocka_run_group_tests(tests, NULL, NULL);
}
