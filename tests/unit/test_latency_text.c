/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms, and what is said of times. */
#include "unit.h"

#include <trace_view/latency.h>

#include "latency_bins.h"

static struct durations made;

static int remove_all(void **state)
{
    durations_free(&made);
    return 0;
}

static void add(int64_t ticks, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_true(durations_add(&made, ticks));
}

/* edges and counts of all rows. */
static void check(double unit, size_t count, const double *edges, const uint64_t *counts)
{
    const struct latency_bins bins = latency_bins(&made, unit);

    assert_int_equal(bins.count, count);
    for (size_t i = 0; i <= count; i++)
        assert_near(bins.edges[i], edges[i], 1e-9 * edges[i]);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(bins.counts[i], counts[i]);
}

/* What is at an edge belongs to the row that begins there. */
static void test_equal(void **state)
{
    add(100, 1);
    add(119, 1);
    add(120, 5);
    add(200, 2);
    check(1e-6, 11,
          (double[]){100e-6, 110e-6, 120e-6, 130e-6, 140e-6, 150e-6, 160e-6, 170e-6, 180e-6, 190e-6,
                     200e-6, 210e-6},
          (uint64_t[]){1, 1, 5, 0, 0, 0, 0, 0, 0, 0, 2});
}

static void test_one(void **state)
{
    add(7, 3);
    check(1, 1, (double[]){7, 8}, (uint64_t[]){3});
    remove_all(state);
    add(0, 3);
    check(1, 1, (double[]){0, 1}, (uint64_t[]){3});
}

static void test_growing(void **state)
{
    add(0, 1);
    add(1, 2);
    add(4, 3);
    add(5, 4);
    add(99, 5);
    check(1, 7, (double[]){0, 1, 2, 5, 10, 20, 50, 100}, (uint64_t[]){1, 2, 3, 4, 0, 0, 5});
    add(100, 6);
    check(1, 8, (double[]){0, 1, 2, 5, 10, 20, 50, 100, 200}, (uint64_t[]){1, 2, 3, 4, 0, 0, 5, 6});
}

/* However far apart, there is a row for each. */
static void test_far(void **state)
{
    add(0, 1);
    add(INT64_C(1) << 60, 1);
    const struct latency_bins bins = latency_bins(&made, 1e-9);
    assert_true(bins.count < LATENCY_BINS_MAX);
    assert_true(bins.counts[0] == 1 && bins.counts[bins.count - 1] == 1);
    assert_true(bins.edges[bins.count] > 1.15e9);
}

static struct view_latency view_of(const char *to)
{
    add(1500, 2);
    add(2500, 1);
    return (struct view_latency){.file = "run.trace",
                                 .origin = "run.trace",
                                 .elf = "fw.elf",
                                 .build = "0123",
                                 .from = "irq_entry",
                                 .to = to,
                                 .state = {.durations = &made,
                                           .hz = 1000000,
                                           .worst = {.begin = 2000000, .ticks = 2500, .core = 1},
                                           .unended = 4,
                                           .unbegun = 5,
                                           .lost = 6,
                                           .unrated = 7}};
}

static void end(char *text, const char *wanted)
{
    assert_string_equal(text, wanted);
    free(text);
}

static void test_pairs(void **state)
{
    struct view_latency v = view_of("task_done");
    char *text = view_latency_text(&v);

    end(text, "run.trace: 3 times from irq_entry to task_done\n"
              "min 1.500 ms, median 1.500 ms, 99 % 2.500 ms, max 2.500 ms\n"
              "mean 1.833 ms, standard deviation 577.350 us\n"
              "left out: 4 irq_entry: an earlier one had begun, or the trace ended, before task_done\n"
              "left out: 5 task_done: they came without irq_entry\n"
              "left out: 6 irq_entry: then events were lost, or the target restarted\n"
              "left out: 7 irq_entry: their clock has another rate than the first one\n"
              "\n"
              "      FROM          TO      COUNT\n"
              "  1.500 ms    1.600 ms          2  ########################################\n"
              "  1.600 ms    1.700 ms          0\n"
              "  1.700 ms    1.800 ms          0\n"
              "  1.800 ms    1.900 ms          0\n"
              "  1.900 ms    2.000 ms          0\n"
              "  2.000 ms    2.100 ms          0\n"
              "  2.100 ms    2.200 ms          0\n"
              "  2.200 ms    2.300 ms          0\n"
              "  2.300 ms    2.400 ms          0\n"
              "  2.400 ms    2.500 ms          0\n"
              "  2.500 ms    2.600 ms          1  ####################\n"
              "\n"
              "the longest: 2.500 ms, beginning at 2.000000 s\n"
              "\n");
}

