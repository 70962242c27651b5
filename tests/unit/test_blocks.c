/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams, histograms, arcs and several cores, from bytes that are laid out by docs/layout.md. */
#include "unit.h"

#include <profile/profile.h>

#include "object_checks.h"

static void put_record(struct object *o, size_t index, uint64_t pc, uint64_t lr, uint32_t time,
                       uint32_t tag)
{
    size_t at = entry(o, index);

    put_number(o, at, o->addr_size, pc);
    put_number(o, at + o->addr_size, o->addr_size, lr);
    put_number(o, at + 2 * o->addr_size, 4, time);
    put_number(o, at + 2 * o->addr_size + 4, 4, tag);
}

#define PLACE(n) ((uint32_t)(n)*0x800u + 0x400u)

static void test_stream_record(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        struct decode_sample sample;
        init_object(&o, shape, 2, 1, record_size(shape), 4);
        put_number(&o, LEAD, 4, PLACE(6));
        put_record(&o, 2, 0x1000, 0x2001, 99, PLACE(6) | 0x200 | 15);
        put_record(&o, 1, 0x1004, 0, 98, PLACE(5));
        decodes(&o);
        assert_int_equal(o.header.source, DECODE_STREAM);
        assert_int_equal(o.header.heartbeat, 77);
        assert_int_equal(decode_stream_head(o.bytes, &o.header), PLACE(6));
        assert_int_equal(decode_stream_record(o.bytes, &o.header, PLACE(5), &sample),
                         DECODE_RECORD_WHOLE);
        assert_int_equal(sample.pc, 0x1000);
        assert_int_equal(sample.lr, 0x2001);
        assert_int_equal(sample.time, 99);
        assert_int_equal(sample.exception, 15);
        assert_true(sample.late);
        assert_int_equal(decode_stream_record(o.bytes, &o.header, PLACE(4), &sample),
                         DECODE_RECORD_WHOLE);
        assert_false(sample.late);
        assert_int_equal(sample.exception, 0);
    }
}

static void test_stream_whole_coming_lost(void **state)
{
    static const struct {
        uint32_t place, tag; /* of a whole record, the tag is the next place */
        enum decode_record record;
    } cases[] = {
        {PLACE(5), PLACE(6), DECODE_RECORD_WHOLE},
        {PLACE(5), PLACE(2), DECODE_RECORD_COMING}, /* the lap before */
        {PLACE(5), 0, DECODE_RECORD_COMING},        /* being written */
        {PLACE(5), PLACE(10), DECODE_RECORD_LOST},  /* a lap later */
        {PLACE(5), PLACE(6) & ~0x400u, DECODE_RECORD_COMING},
        /* The places wrap behind 2^21. */
        {PLACE(0x1fffff), PLACE(0), DECODE_RECORD_WHOLE},
        {PLACE(0x1fffff), PLACE(0x1ffffc), DECODE_RECORD_COMING},
        {PLACE(0x1fffff), PLACE(4), DECODE_RECORD_LOST},
        {PLACE(1), PLACE(0x1ffffe), DECODE_RECORD_COMING},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct object o;
        struct decode_sample sample;
        init_object(&o, 0, 2, 1, 16, 4);
        decodes(&o);
        put_record(&o, decode_stream_index(cases[i].place, &o.header), 0x1000, 0, 0, cases[i].tag);
        assert_int_equal(decode_stream_record(o.bytes, &o.header, cases[i].place, &sample),
                         cases[i].record);
    }
}

static void test_stream_places(void **state)
{
    struct object o;

    init_object(&o, 0, 2, 1, 16, 4);
    decodes(&o);
    assert_int_equal(decode_stream_next(PLACE(0x1fffff), 1), PLACE(0));
    assert_int_equal(decode_stream_distance(PLACE(2), PLACE(0x1ffffe)), 4);
    assert_int_equal(decode_stream_distance(PLACE(2), PLACE(2)), 0);
    assert_int_equal(decode_stream_index(PLACE(0x1fffff), &o.header), 0);
    assert_int_equal(decode_stream_index(PLACE(6), &o.header), 3);
}

