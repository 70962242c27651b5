/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a trace, byte by byte. */
#include "trace_checks.h"

#include <trace_view/trace_graph.h>

static struct trace_points *points;
static struct trace_about about;
static struct trace_graph *graph;
static FILE *file;
static char *printed;
static size_t printed_len;

static void begin(enum view_format format, unsigned cores)
{
    about = (struct trace_about){
        .build = "0123456789", .elf = "fw.elf", .cores = cores, .addr_size = 8};
    points = trace_points_new();
    file = open_memstream(&printed, &printed_len);
    graph = trace_graph_new(file, format, points, &about);
    assert_true(points && file && graph);
}

static void end(const char *wanted)
{
    assert_true(trace_graph_flush(graph));
    trace_graph_free(graph);
    fclose(file);
    assert_string_equal(printed, wanted);
    free(printed);
    trace_points_free(points);
}

static void put(struct trace_event event)
{
    assert_true(trace_graph_put(graph, &event));
}

static void clock_of(unsigned core, uint32_t hz)
{
    put((struct trace_event){.kind = TRACE_CLOCK, .core = core, .timed = true, .hz = hz});
}

/* Events of a core, one after the other: "+f" enters f, "-f" leaves it, each with the next of the
 * ticks. */
static void run(unsigned core, unsigned exception, const char *events, const int64_t *ticks)
{
    for (; *events; events += 2)
        put(trace_call(points, (char[]){events[1], '\0'}, core, exception, events[0] == '-',
                       *ticks++));
}

static void test_nesting(void **state)
{
    const int64_t ticks[] = {0, 1, 4, 5, 6, 7, 16, 30, 40, 50};

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    run(0, 0, "+a+b-b+b+c-c-b-a+d-d", ticks);
    end("    0.000000  thread               |  a() {\n"
        "    0.000001  thread      3.000 us |    b();\n"
        "    0.000005  thread               |    b() {\n"
        "    0.000006  thread      1.000 us |      c();\n"
        "    0.000016  thread  +  11.000 us |    }  /* b */\n"
        "    0.000030  thread  +  30.000 us |  }  /* a */\n"
        "    0.000040  thread     10.000 us |  d();\n");
}

/* More than a limit, not the limit itself. */
static void test_signs(void **state)
{
    const int64_t steps[] = {0,     10,    11,     100,    101,     1000,   1001,
                             10000, 10001, 100000, 100001, 1000000, 1000001};
    int64_t now = 0;

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    for (size_t i = 0; i < COUNT(steps); i++) {
        const int64_t ticks[] = {now, now + steps[i]};
        run(0, 0, "+a-a", ticks);
        now += steps[i];
    }
    end("    0.000000  thread      0.000 us |  a();\n"
        "    0.000000  thread     10.000 us |  a();\n"
        "    0.000010  thread  +  11.000 us |  a();\n"
        "    0.000021  thread  + 100.000 us |  a();\n"
        "    0.000121  thread  ! 101.000 us |  a();\n"
        "    0.000222  thread  !   1.000 ms |  a();\n"
        "    0.001222  thread  #   1.001 ms |  a();\n"
        "    0.002223  thread  #  10.000 ms |  a();\n"
        "    0.012223  thread  *  10.001 ms |  a();\n"
        "    0.022224  thread  * 100.000 ms |  a();\n"
        "    0.122224  thread  @ 100.001 ms |  a();\n"
        "    0.222225  thread  @    1.000 s |  a();\n"
        "    1.222225  thread  $    1.000 s |  a();\n");
}

/* Handlers stand below what they interrupt, also one of another; at the end of one that was not
 * left, below nothing. */
