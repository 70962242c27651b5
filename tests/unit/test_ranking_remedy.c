/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is advised when hits were lost. */
#include "unit.h"

#include <ranking/remedy.h>

#define ROWS 64

/* 12 KiB of code in one place: 768 blocks. */
static const struct symtab_function code[] = {
    {.addr = 0x1000, .size = 0x1000, .name = "a"},
    {.addr = 0x2000, .size = 0x1ff8, .name = "b"},
    {.addr = 0x3ff8, .size = 8, .name = "c"},
};

static struct profile_hit rows[ROWS];

static struct view_remedy known_of(enum decode_source source)
{
    return (struct view_remedy){.count = source == DECODE_STREAM ? 256 : ROWS,
                                .cores = 1,
                                .addr_size = 4,
                                .functions = code,
                                .function_count = COUNT(code)};
}

/* Rows of 100 hits each, and the hits that were lost. */
static struct profile profile_of(enum decode_source source, uint32_t lost)
{
    bool calls = source == DECODE_CALLS || source == DECODE_ARCS;

    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (struct profile_hit){.addr = 0x1000 + 16 * i, .hits = 100};
    return (struct profile){.source = source,
                            .unit = calls ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES,
                            .block_size = calls ? 2 : 16,
                            .rows = rows,
                            .row_count = ROWS,
                            .used = ROWS,
                            .attributed = 100 * ROWS,
                            .dropped = lost};
}

static void check(const struct view_remedy *known, const struct profile *p, const char *expected)
{
    char text[VIEW_REMEDY_TEXT] = "";

    assert_true(view_remedy(known, p, text));
    assert_string_equal(text, expected);
}

static void test_few_lost(void **state)
{
    char text[VIEW_REMEDY_TEXT] = "";
    struct view_remedy known = known_of(DECODE_TABLE);
    struct profile p = profile_of(DECODE_TABLE, 64); /* of 6464 */

    assert_false(view_remedy(&known, &p, text));
    p.dropped = 65;
    assert_true(view_remedy(&known, &p, text));
    p.decays = true; /* what faded is no loss */
    assert_false(view_remedy(&known, &p, text));
}

static void test_table(void **state)
{
    struct view_remedy known = known_of(DECODE_TABLE);
    struct profile p = profile_of(DECODE_TABLE, 6400); /* as many rows more */

    check(&known, &p,
          "50.0 % lost: the table is full. MPROF_CNT 128 (+1 kB), or MPROF_HIST_CNT 768 and "
          "MPROF_HIST_BASE 0x00001000 (+3 kB)");
    p.dropped = 6401;
    check(&known, &p,
          "50.0 % lost: the table is full. MPROF_CNT 256 (+3 kB), or MPROF_HIST_CNT 768 and "
          "MPROF_HIST_BASE 0x00001000 (+3 kB)");
    /* Never more than the code can fill. */
    p.dropped = 1000000;
    check(&known, &p,
          "99.4 % lost: the table is full. MPROF_CNT 1024 (+15 kB), or MPROF_HIST_CNT 768 and "
          "MPROF_HIST_BASE 0x00001000 (+3 kB)");
    known.functions = NULL;
    known.function_count = 0;
    p.dropped = UINT32_MAX;
    check(&known, &p, "100.0 % lost: the table is full. MPROF_CNT 16384 (+255 kB)");
}

static void test_hot_rows_do_not_count(void **state)
{
    struct view_remedy known = known_of(DECODE_TABLE);
    struct profile p = profile_of(DECODE_TABLE, 640);

    for (size_t i = 0; i < ROWS / 2; i++)
        rows[i].hits = 100000;
    p.attributed = 100 * ROWS / 2 + 100000 * ROWS / 2;
    p.dropped = 100000;
    check(&known, &p,
          "3.0 % lost: the table is full. MPROF_CNT 1024 (+15 kB), or MPROF_HIST_CNT 768 and "
          "MPROF_HIST_BASE 0x00001000 (+3 kB)");
}

