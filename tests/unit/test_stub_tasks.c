/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by task and exception: the stub counts them, natively, and a profile has them; and the
 * marks of sleep. */
#include "unit.h"

#include <mprof/mprof.h>
#include <profile/delta.h>
#include <profile/recent_window.h>

#define TEXT 0x8000000u

static uintptr_t task = 0xa0;
static uint32_t now;
static unsigned interrupts; /* samples that come while the task is asked for */

uintptr_t task_now(void)
{
    while (interrupts != 0) {
        interrupts--;
        mprof_sample_from_isr(TEXT, 0, 15);
    }
    return task;
}

uint32_t clock_now(void)
{
    return now;
}

static int set_up(void **state)
{
    s_prof.header.magic = 0;
    task = 0xa0;
    interrupts = 0;
    mprof_init();
    return 0;
}

static void sample(uintptr_t of, unsigned times)
{
    task = of;
    for (unsigned i = 0; i < times; i++)
        mprof_sample(TEXT);
}

static void in_exception(uint32_t number, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        mprof_sample_from_isr(TEXT, 0, number);
}

static uint32_t hits_of(uint32_t exception, uintptr_t of)
{
    uint32_t hits = 0;

    for (size_t i = 0; i < MPROF_TASK_CNT; i++)
        if (s_prof.tasks[i].exception == exception && s_prof.tasks[i].task == of)
            hits += s_prof.tasks[i].hits;
    return hits;
}

static void assert_conserved(void)
{
    uint32_t sum = s_prof.tasks_lead.lost;

    for (size_t i = 0; i < MPROF_TASK_CNT; i++)
        sum += s_prof.tasks[i].hits;
    assert_int_equal(sum, s_prof.header.heartbeat);
}

static void test_rows(void **state)
{
    sample(0xa0, 5);
    in_exception(15, 2);
    sample(0, 3); /* a task like any other */
    in_exception(15 | MPROF_STREAM_LATE, 1);
    sample(0xa0, 1);
    assert_int_equal(s_prof.tasks[0].task, 0xa0);
    assert_int_equal(s_prof.tasks[0].hits, 6);
    assert_int_equal(s_prof.tasks[1].task, 0);
    assert_int_equal(s_prof.tasks[1].exception, 0);
    assert_int_equal(s_prof.tasks[1].hits, 3);
    assert_int_equal(s_prof.tasks[2].exception, MPROF_TASK_FREE);
    assert_int_equal(s_prof.tasks[3].exception, 15);
    assert_int_equal(s_prof.tasks[3].hits, 3);
    assert_int_equal(s_prof.tasks_lead.lost, 0);
    assert_conserved();
    assert_int_equal(s_prof.stream[1].tag & MPROF_STREAM_EXCEPTION, MPROF_STREAM_TASKS);
    assert_int_equal(s_prof.stream[6].tag & 0x3ff, 15);
    assert_int_equal(s_prof.stream[8].tag & MPROF_STREAM_EXCEPTION, MPROF_STREAM_TASKS + 1);
    assert_int_equal(s_prof.stream[11].tag & 0x3ff, 15 | MPROF_STREAM_LATE);
}

static void test_full(void **state)
{
    sample(0xa0, 1);
    sample(0xb0, 1);
    in_exception(3, 1);
    sample(0xc0, 1);
    sample(0xd0, 4);
    in_exception(4, 2);
    assert_int_equal(s_prof.tasks_lead.lost, 6);
    assert_int_equal(s_prof.stream[5].tag & MPROF_STREAM_EXCEPTION, 0x1ff);
    assert_int_equal(s_prof.stream[9].tag & MPROF_STREAM_EXCEPTION, 4);
    assert_int_equal(hits_of(0, 0xc0), 1);
    assert_conserved();
}

static void test_nested(void **state)
{
    interrupts = 3;
    sample(0xa0, 1);
    assert_int_equal(hits_of(15, 0), 3);
    assert_int_equal(hits_of(0, 0xa0), 1);
    assert_conserved();
}

/* As if the sample that takes the first row were interrupted in the middle. */
static void test_row_that_is_written(void **state)
{
    s_prof.tasks[0].exception = MPROF_TASK_TAKEN;
    sample(0xa0, 2);
    assert_int_equal(s_prof.tasks[0].hits, 0);
    assert_int_equal(s_prof.tasks[1].hits, 2);
    s_prof.header.reset_request = 1;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    sample(0xa0, 1);
    assert_int_equal(s_prof.header.reset_done, 0); /* not now */
    s_prof.tasks[0].exception = 0;
    s_prof.tasks[0].task = 0xa0;
    sample(0xb0, 1);
    assert_int_equal(s_prof.header.reset_done, 1);
    assert_int_equal(s_prof.tasks[0].task, 0xb0);
    assert_int_equal(s_prof.tasks[0].hits, 1);
    assert_int_equal(s_prof.tasks[1].exception, MPROF_TASK_FREE);
    assert_conserved();
}

static struct decode_header decoded;

static struct profile_object object(void)
{
    static char text[200];
    size_t need;

    assert_int_equal(decode_header((const uint8_t *)&s_prof, sizeof(s_prof), &decoded, &need, text,
                                   sizeof(text)),
                     DECODE_OK);
    return (struct profile_object){.bytes = (const uint8_t *)&s_prof, .header = &decoded};
}

static void update(struct profile *p, double now_s)
{
    const struct profile_object one = object();

    assert_true(profile_update(p, &one, 1, now_s));
    assert_int_equal(p->by_context->attributed, p->attributed + p->dropped);
}

