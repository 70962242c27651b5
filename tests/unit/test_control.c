/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that a host writes to the stub. */
#include "unit.h"

#include <profile/control.h>

#include "object_checks.h"

static void applies(struct object *o, struct control_write w)
{
    assert_true(w.offset + w.len <= entry(o, o->count));
    memcpy(o->bytes + w.offset, w.bytes, w.len);
    decodes(o);
}

static void test_control_changes_one_byte(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        init_object(&o, shape, 2, 1, record_size(shape), 4);
        decodes(&o);
        struct control_write w = control_set(&o.header, control_switch("timer"), false);
        assert_int_equal(w.len, 1);
        applies(&o, w);
        assert_int_equal(o.header.enable, 0xfffffeab);
        applies(&o, control_set(&o.header, control_switch("stream"), false));
        assert_int_equal(o.header.enable, 0xfffdfeab);
        applies(&o, control_attention(&o.header, true));
        assert_int_equal(o.header.enable, 0xff7dfeab);
        assert_false(control_is_on(&o.header, control_switch("stream")));
        applies(&o, control_set(&o.header, control_switch("timer"), true));
        assert_int_equal(o.header.enable, 0xff7dffab);
        applies(&o, control_attention(&o.header, false));
        assert_int_equal(o.header.enable, 0xfffdffab);
        assert_null(control_firmware_state(&o.header));
        put_number(&o, 64, 4, 0xfeffffab);
        decodes(&o);
        assert_string_equal(control_firmware_state(&o.header), "stopped");
    }
}

static void test_control_words(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        init_object(&o, shape, 2, 1, record_size(shape), 4);
        decodes(&o);
        struct control_write reset = control_request_reset(&o.header, 0x01020304);
        struct object copy = o;
        put_number(&copy, 72, 4, 0x01020304);
        assert_int_equal(reset.offset, 72);
        assert_memory_equal(reset.bytes, copy.bytes + 72, 4);
        assert_int_equal(control_nonce(&o.header, 1).offset, 68);
        assert_int_equal(control_phase_only(&o.header, 1).offset, 76);
    }
    assert_int_equal(control_switch("nothing"), 0);
    for (size_t i = 0; control_word(i); i++)
        assert_int_not_equal(control_switch(control_word(i)), 0);
}

/* The base before the request; and one byte starts it, with the event that reads the request. */
static void test_control_focus(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct control_write writes[CONTROL_FOCUS_WRITES];
        struct object o;
        init_object(&o, shape, 2, 1, record_size(shape), 4);
        decodes(&o);
        control_focus(&o.header, 0x1122334455667788, 9, writes);
        for (size_t i = 0; i < CONTROL_FOCUS_WRITES; i++)
            applies(&o, writes[i]);
        struct object copy = o;
        put_number(&copy, 80, 4, 0x55667788);
        put_number(&copy, 84, 4, 0x11223344);
        put_number(&copy, 88, 4, 9);
        assert_memory_equal(o.bytes, copy.bytes, sizeof(o.bytes));
        assert_int_equal(writes[2].offset, 88);
        assert_false(control_is_focused(o.header.enable));
        applies(&o, control_focus_switch(&o.header, true));
        assert_int_equal(o.header.enable, 0xff3fffab);
        assert_true(control_is_focused(o.header.enable));
        applies(&o, control_attention(&o.header, false));
        assert_int_equal(o.header.enable, 0xffbfffab);
        applies(&o, control_focus_switch(&o.header, false));
        assert_int_equal(o.header.enable, 0xffffffab);
        assert_false(control_is_focused(0));

        applies(&o, control_focus_switch(&o.header, true));
        struct control_write withdrawn[CONTROL_WITHDRAW_WRITES];
        control_focus_withdraw(&o.header, 8, withdrawn);
        for (size_t i = 0; i < CONTROL_WITHDRAW_WRITES; i++)
            applies(&o, withdrawn[i]);
        assert_int_equal(o.header.enable, 0xffffffab);
        put_number(&copy, 88, 4, 8);
        assert_memory_equal(o.bytes + 80, copy.bytes + 80, 12);
    }
    assert_true(control_focus_stays(0) && control_focus_stays(UINT32_MAX - 1));
    assert_false(control_focus_stays(1));
}

