/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile over several reads of a table, and the intervals of its shares. */
#include <math.h>

#include "unit.h"

#include <profile/delta.h>
#include <profile/profile.h>
#include <profile/stats.h>

#include "fake_table.h"

static void update(struct profile *p, const struct fake_table *t, double now)
{
    struct decode_header header;
    size_t need;
    char text[120];

    assert_int_equal(decode_header(t->bytes, fake_total(t), &header, &need, text, sizeof(text)),
                     DECODE_OK);
    const struct profile_object object = {.bytes = t->bytes, .header = &header};
    assert_true(profile_update(p, &object, 1, now));
}

/* A profile without an update, and a table of 32-bit rows. */
static void init_table(struct profile *p, struct fake_table *t, size_t rows, uint32_t generation,
                       uint32_t heartbeat)
{
    profile_init(p);
    fake_init(t, false, 4, rows);
    fake_generation(t, generation);
    fake_heartbeat(t, heartbeat);
}

static void test_recent_hits(void **state)
{
    struct fake_table t;
    struct profile p;

    init_table(&p, &t, 4, 2, 150);
    fake_item(&t, 0, 0x100, 100, 0, 1);
    fake_item(&t, 1, 0x200, 50, 0, 2);
    update(&p, &t, 1.0);
    assert_int_equal(p.attributed, 150);
    assert_int_equal(p.recent, 0);
    assert_true(p.recent_s <= 0);
    assert_int_equal(p.used, 2);

    /* One row grows, one gives way to an address that took over 50 hits, a new one comes. */
    fake_generation(&t, 4);
    fake_heartbeat(&t, 184);
    fake_item(&t, 0, 0x100, 130, 0, 1);
    fake_item(&t, 1, 0x300, 52, 50, 3);
    fake_item(&t, 2, 0x400, 2, 0, 4);
    update(&p, &t, 3.0);
    assert_int_equal(p.attributed, 184);
    assert_int_equal(p.rows[0].recent, 30);
    assert_int_equal(p.rows[1].recent, 2);
    assert_int_equal(p.rows[2].recent, 2);
    assert_int_equal(p.recent, 34);
    assert_int_equal(p.events, 34);
    assert_true(fabs(p.recent_s - 2.0) < 1e-9);
    profile_free(&p);
}

static void test_counter_wraps(void **state)
{
    struct fake_table t;
    struct profile p;

    init_table(&p, &t, 1, 1, 0xfffffff0);
    fake_item(&t, 0, 0x100, 0xfffffff0, 0, 1);
    update(&p, &t, 1.0);
    fake_heartbeat(&t, 0x10);
    fake_item(&t, 0, 0x100, 0x10, 0, 1);
    update(&p, &t, 2.0);
    assert_int_equal(p.rows[0].recent, 0x20);
    assert_int_equal(p.restarts, 0);
    profile_free(&p);
}

/* Polls in which one row after the other has hits. */
static void poll_in_turn(struct profile *p, struct fake_table *t, unsigned polls, double *now)
{
    for (unsigned k = 0; k < polls; k++) {
        fake_item(t, 0, 0x100, 100 + 50 * (k < polls / 2 ? k : polls / 2), 0, 1);
        fake_item(t, 1, 0x200, 100 + 50 * (k < polls / 2 ? 0 : k - polls / 2), 0, 2);
        update(p, t, ++*now);
    }
}

/* How shares wander is known of what came since the first update, of one run of the target. */
static void test_wander(void **state)
{
    struct fake_table t;
    struct profile p, copy;
    double now = 0;

    init_table(&p, &t, 2, 2, 150);
    poll_in_turn(&p, &t, 8, &now);
    assert_int_equal(p.wander.cosines, 0); /* the first update is not a poll of its own */
    poll_in_turn(&p, &t, 8, &now);         /* other counts: restarted */
    assert_int_equal(p.restarts, 1);
    assert_int_equal(p.wander.cosines, 0);
    fake_item(&t, 0, 0x100, 1000, 0, 1);
    fake_item(&t, 1, 0x200, 1000, 0, 2);
    update(&p, &t, ++now);
    profile_begin(&p); /* from here on */
    for (unsigned k = 1; k <= 20; k++) {
        fake_item(&t, 0, 0x100, 1000 + 50 * (k < 10 ? k : 10), 0, 1);
        fake_item(&t, 1, 0x200, 1000 + 50 * (k < 10 ? 0 : k - 10), 0, 2);
        update(&p, &t, ++now);
    }
    assert_int_equal(p.wander.cosines, WANDER_COSINES);
    assert_int_equal(p.wander.count, 2);
    assert_true(p.wander.rows[0].wander.cosine[0] > 300);
    assert_true(p.wander.rows[1].wander.cosine[0] < -300);
    assert_true(profile_copy(&p, &copy));
    assert_int_equal(copy.wander.count, 2);
    profile_begin(&p); /* from here on */
    assert_int_equal(p.wander.count, 0);
    update(&p, &t, ++now);
    assert_int_equal(p.wander.count, 0);
    profile_free(&copy);
    profile_free(&p);
}