static void test_interrupts(void **state)
{
    const int64_t ticks[] = {10, 20, 30, 40, 50, 60, 70, 80};

    begin(FORMAT_TABLE, 1);
    assert_true(trace_name_exception(points, 15, "SysTick_Handler (SysTick)"));
    clock_of(0, 1000000);
    run(0, 0, "+a+b", ticks);
    run(0, 15, "+i", ticks + 2);
    run(0, 20, "+j-j", ticks + 2);
    run(0, 15, "-i", ticks + 4);
    run(0, 0, "-b", ticks + 5);
    run(0, 15, "+i-i", ticks + 5);
    run(0, 0, "-a", ticks + 7);
    run(0, 15, "-i", ticks + 7);
    run(0, 15, "+i", ticks + 7);
    run(0, 0, "-a", ticks + 7);
    run(0, 15, "-i", ticks + 7);
    end("    0.000010  thread               |  a() {\n"
        "    0.000020  thread               |    b() {\n"
        "    0.000030  SysTick_Handler               |      i() {\n"
        "    0.000030  exception 20        10.000 us |        j();\n"
        "    0.000050  SysTick_Handler  +  20.000 us |      }  /* i */\n"
        "    0.000060  thread           +  40.000 us |    }  /* b */\n"
        "    0.000060  SysTick_Handler     10.000 us |    i();\n"
        "    0.000080  thread           +  70.000 us |  }  /* a */\n"
        "    0.000080  SysTick_Handler               |  }  /* i */\n"
        "    0.000080  SysTick_Handler               |  i() {\n"
        "    0.000080  thread                        |  }  /* a */\n"
        "    0.000080  SysTick_Handler      0.000 us |  }  /* i */\n");
}

static void test_losses(void **state)
{
    const int64_t ticks[] = {1, 2, 3, 4, 5, 6};

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    run(0, 0, "+a+b", ticks);
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .count = 20});
    run(0, 0, "-a+c-c", ticks + 2);
    run(0, 15, "+i", ticks + 4);
    run(0, 20, "+j", ticks + 5);
    put((struct trace_event){.kind = TRACE_RESTART});
    run(0, 15, "+k-k", ticks);
    run(0, 0, "+a", ticks);
    put((struct trace_event){.kind = TRACE_DAMAGED, .count = 9});
    put((struct trace_event){.kind = TRACE_RUN});
    clock_of(0, 0);
    run(0, 0, "+a-a", ticks);
    put((struct trace_event){.kind = TRACE_END});
    put((struct trace_event){.kind = TRACE_RUN});
    run(0, 0, "+a-a", ticks);
    end("    0.000001  thread               |  a() {\n"
        "    0.000002  thread               |    b() {\n"
        "              lost: 20 events overwritten before they were read\n"
        "    0.000003  thread               |  }  /* a */\n"
        "    0.000004  thread      1.000 us |  c();\n"
        "    0.000005  exception 15               |  i() {\n"
        "    0.000006  exception 20               |    j() {\n"
        "              the target has restarted\n"
        "    0.000001  exception 15      1.000 us |  k();\n"
        "    0.000001  thread                     |  a() {\n"
        "              damaged: 9 bytes of the file\n"
        "           1  thread                   1 |  a();\n"
        "              another recording: \n"
        "           -  thread                     |  a();\n");
}

/* c is left by a jump to a, as is b, which has called it; d, too, before it has called anything. */
static void test_jumps(void **state)
{
    const int64_t ticks[] = {1, 2, 3, 4, 5, 6, 7, 8};

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    run(0, 0, "+a+b+c+b-a+a+d-a", ticks);
    end("    0.000001  thread               |  a() {\n"
        "    0.000002  thread               |    b() {\n"
        "    0.000003  thread               |      c() {\n"
        "    0.000004  thread               |        b();  /* no exit was seen */\n"
        "              thread               |      }  /* c: no exit was seen */\n"
        "              thread               |    }  /* b: no exit was seen */\n"
        "    0.000005  thread      4.000 us |  }  /* a */\n"
        "    0.000006  thread               |  a() {\n"
        "    0.000007  thread               |    d();  /* no exit was seen */\n"
        "    0.000008  thread      2.000 us |  }  /* a */\n");
}

