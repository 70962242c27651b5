/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls nest and end on their tracks, whatever the events are. */
#include "trace_checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <trace/spans.h>

#define LOG_MAX 4000

/* The walk writes what it gives, one word each: "+f0@5" begins f on track 0 at 5 ms, "-f" ends it,
 * followed by "=DURATION/SELF" in ticks, or by j, l or o: jumped over, lost, open. */
static char text[LOG_MAX];
static struct trace_points *points;
static struct spans *spans;
static struct trace_about about = {.build = "", .elf = "", .addr_size = 4, .cores = 2};
static int64_t now, last[50];
static size_t open_calls[50];

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add(const char *format, ...)
{
    size_t len = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + len, sizeof(text) - len, format, list);
    va_end(list);
}

static void add_place(const struct span_track *track, int64_t ns)
{
    assert_true(ns >= last[track->index]);
    last[track->index] = ns;
    add("%zu@%" PRId64 " ", track->index, ns / 1000000);
}

static const char *name_of(const struct span *span)
{
    return trace_function_at(points, span->function)->name;
}

static bool enter(void *context, const struct span *span)
{
    assert_int_equal(span->depth, open_calls[span->track->index]);
    open_calls[span->track->index] += !span->instant;
    add("%c%s", span->instant ? '.' : '+', name_of(span));
    add_place(span->track, span->ns);
    return true;
}

static bool leave(void *context, const struct span *span)
{
    assert_int_equal(span->depth, --open_calls[span->track->index]);
    assert_int_equal(span->event != NULL, span->end == SPAN_RETURNED);
    add("-%s", name_of(span));
    if (span->timed)
        add("=%" PRId64 "/%.0f,", span->duration, span->self);
    else
        add("%c", "rjlo"[span->end]);
    add_place(span->track, span->ns);
    return true;
}

static bool add_stray(void *context, const struct trace_event *event)
{
    add("? ");
    return true;
}

static bool add_mark(void *context, const struct span_track *track, const struct trace_event *event,
                     int64_t ns)
{
    add("m");
    add_place(track, ns);
    return true;
}

static bool add_other(void *context, const struct trace_event *event, int64_t ns)
{
    add("%d@%" PRId64 " ", (int)event->kind, ns / 1000000);
    return true;
}

static void begin(bool entries_only)
{
    const struct spans_ops ops = {.timeline = true,
                                  .entries_only = entries_only,
                                  .enter = enter,
                                  .leave = leave,
                                  .stray = add_stray,
                                  .mark = add_mark,
                                  .other = add_other};

    text[0] = '\0';
    now = 0;
    memset(last, 0, sizeof(last));
    memset(open_calls, 0, sizeof(open_calls));
    points = trace_points_new();
    spans = spans_new(&ops, &about, NULL);
    assert_true(points && spans);
}

static void put(const char *events)
{
    char copy[400], *rest = NULL;

    snprintf(copy, sizeof(copy), "%s", events);
    for (char *token = strtok_r(copy, " ", &rest); token; token = strtok_r(NULL, " ", &rest)) {
        struct trace_event e = trace_token(points, token, &now);
        if (*token == 'U')
            e.kind = TRACE_RUN;
        if (*token == 'D')
            e.kind = TRACE_DAMAGED;
        assert_true(spans_put(spans, points, &e));
    }
}

static void finish(const char *expected)
{
    assert_true(spans_end(spans));
    assert_string_equal(text, expected);
    spans_free(spans);
    trace_points_free(points);
}

static void test_nested(void **state)
{
    begin(false);
    put("C +f.@1 +gf@3 -gf@7 m@8 -f.@11");
    finish("5@0 +f0@1 +g0@3 -g=4/4,0@7 m0@8 -f=10/6,0@11 ");
}

/* g has no exit; the second h was left by longjmp(); a call is open at the end. */
static void test_jumps(void **state)
{
    begin(false);
    put("C +f.@1 +gf@2 +hg@3 -hg@4 +hg@5 -f.@9 +f.@20");
    finish("5@0 +f0@1 +g0@2 +h0@3 -h=1/1,0@4 +h0@5 -hj0@9 -gj0@9 -f=8/7,0@9 +f0@20 -fo0@20 ");
}

/* The exception has its own track, and its time is not f's; a mark in another one changes nothing.
 */
static void test_interrupt(void **state)
{
    begin(false);
    put("C +f.@1 +i.^15@3 m^16@4 -i.^15@6 -f.@9");
    finish("5@0 +f0@1 +i1@3 m2@4 -i=3/3,1@6 -f=8/5,0@9 ");
}

/* Tasks and cores. What ends on a core does so after its last event. */
static void test_tracks(void **state)
{
    begin(false);
    put("C C/1 +f.#5@1 +g.#6@2 +h./1@3 -g.#6@4 !/0 -h./1@8");
    finish("5@0 5@0 +f0@1 +g1@2 +h2@3 -g=2/2,1@4 -fl0@4 1@4 -h=5/5,2@8 ");
}

/* A task moves between cores with one clock, whose second one is told later. Events that are lost
 * on any core may be the task's. */
