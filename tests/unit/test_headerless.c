/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables without a header: rows of every width, rows that move, fall, go and are met in a move. */
#include <math.h>

#include "unit.h"

#include <profile/headerless.h>
#include <profile/unsure.h>

#define ROWS   4
#define STRIDE 24

struct fixture {
    struct headerless_shape shape;
    struct headerless_hit room[ROWS];
    struct headerless_rows rows;
    struct profile profile;
    uint8_t bytes[ROWS * STRIDE];
};

static void write_number(const struct headerless_shape *s, uint8_t *at, unsigned size,
                         uint64_t value)
{
    for (unsigned i = 0; i < size; i++)
        at[s->big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static void set_row(struct fixture *f, size_t index, uint64_t addr, uint64_t hits)
{
    uint8_t *row = f->bytes + index * f->shape.stride;

    write_number(&f->shape, row + f->shape.addr_offset, f->shape.addr_size, addr);
    write_number(&f->shape, row + f->shape.hits_offset, f->shape.hits_size, hits);
}

static void init_fixture(struct fixture *f)
{
    *f = (struct fixture){.shape = {.unit = DECODE_UNIT_SAMPLES,
                                    .addr_mask = ~(uint64_t)0,
                                    .count = ROWS,
                                    .stride = 12,
                                    .addr_size = 4,
                                    .hits_offset = 4,
                                    .hits_size = 4}};
    f->rows.rows = f->room;
    profile_init(&f->profile);
}

static void update(struct fixture *f, double now_s)
{
    headerless_decode(f->bytes, &f->shape, &f->rows);
    assert_true(profile_update_headerless(&f->profile, &f->shape, &f->rows, now_s));
}

static const struct profile_hit *row_at(const struct fixture *f, uint64_t addr)
{
    for (size_t i = 0; i < f->profile.row_count; i++) {
        if (f->profile.rows[i].hits != 0 && f->profile.rows[i].addr == addr)
            return &f->profile.rows[i];
    }
    return NULL;
}

static void test_widths(void **state)
{
    for (unsigned variant = 0; variant < 2 * 8; variant++) {
        unsigned size = variant / 2 + 1;
        uint64_t most = UINT64_MAX >> (64 - 8 * size);
        struct fixture f;
        init_fixture(&f);
        f.shape.big_endian = variant % 2;
        f.shape.stride = STRIDE;
        f.shape.hits_offset = 3;
        f.shape.hits_size = size;
        f.shape.addr_offset = 13;
        f.shape.addr_size = size;
        memset(f.bytes, 0xa5, sizeof(f.bytes));
        for (size_t i = 0; i < ROWS; i++)
            set_row(&f, i, most - 16 * i, i == 3 ? 0 : most - i);
        headerless_decode(f.bytes, &f.shape, &f.rows);
        assert_int_equal(f.rows.count, 3);
        assert_int_equal(f.rows.doubles, 0);
        assert_true(f.room[0].addr == most - 32 && f.room[0].hits == most - 2);
        assert_true(f.room[2].addr == most && f.room[2].hits == most);
    }
}

static void test_rows_move(void **state)
{
    struct fixture f;

    init_fixture(&f);
    set_row(&f, 0, 0x300, 100);
    set_row(&f, 1, 0x100, 99);
    update(&f, 1);
    assert_true(f.profile.headerless);
    assert_int_equal(f.profile.attributed, 199);
    assert_int_equal(f.profile.recent, 0);
    assert_int_equal(f.profile.block_size, 16);
    assert_int_equal(f.profile.used, 2);
    assert_true(f.profile.recent_s <= 0);
    /* They change places, and a third one comes. */
    set_row(&f, 0, 0x100, 119);
    set_row(&f, 1, 0x300, 103);
    set_row(&f, 2, 0x208, 4);
    update(&f, 3);
    assert_int_equal(row_at(&f, 0x100)->recent, 20);
    assert_int_equal(row_at(&f, 0x300)->recent, 3);
    assert_int_equal(row_at(&f, 0x208)->recent, 4);
    assert_int_equal(f.profile.recent, 27);
    assert_int_equal(f.profile.events, 27);
    assert_true(fabs(f.profile.recent_s - 2) < 1e-9);
    /* 0x208 is no multiple of 16; and that is not forgotten when it is replaced. */
    assert_int_equal(f.profile.block_size, 8);
    set_row(&f, 2, 0x400, 1);
    update(&f, 4);
    assert_int_equal(f.profile.block_size, 8);
    assert_null(row_at(&f, 0x208));
    assert_int_equal(f.profile.restarts, 0);
    f.shape.block_size = 64;
    update(&f, 5);
    assert_int_equal(f.profile.block_size, 64);
    profile_free(&f.profile);
}

static void test_decay(void **state)
{
    struct fixture f;

    init_fixture(&f);
    set_row(&f, 0, 0x100, 100);
    set_row(&f, 1, 0x200, 50);
    update(&f, 1);
    set_row(&f, 0, 0x100, 107);
    set_row(&f, 1, 0x200, 49);
    update(&f, 2);
    assert_int_equal(row_at(&f, 0x200)->lost, 1);
    assert_int_equal(row_at(&f, 0x200)->recent, 0);
    assert_int_equal(row_at(&f, 0x100)->lost, 0);
    assert_int_equal(f.profile.recent, 7);
    assert_int_equal(f.profile.restarts, 0);
    update(&f, 3);
    assert_int_equal(row_at(&f, 0x200)->lost, 0);
    assert_int_equal(f.profile.unsure, PROFILE_SCALE); /* 1 may be a part of a hit */
    set_row(&f, 0, 0x100, 106);
    update(&f, 4);
    assert_int_equal(f.profile.unsure, PROFILE_FADES | PROFILE_SCALE);
    set_row(&f, 0, 0x100, 200);
    update(&f, 5);
    assert_int_equal(f.profile.unsure, PROFILE_FADES | PROFILE_SCALE);
    profile_free(&f.profile);
}

/* One table with all that makes its counts unsure, one after the other. */
static void test_unsure(void **state)
{
    char text[PROFILE_UNSURE_TEXT], line[PROFILE_DOUBT_TEXT];
    struct fixture f;

    init_fixture(&f);
    set_row(&f, 0, 0x100, 100);
    set_row(&f, 1, 0x200, 51);
    set_row(&f, 2, 0x300, 7);
    update(&f, 1);
    assert_true(profile_has_intervals(&f.profile));
    assert_int_equal(profile_doubt(&f.profile, line), PROFILE_SURE);
    assert_string_equal(line, "");
    assert_string_equal(profile_unit_name(&f.profile), "samples");
    set_row(&f, 3, 0x400, 1);
    update(&f, 2);
    assert_int_equal(f.profile.unsure, PROFILE_FULL);
    assert_false(profile_has_intervals(&f.profile));
    assert_int_equal(profile_doubt(&f.profile, line), PROFILE_DOUBT_TABLE);
    assert_string_equal(line, "shares may be far off, no intervals: the table is full");
    set_row(&f, 3, 0x500, 1);
    update(&f, 3);
    assert_int_equal(f.profile.unsure, PROFILE_FULL | PROFILE_REPLACES);
    profile_unsure_words(f.profile.unsure, text);
    assert_string_equal(text, "full, replaces");
    assert_int_equal(profile_unsure_parse(text), PROFILE_FULL | PROFILE_REPLACES);
    /* One row copied over another one is no row that is gone. */
    profile_end(&f.profile);
    set_row(&f, 3, 0, 0);
    update(&f, 4);
    set_row(&f, 1, 0x100, 100);
    update(&f, 5);
    assert_int_equal(f.profile.unsure, 0);
    profile_free(&f.profile);
}

static void check_line(enum profile_doubt doubt, const char *whose, unsigned unsure,
                       const char *expected)
{
    char line[PROFILE_DOUBT_TEXT];

    profile_doubt_text(doubt, whose, unsure, line);
    assert_int_equal(strncmp(line, expected, strlen(expected)), 0);
    assert_true(strlen(line) < PROFILE_DOUBT_TEXT - 1); /* not cut */
}

static void test_doubts(void **state)
{
    struct profile p = {.fixed = true};
    char line[PROFILE_DOUBT_TEXT];

    assert_int_equal(profile_doubt(&p, line), PROFILE_DOUBT_FIXED);
    check_line(PROFILE_DOUBT_FIXED, NULL, 0, line);
    check_line(PROFILE_DOUBT_FIXED, "both sides", 0, "fixed timer period (both sides): code in");
    p.locked = true;
    assert_int_equal(profile_doubt(&p, line), PROFILE_DOUBT_LOCKED);
    check_line(PROFILE_DOUBT_LOCKED, "both sides", 0,
               "LOCKED TO THE FIRMWARE'S TICK (both sides): shares are misleading");
    check_line(PROFILE_DOUBT_IN_STEP, NULL, 0, "SAMPLES REPEAT IN STEP WITH THE FIRMWARE: the");
    check_line(PROFILE_DOUBT_TABLE, "new", 0,
               "shares may be far off (new), no intervals: the table has no header and does not "
               "say what it lost");
    check_line(PROFILE_DOUBT_TABLE, NULL, PROFILE_SCALE,
               "no intervals: the table adds an unknown number for each hit");
    check_line(PROFILE_DOUBT_TABLE, "both sides",
               PROFILE_SCALE | PROFILE_FADES | PROFILE_FULL | PROFILE_REPLACES,
               "shares may be far off (both sides), no intervals: the table "
               "loses hits with time, is full, replaces rows, adds an unknown number for each hit");
}

/* Of a full table one reading does not tell whether it fades, and so what a hit adds. */
static void test_scale_of_a_full_table(void **state)
{
    struct fixture f;

    init_fixture(&f);
    for (size_t i = 0; i < ROWS; i++)
        set_row(&f, i, 0x100 + 16 * i, 1 + i);
    update(&f, 1);
    assert_string_equal(profile_unit_name(&f.profile), "counts");
    update(&f, 2);
    assert_string_equal(profile_unit_name(&f.profile), "samples");
    profile_free(&f.profile);
}

/* Calls that come in pairs are no hits of two. */
static void test_scale_of_calls(void **state)
{
    struct fixture f;

    init_fixture(&f);
    f.shape.unit = DECODE_UNIT_CALLS;
    set_row(&f, 0, 0x100, 12);
    set_row(&f, 1, 0x200, 8);
    update(&f, 1);
    assert_string_equal(profile_unit_name(&f.profile), "counts");
    assert_int_equal(row_at(&f, 0x100)->hits, 12);
    assert_true(profile_has_intervals(&f.profile)); /* a share of calls has no error */
    f.profile.unit = f.shape.unit = DECODE_UNIT_SAMPLES;
    assert_false(profile_has_intervals(&f.profile));
    set_row(&f, 1, 0x200, 9);
    update(&f, 2);
    assert_string_equal(profile_unit_name(&f.profile), "samples");
    profile_free(&f.profile);
}

#define MANY 24

/* Each hit adds 10; this number of rows proves it. */
static void test_scale_of_samples(void **state)
{
    struct headerless_hit rows[MANY];
    struct headerless_rows all = {.rows = rows, .count = MANY};
    struct headerless_shape shape = {
        .unit = DECODE_UNIT_SAMPLES, .count = 2 * MANY, .stride = 8, .addr_mask = ~(uint64_t)0};
    struct profile p;

    profile_init(&p);
    for (size_t i = 0; i < MANY; i++)
        rows[i] = (struct headerless_hit){.addr = 0x100 + 16 * i, .hits = 10 * (i + 1)};
    assert_true(profile_update_headerless(&p, &shape, &all, 1));
    assert_string_equal(profile_unit_name(&p), "samples");
    assert_int_equal(p.unsure, 0);
    assert_int_equal(p.attributed, MANY * (MANY + 1) / 2);
    /* A restart does not change what a hit adds, however few rows there are then. */
    all.count = 1;
    rows[0].hits = 40;
    profile_end(&p);
    assert_true(profile_update_headerless(&p, &shape, &all, 2));
    assert_int_equal(p.attributed, 4);
    assert_int_equal(p.unsure, 0);
    /* Hits that are no multiple of it disprove it. */
    rows[0].hits = 55;
    assert_true(profile_update_headerless(&p, &shape, &all, 3));
    assert_int_equal(p.unsure, PROFILE_SCALE);
    profile_free(&p);
}

/* One row was copied over another one, which is still on its way. */
static void test_amid_a_move(void **state)
{
    struct fixture f;

    init_fixture(&f);
    set_row(&f, 0, 0x100, 100);
    set_row(&f, 1, 0x200, 99);
    set_row(&f, 2, 0x300, 7);
    update(&f, 1);
    set_row(&f, 0, 0x200, 101);
    set_row(&f, 1, 0x200, 101);
    set_row(&f, 2, 0x400, 1);
    headerless_decode(f.bytes, &f.shape, &f.rows);
    assert_int_equal(f.rows.doubles, 1);
    update(&f, 2);
    assert_int_equal(row_at(&f, 0x200)->recent, 2);
    assert_true(row_at(&f, 0x100)->stale);
    assert_int_equal(row_at(&f, 0x100)->hits, 100);
    assert_null(row_at(&f, 0x300)); /* the smaller one of two that are missing: replaced */
    assert_int_equal(f.profile.stale, 1);
    set_row(&f, 1, 0x100, 100);
    update(&f, 3);
    assert_false(row_at(&f, 0x100)->stale);
    assert_int_equal(row_at(&f, 0x100)->recent, 0);
    profile_free(&f.profile);
}

static void test_runs(void **state)
{
    struct fixture f;

    init_fixture(&f);
    set_row(&f, 0, 0x100, 1000);
    set_row(&f, 1, 0x200, 500);
    update(&f, 1);
    set_row(&f, 0, 0x200, 12);
    set_row(&f, 1, 0x100, 30);
    update(&f, 2);
    assert_int_equal(f.profile.restarts, 1);
    assert_true(f.profile.recent_s <= 0);
    assert_int_equal(f.profile.recent, 0);
    assert_int_equal(row_at(&f, 0x100)->lost, 0);
    /* Nothing was read for a while: the counts go on, without an interval. */
    profile_pause(&f.profile);
    set_row(&f, 1, 0x100, 90);
    update(&f, 9);
    assert_true(f.profile.recent_s <= 0);
    assert_int_equal(f.profile.restarts, 1);
    update(&f, 10);
    assert_true(f.profile.recent_s > 0);
    profile_end(&f.profile);
    update(&f, 11);
    assert_int_equal(f.profile.restarts, 2);
    profile_free(&f.profile);
}

/* The second half of the table is cleared after it was read. */
static void test_restart_halfway(void **state)
{
    struct fixture f;

    init_fixture(&f);
    set_row(&f, 0, 0x100, 1000);
    set_row(&f, 1, 0x200, 20);
    update(&f, 1);
    set_row(&f, 0, 0, 0);
    set_row(&f, 1, 0x200, 19);
    update(&f, 2);
    assert_int_equal(f.profile.restarts, 1);
    profile_end(&f.profile);
    set_row(&f, 1, 0x300, 1);
    update(&f, 3);
    assert_int_equal(f.profile.restarts, 1);
    update(&f, 4);
    profile_end(&f.profile);
    update(&f, 5);
    assert_int_equal(f.profile.restarts, 2);
    profile_free(&f.profile);
}

static void test_thumb(void **state)
{
    struct fixture f;

    init_fixture(&f);
    f.shape.addr_mask = ~(uint64_t)1;
    set_row(&f, 0, 0x101, 5);
    set_row(&f, 1, 0x105, 5);
    update(&f, 1);
    assert_int_equal(row_at(&f, 0x104)->hits, 5);
    assert_int_equal(f.profile.block_size, 4);
    profile_free(&f.profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),         cmocka_unit_test(test_rows_move),
        cmocka_unit_test(test_decay),          cmocka_unit_test(test_unsure),
        cmocka_unit_test(test_doubts),         cmocka_unit_test(test_scale_of_a_full_table),
        cmocka_unit_test(test_scale_of_calls), cmocka_unit_test(test_scale_of_samples),
        cmocka_unit_test(test_amid_a_move),    cmocka_unit_test(test_runs),
        cmocka_unit_test(test_thumb),          cmocka_unit_test(test_restart_halfway),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
