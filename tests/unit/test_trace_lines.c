/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a trace, byte by byte. */
#include "trace_line_checks.h"

static void call(const char *name, unsigned core, unsigned exception, bool leaves, int64_t ticks)
{
    put(trace_call(points, name, core, exception, leaves, ticks));
}

static void test_text(void **state)
{
    struct trace_point p = {.callee = 0x1234, .caller_function = TRACE_NO_FUNCTION};
    const struct trace_function nameless = {
        .addr = 0x1234, .name = "", .file = "", .parameters = ""};
    uint32_t index;
    bool added;

    begin(FORMAT_TABLE, 1);
    assert_true(trace_name_exception(points, 15, "SysTick_Handler (SysTick)"));
    call("f", 0, 0, false, 0);
    clock_of(0, 0);
    call("f", 0, 0, true, -1234567890123);
    clock_of(0, 3000000);
    call("g", 0, 15, false, 1);
    call("g", 0, 15, true, 2999999);
    call("g", 0, 15, true, -3000001);
    call("g", 0, 15, true, 3000000 * INT64_C(123456) - 1);
    assert_true(trace_add_function(points, &nameless, &p.function));
    assert_true(trace_add_point(points, &p, &index, &added));
    put((struct trace_event){.kind = TRACE_CALL, .point = index, .ticks = 3});
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .count = 1});
    put((struct trace_event){.kind = TRACE_FULL, .count = 20});
    put((struct trace_event){.kind = TRACE_RESTART});
    put((struct trace_event){.kind = TRACE_DAMAGED, .count = 99});
    end("           -  0x00009000 -> f\n"
        "-1234567890123  0x00009000 <- f\n"
        "    0.000000  0x00009000 -> g  [SysTick_Handler (SysTick)]\n"
        "    1.000000  0x00009000 <- g  [SysTick_Handler (SysTick)]\n"
        "   -1.000000  0x00009000 <- g  [SysTick_Handler (SysTick)]\n"
        "123456.000000  0x00009000 <- g  [SysTick_Handler (SysTick)]\n"
        "    0.000001  ? -> 0x00001234\n"
        "              lost: 1 event overwritten before they were read\n"
        "              lost: 20 events not recorded: the trace is full; 'mprof control reset' "
        "empties it\n"
        "              the target has restarted\n"
        "              damaged: 99 bytes of the file\n");
}

static void test_cores(void **state)
{
    begin(FORMAT_TABLE, 2);
    clock_of(1, 10);
    call("f", 0, 0, false, 5);
    call("f", 1, 3, false, 5);
    put((struct trace_event){.kind = TRACE_UNFINISHED, .core = 1, .count = 2});
    end("           -  0x00009000 -> f  (core 0)\n"
        "    0.500000  0x00009000 -> f  [?]  (core 1)\n"
        "              lost: 2 events interrupted while they were recorded  (core 1)\n");
}

static void test_json(void **state)
{
    begin(FORMAT_JSON, 1);
    assert_true(trace_name_exception(points, 0, "thread"));
    call("f", 0, 0, false, 0);
    clock_of(0, 0);
    call("f", 0, 0, true, -7);
    clock_of(0, 3);
    call("f\"", 0, 2, true, 7);
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .count = UINT32_MAX});
    put((struct trace_event){.kind = TRACE_RESTART});
    end("{\"time\":null,\"ticks\":null,\"kind\":\"entry\",\"function\":\"f\",\"caller\":null,"
        "\"address\":\"0x00009980\",\"caller_address\":\"0x00009000\",\"context\":\"thread\","
        "\"core\":0}\n"
        "{\"time\":null,\"ticks\":-7,\"kind\":\"exit\",\"function\":\"f\",\"caller\":null,"
        "\"address\":\"0x00009980\",\"caller_address\":\"0x00009000\",\"context\":\"thread\","
        "\"core\":0}\n"
        "{\"time\":2.333333333,\"ticks\":7,\"kind\":\"exit\",\"function\":\"f\\\"\","
        "\"caller\":null,\"address\":\"0x00009980\",\"caller_address\":\"0x00009000\","
        "\"context\":null,\"core\":0}\n"
        "{\"kind\":\"lost\",\"count\":4294967295,\"reason\":\"overwritten\",\"core\":0}\n"
        "{\"kind\":\"restart\",\"core\":0}\n");
}

