/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of a target: the events of the longest one are known as long as they are kept. */
#include "scratch_file.h"
#include "trace_checks.h"

#include "live_times.h"

static struct trace_points *points;
static struct trace_about about;
static struct options options;
static struct live_times *times;
static int64_t now;

static void put(const char *token)
{
    struct trace_event e = trace_token(points, token, &now);

    assert_true(live_times_put(times, &e));
}

static void put_many(const char *token, size_t count)
{
    while (count-- != 0)
        put(token);
}

static int make(void **state)
{
    char text[200];

    points = trace_points_new();
    about = (struct trace_about){.build = "", .elf = "fw.elf"};
    now = 0;
    options = (struct options){.worst_typed = "a", .output = scratch_path};
    assert_true(view_ignore_parse("a", &options.worst, text, sizeof(text)));
    times = live_times_new(&options, points, &about);
    put("C");
    return 0;
}

static int remove_all(void **state)
{
    live_times_free(times);
    trace_points_free(points);
    return 0;
}

/* What is printed has all parts, in their order. */
static void check(const char *const *parts)
{
    char text[30000];
    FILE *file;

    assert_int_equal(live_times_print(times, ":3333"), 0);
    file = fopen(scratch_path, "re");
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[len] = '\0';
    for (const char *at = text; *parts; parts++) {
        at = strstr(at, *parts);
        if (!at)
            fail_msg("no '%s' in its place in\n%s", *parts, text);
    }
}

static void test_longest(void **state)
{
    put("+a.");
    put("+ba");
    put("-ba");
    put("-a.@9000");
    put("+a.@9001");
    put("+ca");
    put("-ca");
    put("-a.");
    assert_true(live_times_has_any(times));
    check((const char *const[]){":3333: 2 calls of a\n", "max 8.998 s\n", "the longest: 8.998 s",
                                "|  a() {\n", "|    b();\n", "|  }  /* a */\n", NULL});
}

/* As many as are shown; the rest is counted. */
static void test_many(void **state)
{
    put("+a.");
    put_many("m", 250);
    put("-a.");
    check((const char *const[]){"1 call of a\n", "|  a() {\n", "mark", "... 52 more events\n", NULL});
}

static void test_too_many(void **state)
{
    put("+a.");
    put_many("m", 65535);
    put("-a.");
    check((const char *const[]){"the longest: 65.536 s",
                                "... 65537 events, too many to keep: --record writes all", NULL});
}

/* And with one event less they are there. */
static void test_just_enough(void **state)
{
    put("+a.");
    put_many("m", 65534);
    put("-a.");
    check((const char *const[]){"the longest: 65.535 s", "|  a() {\n", "... 65336 more events\n",
                                NULL});
}

/* Another build of the firmware: no call goes on, and the longest one is still shown. */
static void test_other_points(void **state)
{
    put("+a.@10");
    put("-a.@50");
    put("+a.@60");
    assert_true(live_times_end_run(times));
    trace_points_clear(points);
    put("C");
    put("-a.@500");
    put("+a.@501");
    put("-a.@503");
    check((const char *const[]){"2 calls of a\n", "max 40.000 ms", "left out: 1 call: no exit was",
                                "left out: 1 call: no entry was", "a();\n", NULL});
}

static void test_nothing(void **state)
{
    assert_false(live_times_has_any(times));
    assert_int_equal(live_times_print(times, ":3333"), 1);
    assert_int_equal(live_times_check(times), 0);
    put_many("+a.", 99);
    assert_int_equal(live_times_check(times), 0);
    put("+a.");
    assert_int_equal(live_times_check(times), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, make, remove_all)
    const struct CMUnitTest tests[] = {
        TEST(longest),     TEST(many),         TEST(too_many),
        TEST(just_enough), TEST(other_points), TEST(nothing),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
