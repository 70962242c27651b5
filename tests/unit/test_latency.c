/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from one event to another, and of calls. */
#include "trace_checks.h"

#include <trace/latency.h>

static struct trace_points *points;
static struct trace_about about;
static struct latency *latency;

/* Times go from entries of a to entries of b; with calls from entries of a to their exits. */
static void choose(void *context, const struct trace_point *p, bool *begins, bool *ends)
{
    const char *to = context;
    const char *name = p->kind == TRACE_MARK ? "m" : trace_function_at(points, p->function)->name;

    *begins = *name == 'a' && p->kind == TRACE_ENTRY;
    *ends = to ? *name == *to && p->kind != TRACE_EXIT : *name == 'a' && p->kind == TRACE_EXIT;
}

/* to: at whose entries times end; NULL: those of calls. Events are tokens of trace_token(). */
static struct latency_state run(const char *to, bool threads, const char *events)
{
    union {
        const char *from;
        void *context;
    } context = {.from = to};
    struct latency_rules rules = {
        .calls = !to, .needs_exits = !to, .choose = choose, .context = context.context};
    char copy[500], *rest = copy;
    int64_t now = 0;

    about.threads = threads;
    latency_free(latency);
    latency = latency_new(&rules, points, &about);
    assert_non_null(latency);
    snprintf(copy, sizeof(copy), "%s", events);
    for (char *token; (token = strtok_r(rest, " ", &rest)) != NULL;) {
        struct trace_event e = trace_token(points, token, &now);
        assert_true(latency_put(latency, &e));
    }
    assert_int_equal(latency_end(latency), 0);
    return latency_state(latency);
}

static int make(void **state)
{
    points = trace_points_new();
    return points ? 0 : -1;
}

static int remove_all(void **state)
{
    latency_free(latency);
    latency = NULL;
    trace_points_free(points);
    return 0;
}

static void check(const struct latency_state *s, uint64_t count, uint64_t unended, uint64_t unbegun,
                  uint64_t lost)
{
    assert_int_equal(s->durations->count, count);
    assert_int_equal(s->unended, unended);
    assert_int_equal(s->unbegun, unbegun);
    assert_int_equal(s->lost, lost);
}

static void check_worst(const struct latency_state *s, uint64_t first, uint64_t last, int64_t begin,
                        int64_t ticks)
{
    assert_int_equal(s->worst.first, first);
    assert_int_equal(s->worst.last, last);
    assert_true(s->worst.begin == begin && s->worst.ticks == ticks);
    assert_true(s->durations->max == ticks);
}

/* What is between, and in which task or exception the events are, does not matter. */
static void test_pairs(void **state)
{
    struct latency_state s =
        run("b", false,
            "C +a.@10 +b.@15 -b.@17 -a.@18 +a.@20^15 -a.^15 +c. -c. +b.@70#5 +a.@80 "
            "+b.@90 +a.@100 +b.@150");

    check(&s, 4, 0, 0, 0);
    assert_true(s.begun == 4 && s.ended == 4 && s.hz == 1000 && s.timed);
    check_worst(&s, 5, 9, 20, 50);
    assert_true(s.durations->min == 5);
}

static void test_unmatched(void **state)
{
    struct latency_state s = run("b", false, "C +b. +a.@10 +a.@20 +b.@50 +b. +a.");

    check(&s, 1, 2, 2, 0);
    check_worst(&s, 2, 4, 10, 40);
    s = run("b", false, "C +a. E +b.");
    check(&s, 0, 1, 1, 0);
}

static void test_losses(void **state)
{
    struct latency_state s = run("b", false, "C +a. !/0 +b. +a. R +b. +a. !/1 +b. +a. C +b.");

    check(&s, 2, 0, 2, 2);
}

/* Each core has its clock, and times of its own; threads have one. */
static void test_cores(void **state)
{
    static const char events[] = "C C/1 +a.@10 +a.@12/1 +b.@15 +b.@30/1 +a.@40 +b.@50/1";
    struct latency_state s = run("b", false, events);

    check(&s, 2, 1, 1, 0);
    check_worst(&s, 3, 5, 12, 18);
    assert_int_equal(s.worst.core, 1);
    struct trace_event other = {.kind = TRACE_CALL, .core = 0};
    assert_false(latency_has(latency, &other));
    other.core = 1;
    assert_true(latency_has(latency, &other));
    s = run("b", true, events);
    check(&s, 2, 1, 1, 0);
    check_worst(&s, 6, 7, 40, 10);
    assert_true(latency_has(latency, &other));
    s = run("b", true, "C C/1 +a. !/1 +b.");
    check(&s, 0, 0, 1, 1);
    s = run("b", true, "C +a.@5 C/1 +b.@9/1");
    check(&s, 1, 0, 0, 0);
}

static void test_marks(void **state)
{
    struct latency_state s = run("m", false, "C +a.@5 m@9 m");

    check(&s, 1, 0, 1, 0);
    check_worst(&s, 1, 2, 5, 4);
}

/* From each event to the next one of the same kind. */
static void test_periods(void **state)
{
    struct latency_state s = run("a", false, "C +a.@5 -a. +a.@9 -a. +a.@20");

    check(&s, 2, 1, 0, 0);
    check_worst(&s, 3, 5, 9, 11);
}

/* Also recursive ones, and not those whose end is not known. */
static void test_calls(void **state)
{
    struct latency_state s =
        run(NULL, false,
            "C +a.@1 +b. +ab@5 -ab@9 -b. -a.@21 +a.@30^15 -a.@35^15 -a. +a. !/0 +d. "
            "+ad -d. +a.");

    check(&s, 3, 2, 1, 1);
    check_worst(&s, 1, 6, 1, 20);
    assert_true(s.durations->min == 4);
}

static void test_no_times(void **state)
{
    struct latency_state s = run("b", false, "+a. +b.");

    check(&s, 0, 0, 0, 0);
    assert_true(!s.timed && s.begun == 1 && s.ended == 1);
}

static void test_no_exits(void **state)
{
    const struct latency_rules rules = {.calls = true, .needs_exits = true, .choose = choose};
    int64_t now = 0;

    latency = latency_new(&rules, points, &about);
    assert_int_equal(latency_end(latency), 0);
    struct trace_event e = trace_token(points, "+a.", &now);
    assert_true(latency_put(latency, &e));
    assert_int_equal(latency_end(latency), TRACE_NO_EXITS);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, make, remove_all)
    const struct CMUnitTest tests[] = {
        TEST(pairs),   TEST(unmatched), TEST(losses),   TEST(cores),    TEST(marks),
        TEST(periods), TEST(calls),     TEST(no_times), TEST(no_exits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