static const struct profile_hit *row_of(const struct profile *p, unsigned number)
{
    for (size_t i = 0; i < p->by_context->row_count; i++)
        if (p->by_context->rows[i].exception == number)
            return &p->by_context->rows[i];
    return NULL;
}

static void assert_row(const struct profile *p, unsigned number, unsigned hits, unsigned recent)
{
    const struct profile_hit *row = row_of(p, number);

    assert_non_null(row);
    assert_int_equal(row->hits, hits);
    assert_int_equal(row->recent, recent);
}

static void test_profile(void **state)
{
    struct recent_window *window = recent_window_new();
    struct profile p, base, other;

    profile_init(&p);
    sample(0xa0, 5);
    in_exception(15, 2);
    update(&p, 1);
    assert_row(&p, PROFILE_TASK_FIRST, 5, 0);
    assert_row(&p, 15, 2, 0);
    assert_true(profile_copy(&p, &base));
    assert_true(recent_window_add(window, &p));
    sample(0xb0, 3);
    sample(0xc0, 3);
    sample(0xd0, 7); /* finds no row */
    sample(0xa0, 1);
    update(&p, 2);
    assert_row(&p, PROFILE_TASK_FIRST, 6, 1);
    assert_row(&p, PROFILE_TASK_FIRST + 1, 3, 3);
    assert_row(&p, PROFILE_OTHERS, 7, 7);
    assert_row(&p, 15, 2, 0);
    assert_int_equal(p.tasks->count, 3);
    assert_int_equal(profile_tasks_find(p.tasks, PROFILE_TASK_FIRST + 2)->word, 0xc0);

    assert_true(profile_delta(&base, &p, &other));
    assert_row(&other, PROFILE_TASK_FIRST, 1, 1);
    assert_row(&other, PROFILE_TASK_FIRST + 1, 3, 3);
    assert_row(&other, 15, 0, 0);
    assert_int_equal(other.by_context->attributed, 14);
    profile_free(&other);

    assert_true(recent_window_add(window, &p));
    assert_true(recent_window_profile(window, &p, 10, &other));
    assert_int_equal(other.by_context->attributed, 14);
    assert_row(&other, PROFILE_OTHERS, 7, 7);
    assert_null(row_of(&other, 15));
    assert_int_equal(other.tasks->count, 3);
    profile_free(&other);

    set_up(NULL); /* a restart: other tasks, and names are asked for again */
    p.tasks->list[0].asked = true;
    sample(0xc0, 1);
    update(&p, 3);
    assert_row(&p, PROFILE_TASK_FIRST, 1, 0);
    assert_int_equal(p.tasks->count, 1);
    assert_int_equal(p.tasks->list[0].word, 0xc0);
    assert_false(p.tasks->list[0].asked);
    profile_free(&base);
    profile_free(&p);
    recent_window_free(window);
}

static void test_stream_records(void **state)
{
    struct decode_sample s;

    sample(0xa0, 1);
    in_exception(15, 1);
    sample(0xb0, 1);
    sample(0xc0, 1);
    sample(0xd0, 1);
    const struct profile_object one = object();
    struct decode_header h = *one.header;
    assert_true(decode_select(one.bytes, &h, DECODE_STREAM));
    uint32_t place = decode_stream_next(decode_stream_head(one.bytes, &h), (uint32_t)-5);
    static const struct decode_sample expected[] = {
        {.in_task = true, .task_row = 0},
        {.exception = 15, .task_row = DECODE_NO_TASK},
        {.in_task = true, .task_row = 1},
        {.in_task = true, .task_row = 2},
        {.in_task = true, .task_row = DECODE_NO_TASK},
    };
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(
            decode_stream_record(one.bytes, &h, decode_stream_next(place, (uint32_t)i), &s),
            DECODE_RECORD_WHOLE);
        assert_int_equal(s.exception, expected[i].exception);
        assert_int_equal(s.in_task, expected[i].in_task);
        assert_int_equal(s.task_row, expected[i].task_row);
    }
}

static struct decode_event event_at(uint32_t number)
{
    const struct profile_object one = object();
    struct decode_event e;

    assert_int_equal(decode_trace_event(one.bytes, one.header, number, &e), DECODE_RECORD_WHOLE);
    return e;
}

static void test_sleep(void **state)
{
    now = 0xfffffff0;
    mprof_trace_sleep();
    now += 0x20;
    mprof_trace_wake();
    mprof_mark(131073, 7);
    struct decode_event asleep = event_at(1), awake = event_at(2), mark = event_at(3);
    assert_true(asleep.mark && asleep.sleep == DECODE_ASLEEP);
    assert_int_equal(asleep.callee, 32768);
    assert_int_equal(asleep.caller, 0xfffffff0);
    assert_int_equal(asleep.argument_count, 0);
    assert_int_equal(asleep.task, 0xa0);
    assert_true(awake.mark && awake.sleep == DECODE_AWAKE);
    assert_int_equal(awake.caller, 0x10);
    assert_true(mark.mark && mark.sleep == DECODE_NO_SLEEP);
    assert_int_equal(mark.callee, 131073);
    mprof_trace_disable();
    mprof_trace_sleep();
    assert_int_equal(s_prof.trace_lead.head, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rows, set_up),
        cmocka_unit_test_setup(test_full, set_up),
        cmocka_unit_test_setup(test_nested, set_up),
        cmocka_unit_test_setup(test_row_that_is_written, set_up),
        cmocka_unit_test_setup(test_profile, set_up),
        cmocka_unit_test_setup(test_stream_records, set_up),
        cmocka_unit_test_setup(test_sleep, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