static void test_marks(void **state)
{
    struct trace_point p = {.kind = TRACE_MARK, .callee = 3, .caller_function = TRACE_NO_FUNCTION};
    const int64_t ticks[] = {1, 2, 5, 9};
    uint32_t index;
    bool added;

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    assert_true(trace_add_point(points, &p, &index, &added));
    run(0, 0, "+a+b", ticks);
    put((struct trace_event){.kind = TRACE_CALL, .point = index, .ticks = 3});
    put((struct trace_event){
        .kind = TRACE_CALL, .point = index, .ticks = 4, .argument_count = 1, .arguments = {7}});
    run(0, 0, "-b-a", ticks + 2);
    end("    0.000001  thread               |  a() {\n"
        "    0.000002  thread               |    b() {\n"
        "    0.000003  thread               |      /* mark 3 */\n"
        "    0.000004  thread               |      /* mark 3: 7 */\n"
        "    0.000005  thread      3.000 us |    }  /* b */\n"
        "    0.000009  thread      8.000 us |  }  /* a */\n");
}

static struct trace_event sleep_at(enum trace_sleep what, uint32_t time, int64_t ticks)
{
    const struct trace_point p = {.kind = TRACE_MARK, .callee = 32768, .sleep = what};
    struct trace_event e = {.kind = TRACE_CALL,
                            .ticks = ticks,
                            .argument_count = 1,
                            .arguments = {time},
                            .has_task = true,
                            .task = 5};
    bool added;

    assert_true(trace_add_point(points, &p, &e.point, &added));
    return e;
}

static void sleeps(enum view_format format)
{
    struct trace_event call;

    begin(format, 1);
    clock_of(0, 1000000);
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_TASK, 5, 1, "idle\n"}));
    for (int64_t at = 1; at <= 7; at += 6) {
        call = trace_call(points, "a", 0, 0, at == 7, at);
        call.has_task = true;
        call.task = 5;
        put(call);
        if (at == 7)
            continue;
        put(sleep_at(TRACE_ASLEEP, 0xfffff000, 2));
        put(sleep_at(TRACE_AWAKE, 0x1000, 3));
        put(sleep_at(TRACE_AWAKE, 0x2000, 4));
    }
    put(sleep_at(TRACE_ASLEEP, 0, 8));
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .count = 2});
    put(sleep_at(TRACE_AWAKE, 0x3000, 9)); /* perhaps of another sleep */
}

static void test_sleeps(void **state)
{
    sleeps(FORMAT_TABLE);
    end("    0.000001  task idle?               |  a() {\n"
        "    0.000002  task idle?               |    /* asleep */\n"
        "    0.000003  task idle?               |    /* awake after 0.250000 s */\n"
        "    0.000004  task idle?               |    /* awake after an unknown time */\n"
        "    0.000007  task idle?      6.000 us |  }  /* a */\n"
        "    0.000008  task idle?               |  /* asleep */\n"
        "              lost: 2 events overwritten before they were read\n"
        "    0.000009  task idle?               |  /* awake after an unknown time */\n");
    sleeps(FORMAT_JSON);
    assert_true(trace_graph_flush(graph));
    assert_non_null(strstr(printed, "\"kind\":\"awake\",\"core\":0,\"slept\":0.25}\n"));
    assert_non_null(strstr(printed, "\"ticks\":9,\"kind\":\"awake\",\"core\":0,\"slept\":null}\n"));
    assert_non_null(strstr(printed, "\"task_name\":\"idle\\n\""));
    trace_graph_free(graph);
    fclose(file);
    free(printed);
    trace_points_free(points);
}

/* A handler of several exceptions does not tell which one it was. */
static void test_handlers(void **state)
{
    const int64_t ticks[] = {1, 2};

    begin(FORMAT_TABLE, 2);
    assert_true(trace_name_exception(points, 15, "SysTick_Handler (SysTick)"));
    assert_true(trace_name_exception(points, 16, "Default (IRQ0)"));
    assert_true(trace_name_exception(points, 17, "Default (IRQ1)"));
    run(1, 15, "+a-a-a", (int64_t[]){1, 2, 3});
    run(0, 16, "+a-a", ticks);
    end("           -  SysTick_Handler, core 1               |  a();\n"
        "           -  SysTick_Handler, core 1               |  }  /* a */\n"
        "           -  Default (IRQ0), core 0                |  a();\n");
}

