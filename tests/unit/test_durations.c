/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles and deviations of durations, against sorted ones. */
#include <math.h>
#include <stdlib.h>

#include "unit.h"
#include <trace/durations.h>

#define MOST 20000

static struct durations made;
static int64_t ticks[MOST];
static size_t count;

static int remove_all(void **state)
{
    durations_free(&made);
    count = 0;
    return 0;
}

static void add(struct durations *to, int64_t duration)
{
    assert_true(durations_add(to, duration));
    ticks[count++] = duration;
}

static int compare(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* error: relative; 0: quantiles are exact. */
static void check(struct durations *d, double error)
{
    static const double parts[] = {0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1};
    double sum = 0, squares = 0, n = (double)count;

    qsort(ticks, count, sizeof(*ticks), compare);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        size_t rank = (size_t)fmax(1, ceil(parts[i] * n));
        double expected = (double)ticks[rank - 1];
        assert_near(durations_quantile(d, parts[i]), expected, error * expected);
    }
    for (size_t i = 0; i < count; i++)
        sum += (double)ticks[i];
    for (size_t i = 0; i < count; i++)
        squares += ((double)ticks[i] - sum / n) * ((double)ticks[i] - sum / n);
    assert_int_equal(d->count, count);
    assert_true(d->min == ticks[0] && d->max == ticks[count - 1]);
    assert_near(durations_mean(d), sum / n, 1e-9 * sum / n);
    assert_near(durations_deviation(d), sqrt(squares / (n - 1)), 1e-6 * sum / n);
    assert_true(durations_are_exact(d) == (error <= 0));
}

static void test_none(void **state)
{
    assert_near(durations_quantile(&made, 0.5), -1, 0);
    assert_near(durations_mean(&made), -1, 0);
    add(&made, 7);
    assert_near(durations_quantile(&made, 0.5), 7, 0);
    assert_near(durations_deviation(&made), -1, 0);
}

static void test_exact(void **state)
{
    for (int64_t i = 0; i < DURATIONS_EXACT; i++) {
        add(&made, i * 7919 % 100003);
        if (i == 1 || i == 2 || i == 100)
            check(&made, 0);
    }
    check(&made, 0);
}

/* All sizes, up to the largest that two times of a trace can be apart. */
static void test_classes(void **state)
{
    uint64_t random = 1;

    for (size_t i = 0; i < MOST; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        add(&made, (int64_t)((random >> 2 | 1u << 20) >> (random >> 3) % 62));
    }
    check(&made, DURATIONS_ERROR);
}

/* Below 128 ticks, classes are exact, as are durations that are all alike. */
static void test_small(void **state)
{
    for (int64_t i = 0; i < MOST; i++)
        add(&made, i * 31 % 128);
    for (int part = 1; part <= 100; part++)
        assert_near(durations_quantile(&made, part / 100.0), ceil(1.28 * part) - 1, 0);
    remove_all(state);
    for (int64_t i = 0; i < MOST; i++)
        add(&made, 12345678);
    assert_near(durations_quantile(&made, 0.5), 12345678, 0);
    assert_near(durations_deviation(&made), 0, 0);
}

struct seen {
    uint64_t count;
    size_t calls;
    double last;
};

static void see(void *seen, double duration, uint64_t number)
{
    struct seen *s = seen;

    assert_true(number != 0 && (s->calls == 0 || duration > s->last));
    s->calls++;
    s->last = duration;
    s->count += number;
}

static void test_each(void **state)
{
    struct seen few = {.count = 0}, many = {.count = 0};

    for (int64_t i = 0; i < 300; i++)
        add(&made, i % 3 * 1000000);
    durations_each(&made, see, &few);
    assert_true(few.calls == 3 && few.count == 300);
    assert_near(few.last, 2e6, 0);
    for (int64_t i = 0; i < 9000; i++)
        add(&made, i % 3 * 1000000);
    durations_each(&made, see, &many);
    assert_true(many.calls == 3 && many.count == 9300);
    assert_near(many.last, 2e6, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_none, remove_all),
        cmocka_unit_test_teardown(test_exact, remove_all),
        cmocka_unit_test_teardown(test_classes, remove_all),
        cmocka_unit_test_teardown(test_small, remove_all),
        cmocka_unit_test_teardown(test_each, remove_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