static void test_histogram(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        struct decode_item item;
        uint64_t base = shape & 2 ? 0x1122334455667700u : 0x8000000u;
        init_object(&o, shape, 3, 1, 4, 8);
        put_number(&o, HEADER + 2, 1, 4);
        put_number(&o, LEAD, 4, 1000);
        put_number(&o, LEAD + 4, 4, 13);
        put_number(&o, LEAD + 8, 4, base & 0xffffffffu);
        put_number(&o, LEAD + 12, 4, base >> 32);
        put_number(&o, entry(&o, 3), 4, 500);
        put_number(&o, 32, 4, 5); /* ignored is the header's */
        decodes(&o);
        assert_int_equal(o.header.source, DECODE_HISTOGRAM);
        assert_int_equal(o.header.heartbeat, 1000);
        assert_int_equal(o.header.dropped, 13);
        assert_int_equal(o.header.ignored, 5);
        assert_int_equal(decode_item(o.bytes, &o.header, 3, &item), DECODE_ROW_FRESH);
        assert_int_equal(item.addr, base + 3 * 16);
        assert_int_equal(item.hits, 500);
    }
}

/* A histogram and a focus of 16 entries behind it, each with its lead. */
#define FOCUS_LEAD    (DIRECTORY + 48)
#define FOCUS_ENTRIES 16

static void init_focus(struct object *o, int shape)
{
    init_object(o, shape, 3, 1, 4, 40);
    put_number(o, 7, 1, 2);
    put_number(o, HEADER + 8, 4, 4);
    put_number(o, HEADER + 12, 4, DIRECTORY + 32);
    put_number(o, DIRECTORY, 1, 8);
    put_number(o, DIRECTORY + 1, 1, 1);
    put_number(o, DIRECTORY + 2, 1, 1);
    put_number(o, DIRECTORY + 4, 2, 4);
    put_number(o, DIRECTORY + 6, 2, 1);
    put_number(o, DIRECTORY + 8, 4, FOCUS_ENTRIES);
    put_number(o, DIRECTORY + 12, 4, FOCUS_LEAD + 16);
}

static void test_focus(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        uint64_t base = shape & 2 ? 0x1122334455667708u : 0x8000008u; /* entry 4 */
        init_focus(&o, shape);
        put_number(&o, FOCUS_LEAD, 4, base & 0xffffffffu);
        put_number(&o, FOCUS_LEAD + 4, 4, base >> 32);
        put_number(&o, FOCUS_LEAD + 8, 4, 7);
        put_number(&o, FOCUS_LEAD + 12, 4, 3);
        put_number(&o, FOCUS_LEAD + 16 + 4 * 4, 4, 500);
        put_number(&o, FOCUS_LEAD + 16 + 3 * 4, 4, 30);
        decodes(&o);
        assert_int_equal(o.header.source, DECODE_HISTOGRAM);
        assert_int_equal(o.header.blocks[DECODE_FOCUS].count, FOCUS_ENTRIES);
        assert_false(o.header.focused);
        const struct decode_focus focus = decode_focus(o.bytes, &o.header);
        assert_int_equal(focus.base, base);
        assert_int_equal(focus.events, 77 - 7);
        assert_int_equal(focus.done, 3);
        assert_int_equal(decode_focus_hits(o.bytes, &o.header, base), 500);
        assert_int_equal(decode_focus_hits(o.bytes, &o.header, base + 1), 500);
        assert_int_equal(decode_focus_hits(o.bytes, &o.header, base + 30), 30); /* the last one */
        put_number(&o, 64, 4, 0xffbfffab);
        decodes(&o);
        assert_true(o.header.focused);
        assert_false(decode_select(o.bytes, &o.header, DECODE_STREAM));
        put_number(&o, DIRECTORY + 8, 4, 12);
        refuses(&o, "focus has 12 entries");
        put_number(&o, DIRECTORY + 8, 4, FOCUS_ENTRIES);
        put_number(&o, DIRECTORY + 6, 2, 0);
        refuses(&o, "have no header");
        put_number(&o, DIRECTORY + 6, 2, 1);
        put_number(&o, DIRECTORY + 12, 4, FOCUS_LEAD);
        refuses(&o, "overlap");
    }
}

static void put_arc(struct object *o, size_t index, uint64_t callee, uint64_t caller, uint32_t hits,
                    uint32_t stamp)
{
    size_t at = entry(o, index);

    put_number(o, at, o->addr_size, callee);
    put_number(o, at + o->addr_size, o->addr_size, caller);
    put_number(o, at + 2 * o->addr_size, 4, hits);
    put_number(o, at + 2 * o->addr_size + 4, 4, stamp);
}