static void test_widths_and_cores(void **state)
{
    struct view_remedy known = known_of(DECODE_TABLE);
    struct profile p = profile_of(DECODE_TABLE, 6400);

    known.addr_size = 8;
    known.cores = 2;
    p.used = ROWS; /* of twice as many */
    check(&known, &p,
          "50.0 % lost: the table is too small. MPROF_CNT 128 (+2.5 kB), or MPROF_HIST_CNT 768 and "
          "MPROF_HIST_BASE 0x00001000 (+6 "
          "kB)");
    known.histogram = true;
    check(&known, &p,
          "50.0 % lost: the table is too small. MPROF_CNT 128 (+2.5 kB), or --sampler histogram");
}

static void test_no_larger_table(void **state)
{
    struct view_remedy known = known_of(DECODE_TABLE);
    struct profile p = profile_of(DECODE_TABLE, 6400);

    known.count = 1024;
    check(&known, &p,
          "50.0 % lost: the table is too small. MPROF_HIST_CNT 768 and MPROF_HIST_BASE 0x00001000 "
          "(+3 kB)");
    known.count = 0; /* a file does not say */
    check(&known, &p, "50.0 % lost: the table is too small. Build with a larger MPROF_CNT");
}

/* The code may begin anywhere, and what covers most of it counts: not the few bytes before it. */
static void test_where_code_begins(void **state)
{
    static const struct symtab_function functions[] = {
        {.addr = 0x100, .size = 0x10, .name = "loader"},
        {.addr = 0x08000138, .size = 0x1000, .name = "flash"},
        {.addr = 0x08001138, .size = 1, .name = "end"},
    };
    struct view_remedy known = known_of(DECODE_TABLE);
    struct profile p = profile_of(DECODE_TABLE, 1000);

    known.functions = functions;
    known.function_count = COUNT(functions);
    /* 0x08000130 to 0x08001140 */
    check(&known, &p,
          "13.5 % lost: the table is full. MPROF_CNT 128 (+1 kB), or MPROF_HIST_CNT 257 and "
          "MPROF_HIST_BASE 0x08000130 (+1 kB)");
    known.moves = true; /* no number is its address */
    check(&known, &p, "13.5 % lost: the table is full. MPROF_CNT 128 (+1 kB)");
}

/* One histogram does not cover both flash and RAM. */
static void test_two_places(void **state)
{
    static const struct symtab_function functions[] = {
        {.addr = 0x1000, .size = 0x1000, .name = "flash"},
        {.addr = 0x20000000, .size = 0x800, .name = "ram"},
    };
    struct view_remedy known = known_of(DECODE_TABLE);
    struct profile p = profile_of(DECODE_TABLE, 1000);

    known.functions = functions;
    known.function_count = COUNT(functions);
    check(&known, &p, "13.5 % lost: the table is full. MPROF_CNT 128 (+1 kB)");
}

static void test_other_blocks(void **state)
{
    struct view_remedy known = known_of(DECODE_CALLS);
    struct profile p = profile_of(DECODE_CALLS, 1000);

    known.function_count = 3; /* fewer functions than rows: no larger table helps */
    check(&known, &p, "13.5 % lost: the table of calls is full");
    p = profile_of(DECODE_ARCS, 1000);
    check(&known, &p, "13.5 % lost: the table of arcs is full. MPROF_ARC_CNT 128 (+1.2 kB)");
    known = known_of(DECODE_STREAM);
    p = profile_of(DECODE_STREAM, 6400);
    check(&known, &p,
          "50.0 % lost: the stream was overwritten before it was read. MPROF_STREAM_CNT 512 (+4 "
          "kB), a shorter --delay, or fewer samples a second");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_lost),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_hot_rows_do_not_count),
        cmocka_unit_test(test_widths_and_cores),
        cmocka_unit_test(test_no_larger_table),
        cmocka_unit_test(test_where_code_begins),
        cmocka_unit_test(test_two_places),
        cmocka_unit_test(test_other_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
