/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of rows of every shape, and what of them is to be believed. */
#include "unit.h"

#include <profile/decode.h>

#include "fake_rows.h"

static enum decode_code decode(const struct fake_rows *f, struct decode_header *header, char *text,
                               size_t capacity)
{
    size_t need;

    return decode_header(f->bytes, f->total, header, &need, text, capacity);
}

static struct decode_header accept(const struct fake_rows *f)
{
    struct decode_header header;
    char text[120] = "";

    assert_int_equal(decode(f, &header, text, sizeof(text)), DECODE_OK);
    assert_string_equal(text, "");
    return header;
}

static void refuse(const struct fake_rows *f, const char *word)
{
    struct decode_header header;
    char text[120];

    assert_int_equal(decode(f, &header, text, sizeof(text)), DECODE_EDAMAGED);
    assert_non_null(strstr(text, word));
}

static void test_every_shape(void **state)
{
    for (int shape = 0; shape < 12; shape++) {
        struct fake_rows f;
        struct decode_item item;
        bool wide = shape & 2;
        enum fake_kind kind = (enum fake_kind)(shape / 4);
        uint64_t addr = wide ? 0x1122334455667780u : 0x55667780u;
        fake_rows_init(&f, shape & 1, wide ? 8 : 4, kind, 8, 4);
        fake_rows_use(&f, 3);
        fake_rows_row(&f, 0, 0, 0x777, 12, 0);
        fake_rows_row(&f, 1, addr + 1, 0, 1, 0); /* being written */
        fake_rows_row(&f, 2, addr, addr + 7, 1000, 0xfff1);
        fake_rows_generation(&f, 0xfff1);
        fake_rows_heartbeat(&f, 1028);
        fake_rows_rest(&f, 1, 5);
        fake_rows_rest(&f, 3, 11);
        struct decode_header h = accept(&f);
        assert_int_equal(h.big_endian, shape & 1);
        assert_int_equal(h.unit, kind == FAKE_SAMPLES ? DECODE_UNIT_SAMPLES : DECODE_UNIT_CALLS);
        assert_int_equal(h.item_count, 8);
        assert_int_equal(h.items_in_use, 3);
        assert_int_equal(h.dropped, 16);
        assert_int_equal(h.heartbeat, 1028);
        assert_int_equal(h.blocks[h.source].rest_count, 4);
        assert_int_equal(h.blocks[h.source].region_size, 256);
        assert_int_equal(decode_rest(f.bytes, &h, 0), 0);
        assert_int_equal(decode_rest(f.bytes, &h, 3), 11);
        assert_int_equal(decode_item(f.bytes, &h, 0, &item), DECODE_ROW_FRESH);
        assert_true(item.addr == 0 && item.hits == 12 && item.complete && item.stamp != 0);
        assert_true(item.caller == (kind == FAKE_ARCS ? 0x777 : 0));
        assert_int_equal(decode_item(f.bytes, &h, 1, &item), DECODE_ROW_EMPTY);
        assert_int_equal(decode_item(f.bytes, &h, 2, &item), DECODE_ROW_FRESH);
        assert_true(item.addr == addr && item.hits == 1000 && !item.complete);
        assert_true(item.caller == (kind == FAKE_ARCS ? addr + 7 : 0));
        assert_int_equal(decode_item(f.bytes, &h, 3, &item), DECODE_ROW_EMPTY);
        assert_int_equal(decode_item(f.bytes, &h, 7, &item), DECODE_ROW_EMPTY);
    }
}

/* The counters of the rest are not looked at before the target says that there is something. */
static void test_nothing_spilled(void **state)
{
    struct fake_rows f;

    fake_rows_init(&f, false, 4, FAKE_SAMPLES, 8, 4);
    fake_rows_rest(&f, 2, 9);
    fake_rows_put(&f, f.lead + 12, 4, 0);
    struct decode_header h = accept(&f);
    assert_int_equal(h.dropped, 0);
    assert_int_equal(decode_rest(f.bytes, &h, 2), 0);
}

static void test_increment_and_large_blocks(void **state)
{
    struct fake_rows f;
    struct decode_item item;

    fake_rows_init(&f, false, 4, FAKE_SAMPLES, 4, 10);
    fake_rows_flags(&f, 3 << 8);
    fake_rows_use(&f, 1);
    fake_rows_row(&f, 0, 0x400, 0, 30, 0);
    fake_rows_rest(&f, 1, 6);
    struct decode_header h = accept(&f);
    assert_int_equal(h.blocks[DECODE_TABLE].region_size, 1024);
    assert_int_equal(h.dropped, 2);
    assert_int_equal(decode_item(f.bytes, &h, 0, &item), DECODE_ROW_FRESH);
    assert_int_equal(item.hits, 10);
    fake_rows_flags(&f, 2); /* it decays: what faded is in the rest */
    h = accept(&f);
    assert_int_equal(decode_item(f.bytes, &h, 0, &item), DECODE_ROW_FRESH);
    assert_false(item.complete);
}

