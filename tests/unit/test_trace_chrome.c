/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Chrome's format has of marks of sleep and of names of tasks. */
#include "trace_checks.h"

#include <stdio.h>

#include <trace_export/trace_export.h>

static struct trace_points *points;
static struct trace_export *export;

static void put(struct trace_event event)
{
    event.has_task = true;
    event.task = 5;
    assert_int_equal(trace_export_put(export, &event), EXPORT_OK);
}

static void put_sleep(enum trace_sleep what, uint32_t rate, uint32_t time, int64_t ticks)
{
    const struct trace_point p = {.kind = TRACE_MARK, .callee = rate, .sleep = what};
    struct trace_event e = {
        .kind = TRACE_CALL, .ticks = ticks, .argument_count = 1, .arguments = {time}};
    bool added;

    assert_true(trace_add_point(points, &p, &e.point, &added));
    put(e);
}

static void test_sleeps(void **state)
{
    const struct trace_export_source source = {
        .title = "t", .calls = true, .exits = true, .timed = true, .seconds = true};
    const struct trace_about about = {.build = "", .elf = "", .cores = 1, .addr_size = 4};
    char text[200], *printed;
    size_t len;
    FILE *file = open_memstream(&printed, &len);

    points = trace_points_new();
    assert_true(file && points);
    export = trace_export_open(exporter_find("chrome"), &source, points, &about, file, NULL, text,
                               sizeof(text));
    assert_non_null(export);
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_TASK, 5, 1, "idle\n"}));
    put((struct trace_event){.kind = TRACE_CLOCK, .timed = true, .hz = 1000000});
    put(trace_call(points, "a", 0, 0, false, 1));
    put_sleep(TRACE_ASLEEP, 32768, 0xfffff000, 2);
    put_sleep(TRACE_AWAKE, 32768, 0x1000, 3);
    put_sleep(TRACE_ASLEEP, 0, 0, 4);
    put_sleep(TRACE_AWAKE, 0, 0, 5);
    put(trace_call(points, "a", 0, 0, true, 6));
    assert_int_equal(trace_export_end(export, NULL), EXPORT_OK);
    trace_export_free(export);
    fclose(file);
    assert_non_null(strstr(printed, "\"args\":{\"name\":\"task idle\\u000a\"}"));
    assert_string_equal(
        strstr(printed, "{\"ph\":\"i\""),
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":2.000,\"s\":\"t\",\"name\":\"asleep\",\"args\":"
        "{\"core\":0}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":3.000,\"s\":\"t\",\"name\":\"awake\",\"args\":"
        "{\"core\":0,\"slept ns\":250000000}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":4.000,\"s\":\"t\",\"name\":\"asleep\",\"args\":"
        "{\"core\":0}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":5.000,\"s\":\"t\",\"name\":\"awake\",\"args\":"
        "{\"core\":0}},\n"
        "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":6.000}\n]}\n");
    free(printed);
    trace_points_free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sleeps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