static void test_cores(void **state)
{
    const int64_t ticks[] = {1, 2, 5, 9};

    begin(FORMAT_TABLE, 2);
    clock_of(0, 1000000);
    clock_of(1, 0);
    run(0, 0, "+a+b", ticks);
    run(1, 0, "+a+c", ticks);
    run(0, 0, "-b-a", ticks + 2);
    run(1, 0, "-c-a", ticks + 2);
    end("    0.000001  core 0               |  a() {\n"
        "           1  core 1               |  a() {\n"
        "    0.000002  core 0      3.000 us |    b();\n"
        "    0.000009  core 0      8.000 us |  }  /* a */\n"
        "           2  core 1             3 |    c();\n"
        "           9  core 1             8 |  }  /* a */\n");
}

static void test_arguments(void **state)
{
    struct trace_event e;

    begin(FORMAT_TABLE, 1);
    e = trace_call(points, "f", 0, 0, false, 0);
    e.argument_count = 2;
    e.arguments[0] = 5;
    e.arguments[1] = 0x20000000;
    put(e);
    e.arguments[0] = 0xffffffff;
    put(e);
    put(trace_call(points, "f", 0, 0, true, 0));
    put(trace_call(points, "f", 0, 0, true, 0));
    end("           -  thread               |  f(5, 0x20000000, ...) {\n"
        "           -  thread               |    f(-1, 0x20000000, ...);\n"
        "           -  thread               |  }  /* f */\n");
}

/* Calls of a task go on where it was, whatever ran meanwhile. */
static void run_task(uint64_t task, const char *events, const int64_t *ticks)
{
    for (; *events; events += 2) {
        struct trace_event e =
            trace_call(points, (char[]){events[1], '\0'}, 0, 0, events[0] == '-', *ticks++);
        e.has_task = true;
        e.task = task;
        put(e);
    }
}

static void test_two_tasks(void **state)
{
    const int64_t ticks[] = {1, 2, 3, 4, 5, 6, 7, 8};

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    run_task(0x20000040, "+a+b", ticks);
    run_task(0x20000080, "+c", ticks + 2);
    run_task(0x20000040, "-b-a", ticks + 3);
    run_task(0x20000080, "-c", ticks + 5);
    run_task(0x20000040, "+d", ticks + 5);
    run_task(0x20000080, "+e", ticks + 6);
    run_task(0x20000040, "-d", ticks + 7);
    run_task(0x20000080, "-e", ticks + 7);
    end("    0.000001  task 0x20000040               |  a() {\n"
        "    0.000002  task 0x20000040               |    b() {\n"
        "    0.000003  task 0x20000080               |  c() {\n"
        "    0.000004  task 0x20000040      2.000 us |    }  /* b */\n"
        "    0.000005  task 0x20000040      4.000 us |  }  /* a */\n"
        "    0.000006  task 0x20000080      3.000 us |  }  /* c */\n"
        "    0.000006  task 0x20000040               |  d() {\n"
        "    0.000007  task 0x20000080               |  e() {\n"
        "    0.000008  task 0x20000040      2.000 us |  }  /* d */\n"
        "    0.000008  task 0x20000080      1.000 us |  }  /* e */\n");
}

/* What has come is printed when the graph is flushed, also of a call that goes on. */
static void test_flush(void **state)
{
    const int64_t ticks[] = {1, 2, 5};

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    run(0, 0, "+a", ticks);
    fflush(file);
    assert_int_equal(printed_len, 0);
    assert_true(trace_graph_flush(graph));
    assert_string_equal(printed, "    0.000001  thread               |  a() {\n");
    run(0, 0, "-a", ticks + 1);
    end("    0.000001  thread               |  a() {\n"
        "    0.000002  thread      1.000 us |  }  /* a */\n");
}

/* Of a target that holds another program. */
static void test_cleared(void **state)
{
    const int64_t ticks[] = {1, 2, 3};

    begin(FORMAT_TABLE, 1);
    clock_of(0, 1000000);
    run(0, 0, "+a+b+c", ticks);
    assert_true(trace_graph_flush(graph));
    trace_points_clear(points);
    run(0, 0, "+d-d-a", ticks);
    end("    0.000001  thread               |  a() {\n"
        "    0.000002  thread               |    b() {\n"
        "    0.000003  thread               |      c() {\n"
        "    0.000001  thread      1.000 us |  d();\n"
        "    0.000003  thread               |  }  /* a */\n");
}