/* A stamp is ahead of the generation that was read first by 2 to as much as it went on, and 2. */
static void test_torn(void **state)
{
    static const struct {
        uint32_t first, after;
        unsigned stamp;
        enum decode_row row;
        bool changing;
    } cases[] = {
        {1, 1, 0, DECODE_ROW_FRESH, false},
        {101, 101, 101, DECODE_ROW_FRESH, false},
        {101, 101, 3, DECODE_ROW_FRESH, false},
        {101, 101, 103, DECODE_ROW_TORN, true},
        {101, 101, 105, DECODE_ROW_FRESH, true}, /* very old */
        {101, 105, 107, DECODE_ROW_TORN, true},
        {101, 105, 109, DECODE_ROW_FRESH, true},
        {0xffff, 0x10001, 1, DECODE_ROW_TORN, true},
        {0xffff, 0x10001, 3, DECODE_ROW_TORN, true},
        {0xffff, 0x10001, 5, DECODE_ROW_FRESH, true},
        {0x2ffff, 0x2ffff, 0xffff, DECODE_ROW_FRESH, false},
        {0x2ffff, 0x2ffff, 0x8001, DECODE_ROW_FRESH, false},
        {0xffffffff, 1, 1, DECODE_ROW_TORN, true},
        /* So far on that nothing can be told: it was cleared, perhaps. */
        {101, 101 + 0x8000, 0, DECODE_ROW_TORN, false},
        {101, 101 + 0x8000, 99, DECODE_ROW_TORN, false},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_rows f;
        struct decode_item item;
        fake_rows_init(&f, false, 4, FAKE_SAMPLES, 4, 4);
        fake_rows_use(&f, 1);
        fake_rows_row(&f, 0, 0x1000, 0, 5, cases[i].stamp);
        fake_rows_generation(&f, cases[i].first);
        struct decode_header h = accept(&f);
        assert_int_equal(h.generation_after, cases[i].first);
        assert_int_equal(decode_is_changing(f.bytes, &h), cases[i].changing);
        h.generation_after = cases[i].after;
        assert_int_equal(decode_item(f.bytes, &h, 0, &item), cases[i].row);
    }
}

/* Calls come so fast that every stamp but the newest makes a reader look again. */
static void test_fast(void **state)
{
    struct fake_rows f;

    fake_rows_init(&f, false, 4, FAKE_CALLS, 4, 1);
    fake_rows_use(&f, 1);
    fake_rows_row(&f, 0, 0x1000, 0, 5, 3);
    fake_rows_generation(&f, 101);
    struct decode_header h = accept(&f);
    assert_true(decode_is_changing(f.bytes, &h));
    fake_rows_row(&f, 0, 0x1000, 0, 5, 0);
    assert_false(decode_is_changing(f.bytes, &h));
}

static void test_damage(void **state)
{
    struct fake_rows f, good;

    fake_rows_init(&good, false, 4, FAKE_SAMPLES, 8, 4);
    f = good;
    fake_rows_put(&f, 120, 4, 6);
    refuse(&f, "not a power of two");
    f = good;
    fake_rows_put(&f, 120, 4, 16); /* the rest would be outside */
    refuse(&f, "do not fit");
    f = good;
    fake_rows_put(&f, 120, 4, 0x80000000u);
    refuse(&f, "do not fit");
    f = good;
    fake_rows_put(&f, 124, 4, 112 + 16 + 8); /* no room for what leads them */
    refuse(&f, "do not fit");
    f = good;
    fake_rows_put(&f, 116, 2, 8);
    refuse(&f, "have 8 bytes, not 12");
    f = good;
    fake_rows_put(&f, f.lead + 8, 4, 0xffffffff); /* more are free than there are */
    struct decode_header h = accept(&f);
    assert_int_equal(h.items_in_use, 8);
}

/* Samples and calls, each with its own counters. */
static void test_two_tables(void **state)
{
    struct fake_rows f;
    struct decode_item item;
    size_t first, lead;

    fake_rows_init(&f, false, 4, FAKE_SAMPLES, 4, 4);
    /* One more entry of the directory, and all behind it 16 bytes on. */
    first = f.total + 16 + 16;
    first = (first + 7) / 8 * 8 + 16;
    lead = first - 16;
    memmove(f.bytes + 144, f.bytes + 128, f.total - 128);
    memset(f.bytes + 128, 0, 16);
    fake_rows_put(&f, 7, 1, 2);
    fake_rows_put(&f, 124, 4, f.first + 16);
    fake_rows_put(&f, 128, 1, 6);
    fake_rows_put(&f, 129, 1, 2);
    fake_rows_put(&f, 130, 1, 1);
    fake_rows_put(&f, 132, 2, 12);
    fake_rows_put(&f, 134, 2, 1); /* led */
    fake_rows_put(&f, 136, 4, 4);
    fake_rows_put(&f, 140, 4, first);
    fake_rows_put(&f, lead, 4, 70);     /* events */
    fake_rows_put(&f, lead + 4, 4, 10); /* ignored */
    fake_rows_put(&f, lead + 8, 4, 3);
    fake_rows_put(&f, first, 4, 0x1002);
    fake_rows_put(&f, first + 4, 4, 60);
    f.total = first + 5 * 12 + 8 + 8;
    fake_rows_put(&f, 12, 4, f.total);
    fake_rows_heartbeat(&f, 5);
    struct decode_header h = accept(&f);
    assert_int_equal(h.source, DECODE_TABLE);
    assert_int_equal(h.heartbeat, 5);
    assert_true(decode_select(f.bytes, &h, DECODE_CALLS));
    assert_int_equal(h.heartbeat, 70);
    assert_int_equal(h.ignored, 10);
    assert_int_equal(h.items_in_use, 1);
    assert_int_equal(decode_item(f.bytes, &h, 0, &item), DECODE_ROW_FRESH);
    assert_true(item.addr == 0x1002 && item.hits == 60);
    fake_rows_put(&f, 134, 2, 0); /* whose are the header's counters? */
    refuse(&f, "have no header");
    fake_rows_put(&f, 134, 2, 1);
    fake_rows_put(&f, 140, 4, f.first + 16 + 8); /* inside the first table */
    refuse(&f, "overlap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_nothing_spilled),
        cmocka_unit_test(test_increment_and_large_blocks),
        cmocka_unit_test(test_torn),
        cmocka_unit_test(test_fast),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_two_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
