/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder against tables of every shape, and against what is none. */
#include "unit.h"

#include <mprof/layout.h>
#include <profile/decode.h>

#include "fake_table.h"

struct answer {
    enum decode_code code;
    struct decode_header header;
    size_t need;
    char text[120];
};

static struct answer decode(const struct fake_table *t, size_t len)
{
    struct answer a = {.header = {.addr_size = 77}};

    /* An exact copy, so that the sanitizers see one byte too many. */
    uint8_t *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    memcpy(copy, t->bytes, len);
    a.code = decode_header(copy, len, &a.header, &a.need, a.text, sizeof(a.text));
    free(copy);
    return a;
}

static void refuses(struct fake_table *t, enum decode_code code, const char *word)
{
    struct answer a = decode(t, fake_total(t));

    assert_int_equal(a.code, code);
    assert_non_null(strstr(a.text, word));
    assert_int_equal(a.header.addr_size, 77); /* untouched */
}

static void test_every_shape(void **state)
{
    for (int shape = 0; shape < 4; shape++) {
        struct fake_table t;
        struct decode_item item;
        fake_init(&t, shape & 1, shape & 2 ? 8 : 4, 5);
        uint64_t addr = shape & 2 ? 0x1122334455667780u : 0x55667780u;
        fake_heartbeat(&t, 1002);
        fake_dropped(&t, 2);
        fake_generation(&t, 9);
        fake_item(&t, 3, addr, 1000, 7, 9);
        struct answer a = decode(&t, fake_total(&t));
        assert_int_equal(a.code, DECODE_OK);
        assert_int_equal(a.header.big_endian, shape & 1);
        assert_int_equal(a.header.item_count, 5);
        assert_int_equal(a.header.block_size, 16);
        assert_int_equal(a.header.heartbeat, 1002);
        assert_int_equal(a.header.dropped, 2);
        assert_int_equal(a.header.sample_hz, 1000);
        assert_int_equal(a.header.unit, DECODE_UNIT_SAMPLES);
        assert_int_equal(decode_item(t.bytes, &a.header, 3, &item), DECODE_ROW_FRESH);
        assert_true(item.addr == addr);
        assert_int_equal(item.hits, 1000);
        assert_int_equal(item.inherited, 7);
        assert_int_equal(decode_item(t.bytes, &a.header, 2, &item), DECODE_ROW_EMPTY);
    }
}

static void test_every_length(void **state)
{
    struct fake_table t;

    fake_init(&t, false, 4, 8);
    for (size_t len = 0; len < fake_total(&t); len++) {
        struct answer a = decode(&t, len);
        assert_int_equal(a.code, DECODE_ESHORT);
        assert_int_equal(a.need, len < FAKE_HEADER ? 0 : fake_total(&t));
    }
    assert_int_equal(decode(&t, fake_total(&t)).code, DECODE_OK);
}

static void test_blank_and_foreign(void **state)
{
    struct fake_table t;

    fake_init(&t, false, 4, 8);
    fake_put(&t, 0, 4, 0);
    refuses(&t, DECODE_EBLANK, "magic");
    fake_put(&t, 0, 4, 0xffffffff);
    refuses(&t, DECODE_EBLANK, "magic");
    fake_init(&t, false, 4, 8);
    fake_put(&t, 4, 1, 2);
    refuses(&t, DECODE_EABI, "version 2.0");
    fake_put(&t, 4, 1, 0);
    refuses(&t, DECODE_EABI, "version 0.0");
}

static void test_newer_minor_is_read(void **state)
{
    struct fake_table t;
    struct decode_item item;

    /* A longer header, an unknown kind of block first, longer items: read up to what is known. */
    fake_init(&t, false, 4, 0);
    fake_put(&t, 5, 1, 7);
    fake_put(&t, 7, 1, 2);
    fake_put(&t, 8, 2, 104);
    fake_put(&t, 12, 4, 104 + 32 + 2 * 20);
    memset(t.bytes + 96, 0xee, 8);
    memset(t.bytes + 104, 0, 32);
    fake_put(&t, 104, 1, 99);
    fake_put(&t, 120, 1, 1);
    fake_put(&t, 121, 1, 2);
    fake_put(&t, 122, 1, 0);
    fake_put(&t, 124, 2, 20);
    fake_put(&t, 128, 4, 2);
    fake_put(&t, 132, 4, 136);
    fake_put(&t, 24, 4, 1);
    fake_put(&t, 136 + 20, 4, 0x1234);
    fake_put(&t, 136 + 24, 4, 55);
    fake_put(&t, 136 + 32, 4, 1);
    struct answer a = decode(&t, 104 + 32 + 2 * 20);
    assert_int_equal(a.code, DECODE_OK);
    assert_int_equal(a.header.abi_minor, 7);
    assert_int_equal(a.header.unit, DECODE_UNIT_CALLS);
    assert_int_equal(a.header.block_size, 1);
    assert_int_equal(decode_item(t.bytes, &a.header, 1, &item), DECODE_ROW_FRESH);
    assert_int_equal(item.addr, 0x1234);
    assert_int_equal(item.hits, 55);
}

