/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no row has, over several reads of a table, over a time, and in the recent seconds. */
#include "unit.h"

#include <profile/delta.h>
#include <profile/profile.h>
#include <profile/recent_window.h>

#include "fake_rows.h"

static void update(struct profile *p, const struct fake_rows *f, size_t cores, double now)
{
    struct decode_header headers[2];
    struct profile_object objects[2];
    size_t need;
    char text[120];

    for (size_t i = 0; i < cores; i++) {
        assert_int_equal(
            decode_header(f[i].bytes, f[i].total, &headers[i], &need, text, sizeof(text)),
            DECODE_OK);
        objects[i] = (struct profile_object){.bytes = f[i].bytes, .header = &headers[i]};
    }
    assert_true(profile_update(p, objects, cores, now));
}

/* Regions of 256 bytes, of which two share a counter with each other. */
static void init(struct profile *p, struct fake_rows *f)
{
    profile_init(p);
    fake_rows_init(f, false, 4, FAKE_SAMPLES, 4, 4);
    fake_rows_use(f, 2);
    fake_rows_heartbeat(f, 150);
    fake_rows_row(f, 0, 0x100, 0, 100, 0);
    fake_rows_row(f, 1, 0x200, 0, 50, 0);
}

static void test_updates(void **state)
{
    struct fake_rows f;
    struct profile p;

    init(&p, &f);
    update(&p, &f, 1, 1);
    assert_int_equal(p.rest.count, 2);
    assert_int_equal(p.rest.region_size, 256);
    assert_int_equal(profile_rest_sum(&p.rest), 0);
    assert_true(p.rows[0].complete && p.rows[1].complete);

    /* Row 1 gave way: its 50 hits are in the rest, and 4 that no row took. */
    fake_rows_heartbeat(&f, 190);
    fake_rows_generation(&f, 3);
    fake_rows_row(&f, 0, 0x100, 0, 130, 0);
    fake_rows_row(&f, 1, 0x300, 0, 6, 3);
    fake_rows_rest(&f, 0, 50);
    fake_rows_rest(&f, 1, 4);
    update(&p, &f, 1, 2);
    assert_int_equal(p.attributed, 136);
    assert_int_equal(p.dropped, 54);
    assert_int_equal(p.recent, 36);
    assert_int_equal(p.events, 40);
    assert_int_equal(p.missed, 4);
    assert_int_equal(p.rest.counts[0], 50);
    assert_int_equal(p.rest.recent[0], 0);
    assert_int_equal(p.rest.recent[1], 4);
    assert_true(p.rows[0].complete && !p.rows[1].complete);
    assert_int_equal(p.restarts, 0);

    /* While a row is written it stays as it was; then it has left its hits. */
    fake_rows_row(&f, 1, 0x301, 0, 6, 3);
    fake_rows_rest(&f, 1, 10);
    update(&p, &f, 1, 3);
    assert_true(p.rows[1].stale);
    assert_int_equal(p.rest.recent[1], 6); /* who knows */
    fake_rows_generation(&f, 5);
    fake_rows_row(&f, 1, 0x500, 0, 1, 5);
    update(&p, &f, 1, 4);
    assert_false(p.rows[1].stale);
    assert_int_equal(p.rest.recent[1], 0);
    assert_int_equal(p.restarts, 0);
    profile_free(&p);
}

/* Cleared: the generation went on by 2^16, and the rows contradict what they were. */
static void test_reset(void **state)
{
    struct fake_rows f;
    struct profile p;

    init(&p, &f);
    fake_rows_rest(&f, 1, 7);
    update(&p, &f, 1, 1);
    fake_rows_init(&f, false, 4, FAKE_SAMPLES, 4, 4);
    fake_rows_generation(&f, 0x10001);
    fake_rows_put(&f, 48, 4, 1); /* reset_done */
    fake_rows_use(&f, 1);
    fake_rows_row(&f, 0, 0x700, 0, 3, 0);
    fake_rows_heartbeat(&f, 3);
    update(&p, &f, 1, 2);
    assert_int_equal(p.restarts, 1);
    assert_int_equal(p.attributed, 3);
    assert_int_equal(profile_rest_sum(&p.rest), 0);
    profile_free(&p);
}

/* A stamp that comes again, after more changes than it can count, is no contradiction. */
static void test_stamps_come_again(void **state)
{
    struct fake_rows f;
    struct profile p;

    init(&p, &f);
    fake_rows_row(&f, 1, 0x200, 0, 50, 0x21);
    fake_rows_generation(&f, 0x21);
    update(&p, &f, 1, 1);
    fake_rows_row(&f, 1, 0x900, 0, 2, 0x21);
    fake_rows_generation(&f, 0x10021);
    update(&p, &f, 1, 2);
    assert_int_equal(p.restarts, 0);
    assert_int_equal(p.rows[1].recent, 2);
    fake_rows_row(&f, 1, 0xa00, 0, 5, 0x21);
    fake_rows_generation(&f, 0x10023);
    update(&p, &f, 1, 3);
    assert_int_equal(p.restarts, 1);
    profile_free(&p);
}