/* At no moment of the three writes is there a range that was neither asked for now nor before. */
static void test_control_range(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct control_write writes[CONTROL_RANGE_WRITES];
        uint64_t start, end;
        struct object o;
        init_object(&o, shape, 1, 1, shape & 2 ? 24 : 16, 4);
        put_number(&o, HEADER, 1, 1);
        /* The same bytes as a filter of ranges. */
        o.header.big_endian = o.big_endian;
        o.header.addr_size = o.addr_size;
        o.header.blocks[DECODE_FILTER] =
            (struct decode_block){.count = 4, .size = 2 * o.addr_size, .offset = DIRECTORY + 16};
        put_number(&o, DIRECTORY + 16 + 2 * o.addr_size, o.addr_size, 0x1000);
        put_number(&o, DIRECTORY + 16 + 3 * o.addr_size, o.addr_size, 0x2000);
        control_range(&o.header, 1, 0x3000, 0x3010, writes);
        for (size_t i = 0; i < CONTROL_RANGE_WRITES; i++) {
            memcpy(o.bytes + writes[i].offset, writes[i].bytes, writes[i].len);
            assert_int_equal(decode_range(o.bytes, &o.header, 1, &start, &end),
                             i == CONTROL_RANGE_WRITES - 1);
        }
        assert_int_equal(start, 0x3000);
        assert_int_equal(end, 0x3010);
        control_range(&o.header, 1, 0, 0, writes);
        for (size_t i = 0; i < CONTROL_RANGE_WRITES; i++)
            memcpy(o.bytes + writes[i].offset, writes[i].bytes, writes[i].len);
        assert_false(decode_range(o.bytes, &o.header, 1, &start, &end));
    }
}

/* One tracer is on, and no other; what samples go to stays. */
static void test_control_tracer(void **state)
{
    static const struct {
        const char *tracer;
        uint32_t enable;
    } cases[] = {
        {"calls", 0xffd7efab},
        {"arcs", 0xffcfefab},
        {"trace", 0xffe7efab},
        {"sink", 0xffc7ffab},
    };

    for (int shape = 0; shape < 4; shape++) {
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            struct control_write writes[CONTROL_TRACER_WRITES];
            struct object o;
            init_object(&o, shape, 2, 1, record_size(shape), 4);
            put_number(&o, 64, 4, 0xffffffab);
            decodes(&o);
            size_t count = control_tracer(&o.header, "none", writes);
            for (size_t w = 0; w < count; w++)
                applies(&o, writes[w]);
            assert_int_equal(o.header.enable, 0xfffffdab);
            count = control_tracer(&o.header, cases[i].tracer, writes);
            for (size_t w = 0; w < count; w++)
                applies(&o, writes[w]);
            assert_int_equal(o.header.enable, cases[i].enable);
        }
    }
}

/* The records of a trace are taken for ranges. */
static void applies_to_ranges(struct object *o, struct control_write w)
{
    applies(o, w);
    o->header.blocks[DECODE_TRACED] =
        (struct decode_block){.count = 6, .size = 2 * o->addr_size, .offset = entry(o, 0)};
    o->header.filtered = !(o->header.enable & 0x800);
}

static void write_range(struct object *o, size_t index, uint64_t start, uint64_t end)
{
    struct control_write writes[CONTROL_TRACED_WRITES];

    control_traced(&o->header, index, start, end, writes);
    for (size_t w = 0; w < CONTROL_TRACED_WRITES; w++)
        applies_to_ranges(o, writes[w]);
}

/* The list in use does not change until the other one is complete. */
static void test_control_traced(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        uint64_t start, end, last = shape & 2 ? UINT64_MAX : UINT32_MAX;
        uint32_t traced = 0;
        struct object o;
        init_object(&o, shape, 9, 2, record_size(shape), 8);
        decodes(&o);
        assert_false(o.header.filtered);
        assert_int_equal(control_traced_most(&o.header), 0);
        applies_to_ranges(&o, control_filter_switch(&o.header, true));
        assert_true(o.header.filtered);
        assert_int_equal(control_traced_most(&o.header), 2);
        for (uint32_t turn = 1; turn <= 3; turn++) {
            uint32_t before = o.header.traced;
            write_range(&o, 0, 0x1000 * turn, 0x1008 * turn);
            write_range(&o, 1, 0x1000 * turn + 0x10, 0x1000 * turn + 0x18);
            write_range(&o, 2, last, last);
            if (turn > 1)
                assert_true(decode_traced(o.bytes, &o.header, 0, &start, &end) &&
                            start == 0x1000 * (turn - 1));
            applies_to_ranges(&o, control_choose_traced(&o.header, &traced));
            assert_int_equal(o.header.traced, traced);
            assert_int_equal(traced >> 16, (before >> 16) + 1);
            assert_true(decode_traced(o.bytes, &o.header, 1, &start, &end));
            assert_true(start == 0x1000 * turn + 0x10 && end == 0x1000 * turn + 0x18);
            assert_false(decode_traced(o.bytes, &o.header, 2, &start, &end));
        }
        applies_to_ranges(&o, control_filter_switch(&o.header, false));
        assert_false(decode_traced(o.bytes, &o.header, 0, &start, &end));
        o.header.traced = 0xffff0000;
        control_choose_traced(&o.header, &traced);
        assert_int_not_equal(traced >> 16, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control_changes_one_byte),
        cmocka_unit_test(test_control_words),
        cmocka_unit_test(test_control_focus),
        cmocka_unit_test(test_control_range),
        cmocka_unit_test(test_control_tracer),
        cmocka_unit_test(test_control_traced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
