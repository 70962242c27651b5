/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a trace in all formats. */
#include "unit.h"

#include <table/call_columns.h>

static void check(struct view_calls *calls, enum view_format format, const char *wanted)
{
    char *text = view_calls(calls, format, NULL);

    assert_string_equal(text, wanted);
    free(text);
}

static void test_report(void **state)
{
    struct trace_call_row rows[] = {
        {.name = "quick",
         .file = "src/a.c",
         .line = 3,
         .addr = 0x10,
         .calls = 7,
         .timed = 5,
         .total = 1.5e-6,
         .self = 5e-7,
         .min = 0,
         .avg = 3e-7,
         .median = 2e-7,
         .p99 = 9e-7,
         .max = 1e-6,
         .deviation = 2e-9,
         .seconds = true},
        {.name = "slow",
         .file = "",
         .addr = 0x20,
         .calls = 2,
         .timed = 2,
         .total = 2.25,
         .self = 0.002,
         .min = 1,
         .avg = 1.125,
         .median = 1,
         .p99 = 1.25,
         .max = 1.25,
         .deviation = -1,
         .seconds = true},
        {.name = "",
         .file = "",
         .addr = 0x30,
         .calls = 9,
         .total = -1,
         .self = -1,
         .min = -1,
         .avg = -1,
         .median = -1,
         .p99 = -1,
         .max = -1,
         .deviation = -1,
         .seconds = true},
    };
    struct view_calls calls = {.rows = rows,
                               .count = COUNT(rows),
                               .file = "run.trace",
                               .elf = "fw.elf",
                               .build = "0123456789",
                               .state = {.calls = 18,
                                         .exits = 8,
                                         .lost = 3,
                                         .unmatched_exits = 1,
                                         .unmatched_entries = 10,
                                         .open = 1,
                                         .restarts = 1,
                                         .timed = true,
                                         .seconds = true}};

    check(&calls, FORMAT_TABLE,
          "run.trace: 18 calls, 8 exits, 3 events lost, 1 restart; fw.elf, build 0123456\n"
          "calls without a duration: 10; exits without a call: 1; not returned yet: 1\n"
          "\n"
          "CALLS     TOTAL      SELF       MIN       AVG    MEDIAN      99 %       MAX  "
          "  STDDEV  FUNCTION  WHERE\n"
          "    2   2.250 s  2.000 ms   1.000 s   1.125 s   1.000 s   1.250 s   1.250 s  "
          "       -  slow      -\n"
          "    7  1.500 us  0.500 us  0.000 us  0.300 us  0.200 us  0.900 us  1.000 us  "
          "0.002 us  quick     a.c:3\n"
          "    9         -         -         -         -         -         -         -  "
          "       -  0x30      -\n");
    check(&calls, FORMAT_CSV,
          "function,file,line,address,calls,timed,total,self,min,avg,median,p99,max,stddev\n"
          "slow,,,0x20,2,2,2.25,0.002,1,1.125,1,1.25,1.25,\n"
          "quick,src/a.c,3,0x10,7,5,1.5e-06,5e-07,0,3e-07,2e-07,9e-07,1e-06,2e-09\n"
          "0x30,,,0x30,9,0,,,,,,,,\n");
    calls.sort = view_column_find(&view_call_columns, "p99", 3);
    calls.limit = 1;
    calls.state = (struct trace_calls_state){.calls = 18, .timed = true, .rounded = true};
    struct view_fields fields = view_fields_of(&view_call_columns, "p99,median,function");
    calls.fields = &fields;
    check(&calls, FORMAT_TABLE,
          "run.trace: 18 calls, 0 events lost; fw.elf, build 0123456\n"
          "no durations: the trace has only entries\n"
          "median and 99 % of more than 4096 calls are within 0.8 %\n"
          "\n"
          "   99 %   MEDIAN  FUNCTION\n"
          "1.250 s  1.000 s  slow\n"
          "\n2 more functions\n");
    fields = view_fields_of(&view_call_columns, "calls,function,address");
    calls.sort = view_column_find(&view_call_columns, "calls", 5);
    calls.state = (struct trace_calls_state){.calls = 18};
    check(&calls, FORMAT_MARKDOWN,
          "run.trace: 18 calls, 0 events lost; fw.elf, build 0123456\n"
          "no durations: the trace has only entries\n"
          "\n"
          "| CALLS | FUNCTION | ADDRESS |\n"
          "| ---: | --- | --- |\n"
          "| 9 | 0x30 | 0x30 |\n"
          "\n2 more functions\n");
    calls.fields = NULL;
    check(&calls, FORMAT_JSON,
          "{\"file\":\"run.trace\",\"elf\":\"fw.elf\",\"build\":\"0123456789\",\"unit\":null,"
          "\"calls\":18,\"exits\":0,\"lost\":0,\"restarts\":0,\"unmatched_entries\":0,"
          "\"unmatched_exits\":0,\"open\":0,\"unrated\":0,\"functions\":3,\"rows\":["
          "{\"function\":null,\"file\":null,\"line\":null,\"address\":\"0x30\",\"calls\":9,"
          "\"timed\":0,\"total\":null,\"self\":null,\"min\":null,\"avg\":null,"
          "\"median\":null,\"p99\":null,\"max\":null,\"stddev\":null}]}");
}

static void test_report_of_sleeps(void **state)
{
    struct view_calls calls = {
        .file = "run.trace",
        .elf = "",
        .build = "",
        .state = {.sleeps = 3, .known_sleeps = 3, .asleep = 0.5, .slept_calls = 1}};

    check(&calls, FORMAT_TABLE,
          "run.trace: 0 calls, 0 events lost\n"
          "asleep 3 times, 0.500000 s; the times of 1 call leave that out if the clock stops in "
          "sleep\n"
          "\n"
          "CALLS  FUNCTION  WHERE\n");
    check(&calls, FORMAT_JSON,
          "{\"file\":\"run.trace\",\"elf\":null,\"build\":null,\"unit\":null,\"calls\":0,"
          "\"exits\":0,\"lost\":0,\"restarts\":0,\"unmatched_entries\":0,\"unmatched_exits\":0,"
          "\"open\":0,\"unrated\":0,\"functions\":0,\"rows\":[],\"sleeps\":3,\"asleep\":0.5,"
          "\"slept_calls\":1}");
    calls.state.known_sleeps = 2;
    check(&calls, FORMAT_MARKDOWN,
          "run.trace: 0 calls, 0 events lost\n"
          "asleep 3 times; the times of 1 call leave that out if the clock stops in sleep\n"
          "\n"
          "| CALLS | FUNCTION | WHERE |\n"
          "| ---: | --- | --- |\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_report),
                                       cmocka_unit_test(test_report_of_sleeps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