static void test_calls(void **state)
{
    struct view_latency v = view_of(NULL);

    v.state.hz = 0;
    v.state.unrated = 0;
    char *text = view_latency_text(&v);
    end(text, "run.trace: 3 calls of irq_entry\n"
              "min 1500, median 1500, 99 % 2500, max 2500\n"
              "mean 1833, standard deviation 577\n"
              "times are ticks of the target's clock\n"
              "left out: 4 calls: no exit was seen\n"
              "left out: 5 calls: no entry was seen\n"
              "left out: 6 calls: events were lost before they returned\n"
              "\n"
              "      FROM          TO      COUNT\n"
              "      1500        1600          2  ########################################\n"
              "      1600        1700          0\n"
              "      1700        1800          0\n"
              "      1800        1900          0\n"
              "      1900        2000          0\n"
              "      2000        2100          0\n"
              "      2100        2200          0\n"
              "      2200        2300          0\n"
              "      2300        2400          0\n"
              "      2400        2500          0\n"
              "      2500        2600          1  ####################\n"
              "\n"
              "the longest: 2500\n"
              "\n");
}

static void test_json(void **state)
{
    struct view_latency v = view_of("task_done");
    char *text = view_latency_json(&v, "{\"kind\":\"entry\"}\n{\"kind\":\"exit\"}\n", 3);

    end(text, "{\"file\":\"run.trace\",\"elf\":\"fw.elf\",\"build\":\"0123\","
              "\"from\":\"irq_entry\",\"to\":\"task_done\",\"unit\":\"seconds\",\"count\":3,"
              "\"min\":0.0015,\"avg\":0.00183333333,\"median\":0.0015,\"p99\":0.0025,"
              "\"max\":0.0025,\"stddev\":0.000577350269,\"unended\":4,\"unbegun\":5,"
              "\"lost\":6,\"unrated\":7,\"histogram\":[{\"from\":0.0015,\"to\":0.0016,"
              "\"count\":2},{\"from\":0.0016,\"to\":0.0017,\"count\":0},{\"from\":0.0017,"
              "\"to\":0.0018,\"count\":0},{\"from\":0.0018,\"to\":0.0019,\"count\":0},"
              "{\"from\":0.0019,\"to\":0.002,\"count\":0},{\"from\":0.002,\"to\":0.0021,"
              "\"count\":0},{\"from\":0.0021,\"to\":0.0022,\"count\":0},{\"from\":0.0022,"
              "\"to\":0.0023,\"count\":0},{\"from\":0.0023,\"to\":0.0024,\"count\":0},"
              "{\"from\":0.0024,\"to\":0.0025,\"count\":0},{\"from\":0.0025,\"to\":0.0026,"
              "\"count\":1}],\"worst\":{\"time\":2.0,\"duration\":0.0025,\"core\":1,"
              "\"events\":[{\"kind\":\"entry\"},{\"kind\":\"exit\"}],\"more\":3}}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_equal, remove_all),
        cmocka_unit_test_teardown(test_one, remove_all),
        cmocka_unit_test_teardown(test_growing, remove_all),
        cmocka_unit_test_teardown(test_far, remove_all),
        cmocka_unit_test_teardown(test_pairs, remove_all),
        cmocka_unit_test_teardown(test_calls, remove_all),
        cmocka_unit_test_teardown(test_json, remove_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
