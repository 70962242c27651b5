/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a trace, from bytes that are laid out by docs/trace.md. */
#include "unit.h"

#include "object_checks.h"

#define KIND_TRACE 9
#define UNIT_CALLS 2
#define VALID      0x400u
#define TAG(n)     ((uint32_t)(n) << 12 | VALID)

static void init_trace(struct object *o, int shape, size_t count)
{
    init_object(o, shape, KIND_TRACE, UNIT_CALLS, record_size(shape), count);
    put_number(o, 5, 1, 3);
    decodes(o);
}

static void put_event(struct object *o, size_t index, uint32_t time, uint64_t callee,
                      uint64_t caller, uint32_t tag)
{
    size_t at = entry(o, index), addrs = o->addr_size == 4 ? at + 4 : at;

    put_number(o, o->addr_size == 4 ? at : at + 16, 4, time);
    put_number(o, addrs, o->addr_size, callee);
    put_number(o, addrs + o->addr_size, o->addr_size, caller);
    put_number(o, at + o->entry_size - 4, 4, tag);
}

static void test_lead(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        init_trace(&o, shape, 4);
        put_number(&o, LEAD, 4, 0xfffffff7);
        put_number(&o, LEAD + 4, 4, 5);
        put_number(&o, LEAD + 8, 4, 6);
        put_number(&o, LEAD + 12, 4, 64000000);
        struct decode_trace trace = decode_trace(o.bytes, &o.header);
        assert_int_equal(o.header.source, DECODE_TRACE);
        assert_int_equal(o.header.unit, DECODE_UNIT_CALLS);
        assert_int_equal(trace.head, 0xfffffff7);
        assert_int_equal(trace.first, 5);
        assert_int_equal(trace.lost, 6);
        assert_int_equal(trace.hz, 64000000);
        assert_true(trace.timed);
        put_number(&o, LEAD + 12, 4, 0);
        assert_true(decode_trace(o.bytes, &o.header).timed);
        put_number(&o, LEAD + 12, 4, 0xffffffff);
        assert_false(decode_trace(o.bytes, &o.header).timed);
        assert_int_equal(decode_trace(o.bytes, &o.header).hz, 0);
    }
}

/* A trace of 4 events, and behind them what its hooks cost. */
static enum decode_code init_costs(struct object *o, int shape, size_t size, size_t count,
                                   char text[200])
{
    size_t need, trace = DIRECTORY + 32, cost = trace + 4 * record_size(shape);

    init_trace(o, shape, 4);
    put_number(o, 5, 1, 6);
    put_number(o, 7, 1, 2);
    put_number(o, 12, 4, cost + count * size);
    put_number(o, HEADER + 12, 4, trace);
    put_number(o, DIRECTORY, 1, 12);
    put_number(o, DIRECTORY + 4, 2, size);
    put_number(o, DIRECTORY + 8, 4, count);
    put_number(o, DIRECTORY + 12, 4, cost);
    for (size_t i = 0; i < 8; i++)
        put_number(o, cost + 4 * i, 4, 100 + i);
    return decode_header(o->bytes, cost + count * size, &o->header, &need, text, 200);
}

static void test_costs(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        char text[200] = "";
        struct object o;
        struct decode_trace trace;
        assert_int_equal(init_costs(&o, shape, 12, 1, text), DECODE_EDAMAGED);
        for (size_t size = 16; size <= 40; size += 8) {
            assert_int_equal(init_costs(&o, shape, size, 1, text), DECODE_OK);
            trace = decode_trace(o.bytes, &o.header);
            assert_int_equal(trace.inside, 100);
            assert_int_equal(trace.call, 101);
            assert_int_equal(trace.instruction, 102);
            assert_int_equal(trace.unhooked, 103);
            assert_int_equal(trace.jump_from, size < 32 ? 0 : 104);
            assert_int_equal(trace.jump_to, size < 32 ? 0 : 105);
            assert_int_equal(trace.jump, size < 32 ? 0 : 106);
        }
        put_number(&o, DIRECTORY + 32 + 4 * record_size(shape) + 4, 4, 0);
        trace = decode_trace(o.bytes, &o.header);
        assert_int_equal(trace.jump, 0); /* of calls nothing is known */
        assert_int_equal(init_costs(&o, shape, 16, 2, text), DECODE_OK);
        assert_int_equal(decode_trace(o.bytes, &o.header).jump, 0);
    }
}

