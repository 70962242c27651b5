/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples in step with the firmware are told from independent ones. */
#include <profile/lockstep.h>

#include "recent_window_checks.h"
#include "unit.h"

#define SECONDS 20
#define SAMPLES 1000 /* a second */

static uint64_t seed = 1;

static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* Hits of each of the blocks in one second. */
typedef void (*hits_source)(size_t second, uint32_t hits[BLOCKS]);

/* A loop of ten periods, sampled at the same ten places. */
static void in_step(size_t second, uint32_t hits[BLOCKS])
{
    static const unsigned places[10] = {0, 0, 0, 0, 2, 2, 2, 5, 5, 6};

    for (size_t i = second * (SAMPLES + 3); i < (second + 1) * (SAMPLES + 3); i++)
        hits[places[i % 10]]++;
}

static const double shares[BLOCKS] = {0.35, 0.04, 0.26, 0.15, 0.1, 0.05, 0.03, 0.02};

static void independent(size_t second, uint32_t hits[BLOCKS])
{
    (void)second;
    for (size_t i = 0; i < SAMPLES; i++) {
        double left = draw();
        size_t block = 0;
        while (block + 1 < BLOCKS && left >= shares[block])
            left -= shares[block++];
        hits[block]++;
    }
}

/* Phases of the firmware: what runs differs from second to second. */
static void in_phases(size_t second, uint32_t hits[BLOCKS])
{
    independent(second, hits);
    hits[second / 5] += 500;
}

static enum lockstep outcome(hits_source take, size_t seconds)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    for (size_t second = 0; second < seconds; second++) {
        uint32_t hits[BLOCKS] = {0};
        take(second, hits);
        count_hits(&s, 1, true, 0, 0);
        for (size_t i = 0; i < BLOCKS; i++) {
            s.rows[i].recent = hits[i];
            s.rows[i].hits += hits[i];
        }
        assert_true(recent_window_add(window, &s.profile));
    }
    enum lockstep found = lockstep_of(window);
    recent_window_free(window);
    return found;
}

static void test_found(void **state)
{
    (void)state;
    assert_int_equal(outcome(in_step, SECONDS), LOCKSTEP_FOUND);
}

static void test_not_found(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++)
        assert_int_equal(outcome(independent, SECONDS), LOCKSTEP_NOT_FOUND);
    assert_int_equal(outcome(in_phases, SECONDS), LOCKSTEP_NOT_FOUND);
}

static void test_too_little(void **state)
{
    (void)state;
    assert_int_equal(lockstep_of(NULL), LOCKSTEP_NOT_TESTED);
    assert_int_equal(outcome(in_step, 0), LOCKSTEP_NOT_TESTED);
    assert_int_equal(outcome(in_step, 4), LOCKSTEP_NOT_TESTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_too_little),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