static void test_damaged_fields(void **state)
{
    static const struct {
        size_t at, size;
        uint64_t value;
        enum decode_code code;
        const char *word;
    } faults[] = {
        {6, 1, 5, DECODE_EDAMAGED, "addresses"},
        {6, 1, 8, DECODE_EDAMAGED, "items have 16 bytes"},
        {7, 1, 0, DECODE_EKIND, "no table of counts"},
        {7, 1, 255, DECODE_EDAMAGED, "total size"},
        {8, 2, 92, DECODE_EDAMAGED, "header"},
        {8, 2, 0xffff, DECODE_EDAMAGED, "total size"},
        {12, 4, 100, DECODE_EDAMAGED, "total size"},
        {12, 4, 0xffffffff, DECODE_EDAMAGED, "total size"},
        {96, 1, 77, DECODE_EKIND, "no table of counts"},
        {96, 1, 2, DECODE_EDAMAGED, "its records have no header"},
        {96, 1, 3, DECODE_EDAMAGED, "its entries have no header"},
        {97, 1, 0, DECODE_EDAMAGED, "unit"},
        {97, 1, 3, DECODE_EDAMAGED, "unit"},
        {98, 1, 40, DECODE_EDAMAGED, "2^40"},
        {100, 2, 12, DECODE_EDAMAGED, "items have 12 bytes"},
        {104, 4, 0, DECODE_EDAMAGED, "0 items"},
        {104, 4, 9, DECODE_EDAMAGED, "9 items"},
        {104, 4, 0x10000001, DECODE_EDAMAGED, "do not fit"},
        {108, 4, 0xfffffff0, DECODE_EDAMAGED, "do not fit"},
    };

    for (size_t i = 0; i < COUNT(faults); i++) {
        struct fake_table t;
        fake_init(&t, i & 1, 4, 8);
        fake_put(&t, faults[i].at, faults[i].size, faults[i].value);
        refuses(&t, faults[i].code, faults[i].word);
    }
}

/* Any bytes behind a right magic: an answer, and no byte read that is not there. */
static void test_random_bytes(void **state)
{
    struct fake_table t;
    uint32_t seed = 12345;

    for (int round = 0; round < 20000; round++) {
        fake_init(&t, round & 1, round & 2 ? 8 : 4, 8);
        for (int flips = 0; flips < 3; flips++) {
            seed = seed * 1664525u + 1013904223u;
            t.bytes[4 + (seed >> 8) % (FAKE_HEADER + FAKE_BLOCK - 4)] = (uint8_t)(seed >> 24);
        }
        struct answer a = decode(&t, fake_total(&t));
        if (a.code != DECODE_OK)
            continue;
        for (size_t i = 0; i < a.header.item_count; i++) {
            struct decode_item item;
            assert_true(a.header.item_offset + (i + 1) * a.header.item_size <= fake_total(&t));
            (void)!decode_item(t.bytes, &a.header, i, &item);
        }
    }
}

static void test_stamps(void **state)
{
    static const struct {
        uint32_t generation, stamp;
        enum decode_row row;
    } cases[] = {
        {10, 10, DECODE_ROW_FRESH},
        {10, 1, DECODE_ROW_FRESH},
        {10, 0, DECODE_ROW_EMPTY},
        {0, 0, DECODE_ROW_EMPTY},
        {10, 11, DECODE_ROW_TORN},
        {10, 10 + MPROF_STAMP_AHEAD, DECODE_ROW_TORN},
        /* The generation wrapped: old rows stay true, new ones behind the header do not. */
        {5, 0xfffffff0, DECODE_ROW_FRESH},
        {5, 11 + MPROF_STAMP_AHEAD, DECODE_ROW_FRESH},
        {0xffffffff, 1, DECODE_ROW_TORN},
        {0xffffffff, 0xffffffff, DECODE_ROW_FRESH},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_table t;
        struct decode_item item;
        fake_init(&t, false, 4, 1);
        fake_generation(&t, cases[i].generation);
        fake_item(&t, 0, 0, 1, 0, cases[i].stamp);
        struct answer a = decode(&t, fake_total(&t));
        assert_int_equal(a.code, DECODE_OK);
        assert_int_equal(decode_item(t.bytes, &a.header, 0, &item), cases[i].row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_blank_and_foreign),
        cmocka_unit_test(test_newer_minor_is_read),
        cmocka_unit_test(test_damaged_fields),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_stamps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
