/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a link's time that polls and drains take. */
#include <base/monotonic.h>
#include <sampler/table.h>
#include <target/watch.h>

#include "unit.h"

static double now_s, drain_takes_s, ring_lasts_s;
static unsigned drains;
static bool optional;

double __wrap_monotonic_s(void);
double __wrap_monotonic_s(void)
{
    return now_s;
}

double __wrap_sampler_table_drain_s(const struct sampler_table *table);
double __wrap_sampler_table_drain_s(const struct sampler_table *table)
{
    return ring_lasts_s;
}

bool __wrap_sampler_table_drain(struct sampler_table *table);
bool __wrap_sampler_table_drain(struct sampler_table *table)
{
    assert_true(optional);
    now_s += drain_takes_s;
    drains++;
    return true;
}

void __wrap_gdbmi_link_read_optional(struct gdbmi_link *link, bool on);
void __wrap_gdbmi_link_read_optional(struct gdbmi_link *link, bool on)
{
    optional = on;
}

/* A watch that has polled a live target; its link and sampler are never looked into. */
static struct watch polled(const struct options *options)
{
    static char something;
    struct watch w = {
        .options = options, .fresh = true, .busy_s = 0.2, .busy_before_s = 0.3, .ended_s = 100};

    w.session.options = options;
    w.session.link = (struct gdbmi_link *)&something;
    w.session.sampler = (struct sampler_table *)&something;
    w.session.server.live = true;
    now_s = 100;
    drains = 0;
    return w;
}

/* The faster one of two polls counts; after it the link is left alone for three times as long. */
static void test_polls(void **state)
{
    const struct options usual = {.delay_s = 0.1}, half = {.delay_s = 0.1, .link_share = 0.5};
    struct watch w = polled(&usual);

    assert_near(watch_period_s(&w), 0.8, 1e-9);
    assert_near(watch_pause_s(&w), 0.6, 1e-9);
    now_s = 100.5;
    assert_near(watch_pause_s(&w), 0.1, 1e-9);
    now_s = 101;
    assert_true(watch_pause_s(&w) <= 0);
    w = polled(&half);
    assert_near(watch_period_s(&w), 0.4, 1e-9);
    assert_near(watch_pause_s(&w), 0.2, 1e-9);
}

/* A longer delay is not reached by the share. */
static void test_delay_is_longer(void **state)
{
    const struct options options = {.delay_s = 1};
    struct watch w = polled(&options);

    assert_true(watch_period_s(&w) <= 0);
    w.fresh = false; /* nothing was read: the next try costs what it costs */
    assert_near(watch_pause_s(&w), 0, 1e-9);
}

/* As often as the ring asks for it, but in no more than half of the share. */
static void test_drains(void **state)
{
    const struct options options = {.delay_s = 0.1};
    struct watch w = polled(&options);

    ring_lasts_s = 0.5;
    drain_takes_s = 0.01;
    assert_near(watch_drain_s(&w), 0.5, 1e-9); /* how long one takes is not known yet */
    watch_drain(&w);
    assert_int_equal(drains, 1);
    assert_false(optional);
    assert_near(watch_drain_s(&w), 0.5, 1e-9);
    drain_takes_s = 0.1;
    watch_drain(&w);
    assert_near(watch_drain_s(&w), 0.8, 1e-9);
    /* They are taken from what polls have: those of this time, or of the one before. */
    assert_near(watch_period_s(&w), (0.2 + 0.11) / 0.25, 1e-9);
    w.drains_before_s = 0.3;
    assert_near(watch_period_s(&w), (0.2 + 0.3) / 0.25, 1e-9);
}

/* One that was slow by chance would put the next one off for longer than it is from poll to poll,
 * and the one after a poll too, for good. */
static void test_slow_drain(void **state)
{
    const struct options options = {.delay_s = 0.1};
    struct watch w = polled(&options);

    ring_lasts_s = 0.05;
    drain_takes_s = 1;
    watch_drain(&w);
    assert_near(watch_drain_s(&w), 8, 1e-9);
    watch_take_poll_s(&w, 0.02);
    assert_near(watch_drain_s(&w), 0.16, 1e-9);
    watch_take_poll_s(&w, 0.5); /* a poll may do more than a drain */
    assert_near(watch_drain_s(&w), 0.16, 1e-9);
    w.profile.source = DECODE_HALT;
    watch_drain(&w);
    w.jitter = 0.5;
    assert_near(watch_drain_s(&w), 3, 1e-9);
    watch_take_poll_s(&w, 0.02);
    assert_near(watch_drain_s(&w), 0.06, 1e-9);
}

static void test_no_drains(void **state)
{
    const struct options options = {.delay_s = 0.1};
    struct watch w = polled(&options);

    ring_lasts_s = 0; /* no ring */
    assert_true(watch_drain_s(&w) <= 0);
    ring_lasts_s = 0.5;
    w.fresh = false;
    assert_true(watch_drain_s(&w) <= 0);
    w = polled(&options);
    w.session.link = NULL;
    assert_true(watch_drain_s(&w) <= 0);
    watch_drain(&w);
    assert_int_equal(drains, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polls),
        cmocka_unit_test(test_delay_is_longer),
        cmocka_unit_test(test_drains),
        cmocka_unit_test(test_slow_drain),
        cmocka_unit_test(test_no_drains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