/* Names of before are not used for other points; the clock of another recording is its own. */
static void test_recordings(void **state)
{
    begin(FORMAT_TABLE, 1);
    put((struct trace_event){.kind = TRACE_RUN});
    clock_of(0, 1);
    call("f", 0, 0, false, 1);
    trace_points_clear(points);
    put((struct trace_event){.kind = TRACE_RUN});
    call("g", 0, 0, false, 1);
    end("    1.000000  0x00009000 -> f\n"
        "              another recording: \n"
        "           -  0x00009000 -> g\n");
}

static struct trace_event entry(const char *name, const char *caller, uint64_t argument)
{
    struct trace_point p = {.callee = 64 * (uint64_t)(uint8_t)name[0],
                            .caller = 64 * (uint64_t)(uint8_t)caller[0],
                            .caller_function = TRACE_NO_FUNCTION};
    struct trace_event e = {
        .kind = TRACE_CALL, .argument_count = 1, .arguments = {argument}, .has_task = true};
    struct trace_function f = {.name = name, .file = "", .parameters = "(u4", .addr = p.callee};
    bool added;

    f.types[0] = TRACE_BOOL;
    assert_true(trace_add_function(points, &f, &p.function));
    f.name = caller;
    f.addr = p.caller;
    if (caller[0] != '?')
        assert_true(trace_add_function(points, &f, &p.caller_function));
    assert_true(trace_add_point(points, &p, &e.point, &added));
    return e;
}

static void put_chains(enum view_format format)
{
    struct trace_chain *chain = calloc(1, sizeof(*chain) + 3 * sizeof(chain->links[0]));

    assert_non_null(chain);
    begin(format, 1);
    about.addr_size = 4;
    chain->links[0] = (struct trace_link){.entry = entry("g", "?", 1), .caller = true, .gap = true};
    chain->links[1] = (struct trace_link){.entry = entry("h", "g", 5)};
    chain->links[2] = (struct trace_link){.entry = entry("k", "l", 0), .caller = true, .gap = true};
    for (chain->count = 1; chain->count <= 3; chain->count++) {
        struct trace_event e = chain->links[chain->count - 1].entry;
        e.chain = chain;
        put(e);
    }
    free(chain);
}

static void test_chains(void **state)
{
    put_chains(FORMAT_TABLE);
    end("           -  ... -> 0x00000fc0 -> g(true)  {task 0x0}\n"
        "           -  ... -> 0x00000fc0 -> g(true) -> h(5)  {task 0x0}\n"
        "           -  ... -> 0x00000fc0 -> g(true) -> h(5) -> ... -> l -> k(false)  {task 0x0}\n");
    put_chains(FORMAT_JSON);
    assert_true(trace_lines_flush(lines));
    assert_non_null(
        strstr(printed, "\"core\":0,\"stack\":[null,{\"function\":null,\"address\":\"0x00000fc0\"},"
                        "{\"function\":\"g\",\"address\":\"0x000019c0\",\"arguments\":[1],"
                        "\"argument_texts\":[\"true\"]}],\"arguments\":[1],"
                        "\"argument_texts\":[\"true\"],\"task\":\"0x00000000\"}\n"));
    assert_non_null(strstr(printed,
                           "{\"function\":\"h\",\"address\":\"0x00001a00\",\"arguments\":[5]},null,"
                           "{\"function\":\"l\",\"address\":\"0x00001b00\"},{\"function\":\"k\","));
    end(NULL);
}

