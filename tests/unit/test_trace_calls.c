/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and durations of functions, from nested events, losses and interrupts. */
#include "trace_checks.h"

#include <trace/calls.h>
#include <trace/durations.h>

static struct trace_points *points;
static struct trace_calls *calls;
static struct trace_call_row *rows;
static size_t row_count;

static int make(void **state)
{
    points = trace_points_new();
    calls = trace_calls_new();
    return points && calls ? 0 : -1;
}

static int remove_all(void **state)
{
    free(rows);
    rows = NULL;
    trace_calls_free(calls);
    trace_points_free(points);
    return 0;
}

static void put(struct trace_event event)
{
    assert_true(trace_calls_put(calls, points, &event));
}

static void clock_of(unsigned core, uint32_t hz)
{
    put((struct trace_event){.kind = TRACE_CLOCK, .core = core, .timed = true, .hz = hz});
}

/* Events of a core, one after the other: "+f" enters f, "-f" leaves it, each with the next of the
 * ticks. task: that runs, 0: it is not recorded. */
static void run_task(unsigned core, unsigned exception, uint64_t task, const char *events,
                     const int64_t *ticks)
{
    for (; *events; events += 2) {
        char name[] = {events[1], '\0'};
        struct trace_event e =
            trace_call(points, name, core, exception, events[0] == '-', *ticks++);
        e.has_task = task != 0;
        e.task = task;
        put(e);
    }
}

static void run(unsigned core, unsigned exception, const char *events, const int64_t *ticks)
{
    run_task(core, exception, 0, events, ticks);
}

static const struct trace_call_row *row(const char *name)
{
    free(rows);
    rows = trace_calls_rows(calls, &row_count);
    assert_non_null(rows);
    for (size_t i = 0; i < row_count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    fail_msg("no row of %s", name);
    return NULL;
}

static void check(const char *name, uint64_t count, uint64_t timed, double total, double self)
{
    const struct trace_call_row *r = row(name);

    assert_int_equal(r->calls, count);
    assert_int_equal(r->timed, timed);
    assert_near(r->total, total, 1e-9);
    assert_near(r->self, self, 1e-9);
}

static void test_nested(void **state)
{
    const int64_t ticks[] = {0, 10, 15, 20, 28, 30, 32, 40, 50, 60};

    clock_of(0, 0);
    run(0, 0, "+a+b-b+b-b+b-b+c-c-a", ticks);
    check("a", 1, 1, 60, 60 - 5 - 8 - 2 - 10);
    check("b", 3, 3, 15, 15);
    check("c", 1, 1, 10, 10);
    const struct trace_call_row *b = row("b");
    assert_near(b->min, 2, 0);
    assert_near(b->max, 8, 0);
    assert_near(b->avg, 5, 1e-9);
    assert_near(b->median, 5, 0);
    assert_near(b->p99, 8, 0);
    assert_near(b->deviation, 3, 1e-9);
    assert_true(row("a")->deviation < 0);
    assert_near(row("a")->median, 60, 0);
    struct trace_calls_state s = trace_calls_state(calls);
    assert_int_equal(s.calls, 5);
    assert_int_equal(s.exits, 5);
    assert_int_equal(s.unmatched_entries + s.unmatched_exits + s.open, 0);
    assert_true(s.timed && !s.seconds);
}

/* Exact up to a number of calls, which the state tells. */
static void test_quantiles(void **state)
{
    clock_of(0, 0);
    for (int64_t i = 1; i <= DURATIONS_EXACT + 1; i++) {
        const int64_t ticks[] = {1000 * i, 1000 * i + (i * 7) % 50};
        assert_false(trace_calls_state(calls).rounded);
        run(0, 0, "+a-a", ticks);
        if (i == 50) {
            assert_near(row("a")->median, 24, 0);
            assert_near(row("a")->p99, 49, 0);
        }
    }
    assert_true(trace_calls_state(calls).rounded);
    assert_near(row("a")->p99, 49, 0);
}

static void test_recursion(void **state)
{
    const int64_t ticks[] = {0, 1, 3, 4, 7, 9, 20, 30, 32, 40};

    clock_of(0, 0);
    run(0, 0, "+a+b+a+b-b-a-b-a+a-a", ticks);
    check("a", 3, 3, 30 + 8, (30 - 19) + (6 - 3) + 8);
    check("b", 2, 2, 19, (19 - 6) + 3);
    assert_near(row("a")->avg, (30 + 6 + 8) / 3.0, 1e-9);
}

static void test_seconds(void **state)
{
    const int64_t ticks[] = {1000, 3000}, other[] = {500, 600};

    clock_of(0, 1000000);
    clock_of(1, 1000);
    run(0, 0, "+a-a", ticks);
    run(1, 0, "+a-a", other);
    check("a", 2, 1, 2e-3, 2e-3);
    assert_true(trace_calls_state(calls).seconds);
    assert_int_equal(trace_calls_state(calls).unrated, 1);
}

static void put_sleep(enum trace_sleep what, unsigned core, uint32_t time)
{
    const struct trace_point p = {.kind = TRACE_MARK, .callee = 1000, .core = core, .sleep = what};
    struct trace_event e = {
        .kind = TRACE_CALL, .core = core, .argument_count = 1, .arguments = {time}};
    bool added;

    assert_true(trace_add_point(points, &p, &e.point, &added));
    put(e);
}

/* A call in which the core slept is as long as the trace's clock says, and counted. */
static void test_sleeps(void **state)
{
    const int64_t ticks[] = {0, 10}, inner[] = {20, 21}, after[] = {30, 40};

    clock_of(0, 0);
    run(0, 0, "+a+b", ticks);
    put_sleep(TRACE_ASLEEP, 0, 500);
    put_sleep(TRACE_AWAKE, 0, 2000);
    run(0, 0, "+c-c", inner);
    put_sleep(TRACE_ASLEEP, 1, 0);
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .core = 1, .count = 1});
    put_sleep(TRACE_AWAKE, 1, 7000);
    run(0, 0, "-b-a", after);
    struct trace_calls_state s = trace_calls_state(calls);
    assert_int_equal(s.sleeps, 2);
    assert_int_equal(s.known_sleeps, 1);
    assert_near(s.asleep, 1.5, 1e-9);
    assert_int_equal(s.slept_calls, 2);
    check("a", 1, 1, 40, 20);
    check("b", 1, 1, 20, 19);
}