/* What two cores lost is one sum, which does not say whose it was. */
static void test_cores(void **state)
{
    struct fake_rows f[2];
    struct profile p;

    for (unsigned core = 0; core < 2; core++) {
        init(&p, &f[core]);
        fake_rows_put(&f[core], 104, 1, core);
        fake_rows_put(&f[core], 105, 1, 2);
        fake_rows_rest(&f[core], 1, 5 + core);
    }
    update(&p, f, 2, 1);
    assert_int_equal(p.rest.counts[1], 11);
    assert_int_equal(p.dropped, 11);
    assert_false(p.rows[0].complete);
    profile_free(&p);
}

/* A row that is another one since has left its hits to the rest, where they are not new. */
static void test_delta(void **state)
{
    struct fake_rows f;
    struct profile base, now, p;

    init(&base, &f);
    fake_rows_rest(&f, 1, 5);
    update(&base, &f, 1, 1);
    assert_true(profile_copy(&base, &now));
    fake_rows_row(&f, 0, 0x100, 0, 120, 0);
    fake_rows_row(&f, 1, 0x400, 0, 8, 3);
    fake_rows_generation(&f, 3);
    fake_rows_rest(&f, 0, 52);
    fake_rows_rest(&f, 1, 9);
    fake_rows_heartbeat(&f, 189);
    update(&now, &f, 1, 3);
    assert_true(profile_delta(&base, &now, &p));
    assert_int_equal(p.rows[0].hits, 20);
    assert_int_equal(p.rows[1].hits, 8);
    assert_int_equal(p.rest.counts[0], 2);
    assert_int_equal(p.rest.counts[1], 4);
    assert_int_equal(p.dropped, 6);
    assert_int_equal(p.attributed + p.dropped, 189 - 155);
    assert_true(p.rows[0].complete && !p.rows[1].complete);
    profile_free(&p);
    profile_free(&base);
    profile_free(&now);
}

/* A new row has the generation as its stamp until nothing can be lost of it, then 0. It is one row
 * all the time: its hits are counted once, and none of them is taken for lost. */
static void test_row_becomes_complete(void **state)
{
    struct recent_window *window = recent_window_new();
    struct fake_rows f;
    struct profile base, now, p;

    assert_non_null(window);
    init(&now, &f);
    fake_rows_row(&f, 1, 0x200, 0, 40, 1);
    fake_rows_rest(&f, 0, 7);
    update(&now, &f, 1, 0.5);
    assert_true(recent_window_add(window, &now));
    assert_true(profile_copy(&now, &base));
    assert_false(now.rows[1].complete);

    fake_rows_row(&f, 1, 0x200, 0, 46, 0);
    fake_rows_rest(&f, 0, 9);
    fake_rows_heartbeat(&f, 158);
    update(&now, &f, 1, 1.5);
    assert_true(recent_window_add(window, &now));
    assert_int_equal(now.restarts, 0);
    assert_true(now.rows[1].complete);
    assert_int_equal(now.rows[1].recent, 6);
    assert_int_equal(now.recent, 6);
    assert_int_equal(now.rest.recent[0], 2);
    assert_int_equal(now.missed, 2);

    assert_true(recent_window_profile(window, &now, 10, &p));
    assert_int_equal(p.row_count, 1);
    assert_int_equal(p.rows[0].hits, 6);
    assert_int_equal(p.dropped, 2);
    profile_free(&p);

    assert_true(profile_delta(&base, &now, &p));
    assert_int_equal(p.rows[1].hits, 6);
    assert_int_equal(p.dropped, 2);
    assert_int_equal(p.attributed + p.dropped, 158 - 150);
    profile_free(&p);
    profile_free(&base);

    /* Fewer hits than before at the same address: it was cleared. */
    fake_rows_row(&f, 1, 0x200, 0, 3, 0);
    update(&now, &f, 1, 2.5);
    assert_int_equal(now.restarts, 1);
    profile_free(&now);
    recent_window_free(window);
}

static void test_recent_seconds(void **state)
{
    struct recent_window *window = recent_window_new();
    struct fake_rows f;
    struct profile p, last;

    assert_non_null(window);
    init(&p, &f);
    fake_rows_rest(&f, 1, 5);
    update(&p, &f, 1, 0.5);
    assert_true(recent_window_add(window, &p));
    for (unsigned second = 1; second <= 4; second++) {
        fake_rows_rest(&f, 1, 5 + 10 * second);
        fake_rows_row(&f, 0, 0x100, 0, 100 + second, 0);
        fake_rows_heartbeat(&f, 150 + 11 * second);
        update(&p, &f, 1, 0.5 + second);
        assert_true(recent_window_add(window, &p));
    }
    assert_true(recent_window_profile(window, &p, 2, &last));
    assert_int_equal(last.rest.counts[1], 20);
    assert_int_equal(last.rest.counts[0], 0);
    assert_int_equal(last.dropped, 20);
    assert_int_equal(last.row_count, 1);
    assert_true(last.rows[0].complete);
    assert_int_equal(last.rows[0].hits, 2);
    profile_free(&last);
    recent_window_free(window);
    profile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_stamps_come_again),
        cmocka_unit_test(test_cores),
        cmocka_unit_test(test_delta),
        cmocka_unit_test(test_row_becomes_complete),
        cmocka_unit_test(test_recent_seconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