static void test_moves(void **state)
{
    begin(false);
    put("S +f.#5@1 S/1 +gf#5/1@3 +i.^15/1@3 -i.^15/1@4 -gf#5/1@6 +h.#6@7 -f.#5/1@9 -h.#6@10");
    assert_string_equal(spans_track_at(spans, 0)->name, "task 0x5");
    put("+f.#5/1@11 !/0 -f.#5@12 U S S/1 +f.#5@13 -f.#5/1@14");
    finish("5@0 +f0@1 5@0 +g0@3 +i1@3 -i=1/1,1@4 -g=3/2,0@6 +h2@7 -f=8/5,0@9 -h=3/3,2@10 +f0@11 "
           "-fl0@11 1@10 ? 6@12 5@12 5@12 +f0@25 -f=1/1,0@26 ");
}

/* Without one clock, it is another task on each core. */
static void test_no_moves(void **state)
{
    begin(false);
    put("C C/1 +f.#5@1 -f.#5/1@3");
    assert_string_equal(spans_track_at(spans, 1)->name, "task 0x5, core 1");
    finish("5@0 5@0 +f0@1 ? -fo0@1 ");
}

/* An exit without its entry; a loss; times that go back on a track have no duration. */
static void test_losses(void **state)
{
    begin(false);
    put("C -g.@1 +f.@2 -g.@3 +f.@4 +gf@5 ! -gf@6 +f.@7 -f.@6");
    finish("5@0 ? +f0@2 -fl0@3 ? +f0@4 +g0@5 -gl0@5 -fl0@5 1@5 ? +f0@7 -fr0@7 ");
}

/* Events are lost from each place to each other one: a duration is that of the call, or not known.
 */
static void test_every_loss(void **state)
{
    static const char *const events[] = {"+f.@1",  "+gf@3",  "+hg@4",  "-hg@6", "-gf@9",
                                         "+gf@10", "-gf@14", "-f.@20", "+f.@21"};
    enum { COUNT = sizeof(events) / sizeof(events[0]) };
    static const int right[] = {['f'] = 19, ['g'] = 6, ['h'] = 2};
    unsigned timed = 0;

    for (size_t from = 0; from < COUNT; from++) {
        for (size_t to = from + 1; to <= COUNT; to++) {
            begin(false);
            put("C");
            for (size_t i = 0; i < from; i++)
                put(events[i]);
            put("!");
            for (size_t i = to; i < COUNT; i++)
                put(events[i]);
            for (const char *at = strchr(text, '='); at; at = strchr(at + 1, '=')) {
                long took = strtol(at + 1, NULL, 10);
                assert_true(took == right[(unsigned char)at[-1]] || (at[-1] == 'g' && took == 4));
                timed++;
            }
            assert_true(spans_end(spans));
            spans_free(spans);
            trace_points_free(points);
        }
    }
    assert_int_equal(timed, 48);
}

/* Both begin their times at 0, and come after what was before. */
static void test_restarts(void **state)
{
    begin(false);
    put("C +f.@5 R +f.@0 -f.@2 U C +g.@1 D C +g.@4 -g.@6");
    finish("5@0 +f0@5 -fl0@5 4@5 +f0@5 -f=2/2,0@7 6@7 5@7 +g0@8 -gl0@8 7@8 5@8 +g0@11 "
           "-g=2/2,0@13 ");
}

static void test_entries_only(void **state)
{
    begin(true);
    put("C +f.@1 +gf@2 +f.@3 !");
    finish("5@0 .f0@1 .g0@2 .f0@3 1@3 ");
}

/* Without times each event is a nanosecond later. */
static void test_untimed(void **state)
{
    begin(false);
    put("+f. +gf -gf");
    assert_int_equal(last[0], 3);
    finish("+f0@0 +g0@0 -gr0@0 -fo0@0 ");
}

static void check_name(struct trace_event event, unsigned exception, const char *expected)
{
    char name[TRACE_CONTEXT_TEXT];

    trace_context_name(name, &about, points, &event, exception);
    assert_string_equal(name, expected);
}

static void test_names(void **state)
{
    begin(false);
    assert_true(trace_name_exception(points, 15, "SysTick_Handler"));
    check_name((struct trace_event){.core = 1}, 15, "SysTick_Handler, core 1");
    check_name((struct trace_event){.core = 1}, 16, "exception 16, core 1");
    check_name((struct trace_event){.core = 1}, 0, "core 1");
    check_name((struct trace_event){.has_task = true, .task = 32}, 0, "task 0x20, core 0");
    put("+f. +i.^15");
    assert_int_equal(spans_track_count(spans), 2);
    assert_string_equal(spans_track_at(spans, 0)->name, "core 0");
    assert_string_equal(spans_track_at(spans, 1)->name, "SysTick_Handler, core 0");
    finish("+f0@0 +i1@0 -io1@0 -fo0@0 ");
}

static void test_ns(void **state)
{
    assert_int_equal(span_ns(7, 0), 7);
    assert_int_equal(span_ns(3, 1000), 3000000);
    assert_int_equal(span_ns(INT64_C(1) << 60, 4000000000u), (INT64_C(1) << 60) / 4);
    assert_int_equal(span_ns(-5, 3), -1666666666);
    assert_int_equal(span_ns(INT64_C(1) << 60, 1), INT64_C(1) << 60);
    assert_int_equal(span_ns(-(INT64_C(1) << 60), 1), -(INT64_C(1) << 60));
    assert_int_equal(span_ns(INT64_C(1) << 62, 0), INT64_C(1) << 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested),       cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_interrupt),    cmocka_unit_test(test_tracks),
        cmocka_unit_test(test_losses),       cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_entries_only), cmocka_unit_test(test_untimed),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_ns),
        cmocka_unit_test(test_moves),        cmocka_unit_test(test_no_moves),
        cmocka_unit_test(test_every_loss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
