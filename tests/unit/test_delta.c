/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was counted between two readings of one table. */
#include "unit.h"
#include <profile/delta.h>

static struct profile of(struct profile_hit *rows, size_t count, double updated_s)
{
    struct profile p;

    profile_init(&p);
    p.rows = rows;
    p.row_count = p.used = count;
    p.updated_s = updated_s;
    return p;
}

static struct profile delta(const struct profile *base, const struct profile *now)
{
    struct profile p;

    assert_true(profile_delta(base, now, &p));
    return p;
}

static void test_rows(void **state)
{
    struct profile_hit before[] = {
        {.addr = 0x10, .hits = 100, .inherited = 9, .stamp = 1},
        {.addr = 0x20, .hits = 0xfffffff0, .stamp = 2},
        {.addr = 0x30, .hits = 40, .stamp = 3},
        {.addr = 0x40, .hits = 7, .stamp = 4},
        {.addr = 0, .hits = 0, .stamp = 0},
    };
    struct profile_hit after[] = {
        {.addr = 0x10, .hits = 150, .inherited = 9, .stamp = 1},
        {.addr = 0x20, .hits = 0x10, .stamp = 2},                /* wrapped */
        {.addr = 0x80, .hits = 60, .inherited = 45, .stamp = 9}, /* it had come to 45 */
        {.addr = 0x40, .hits = 7, .stamp = 4},
        {.addr = 0x50, .hits = 5, .stamp = 10},
    };
    struct profile base = of(before, 5, 10), now = of(after, 5, 12.5);

    base.dropped = 0xfffffffe;
    now.dropped = 3;
    base.heartbeat = 100;
    now.heartbeat = 250;
    struct profile p = delta(&base, &now);
    assert_int_equal(p.rows[0].hits, 50);
    assert_int_equal(p.rows[0].inherited, 0);
    assert_int_equal(p.rows[1].hits, 0x20);
    assert_int_equal(p.rows[2].hits, 20);
    assert_int_equal(p.rows[2].inherited, 5);
    assert_int_equal(p.rows[3].hits, 0);
    assert_int_equal(p.rows[4].hits, 5);
    assert_int_equal(p.attributed, 50 + 0x20 + 20 + 5);
    assert_int_equal(p.used, 4);
    assert_int_equal(p.recent, p.attributed);
    assert_int_equal(p.dropped, 5);
    assert_int_equal(p.missed, 5);
    assert_int_equal(p.heartbeat, 150);
    assert_true(p.recent_s > 2.49 && p.recent_s < 2.51);
    profile_free(&p);
}

/* Rows of a table without a header have other places each time; decay takes some away. */
static void test_plain(void **state)
{
    struct profile_hit before[] = {{.addr = 0x10, .hits = 100}, {.addr = 0x30, .hits = 40}};
    struct profile_hit after[] = {
        {.addr = 0x08, .hits = 3}, {.addr = 0x10, .hits = 130}, {.addr = 0x30, .hits = 30}};
    struct profile base = of(before, 2, 1), now = of(after, 3, 2);

    base.headerless = now.headerless = true;
    struct profile p = delta(&base, &now);
    assert_int_equal(p.rows[0].hits, 3);
    assert_int_equal(p.rows[1].hits, 30);
    assert_int_equal(p.rows[2].hits, 0);
    assert_int_equal(p.attributed, 33);
    profile_free(&p);
}

/* A stream's rows grow in number; a target that began anew is counted from nothing. */
static void test_more_rows(void **state)
{
    struct profile_hit before[] = {{.addr = 1, .hits = 4, .stamp = 1}};
    struct profile_hit after[] = {{.addr = 1, .hits = 6, .stamp = 1},
                                  {.addr = 9, .hits = 2, .stamp = 1}};
    struct profile base = of(before, 1, 1), now = of(after, 2, 2), none;

    struct profile p = delta(&base, &now);
    assert_int_equal(p.attributed, 4);
    profile_free(&p);
    profile_init(&none);
    p = delta(&none, &now);
    assert_int_equal(p.attributed, 8);
    profile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_more_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