static void test_no_times(void **state)
{
    const int64_t ticks[] = {0, 0, 0, 0};

    run(0, 0, "+a+b-b-a", ticks);
    check("a", 1, 0, -1, -1);
    assert_false(trace_calls_state(calls).timed);
    assert_int_equal(trace_calls_state(calls).unmatched_exits, 0);
}

/* Nothing is known of what was entered before a loss. */
static void test_losses(void **state)
{
    static const enum trace_kind kinds[] = {TRACE_OVERWRITTEN, TRACE_UNFINISHED, TRACE_FULL,
                                            TRACE_RESTART, TRACE_DAMAGED};
    const int64_t before[] = {0, 10, 20, 30}, after[] = {40, 50, 60};

    clock_of(0, 0);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        run(0, 0, "+a+b-b+b", before);
        put((struct trace_event){.kind = kinds[i], .count = 3});
        run(0, 0, "-b-a", after);
        run(0, 0, "+a-a", after);
        check("a", 2 * (i + 1), i + 1, 10.0 * (double)(i + 1), 10.0 * (double)(i + 1));
        check("b", 2 * (i + 1), i + 1, 10.0 * (double)(i + 1), 10.0 * (double)(i + 1));
    }
    struct trace_calls_state s = trace_calls_state(calls);
    assert_int_equal(s.lost, 9);
    assert_int_equal(s.restarts, 1);
    assert_int_equal(s.unmatched_exits, 2 * COUNT(kinds));
    /* Also in the first round, when a had no exit yet. */
    assert_int_equal(s.unmatched_entries, 2 * COUNT(kinds));
}

/* Losses of one core say nothing of another. */
static void test_cores(void **state)
{
    const int64_t begin[] = {0, 1}, end[] = {5, 9};

    clock_of(0, 0);
    clock_of(1, 0);
    run(0, 0, "+a+b", begin);
    run(1, 0, "+a+b", begin);
    put((struct trace_event){.kind = TRACE_FULL, .core = 1, .count = 1});
    run(0, 0, "-b-a", end);
    run(1, 0, "-b-a", end);
    check("a", 2, 1, 9, 5);
    check("b", 2, 1, 4, 4);
}

