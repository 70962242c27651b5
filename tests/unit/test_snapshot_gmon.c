/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots read from gmon.out, in every byte order and width. */
#include "unit.h"

#include "foreign_checks.h"

static void check_gmon(bool big, unsigned size)
{
    struct message m = make_gmon(big, size, 0x8000, 0x8100, 16, true);
    const struct symbol_naming none = {.find = NULL};
    struct snapshot *s = checks_read(m.bytes, m.len);
    struct profile p = checks_back(s, "samples"), calls = checks_back(s, "calls");
    struct view_rows rows;

    assert_int_equal(p.attributed, 10 + 50 + 90 + 130);
    assert_int_equal(p.block_size, 16);
    assert_int_equal(p.sample_hz, 100);
    assert_true(p.headerless);
    assert_true(view_rows_build_named(&p, &none, VIEW_BY_ADDRESS, NULL, &rows));
    assert_int_equal(rows.count, 4);
    assert_int_equal(rows.rows[0].addr, 0x8010);
    view_rows_free(&rows);
    assert_int_equal(calls.attributed, 77);
    assert_int_equal(calls.rows[0].addr, 0x8040);
    assert_int_equal(calls.rows[0].caller, 0x8008); /* without the Thumb bit */
    assert_int_equal(calls.block_size, 1);
    assert_int_equal(snapshot_choose_type(s, NULL, true), 1);
    struct snapshot *copy = checks_copy(s);
    assert_true(checks_same(s, copy));
    snapshot_free(copy);
    profile_free(&p);
    profile_free(&calls);
    snapshot_free(s);
}

static void test_gmon(void **state)
{
    check_gmon(false, 4);
    check_gmon(false, 8);
    check_gmon(true, 4);
    check_gmon(true, 8);
}

/* As OpenOCD writes it when one sample was 0xfffffffe: buckets of 32 KB, and not of whole bytes. */
static void test_wide_gmon(void **state)
{
    const unsigned buckets = 131072;
    struct message head = make_gmon(false, 4, 0, 0xfffffffe, 0, false);
    size_t len = head.len + 2 * (size_t)buckets;
    uint8_t *file = calloc(1, len);

    assert_non_null(file);
    memcpy(file, head.bytes, head.len);
    memcpy(file + 29, &buckets, 4);
    file[head.len + 2 * 3] = 9;
    struct snapshot *s = checks_read(file, len);
    struct profile p = checks_back(s, NULL);
    assert_int_equal(p.block_size, 32768);
    assert_int_equal(p.attributed, 9);
    assert_int_equal(p.rows[0].addr, 3 * 32768);
    profile_free(&p);
    snapshot_free(s);
    free(file);
}

static void test_wrong_gmon(void **state)
{
    struct message m = make_gmon(false, 4, 0x8000, 0x8100, 16, true);

    m.bytes[4] = 2;
    check_refused(&m, "not a gmon.out of version 1");
    m.bytes[4] = 1;
    m.len--;
    check_refused(&m, "cut short");
    m = make_gmon(false, 4, 0x8100, 0x8000, 16, false);
    check_refused(&m, "damaged gmon.out");
    m = make_gmon(false, 4, 0, 0x80000000, 16, false);
    check_refused(&m, "too wide");
    m = make_gmon(false, 4, 0x8000, 0x8100, 16, false);
    add_int(&m, false, 1, 9);
    check_refused(&m, "tag");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gmon),
        cmocka_unit_test(test_wide_gmon),
        cmocka_unit_test(test_wrong_gmon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