/* Deep recursion is not indented without end, and names are as others print them. */
static void test_levels(void **state)
{
    begin(FORMAT_TABLE, 1);
    for (int i = 0; i < 200; i++)
        put(trace_call(points, "\033", 0, 0, false, 0));
    assert_true(trace_graph_flush(graph));
    const char *last = printed + printed_len - 2;
    while (last[-1] != '\n')
        last--;
    assert_int_equal(strspn(strchr(last, '|') + 1, " "), 2 + 2 * GRAPH_LEVELS);
    assert_string_equal(strchr(last, '|') + 3 + 2 * GRAPH_LEVELS, "?() {\n");
    trace_graph_free(graph);
    fclose(file);
    free(printed);
    trace_points_free(points);
}

static void test_json(void **state)
{
    const int64_t ticks[] = {1, 2, 5};

    begin(FORMAT_JSON, 1);
    clock_of(0, 1000000);
    run(0, 0, "+a-a-a", ticks);
    clock_of(0, 0);
    run(0, 0, "+a-a", ticks);
    put((struct trace_event){.kind = TRACE_OVERWRITTEN, .count = 20});
    end("{\"time\":0.000001000,\"ticks\":1,\"kind\":\"entry\",\"function\":\"a\","
        "\"caller\":null,\"address\":\"0x00009840\","
        "\"caller_address\":\"0x00009000\",\"context\":null,\"core\":0,\"depth\":0}\n"
        "{\"time\":0.000002000,\"ticks\":2,\"kind\":\"exit\",\"function\":\"a\","
        "\"caller\":null,\"address\":\"0x00009840\","
        "\"caller_address\":\"0x00009000\",\"context\":null,\"core\":0,\"depth\":0,"
        "\"duration\":0.000001000,\"duration_ticks\":1}\n"
        "{\"time\":0.000005000,\"ticks\":5,\"kind\":\"exit\",\"function\":\"a\","
        "\"caller\":null,\"address\":\"0x00009840\","
        "\"caller_address\":\"0x00009000\",\"context\":null,\"core\":0}\n"
        "{\"time\":null,\"ticks\":1,\"kind\":\"entry\",\"function\":\"a\","
        "\"caller\":null,\"address\":\"0x00009840\","
        "\"caller_address\":\"0x00009000\",\"context\":null,\"core\":0,\"depth\":0}\n"
        "{\"time\":null,\"ticks\":2,\"kind\":\"exit\",\"function\":\"a\",\"caller\":null,"
        "\"address\":\"0x00009840\",\"caller_address\":\"0x00009000\","
        "\"context\":null,\"core\":0,\"depth\":0,\"duration\":null,\"duration_ticks\":1}\n"
        "{\"kind\":\"lost\",\"count\":20,\"reason\":\"overwritten\",\"core\":0}\n");
}

static void test_json_without_times(void **state)
{
    const int64_t ticks[] = {0, 0};

    begin(FORMAT_JSON, 1);
    run(0, 0, "+a-a", ticks);
    end("{\"time\":null,\"ticks\":null,\"kind\":\"entry\",\"function\":\"a\","
        "\"caller\":null,\"address\":\"0x00009840\","
        "\"caller_address\":\"0x00009000\",\"context\":null,\"core\":0,\"depth\":0}\n"
        "{\"time\":null,\"ticks\":null,\"kind\":\"exit\",\"function\":\"a\","
        "\"caller\":null,\"address\":\"0x00009840\","
        "\"caller_address\":\"0x00009000\",\"context\":null,\"core\":0,\"depth\":0,"
        "\"duration\":null,\"duration_ticks\":null}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting),    cmocka_unit_test(test_signs),
        cmocka_unit_test(test_interrupts), cmocka_unit_test(test_losses),
        cmocka_unit_test(test_jumps),      cmocka_unit_test(test_marks),
        cmocka_unit_test(test_sleeps),     cmocka_unit_test(test_cores),
        cmocka_unit_test(test_handlers),   cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_two_tasks),  cmocka_unit_test(test_flush),
        cmocka_unit_test(test_cleared),    cmocka_unit_test(test_levels),
        cmocka_unit_test(test_json),       cmocka_unit_test(test_json_without_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