static void test_arcs(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct object o;
        struct decode_item item;
        init_object(&o, shape, 4, 2, record_size(shape), 4);
        put_number(&o, 24, 4, 9);
        put_number(&o, LEAD, 4, 300); /* its own counters */
        put_number(&o, LEAD + 4, 4, 30);
        put_number(&o, LEAD + 8, 4, 3);
        put_number(&o, LEAD + 12, 4, 2);
        put_arc(&o, 1, 0x1001, 0x2003, 44, 9);
        put_arc(&o, 2, 0x1001, 0x2003, 44, 10);
        decodes(&o);
        assert_int_equal(o.header.source, DECODE_ARCS);
        assert_int_equal(o.header.unit, DECODE_UNIT_CALLS);
        assert_int_equal(o.header.heartbeat, 300);
        assert_int_equal(o.header.dropped, 30);
        assert_int_equal(o.header.displaced, 3);
        assert_int_equal(o.header.ignored, 2);
        assert_int_equal(decode_item(o.bytes, &o.header, 1, &item), DECODE_ROW_FRESH);
        assert_int_equal(item.addr, 0x1001);
        assert_int_equal(item.caller, 0x2003);
        assert_int_equal(item.hits, 44);
        assert_int_equal(item.inherited, 0);
        assert_int_equal(decode_item(o.bytes, &o.header, 2, &item), DECODE_ROW_TORN);
        assert_int_equal(decode_item(o.bytes, &o.header, 0, &item), DECODE_ROW_EMPTY);
        assert_false(decode_select(o.bytes, &o.header, DECODE_TABLE));
        assert_int_equal(o.header.source, DECODE_ARCS);
    }
}

static void test_damaged(void **state)
{
    static const struct {
        unsigned kind;
        size_t at, size;
        uint64_t value;
        const char *word;
    } faults[] = {
        {2, HEADER + 8, 4, 3, "not a power of two"},
        {2, HEADER + 6, 2, 0, "its records have no header"},
        {2, HEADER + 4, 2, 12, "records have 12 bytes"},
        {2, HEADER + 12, 4, DIRECTORY, "do not fit"}, /* what leads it would be the directory */
        {3, HEADER + 6, 2, 0, "its entries have no header"},
        {4, HEADER + 4, 2, 12, "arcs have 12 bytes"},
        {4, HEADER + 1, 1, 9, "unit of its arcs is 9"},
        {4, 105, 1, 17, "core 0 of 17 cores"},
        {4, 104, 1, 1, "core 1 of 1 cores"},
        {5, HEADER + 8, 4, 0xffff, "65535 ranges"},
        {3, HEADER, 1, 0, "a block has kind 0"},
        {2, HEADER + 1, 1, 2, "unit of its records is 2"},
        {4, HEADER + 12, 4, DIRECTORY + 20, "not a multiple of 8"},
    };

    for (size_t i = 0; i < COUNT(faults); i++) {
        struct object o;
        init_object(&o, (int)i & 1, faults[i].kind, faults[i].kind == 4 ? 2 : 1, 16, 4);
        put_number(&o, faults[i].at, faults[i].size, faults[i].value);
        refuses(&o, faults[i].word);
    }
}

/* Two blocks of the same bytes, and a second table that shares the first one's counters. */
static void test_blocks_stand_apart(void **state)
{
    struct object o;

    for (int both = 0; both < 2; both++) {
        init_object(&o, 0, 1, 1, 16, 8);
        put_number(&o, 7, 1, 2);
        put_number(&o, HEADER + 6, 2, 0);
        put_number(&o, HEADER + 8, 4, 3);
        put_number(&o, HEADER + 12, 4, HEADER + 32);
        put_number(&o, HEADER + 16, 1, 1);
        put_number(&o, HEADER + 17, 1, 2);
        put_number(&o, HEADER + 20, 2, 16);
        put_number(&o, HEADER + 22, 2, both);
        put_number(&o, HEADER + 24, 4, 3);
        put_number(&o, HEADER + 28, 4, HEADER + 32 + 3 * 16);
        refuses(&o, both ? "overlap its table" : "its calls have no header");
    }
    put_number(&o, HEADER + 28, 4, HEADER + 32 + 4 * 16);
    decodes(&o);
    assert_int_equal(o.header.blocks[DECODE_CALLS].count, 3);
}

/* A table of items, its lead left unused. */
static void begin_items(struct object *o, unsigned flags)
{
    init_object(o, 0, 1, 1, 16, 4);
    put_number(o, HEADER + 6, 2, flags);
    put_number(o, 24, 4, 4);
}

static void put_item(struct object *o, size_t index, uint32_t addr, uint32_t hits, uint32_t stamp)
{
    put_number(o, entry(o, index), 4, addr);
    put_number(o, entry(o, index) + 4, 4, hits);
    put_number(o, entry(o, index) + 12, 4, stamp);
}

