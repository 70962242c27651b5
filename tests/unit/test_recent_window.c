/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of the last minute of a profile. */
#include "unit.h"

#include "recent_window_checks.h"

/* The hits of all pieces of a window. */
static uint64_t total_of(const struct recent_window *window)
{
    size_t pieces;
    const struct window_piece *piece = recent_window_pieces(window, &pieces);
    uint64_t total = 0;

    for (size_t i = 0; i < pieces; i++)
        total += piece[i].total;
    return total;
}

static size_t pieces_of(const struct recent_window *window)
{
    size_t pieces;

    recent_window_pieces(window, &pieces);
    return pieces;
}

/* Short intervals are put together, long ones stay what they are. */
static void test_pieces(void **state)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    assert_int_equal(pieces_of(window), 0);
    for (int i = 0; i < 40; i++)
        add_interval(window, &s, 0.125, 3, 1);
    assert_int_equal(pieces_of(window), 5);
    assert_int_equal(total_of(window), 160);
    add_interval(window, &s, 5, 10, 0);
    add_interval(window, &s, 5, 10, 0);
    assert_int_equal(pieces_of(window), 7);
    assert_true(recent_window_add(window, &s.profile));
    assert_int_equal(total_of(window), 180);
    recent_window_free(window);
}

static void test_a_minute_is_kept(void **state)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    for (int i = 0; i < 500; i++)
        add_interval(window, &s, 1, 3, 1);
    assert_in_range(pieces_of(window), RECENT_WINDOW_SECONDS, RECENT_WINDOW_SECONDS + 1);
    recent_window_free(window);
}

/* A time that is no interval leaves a gap; another run begins anew. */
static void test_gaps_and_restarts(void **state)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    add_interval(window, &s, 1, 10, 0);
    count_hits(&s, 20, false, 500, 0);
    assert_true(recent_window_add(window, &s.profile));
    add_interval(window, &s, 1, 10, 0);
    assert_int_equal(total_of(window), 20);
    assert_int_equal(pieces_of(window), 2);
    s.profile.restarts++;
    add_interval(window, &s, 1, 77, 0);
    assert_int_equal(pieces_of(window), 0);
    add_interval(window, &s, 1, 5, 0);
    assert_int_equal(total_of(window), 5);
    s.profile.unit = DECODE_UNIT_CALLS;
    add_interval(window, &s, 1, 5, 0);
    assert_int_equal(pieces_of(window), 0);
    recent_window_free(window);
}

static void check_profile(const struct recent_window *window, const struct source *s,
                          unsigned seconds, uint64_t first, uint64_t second, double recent_s)
{
    struct profile p;

    assert_true(recent_window_profile(window, &s->profile, seconds, &p));
    assert_int_equal(p.row_count, p.used);
    assert_int_equal(p.attributed, first + second);
    assert_int_equal(p.recent, first + second);
    assert_int_equal(p.rows[0].hits, first);
    assert_int_equal(p.rows[0].recent, first);
    assert_int_equal(p.rows[1].addr, 0x1050);
    assert_int_equal(p.rows[1].hits, second);
    assert_near(p.recent_s, recent_s, 1e-6);
    assert_near(p.updated_s - p.from_s, recent_s, 1e-6);
    assert_int_equal(p.sample_hz, 1000);
    profile_free(&p);
}

static void test_profile(void **state)
{
    struct source s;
    struct profile p;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    assert_true(recent_window_profile(window, &s.profile, 10, &p));
    assert_int_equal(p.attributed, 0);
    assert_true(p.recent_s <= 0);
    profile_free(&p);
    for (uint32_t i = 1; i <= 20; i++)
        add_interval(window, &s, 1, i, 1);
    check_profile(window, &s, 10, 155, 10, 10);
    check_profile(window, &s, 60, 210, 20, 20);
    check_profile(window, &s, 1, 20, 1, 1);
    check_profile(window, &s, 0, 20, 1, 1);
    assert_true(recent_window_profile(window, &s.profile, 10, &p));
    assert_int_equal(p.dropped, 10);
    assert_int_equal(p.events, 175);
    assert_int_equal(p.heartbeat, 175);
    profile_free(&p);
    recent_window_free(window);
}

/* The same block from two callers is two rows. */
static void test_arcs(void **state)
{
    struct source s;
    struct profile p;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    s.rows[5].addr = s.rows[0].addr;
    s.rows[5].caller = 0x99;
    add_interval(window, &s, 0.3, 4, 1);
    add_interval(window, &s, 0.3, 4, 1);
    assert_true(recent_window_profile(window, &s.profile, 10, &p));
    assert_int_equal(p.row_count, 2);
    assert_int_equal(p.rows[0].hits, 8);
    assert_int_equal(p.rows[1].hits, 2);
    assert_int_equal(p.rows[1].caller, 0x99);
    profile_free(&p);
    recent_window_free(window);
}

/* Whatever the pace: what was counted within the minute is there, once. */
static void test_any_pace(void **state)
{
    for (int run = 0; run < 100; run++) {
        struct source s;
        struct profile p;
        source_init(&s);
        struct recent_window *window = window_of(&s);
        double begun_s = s.profile.updated_s;
        uint64_t all = add_at_any_pace(window, &s);
        assert_int_equal(total_of(window), all);
        assert_true(recent_window_profile(window, &s.profile, RECENT_WINDOW_SECONDS, &p));
        assert_int_equal(p.attributed, all);
        assert_near(p.recent_s, s.profile.updated_s - begun_s, 1e-6);
        profile_free(&p);
        recent_window_free(window);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_a_minute_is_kept),
        cmocka_unit_test(test_gaps_and_restarts),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_arcs),
        cmocka_unit_test(test_any_pace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