static void test_torn_row_keeps_its_numbers(void **state)
{
    struct fake_table t;
    struct profile p;

    init_table(&p, &t, 2, 1, 0);
    fake_item(&t, 0, 0x100, 10, 0, 1);
    fake_item(&t, 1, 0x900, 77, 0, 2); /* ahead of the header: never seen whole */
    update(&p, &t, 1.0);
    assert_int_equal(p.attributed, 10);
    assert_int_equal(p.rows[1].hits, 0);
    assert_false(p.rows[1].stale);

    fake_item(&t, 0, 0xbad, 0xbad, 0xbad, 0); /* halted in the middle of a replacement */
    update(&p, &t, 2.0);
    assert_int_equal(p.rows[0].addr, 0x100);
    assert_int_equal(p.rows[0].hits, 10);
    assert_int_equal(p.rows[0].recent, 0);
    assert_true(p.rows[0].stale);
    assert_int_equal(p.stale, 1);

    fake_generation(&t, 2);
    fake_item(&t, 0, 0x200, 12, 10, 2);
    update(&p, &t, 3.0);
    assert_int_equal(p.rows[0].addr, 0x200);
    assert_int_equal(p.rows[0].recent, 2);
    assert_int_equal(p.stale, 0);
    profile_free(&p);
}

static void restarts_on(void (*change)(struct fake_table *))
{
    struct fake_table t;
    struct profile p;

    init_table(&p, &t, 2, 5, 500);
    fake_item(&t, 0, 0x100, 500, 0, 1);
    update(&p, &t, 1.0);
    change(&t);
    fake_item(&t, 0, 0x100, 20, 0, 1);
    update(&p, &t, 2.0);
    assert_int_equal(p.restarts, 1);
    assert_int_equal(p.attributed, 20);
    assert_int_equal(p.recent, 0);
    assert_true(p.recent_s <= 0);
    profile_free(&p);
}

static void boot_again(struct fake_table *t)
{
    fake_boot(t, 2);
    fake_heartbeat(t, 501);
}

static void go_back(struct fake_table *t)
{
    fake_heartbeat(t, 20);
}

static void change_shape(struct fake_table *t)
{
    fake_init(t, false, 4, 3);
    fake_generation(t, 1);
    fake_heartbeat(t, 501);
}

/* RAM that was cleared by a reset: boot is 1 again, and the new run is longer than the old one. */
static void run_longer(struct fake_table *t)
{
    fake_init(t, false, 4, 2);
    fake_heartbeat(t, 900);
    fake_generation(t, 1);
    fake_item(t, 1, 0x300, 880, 0, 1);
}

static void go_back_in_generation(struct fake_table *t)
{
    fake_heartbeat(t, 900);
    fake_generation(t, 3);
}

static void test_restarts(void **state)
{
    restarts_on(go_back_in_generation);
    restarts_on(boot_again);
    restarts_on(go_back);
    restarts_on(change_shape);
}

/* Read in the middle of mprof_init(): boot is still the old one. That is one restart, not two; but
 * a target that starts again and again is counted. */
static void test_restart_halfway(void **state)
{
    struct fake_table t;
    struct profile p;

    init_table(&p, &t, 2, 5, 500);
    update(&p, &t, 1.0);
    fake_heartbeat(&t, 0);
    update(&p, &t, 2.0);
    assert_int_equal(p.restarts, 1);
    fake_boot(&t, 2);
    fake_heartbeat(&t, 7);
    update(&p, &t, 3.0);
    assert_int_equal(p.restarts, 1);
    for (unsigned boot = 3; boot < 6; boot++) {
        fake_boot(&t, boot);
        update(&p, &t, 1.0 + boot);
        assert_int_equal(p.restarts, boot - 1);
    }
    profile_free(&p);
}

