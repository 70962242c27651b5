/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call stacks: the hits of a function with those that it has called, live and from a snapshot. */
#include "unit.h"

#include <profile/delta.h>

#include "fake_names.h"
#include "snapshot_checks.h"

static const struct symtab_function functions[] = {
    {.addr = 0x100, .size = 0x20, .name = "main"},
    {.addr = 0x120, .size = 0x20, .name = "walk"},
    {.addr = 0x140, .size = 0x20, .name = "leaf"},
    {.addr = 0x160, .size = 0x20, .name = "tick"},
};

static void add(struct profile *p, uint64_t hits, bool cut, const uint64_t *addrs, size_t depth)
{
    assert_true(profile_stacks_add_hits(&p->stacks, addrs, depth, 0, cut, hits));
    p->attributed += hits;
}

/* walk calls itself; the call at the end of walk returns to where leaf begins; tick has interrupted
 * leaf at its first instruction. */
static struct profile make_profile(void)
{
    struct profile p;

    profile_init(&p);
    p.source = DECODE_HALT;
    add(&p, 50, false, (const uint64_t[]){0x144, 0x130, 0x140, 0x108}, 4);
    add(&p, 30, false, (const uint64_t[]){0x124, 0x108}, 2);
    add(&p, 15, false, (const uint64_t[]){0x162, 0x142, 0x130}, 3);
    add(&p, 5, true, (const uint64_t[]){0x900}, 1);
    return p;
}

static uint64_t hits_of(const struct view_rows *rows, const char *function)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct view_row *row = &rows->rows[i];
        if (function ? row->function && strcmp(row->function, function) == 0 : !row->function)
            return row->hits;
    }
    return 0;
}

static const struct symbol_naming *names(void)
{
    static struct fake_names fake = {.functions = functions, .count = COUNT(functions)};
    static struct symbol_naming naming = {FAKE_NAMES(&fake)};

    return &naming;
}

static void test_total(void **state)
{
    struct profile p = make_profile();
    struct view_rows rows;

    assert_true(view_rows_build_named(&p, names(), VIEW_BY_TOTAL, NULL, &rows));
    assert_int_equal(rows.count, 5);
    assert_int_equal(rows.attributed, 100);
    assert_int_equal(hits_of(&rows, "main"), 80);
    assert_int_equal(hits_of(&rows, "walk"), 95);
    assert_int_equal(hits_of(&rows, "leaf"), 65);
    assert_int_equal(hits_of(&rows, "tick"), 15);
    assert_int_equal(hits_of(&rows, NULL), 5);
    assert_int_equal(p.stacks->cut, 5);
    for (size_t i = 0; i < rows.count; i++) {
        const struct view_row *row = &rows.rows[i];
        assert_true(row->share.value > row->hits / 100.0 - 1e-9);
        assert_true(row->share.value < row->hits / 100.0 + 1e-9);
        assert_true(row->least == row->hits && row->most == row->hits);
    }
    view_rows_free(&rows);
    profile_free(&p);
}

/* What runs in an ignored function is left out, also of those that have called it. */
static void test_ignore(void **state)
{
    struct view_ignore ignore = {.count = 0};
    struct profile p = make_profile();
    struct view_rows rows;
    char text[200];

    assert_true(view_ignore_parse("leaf", &ignore, text, sizeof(text)));
    assert_true(view_rows_build_named(&p, names(), VIEW_BY_TOTAL, &ignore, &rows));
    assert_int_equal(rows.attributed, 50);
    assert_int_equal(rows.ignored, 50);
    assert_int_equal(hits_of(&rows, "main"), 30);
    assert_int_equal(hits_of(&rows, "walk"), 45);
    assert_int_equal(hits_of(&rows, "leaf"), 15);
    view_rows_free(&rows);
    profile_free(&p);
}

/* What was there before is subtracted, as from the rows. */
static void test_delta(void **state)
{
    struct profile base = make_profile(), now = make_profile(), delta;
    struct view_rows rows;

    add(&now, 40, false, (const uint64_t[]){0x124, 0x108}, 2);
    add(&now, 7, true, (const uint64_t[]){0x124}, 1);
    assert_true(profile_delta(&base, &now, &delta));
    delta.attributed = 47;
    assert_int_equal(profile_stacks_hits(delta.stacks), 47);
    assert_int_equal(delta.stacks->cut, 7);
    assert_true(view_rows_build_named(&delta, names(), VIEW_BY_TOTAL, NULL, &rows));
    assert_int_equal(rows.count, 2);
    assert_int_equal(hits_of(&rows, "main"), 40);
    assert_int_equal(hits_of(&rows, "walk"), 47);
    view_rows_free(&rows);
    profile_free(&base);
    profile_free(&now);
    profile_free(&delta);
}

/* Without stacks each hit is its function's own. */
static void test_without_stacks(void **state)
{
    struct profile_hit hit = {.addr = 0x144, .hits = 7};
    struct profile p;
    struct view_rows rows;

    profile_init(&p);
    p.rows = &hit;
    p.row_count = 1;
    p.attributed = 7;
    assert_true(view_rows_build_named(&p, names(), VIEW_BY_TOTAL, NULL, &rows));
    assert_int_equal(rows.count, 1);
    assert_int_equal(hits_of(&rows, "leaf"), 7);
    view_rows_free(&rows);
}

/* A snapshot keeps all callers. */
static void test_round_trip(void **state)
{
    const struct symbol_naming naming = checks_naming();
    const struct snapshot_about about = {.time_ns = 1};
    struct profile p;
    struct snapshot *s;
    uint32_t seed = 7;
    char text[200];

    profile_init(&p);
    p.source = DECODE_HALT;
    p.heartbeat = 100000;
    for (int i = 0; i < 300; i++) {
        uint64_t addrs[20];
        size_t depth = 1 + checks_random(&seed) % COUNT(addrs);
        for (size_t k = 0; k < depth; k++)
            addrs[k] = 0x1000 + 2 * (checks_random(&seed) % 200) + (k > 0 ? 2 : 0);
        add(&p, 1 + checks_random(&seed) % 9, false, addrs, depth);
    }
    assert_int_equal(snapshot_make(&p, &naming, &about, &s, text, sizeof(text)), SNAPSHOT_OK);
    struct snapshot *copy = checks_copy(s);
    struct profile back = checks_back(copy, "samples");
    assert_int_equal(back.attributed, p.attributed);
    assert_int_equal(profile_stacks_hits(back.stacks), p.attributed);
    const struct symbol_naming loaded = snapshot_naming(copy);
    struct view_rows a, b;
    assert_true(view_rows_build_named(&p, &naming, VIEW_BY_TOTAL, NULL, &a));
    assert_true(view_rows_build_named(&back, &loaded, VIEW_BY_TOTAL, NULL, &b));
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.count; i++)
        assert_int_equal(a.rows[i].hits, b.rows[i].hits);
    view_rows_free(&a);
    view_rows_free(&b);
    profile_free(&back);
    profile_free(&p);
    snapshot_free(copy);
    snapshot_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_total),      cmocka_unit_test(test_ignore),
        cmocka_unit_test(test_delta),      cmocka_unit_test(test_without_stacks),
        cmocka_unit_test(test_round_trip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