static void update(struct profile *p, struct object *o, size_t count, double now_s)
{
    struct profile_object objects[2];

    for (size_t i = 0; i < count; i++) {
        decodes(&o[i]);
        objects[i] = (struct profile_object){.bytes = o[i].bytes, .header = &o[i].header};
    }
    assert_true(profile_update(p, objects, count, now_s));
}

static void test_two_cores_are_added_up(void **state)
{
    struct object o[2];
    struct profile p;

    profile_init(&p);
    for (unsigned core = 0; core < 2; core++) {
        begin_items(&o[core], 0);
        put_number(&o[core], 104, 1, core);
        put_number(&o[core], 105, 1, 2);
        put_number(&o[core], 28, 4, 3 + core); /* dropped */
        put_number(&o[core], 56, 4, 1);        /* late */
        put_item(&o[core], core, 0x1000, 100 + core, 1);
    }
    update(&p, o, 2, 1);
    assert_int_equal(p.attributed, 201);
    assert_int_equal(p.row_count, 8);
    assert_int_equal(p.dropped, 7);
    assert_int_equal(p.late, 2);
    put_item(&o[1], 1, 0x1000, 111, 1);
    put_number(&o[1], 20, 4, 87);
    update(&p, o, 2, 2);
    assert_int_equal(p.recent, 10);
    assert_int_equal(p.events, 10);
    assert_int_equal(p.restarts, 0);
    put_number(&o[1], 16, 4, 2); /* one core starts again */
    put_item(&o[1], 1, 0x1000, 1, 1);
    update(&p, o, 2, 3);
    assert_int_equal(p.restarts, 1);
    profile_free(&p);
}

static void test_a_reset_begins_anew(void **state)
{
    struct object o;
    struct profile p;

    profile_init(&p);
    begin_items(&o, 0);
    put_item(&o, 0, 0x1000, 100, 1);
    update(&p, &o, 1, 1);
    put_number(&o, 48, 4, 1); /* reset_done; the counters happen to be larger than before */
    put_number(&o, 20, 4, 500);
    put_item(&o, 0, 0x1000, 400, 4);
    update(&p, &o, 1, 2);
    assert_int_equal(p.restarts, 1);
    assert_int_equal(p.recent, 0);
    profile_free(&p);
}

static void test_decay_is_no_restart(void **state)
{
    struct object o;
    struct profile p;

    profile_init(&p);
    begin_items(&o, 2);
    put_item(&o, 0, 0x1000, 100, 1);
    put_item(&o, 1, 0x2000, 100, 2);
    update(&p, &o, 1, 1);
    put_item(&o, 0, 0x1000, 90, 1);
    put_item(&o, 1, 0x2000, 120, 2);
    update(&p, &o, 1, 2);
    assert_int_equal(p.restarts, 0);
    assert_int_equal(p.rows[0].lost, 10);
    assert_int_equal(p.rows[0].recent, 0);
    assert_int_equal(p.rows[1].recent, 20);
    profile_free(&p);
}

static void test_increment_is_divided_out(void **state)
{
    struct object o;
    struct profile p;

    profile_init(&p);
    begin_items(&o, 5 << 8);
    put_item(&o, 0, 0x1000, 500, 1);
    update(&p, &o, 1, 1);
    assert_int_equal(p.attributed, 100);
    profile_free(&p);
}

static void test_tally(void **state)
{
    static uint32_t truth[1000], late[1000];
    struct tally t = {.count = 0};
    uint32_t seed = 1;

    for (int i = 0; i < 50000; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t at = (seed >> 10) % 1000;
        truth[at]++;
        late[at] += i % 7 == 0;
        /* Each address in two exceptions. */
        assert_true(tally_add(&t, 0x8000000u + at / 2, at % 2 ? 24 : 0, i % 7 == 0));
    }
    assert_int_equal(t.count, 1000);
    for (size_t i = 0; i < t.count; i++) {
        const struct tally_entry *e = &t.entries[i];
        size_t at = (size_t)(e->addr - 0x8000000u) * 2 + (e->exception != 0);
        assert_int_equal(e->hits, truth[at]);
        assert_int_equal(e->late, late[at]);
        assert_true(e->exception == 0 || e->exception == 24);
    }
    tally_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_record),
        cmocka_unit_test(test_stream_whole_coming_lost),
        cmocka_unit_test(test_stream_places),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_arcs),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_blocks_stand_apart),
        cmocka_unit_test(test_two_cores_are_added_up),
        cmocka_unit_test(test_a_reset_begins_anew),
        cmocka_unit_test(test_decay_is_no_restart),
        cmocka_unit_test(test_increment_is_divided_out),
        cmocka_unit_test(test_tally),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
