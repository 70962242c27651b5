/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the proxy process ends a halt because its owner is stopped. */
#include "unit.h"

#include "fake_clock.h"
#include "guardian.h"
#include "process.h"
#include "proxy_watch.h"

#define OWNER 4711

static bool stopped;

bool __wrap_process_is_stopped(pid_t pid);
bool __wrap_process_is_stopped(pid_t pid)
{
    assert_int_equal(pid, OWNER);
    return stopped;
}

/* The milliseconds until the halt is ended, 0 if it is not within a minute. */
static int ended_after(struct proxy_watch *watch)
{
    for (int ms = 10; ms <= 60000; ms += 10) {
        fake_clock_pass(10);
        if (proxy_watch_is_due(watch))
            return ms;
    }
    return 0;
}

static int held_for(bool is_stopped, int halt_ms)
{
    struct proxy_watch watch = {.owner = OWNER};

    stopped = is_stopped;
    proxy_watch_note(&watch, true, halt_ms);
    return ended_after(&watch);
}

static void test_limits(void **state)
{
    fake_clock_start();
    assert_in_range(held_for(true, 0), 600, 620);
    assert_in_range(held_for(true, 200), 600, 620);
    assert_in_range(held_for(true, 1000), 2100, 2120);
    assert_int_equal(held_for(true, GUARDIAN_NO_LIMIT), 0);
    assert_int_equal(held_for(false, 0), 0);
}

static void test_nothing_to_end(void **state)
{
    struct proxy_watch watch = {.owner = OWNER};

    fake_clock_start();
    stopped = true;
    assert_int_equal(ended_after(&watch), 0);
    proxy_watch_note(&watch, true, 0);
    proxy_watch_note(&watch, false, 0);
    assert_int_equal(ended_after(&watch), 0);
    watch.owner = 0;
    proxy_watch_note(&watch, true, 0);
    assert_int_equal(ended_after(&watch), 0);
}

/* A debugger that traces calls stops it again and again. */
static void test_owner_goes_on(void **state)
{
    struct proxy_watch watch = {.owner = OWNER};

    fake_clock_start();
    stopped = true;
    for (int i = 0; i < 100; i++) {
        fake_clock_pass(90);
        proxy_watch_note(&watch, true, 0);
        assert_false(proxy_watch_is_due(&watch));
    }
    assert_in_range(ended_after(&watch), 90, 120);
    proxy_watch_end(&watch);
    assert_in_range(watch.ended_ms, 9000, 9150);
    assert_int_equal(ended_after(&watch), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_nothing_to_end),
        cmocka_unit_test(test_owner_goes_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