/* longjmp() out of functions leaves them without an exit; what they called is the time of the one
 * that it returns to. */
static void test_jumped_over(void **state)
{
    const int64_t ticks[] = {0, 1, 2, 3, 5, 6, 20, 21};

    clock_of(0, 0);
    run(0, 0, "+b-b+a+b+c-c-a+a", ticks);
    check("a", 2, 1, 18, 17);
    check("b", 2, 1, 1, 1);
    check("c", 1, 1, 1, 1);
    trace_calls_end(calls);
    struct trace_calls_state s = trace_calls_state(calls);
    assert_int_equal(s.unmatched_exits, 0);
    assert_int_equal(s.unmatched_entries, 1);
    assert_int_equal(s.open, 1);
}

/* An exit without an entry gets no duration. */
static void test_unmatched(void **state)
{
    const int64_t ticks[] = {0, 1, 2, 3, 4, 5, 6, 7};

    clock_of(0, 0);
    run(0, 0, "-b+c-c-a", ticks); /* entered before the trace began */
    assert_int_equal(trace_calls_state(calls).unmatched_exits, 2);
    check("c", 1, 1, 1, 1);
    run(0, 0, "+b+c", ticks + 4);
    run(0, 0, "-a-b", ticks + 6); /* so b had ended */
    check("b", 1, 0, -1, -1);
    check("c", 2, 1, 1, 1);
    assert_int_equal(trace_calls_state(calls).unmatched_entries, 2);
    assert_int_equal(trace_calls_state(calls).unmatched_exits, 4);
}

/* A caller has another address, or time goes back. */
static void test_contradictions(void **state)
{
    const int64_t ticks[] = {0, 1, 2, 3, 4, 5, 6, 7};

    clock_of(0, 0);
    run(0, 0, "+c-c", ticks);
    put((struct trace_event){
        .kind = TRACE_CALL, .point = trace_point(points, "c", 0, 0, false, 0x9100), .ticks = 6});
    run(0, 0, "-c", ticks + 7); /* the same function, for another caller */
    check("c", 2, 1, 1, 1);
    assert_int_equal(trace_calls_state(calls).unmatched_exits, 1);
    run(0, 0, "+c", ticks + 7);
    run(0, 0, "-c", ticks); /* before it was entered */
    check("c", 3, 1, 1, 1);
    run(0, 0, "+c", ticks);
    trace_calls_end(calls);
    assert_int_equal(trace_calls_state(calls).open, 1);
}

/* Functions of a source without exits do not part the others. */
static void test_entries_only(void **state)
{
    const int64_t ticks[] = {0, 1, 2, 3, 4, 5};

    clock_of(0, 0);
    run(0, 0, "+a+e+b+e-b-a", ticks);
    check("a", 1, 1, 5, 3);
    check("b", 1, 1, 2, 2);
    check("e", 2, 0, -1, -1);
    assert_int_equal(trace_calls_state(calls).unmatched_exits, 0);
    for (int i = 0; i < 200000; i++)
        run(0, 0, "+e", ticks);
    trace_calls_end(calls);
    struct trace_calls_state s = trace_calls_state(calls);
    assert_int_equal(s.unmatched_entries + s.open, 0);
}

/* An interrupt is part of the total of what it interrupts, and not of its own time. */
static void test_interrupts(void **state)
{
    const int64_t a[] = {0, 1, 100, 110}, x[] = {10, 12, 30, 40}, y[] = {15, 25};

    clock_of(0, 0);
    run(0, 0, "+a+b", a);
    run(0, 5, "+x+b", x);
    run(0, 9, "+y-y", y);
    run(0, 5, "-b-x", x + 2);
    run(0, 5, "+x-x", (const int64_t[]){50, 60});
    run(0, 0, "-b-a", a + 2);
    check("a", 1, 1, 110, 11);
    check("x", 2, 2, 30 + 10, 12 + 10);
    check("y", 1, 1, 10, 10);
    check("b", 2, 2, 99, (99 - 40) + (18 - 10)); /* the outermost b of the core */
}

/* Each task has a stack of its own on each core, which another one may interrupt anywhere. Its
 * calls last until they return, whatever ran meanwhile. */