/* More than fits into the buffer. */
static void test_many(void **state)
{
    char name[3000];
    size_t len = 0;

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    begin(FORMAT_TABLE, 1);
    for (int i = 0; i < 100; i++)
        call(name, 0, 0, i % 2 != 0, i);
    assert_true(trace_lines_flush(lines));
    for (int i = 0; i < 100; i++) {
        const char *line = printed + len;
        len += strcspn(line, "\n") + 1;
        assert_int_equal(line[0], ' ');
        assert_int_equal(printed + len - line, 14 + 10 + 4 + 2999 + 1);
    }
    assert_int_equal(len, printed_len);
    trace_lines_free(lines);
    fclose(file);
    free(printed);
    trace_points_free(points);
}

static void put_sleep(enum trace_sleep what, unsigned core, uint32_t rate, uint32_t time,
                      int64_t ticks)
{
    const struct trace_point p = {.kind = TRACE_MARK, .callee = rate, .core = core, .sleep = what};
    struct trace_event e = {
        .kind = TRACE_CALL, .core = core, .ticks = ticks, .argument_count = 1, .arguments = {time}};
    bool added;

    assert_true(trace_add_point(points, &p, &e.point, &added));
    put(e);
}

static void sleeps(enum view_format format)
{
    begin(format, 2);
    clock_of(0, 1000000);
    put_sleep(TRACE_AWAKE, 0, 32768, 5, 0); /* when it went to sleep is not known */
    put_sleep(TRACE_ASLEEP, 0, 32768, 0xfffff000, 10);
    put_sleep(TRACE_ASLEEP, 1, 0, 0, 11);
    put_sleep(TRACE_AWAKE, 1, 0, 0, 12);
    put_sleep(TRACE_AWAKE, 0, 32768, 0x1000, 20);
    put_sleep(TRACE_ASLEEP, 0, 32768, 1, 30);
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .core = 0, .count = 2});
    put_sleep(TRACE_AWAKE, 0, 32768, 90000, 40); /* perhaps of another sleep */
}

static void test_sleeps(void **state)
{
    sleeps(FORMAT_TABLE);
    end("    0.000000  --- awake after an unknown time ---  (core 0)\n"
        "    0.000010  --- asleep ---  (core 0)\n"
        "           -  --- asleep ---  (core 1)\n"
        "           -  --- awake after an unknown time ---  (core 1)\n"
        "    0.000020  --- awake after 0.250000 s ---  (core 0)\n"
        "    0.000030  --- asleep ---  (core 0)\n"
        "              lost: 2 events overwritten before they were read  (core 0)\n"
        "    0.000040  --- awake after an unknown time ---  (core 0)\n");
    sleeps(FORMAT_JSON);
    end("{\"time\":0.000000000,\"ticks\":0,\"kind\":\"awake\",\"core\":0,\"slept\":null}\n"
        "{\"time\":0.000010000,\"ticks\":10,\"kind\":\"asleep\",\"core\":0}\n"
        "{\"time\":null,\"ticks\":null,\"kind\":\"asleep\",\"core\":1}\n"
        "{\"time\":null,\"ticks\":null,\"kind\":\"awake\",\"core\":1,\"slept\":null}\n"
        "{\"time\":0.000020000,\"ticks\":20,\"kind\":\"awake\",\"core\":0,\"slept\":0.25}\n"
        "{\"time\":0.000030000,\"ticks\":30,\"kind\":\"asleep\",\"core\":0}\n"
        "{\"kind\":\"lost\",\"count\":2,\"reason\":\"overwritten\",\"core\":0}\n"
        "{\"time\":0.000040000,\"ticks\":40,\"kind\":\"awake\",\"core\":0,\"slept\":null}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),   cmocka_unit_test(test_cores),
        cmocka_unit_test(test_json),   cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_chains), cmocka_unit_test(test_many),
        cmocka_unit_test(test_sleeps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
