/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and stops at entries, exits and long calls of made events. */
#include "trace_checks.h"

#include <trace/call_trigger.h>

static struct trace_points *points;
static struct call_trigger_rules rules;
static struct call_trigger *trigger;
static struct trace_moments starts, stops; /* of s, and of e */
static int64_t now;

static void choose(void *context, const struct trace_point *p, struct trace_moments *start,
                   struct trace_moments *stop)
{
    const char *name = trace_function_at(points, p->function)->name;

    assert_false(start->entry || start->exit || start->longer || stop->entry || stop->exit);
    if (name[0] == 's')
        *start = starts;
    if (name[0] == 'e')
        *stop = stops;
}

static int make(void **state)
{
    points = trace_points_new();
    rules = (struct call_trigger_rules){.choose = choose};
    starts = stops = (struct trace_moments){.entry = false};
    now = 0;
    return points ? 0 : -1;
}

static int remove_all(void **state)
{
    call_trigger_free(trigger);
    trigger = NULL;
    trace_points_free(points);
    return 0;
}

/* Writes to wanted a 1 for each event that is, else a 0. */
static int give(const char *tokens, char *wanted)
{
    char text[2000];
    int status = 0;

    if (!trigger)
        trigger = call_trigger_new(&rules, points);
    assert_non_null(trigger);
    snprintf(text, sizeof(text), "%s", tokens);
    for (char *at = strtok(text, " "); at && status == 0; at = strtok(NULL, " ")) {
        struct trace_event e = trace_token(points, at, &now);
        bool is = false;
        status = call_trigger_put(trigger, &e, &is);
        *wanted++ = is ? '1' : '0';
    }
    *wanted = '\0';
    return status;
}

static void check(const char *tokens, const char *wanted)
{
    char found[2000];

    assert_int_equal(give(tokens, found), 0);
    assert_string_equal(found, wanted);
}

static void check_state(bool started, bool stopped, uint64_t untimed)
{
    const struct call_trigger_state s = call_trigger_state(trigger);

    assert_int_equal(s.started, started);
    assert_int_equal(s.stopped, stopped);
    assert_int_equal(s.untimed, untimed);
}

/* Losses are always wanted, marks are as calls. */
static void test_entries(void **state)
{
    starts.entry = stops.entry = true;
    check("-s. +m. m +em -em", "11110"); /* a stop without a start */
    call_trigger_free(trigger);
    trigger = NULL;
    rules.starts = true;
    check("+m. ! m +em -em -sm +sm m -sm +em -em m +sm", "0100001111001");
    check_state(true, false, 0);
}

static void test_stop(void **state)
{
    stops.entry = true;
    check("+m. +em -em m R", "11001");
    check_state(false, true, 0);
}

static void test_exits(void **state)
{
    rules.starts = rules.needs_exits = true;
    starts.exit = stops.exit = true;
    check("+m. +sm m -sm m +em m -em m +sm -sm", "00011111001");
}

static void test_start_and_stop_of_one(void **state)
{
    starts.entry = stops.exit = true;
    rules.starts = rules.needs_exits = true;
    check("+m. +sm +em -em -sm +sm", "011101");
}

static void test_longer(void **state)
{
    rules.starts = rules.needs_exits = rules.needs_seconds = true;
    starts = stops = (struct trace_moments){.longer = true, .longer_s = 0.010};
    check("C +sm@100 -sm@110 +sm@120 m@121 -sm@131 m", "1000011");
    check("+em@200 -em@203 +em@210 -em@300 m", "11110");
    check_state(true, true, 0);
}

/* What hooks cost is no part of a duration. */
static void test_costs(void **state)
{
    rules.needs_exits = rules.needs_seconds = true;
    stops = (struct trace_moments){.longer = true, .longer_s = 0.010};
    check("C=2=3 +em@100 -em@112 +em@200 +ae@201 -ae@203 -em@215 +em@300 +ae@301 -em@313",
          "1111111111");
    check("+em@400 +ae@401 +ba@402 -ba@403 -ae@404 -em@418 m", "1111111");
    check("+em@500 +ae@501 -ae@502 -em@516 m", "11110");
    check_state(false, true, 0);
}