/* The row's stamp is the same, its address is not. */
static void test_longer_run_after_a_reset(void **state)
{
    struct fake_table t;
    struct profile p;

    init_table(&p, &t, 2, 1, 500);
    fake_item(&t, 1, 0x100, 500, 0, 1);
    update(&p, &t, 1.0);
    run_longer(&t);
    update(&p, &t, 2.0);
    assert_int_equal(p.restarts, 1);
    assert_int_equal(p.attributed, 880);
    assert_int_equal(p.recent, 0);

    /* Nothing contradicts, but the table was seen without its magic. */
    fake_heartbeat(&t, 950);
    fake_item(&t, 1, 0x300, 930, 0, 1);
    profile_end(&p);
    update(&p, &t, 3.0);
    assert_int_equal(p.restarts, 2);
    assert_int_equal(p.recent, 0);
    update(&p, &t, 4.0);
    assert_int_equal(p.restarts, 2);
    profile_free(&p);
}

/* A core that stood still, or a server that was away: the counts go on, the time between is no
 * interval without events. */
static void test_pause(void **state)
{
    struct fake_table t;
    struct profile p;

    init_table(&p, &t, 2, 1, 100);
    fake_item(&t, 0, 0x100, 100, 0, 1);
    update(&p, &t, 1.0);
    fake_heartbeat(&t, 110);
    fake_item(&t, 0, 0x100, 110, 0, 1);
    update(&p, &t, 2.0);
    assert_int_equal(p.recent, 10);

    profile_pause(&p);
    assert_int_equal(p.recent, 10); /* what is on the screen stays there */
    fake_heartbeat(&t, 130);
    fake_item(&t, 0, 0x100, 130, 0, 1);
    update(&p, &t, 300.0);
    assert_int_equal(p.attributed, 130);
    assert_int_equal(p.recent, 0);
    assert_int_equal(p.rows[0].recent, 0);
    assert_int_equal(p.events, 0);
    assert_true(p.recent_s <= 0);
    assert_int_equal(p.restarts, 0);

    fake_heartbeat(&t, 140);
    fake_item(&t, 0, 0x100, 140, 0, 1);
    update(&p, &t, 301.0);
    assert_int_equal(p.recent, 10);
    assert_true(fabs(p.recent_s - 1.0) < 1e-9);
    profile_free(&p);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 5e-4;
}

/* Published values of the interval (Newcombe, 1998, Stat. Med. 17: 81 of 263, 15 of 148, 0 of 20,
 * 1 of 29). */
static void test_wilson(void **state)
{
    static const double cases[][4] = {
        {81, 263, 0.2553, 0.3662},
        {15, 148, 0.0624, 0.1605},
        {0, 20, 0, 0.1611},
        {1, 29, 0.0061, 0.1718},
    };

    for (size_t i = 0; i < 4; i++) {
        struct stats_share s = stats_wilson(cases[i][0], cases[i][1]);
        assert_true(near(s.low, cases[i][2]) && near(s.high, cases[i][3]));
    }
    struct stats_share none = stats_wilson(0, 0);
    assert_true(none.value <= 0 && none.low <= 0 && none.high >= 1);
}

/* Of 1,000 hits in 10,000. */
static struct stats_share share_of(uint64_t inherited, uint64_t dropped, bool sampled)
{
    const struct stats_count count = {
        .hits = 1000, .inherited = inherited, .least = 1000, .most = 1000};
    const struct stats_whole whole = {.attributed = 10000, .dropped = dropped, .sampled = sampled};

    return stats_share_of(&count, &whole);
}

static void test_interval_widens(void **state)
{
    struct stats_share sure = share_of(0, 0, true);
    struct stats_share dropped = share_of(0, 5000, true);
    struct stats_share inherited = share_of(400, 5000, true);
    struct stats_share calls = share_of(0, 0, false);

    assert_true(near(sure.value, 0.1) && near(inherited.value, 0.1));
    assert_true(near(sure.low, stats_wilson(1000, 10000).low));
    assert_true(near(sure.high, stats_wilson(1000, 10000).high));
    assert_true(dropped.low < sure.low && near(dropped.high, sure.high));
    assert_true(inherited.low < dropped.low && inherited.high > dropped.high);
    assert_true(near(inherited.low, stats_wilson(600, 15000).low));
    assert_true(near(inherited.high, stats_wilson(600 + 2.9957 * 400, 10000).high));
    assert_true(near(calls.low, 0.1) && near(calls.high, 0.1));
    assert_true(near(share_of(400, 5000, false).low, 600.0 / 15000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recent_hits),
        cmocka_unit_test(test_counter_wraps),
        cmocka_unit_test(test_wander),
        cmocka_unit_test(test_torn_row_keeps_its_numbers),
        cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_restart_halfway),
        cmocka_unit_test(test_longer_run_after_a_reset),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_wilson),
        cmocka_unit_test(test_interval_widens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