static void test_event(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        struct decode_event event;
        uint64_t callee = shape & 2 ? 0x1122334455667788u : 0x08001234u;
        init_trace(&o, shape, 4);
        put_event(&o, 2, 0x89abcdef, callee, callee + 0x101, TAG(6) | 15);
        put_event(&o, 3, 7, callee | 1, 0, TAG(7));
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 6, &event), DECODE_RECORD_WHOLE);
        assert_int_equal(event.time, 0x89abcdef);
        assert_true(event.callee == callee && event.caller == callee + 0x101);
        assert_int_equal(event.exception, 15);
        assert_false(event.exit);
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 7, &event), DECODE_RECORD_WHOLE);
        assert_true(event.callee == callee && event.caller == 0);
        assert_int_equal(event.exception, 0);
        assert_true(event.exit);
    }
}

/* What the options of the stub add stands between caller and the end. */
static void test_words(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        size_t len = shape & 2 ? 8 : 4;
        struct decode_event event;
        struct object o;
        init_object(&o, shape, KIND_TRACE, UNIT_CALLS, record_size(shape) + 4 * len, 4);
        put_number(&o, HEADER + 6, 2, 0x11);
        decodes(&o);
        assert_true(decode_trace(o.bytes, &o.header).tasks);
        size_t words = entry(&o, 1) + (shape & 2 ? 16 : 12);
        for (size_t i = 0; i < 4; i++)
            put_number(&o, words + i * len, len, 0x1100 + i);
        put_number(&o, shape & 2 ? words + 4 * len : entry(&o, 1), 4, 77);
        put_number(&o, entry(&o, 1) + o.entry_size - 4, 4, TAG(1) | 0x800 | 3);
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 1, &event), DECODE_RECORD_WHOLE);
        assert_int_equal(event.task, 0x1100);
        assert_int_equal(event.argument_count, 3);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(event.arguments[i], 0x1101 + i);
        assert_int_equal(event.time, 77);
        assert_int_equal(event.exception, 3);
        assert_false(event.mark);
        put_number(&o, entry(&o, 1) + o.entry_size - 4, 4, TAG(1));
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 1, &event), DECODE_RECORD_WHOLE);
        assert_int_equal(event.task, 0x1100);
        assert_int_equal(event.argument_count, 0);
    }
}

static void test_mark(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct decode_event event;
        struct object o;
        init_trace(&o, shape, 4);
        put_event(&o, 2, 5, 0x7fffffff, 0x1234, TAG(6) | 0x200 | 15);
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 6, &event), DECODE_RECORD_WHOLE);
        assert_true(event.mark && !event.exit);
        assert_int_equal(event.callee, 0x7fffffff);
        assert_int_equal(event.caller, 0x1234);
        assert_int_equal(event.exception, 15);
        assert_false(decode_trace(o.bytes, &o.header).tasks);
    }
}

/* An exit whose tag is that of a mark of sleep, which it is not. It has no words. */
static void test_jump(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct decode_event event;
        struct object o;
        uint64_t callee = shape & 2 ? 0x1122334455667788u : 0x08001234u;
        init_trace(&o, shape, 4);
        for (unsigned i = 0; i < 2; i++) {
            /* callee is a multiple of 4, and callee + 2 is none. */
            put_event(&o, 2, 5, i == 0 ? callee + 3 : callee, 0x4321, TAG(6) | 0xa00 | 15);
            assert_int_equal(decode_trace_event(o.bytes, &o.header, 6, &event),
                             DECODE_RECORD_WHOLE);
            assert_true(event.exit && event.jump && !event.mark);
            assert_int_equal(event.sleep, DECODE_NO_SLEEP);
            assert_int_equal(event.argument_count, 0);
            assert_true(event.callee == callee + 2 * i && event.caller == 0x4321);
            assert_int_equal(event.exception, 15);
        }
        put_event(&o, 2, 5, callee | 1, 0x4321, TAG(6) | 15);
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 6, &event), DECODE_RECORD_WHOLE);
        assert_true(event.exit && !event.jump);
        put_event(&o, 2, 5, 1000 * 4 + 2, 0x4321, TAG(6) | 0xa00);
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 6, &event), DECODE_RECORD_WHOLE);
        assert_true(event.mark && !event.exit && !event.jump);
        assert_int_equal(event.sleep, DECODE_AWAKE);
        assert_int_equal(event.callee, 1000);
    }
}