/* A task goes on on another core. */
static void test_moves(void **state)
{
    rules.needs_exits = rules.needs_seconds = true;
    stops = (struct trace_moments){.longer = true, .longer_s = 0.010};
    check("S +em#1@100 S/1 +em#2/1@105 -em#1/1@108 -em#2@116 m", "1111110");
    check_state(false, true, 0);
}

/* Each task, exception and core has calls of its own; recursion, and a jump over an exit. */
static void test_contexts(void **state)
{
    rules.needs_exits = rules.needs_seconds = true;
    stops = (struct trace_moments){.longer = true, .longer_s = 0.010};
    check("C C/1 +em#1@100 +em#2@108 +em/1@109 +em^3@110 -em#2@112 -em^3@114 -em/1@115",
          "111111111");
    check("+ee@116 +ee@117 -ee@118 -ee@119", "1111");
    check("-em#1@120 m", "10");
    check_state(false, true, 0);
    call_trigger_free(trigger);
    trigger = NULL;
    check("C +ex@100 +em@101 +ee@104 -em@109 +em@110 -em@120 -ex@130 m", "111111110");
}

/* The call whose exit comes after a loss may be another one than that which was entered. */
static void test_unknown(void **state)
{
    rules.needs_exits = rules.needs_seconds = true;
    stops = (struct trace_moments){.longer = true, .longer_s = 0.010};
    check("C -em@50 +em@100 ! -em@200 +em@300 R -em@400 +em@500 E -em@600 m", "111111111111");
    check_state(false, false, 4);
    check("C +em@700 C -em@800", "1111");
    trace_points_clear(points);
    check("+em@900 -em@911 m", "110");
    check_state(false, true, 5);
}

static void test_clear_between(void **state)
{
    rules.needs_exits = rules.needs_seconds = true;
    stops = (struct trace_moments){.longer = true, .longer_s = 0.010};
    check("C +em@100", "11");
    trace_points_clear(points);
    check("+am@101 -em@200", "11");
    check_state(false, false, 1);
}

static void test_deep(void **state)
{
    char found[8];

    rules.needs_exits = rules.needs_seconds = true;
    stops = (struct trace_moments){.longer = true, .longer_s = 1000};
    check("C +ab -ab", "111");
    for (int i = 0; i < 70000; i++)
        assert_int_equal(give("+ee", found), 0);
    check("-ee -ee", "11");
    check_state(false, false, 0);
}

static void test_refused(void **state)
{
    char found[8];
    int status = 0;

    rules.needs_exits = true;
    stops.exit = true;
    for (int i = 0; i < TRACE_ENTRIES_ENOUGH; i++)
        assert_int_equal(give("+em", found), 0);
    assert_int_equal(call_trigger_state(trigger).entries, TRACE_ENTRIES_ENOUGH);
    for (int i = 0; i < 100000 && status == 0; i++)
        status = give("+em", found);
    assert_int_equal(status, TRACE_NO_EXITS);
    call_trigger_free(trigger);
    trigger = NULL;
    assert_int_equal(give("+em +em", found), 0);
    assert_int_equal(give("-am", found), 0);
    assert_int_equal(call_trigger_state(trigger).entries, 0);
    call_trigger_free(trigger);
    trigger = NULL;
    rules.needs_seconds = true;
    assert_int_equal(give("+am", found), TRACE_NO_RATE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, make, remove_all)
    const struct CMUnitTest tests[] = {
        TEST(entries), TEST(stop),     TEST(exits),   TEST(start_and_stop_of_one),
        TEST(longer),  TEST(contexts), TEST(unknown), TEST(clear_between),
        TEST(deep),    TEST(refused),  TEST(costs),   TEST(moves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