static void test_tasks(void **state)
{
    const int64_t a[] = {0, 1, 50, 60}, b[] = {10, 12, 70, 75}, x[] = {61, 63};

    clock_of(0, 0);
    clock_of(1, 0);
    run_task(0, 0, 1, "+a+b", a);
    run_task(0, 0, 2, "+a+b", b);
    run_task(1, 0, 1, "+a+b", (const int64_t[]){5, 6});
    run_task(0, 0, 1, "-b-a", a + 2);
    run_task(0, 11, 2, "+x-x", x);
    run_task(0, 0, 2, "-b-a", b + 2);
    check("a", 3, 2, 60 + 65, 125 - 49 - 58);
    check("b", 3, 2, 49 + 58, 49 + 58);
    check("x", 1, 1, 2, 2);
    put((struct trace_event){.kind = TRACE_FULL, .core = 0, .count = 1});
    run_task(1, 0, 1, "-b-a", (const int64_t[]){8, 9});
    check("a", 3, 3, 125 + 4, 125 - 49 - 58 + 2);
    assert_int_equal(trace_calls_state(calls).unmatched_exits, 0);
}

/* Calls of each context by themselves. */
static void test_contexts(void **state)
{
    const struct trace_about about = {.cores = 2};
    const int64_t ticks[] = {0, 5, 7, 17};
    static const struct {
        const char *context;
        uint64_t calls;
        double total;
    } wanted[] = {
        {"task 0x1, core 0", 1, 17},
        {"exception 5, core 0", 1, 2},
        {"task net, core 0", 2, 10},
        {"core 1", 1, 5},
    };

    trace_calls_split(calls, &about);
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_TASK, 2, 1, "net"}));
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_TASK, 1, 1, ""}));
    clock_of(0, 0);
    clock_of(1, 0);
    run_task(0, 0, 1, "+a", ticks);
    run_task(0, 5, 1, "+a-a", ticks + 1);
    run_task(0, 0, 2, "+a-a+a-a", (const int64_t[]){8, 12, 12, 18});
    run_task(0, 0, 1, "-a", ticks + 3);
    run(1, 0, "+a-a", ticks);
    (void)row("a");
    assert_int_equal(row_count, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_string_equal(rows[i].context, wanted[i].context);
        assert_int_equal(rows[i].calls, wanted[i].calls);
        assert_near(rows[i].total, wanted[i].total, 1e-9);
    }
}

/* Tasks that have no room share a stack. */
static void test_many_tasks(void **state)
{
    const int64_t ticks[] = {0, 1};

    clock_of(0, 0);
    for (uint64_t task = 1; task <= 300; task++)
        run_task(0, 0, task, "+a", ticks);
    for (uint64_t task = 1; task <= 255; task++)
        run_task(0, 0, task, "-a", ticks + 1);
    check("a", 300, 255, 255, 255);
    for (int i = 0; i < 45; i++) /* these share the last stack */
        run_task(0, 0, 300, "-a", ticks + 1);
    check("a", 300, 300, 255 + 1, 255 + 1);
}

/* A second recording of the same build has the same functions, and other points. */
static void test_runs(void **state)
{
    const int64_t ticks[] = {0, 7, 7};

    clock_of(0, 0);
    run(0, 0, "+a-a+a", ticks);
    trace_points_clear(points);
    put((struct trace_event){.kind = TRACE_RUN});
    run(0, 0, "+b-b", ticks); /* without a clock */
    check("b", 1, 0, -1, -1);
    clock_of(0, 0);
    run(0, 0, "+b-b", ticks);
    run(0, 0, "+a-a", ticks);
    check("a", 3, 2, 14, 14);
    check("b", 2, 1, 7, 7);
    assert_int_equal(trace_calls_state(calls).open, 1);
    assert_int_equal(row_count, 2);
    assert_string_equal(row("a")->file, "src/a.c");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, make, remove_all)
    const struct CMUnitTest tests[] = {
        TEST(nested),       TEST(recursion),  TEST(seconds),     TEST(no_times),
        TEST(losses),       TEST(cores),      TEST(unmatched),   TEST(contradictions),
        TEST(entries_only), TEST(interrupts), TEST(jumped_over), TEST(tasks),
        TEST(many_tasks),   TEST(contexts),   TEST(runs),        TEST(quantiles),
        TEST(sleeps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