static void test_whole_coming_lost(void **state)
{
    static const struct {
        uint32_t number, tag;
        enum decode_record record;
    } cases[] = {
        {6, TAG(6), DECODE_RECORD_WHOLE},
        {6, TAG(6) | 0x1ff, DECODE_RECORD_WHOLE},
        {6, 0, DECODE_RECORD_COMING},        /* being written */
        {6, TAG(2), DECODE_RECORD_COMING},   /* the lap before */
        {6, TAG(10), DECODE_RECORD_LOST},    /* a lap later */
        {6, 6u << 12, DECODE_RECORD_COMING}, /* not valid */
        /* A tag has 20 bits of the number. */
        {0xfffff, TAG(0xfffff), DECODE_RECORD_WHOLE},
        {0x100002, TAG(2), DECODE_RECORD_WHOLE},
        {0x100002, TAG(0xffffe), DECODE_RECORD_COMING},
        {0xffffe, TAG(0x100002), DECODE_RECORD_LOST},
        /* The number wraps, too. */
        {0xffffffff, TAG(0xffffffff), DECODE_RECORD_WHOLE},
        {0xffffffff, TAG(3), DECODE_RECORD_LOST},
        {0, TAG(0), DECODE_RECORD_WHOLE},
        {3, TAG(0xffffffff), DECODE_RECORD_COMING},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct object o;
        struct decode_event event;
        init_trace(&o, 0, 4);
        put_event(&o, decode_trace_index(cases[i].number, &o.header), 0, 0x1000, 0, cases[i].tag);
        assert_int_equal(decode_trace_event(o.bytes, &o.header, cases[i].number, &event),
                         cases[i].record);
    }
}

static int64_t ticks_at(struct decode_clock *clock, uint64_t time)
{
    return decode_clock_ticks(clock, &(struct decode_event){.time = time});
}

static int64_t wide_ticks_at(struct decode_clock *clock, uint64_t time)
{
    return decode_clock_ticks(clock, &(struct decode_event){.time = time, .wide = true});
}

static void test_wide(void **state)
{
    struct object o;
    struct decode_event event;
    struct decode_clock clock = {.begun = false};

    for (int shape = 0; shape < 4; shape++) {
        init_trace(&o, shape, 4);
        put_number(&o, HEADER + 6, 2, 1 | 4 | 8);
        decodes(&o);
        put_event(&o, 1, 0x89abcdef, 0xfedc5555deadbeefu, 7, TAG(5));
        assert_true(decode_trace(o.bytes, &o.header).one_clock);
        assert_int_equal(decode_trace_event(o.bytes, &o.header, 5, &event), DECODE_RECORD_WHOLE);
        assert_true(event.wide == (o.addr_size == 8));
        assert_true(event.time == (event.wide ? 0xfedc89abcdefu : 0x89abcdef));
        assert_true(event.callee == (event.wide ? 0x5555deadbeeeu : 0xdeadbeee) && event.exit);
        put_number(&o, LEAD + 12, 4, 0xffffffff); /* no time: nothing to compare */
        assert_false(decode_trace(o.bytes, &o.header).one_clock);
    }
    assert_int_equal(wide_ticks_at(&clock, 0xfffffffffff0), 0);
    assert_int_equal(wide_ticks_at(&clock, 0x10), 0x20);
    assert_int_equal(wide_ticks_at(&clock, 0xfffffffffffc), 0xc);
    assert_int_equal(wide_ticks_at(&clock, 0x7ffffffffff0), 0x800000000000);
}

static void test_clock(void **state)
{
    struct decode_clock clock = {.begun = false};

    assert_int_equal(ticks_at(&clock, 0xfffffff0), 0);
    assert_int_equal(ticks_at(&clock, 0x10), 0x20);
    assert_int_equal(ticks_at(&clock, 0xfffffffc), 0xc); /* was interrupted */
    assert_int_equal(ticks_at(&clock, 0x7ffffff0), 0x80000000);
    assert_int_equal(ticks_at(&clock, 0xf0000000), 0xf0000010);
    assert_int_equal(ticks_at(&clock, 0x10000000), 0x110000010);
}

static void test_damaged(void **state)
{
    struct object o;

    init_trace(&o, 0, 8);
    put_number(&o, HEADER + 8, 4, 6);
    refuses(&o, "trace has 6 events, not a power of two");
    put_number(&o, HEADER + 8, 4, 16);
    refuses(&o, "16 events at offset 144 do not fit");
    put_number(&o, HEADER + 8, 4, 8);
    put_number(&o, HEADER + 1, 1, 1);
    refuses(&o, "unit of its events is 1");
    put_number(&o, HEADER + 1, 1, UNIT_CALLS);
    put_number(&o, HEADER + 4, 2, 12);
    refuses(&o, "events have 12 bytes, not 16");
    put_number(&o, HEADER + 4, 2, 16);
    put_number(&o, HEADER + 6, 2, 0);
    refuses(&o, "events have no header");
    put_number(&o, HEADER + 6, 2, 1);
    put_number(&o, HEADER + 12, 4, DIRECTORY + 8);
    refuses(&o, "do not fit");
    put_number(&o, HEADER + 12, 4, DIRECTORY + 16);
    decodes(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lead),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_event),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_mark),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_whole_coming_lost),
        cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
