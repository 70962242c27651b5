/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots of ours: what goes into one comes out again, without the ELF, and adds up. */
#include <math.h>

#include "unit.h"

#include "snapshot_checks.h"

#define SEEDS 40

static const unsigned block_sizes[] = {1, 2, 16, 64};

static unsigned block_size_of(uint32_t seed)
{
    return block_sizes[seed % 4];
}

static void test_rows_without_elf(void **state)
{
    const struct symbol_naming live = checks_naming();

    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct profile before = checks_profile(seed, block_size_of(seed), seed % 3 == 0);
        struct snapshot *made = checks_make(&before, "chip");
        struct snapshot *s = checks_copy(made);
        struct profile after = checks_back(s, NULL);
        const struct symbol_naming names = snapshot_naming(s);
        assert_int_equal(before.attributed, after.attributed);
        checks_rows(&before, &live, &after, &names);
        profile_free(&before);
        profile_free(&after);
        snapshot_free(made);
        snapshot_free(s);
    }
}

static void test_same_bytes_again(void **state)
{
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct profile p = checks_profile(seed, block_size_of(seed), seed % 3 == 0);
        struct snapshot *made = checks_make(&p, "chip");
        struct snapshot *s = checks_copy(made);
        assert_true(checks_same(made, s));
        profile_free(&p);
        snapshot_free(made);
        snapshot_free(s);
    }
}

static void test_conditions(void **state)
{
    struct profile p = checks_profile(3, 16, false);

    p.fixed = true;
    p.batches = 12;
    p.spread = 3.25;
    p.task_spread = 1.5;
    struct snapshot *made = checks_make(&p, "a chip = one, \"two\"");
    struct snapshot *s = checks_copy(made);
    struct profile back = checks_back(s, "samples");

    assert_true(s->ours);
    assert_string_equal(s->conditions.tool, "mprof 0.1.0");
    assert_string_equal(s->conditions.target, "a chip = one, \"two\"");
    assert_string_equal(s->conditions.identity, "= flash");
    assert_string_equal(s->conditions.link, "openocd-tcl");
    assert_string_equal(s->conditions.address, ":6666");
    assert_string_equal(s->conditions.sampler, "table");
    assert_string_equal(s->mappings[0].build_id, "0011aa");
    assert_int_equal(s->conditions.halts, 2);
    assert_int_equal(s->conditions.runs, 1);
    assert_int_equal(s->time_ns, 1700000000000000000);
    assert_int_equal(back.block_size, 16);
    assert_int_equal(back.sample_hz, 997);
    assert_int_equal(back.dropped, p.dropped);
    assert_int_equal(back.late, 3);
    assert_int_equal(back.batches, 12);
    assert_true(back.spread == 3.25 && back.task_spread == 1.5);
    assert_int_equal(back.heartbeat, p.heartbeat);
    assert_true(back.jittered && back.fixed && !back.locked && !back.headerless);
    assert_true(back.recent_s > 2.4 && back.recent_s < 2.6);
    assert_int_equal(back.recent, back.attributed);
    profile_free(&p);
    profile_free(&back);
    snapshot_free(made);
    snapshot_free(s);
}

/* A factor that is infinite, or no number, is neither kept nor undefined behaviour. */
static void test_factors_without_end(void **state)
{
    static const double odd[] = {INFINITY, 1e300, NAN, -INFINITY};

    for (size_t i = 0; i < COUNT(odd); i++) {
        struct profile p = checks_profile(3, 16, false);
        p.spread = p.task_spread = odd[i];
        struct snapshot *made = checks_make(&p, "chip");
        struct snapshot *s = checks_copy(made);
        struct profile back = checks_back(s, "samples");
        assert_true(back.spread == (i < 2 ? 1e12 : 0) && back.task_spread == back.spread);
        profile_free(&p);
        profile_free(&back);
        snapshot_free(made);
        snapshot_free(s);
    }
}

static void test_types(void **state)
{
    struct profile p = checks_profile(5, 16, false);
    struct snapshot *s = checks_make(&p, "chip");
    struct profile time = checks_back(s, "time");

    assert_int_equal(s->type_count, 2);
    assert_string_equal(s->types[0].name, "samples");
    assert_string_equal(s->types[1].unit, "nanoseconds");
    assert_int_equal(snapshot_choose_type(s, NULL, false), 0);
    assert_int_equal(snapshot_choose_type(s, "calls", false), SNAPSHOT_NONE);
    double expected = (double)p.attributed / 997 * 1e9;
    assert_true((double)time.attributed / expected > 0.9999999);
    assert_true((double)time.attributed / expected < 1.0000001);
    profile_free(&time);
    profile_free(&p);
    snapshot_free(s);
}

/* One sample a block, as the target counted it; its line is that of most of its bytes. */
static void test_one_location_a_block(void **state)
{
    struct profile_hit hit = {.addr = 0x1000, .hits = 100, .inherited = 7};
    struct profile p = {
        .unit = DECODE_UNIT_SAMPLES, .block_size = 64, .rows = &hit, .row_count = 1};
    const struct symbol_naming live = checks_naming();
    struct snapshot *s = checks_make(&p, "chip");
    struct view_rows rows;

    assert_int_equal(s->sample_count, 1);
    const struct snapshot_location *l = &s->locations[s->frames[0]];
    assert_int_equal(l->addr, 0x1000);
    assert_true(l->folded);
    assert_int_equal(s->samples[0].inherited, 7);
    assert_true(view_rows_build_named(&p, &live, VIEW_BY_FUNCTION, NULL, &rows));
    const struct view_row *most = &rows.rows[0];
    for (size_t i = 1; i < rows.count; i++)
        most = rows.rows[i].hits > most->hits ? &rows.rows[i] : most;
    assert_true(rows.count > 1);
    assert_string_equal(s->functions[s->lines[l->first_line].function].name, most->function);
    view_rows_free(&rows);
    snapshot_free(s);
}

static const struct snapshot_location *find_deepest(const struct snapshot *s)
{
    const struct snapshot_location *deepest = &s->locations[0];

    for (size_t i = 1; i < s->location_count; i++) {
        if (!s->locations[i].folded && s->locations[i].line_count > deepest->line_count)
            deepest = &s->locations[i];
    }
    return deepest;
}

/* Each frame has the line of its call, the innermost one the line where it stands. */
static void test_inlined(void **state)
{
    struct profile p = checks_profile(1, 16, false);
    struct snapshot *made = checks_make(&p, "chip"), *s = checks_copy(made);
    const struct snapshot_location *l = find_deepest(s);
    const struct snapshot_line *frames = &s->lines[l->first_line];
    const struct symbol_naming live = checks_naming();
    struct symtab_line line;

    assert_int_equal(l->line_count, 3);
    assert_string_equal(s->functions[frames[0].function].name, "inner");
    assert_string_equal(s->functions[frames[0].function].file, "/src/inline.h");
    assert_int_equal(s->functions[frames[0].function].start_line, 3);
    assert_true(live.find_line(live.context, l->addr, &line));
    assert_int_equal(frames[0].line, line.line);
    assert_string_equal(s->functions[frames[1].function].name, "outer");
    assert_int_equal(frames[1].line, 8);
    assert_string_equal(s->functions[frames[2].function].name,
                        live.find(live.context, l->addr)->name);
    assert_int_equal(frames[2].line, 77);
    profile_free(&p);
    snapshot_free(made);
    snapshot_free(s);
}

static struct snapshot *merge(const struct snapshot *const *all, size_t count)
{
    static const char *const names[] = {"one", "two", "three", "four"};
    struct snapshot *s = NULL;
    char text[300] = "";

    if (snapshot_merge(all, names, count, &s, text, sizeof(text)) != SNAPSHOT_OK)
        fail_msg("%s", text);
    return s;
}

/* In any order, and added up in any groups. */
static void test_merge_order(void **state)
{
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct snapshot *s[3];
        for (uint32_t i = 0; i < 3; i++) {
            struct profile p = checks_profile(seed * 3 + i, block_size_of(seed), seed % 3 == 0);
            p.sample_hz = p.sample_hz && i == 2 && seed % 2 ? 100 : p.sample_hz;
            s[i] = checks_make(&p, i == 1 ? "another chip" : "chip");
            profile_free(&p);
        }
        const struct snapshot *forth[] = {s[0], s[1], s[2]}, *back[] = {s[2], s[1], s[0]};
        struct snapshot *pair = merge((const struct snapshot *[]){s[2], s[0]}, 2);
        struct snapshot *a = merge(forth, 3), *b = merge(back, 3);
        struct snapshot *c = merge((const struct snapshot *[]){s[1], pair}, 2);
        assert_true(checks_same(a, b));
        assert_true(checks_same(a, c));
        assert_int_equal(a->conditions.runs, 3);
        snapshot_free(a);
        snapshot_free(b);
        snapshot_free(c);
        snapshot_free(pair);
        for (int i = 0; i < 3; i++)
            snapshot_free(s[i]);
    }
}

static void test_merge_sums(void **state)
{
    struct profile p = checks_profile(1, 16, false), q = checks_profile(2, 16, false);
    struct profile both = checks_profile(1, 16, false);
    p.batches = 5;
    q.batches = 7;
    p.spread = both.spread = 4;
    q.spread = 2;
    struct snapshot *s[] = {checks_make(&p, "x"), checks_make(&q, "y")};
    struct snapshot *sum = merge((const struct snapshot *const[]){s[0], s[1]}, 2);
    struct profile back = checks_back(sum, NULL);
    const struct symbol_naming live = checks_naming(), names = snapshot_naming(sum);

    both.rows = realloc(both.rows, (p.row_count + q.row_count) * sizeof(*both.rows));
    assert_non_null(both.rows);
    memcpy(both.rows + p.row_count, q.rows, q.row_count * sizeof(*both.rows));
    both.row_count += q.row_count;
    both.attributed += q.attributed;
    both.dropped += q.dropped;
    /* The time is added up, too. */
    both.recent_s = back.recent_s;
    assert_true(back.recent_s > 4.9 && back.recent_s < 5.1);
    assert_int_equal(back.dropped, p.dropped + q.dropped);
    assert_true(back.batches == 12 && back.spread == 4);
    assert_string_equal(sum->conditions.target, "x, y");
    /* Blocks are added before they are divided; which is what the live rows do, block by block. */
    assert_int_equal(back.attributed, both.attributed);
    struct view_rows of_both, of_back;
    assert_true(view_rows_build_named(&both, &live, VIEW_BY_ADDRESS, NULL, &of_both));
    assert_true(view_rows_build_named(&back, &names, VIEW_BY_ADDRESS, NULL, &of_back));
    assert_int_equal(of_both.count, of_back.count);
    for (size_t i = 0; i < of_both.count; i++) {
        assert_int_equal(of_both.rows[i].addr, of_back.rows[i].addr);
        assert_int_equal(of_both.rows[i].hits, of_back.rows[i].hits);
        assert_int_equal(of_both.rows[i].inherited, of_back.rows[i].inherited);
    }
    view_rows_free(&of_both);
    view_rows_free(&of_back);
    profile_free(&p);
    profile_free(&q);
    profile_free(&both);
    profile_free(&back);
    snapshot_free(sum);
    snapshot_free(s[0]);
    snapshot_free(s[1]);
}

/* Runs of one file are those that were put together, one by one; their sum is what adding them up
 * gives; and a file keeps them. */
static void test_join(void **state)
{
    struct profile p[3];
    struct snapshot *s[3], *joined = NULL;
    char text[300] = "";

    for (uint32_t i = 0; i < 3; i++) {
        p[i] = checks_profile(7 + i, 16, false);
        p[i].dropped = 10 + i;
        s[i] = checks_make(&p[i], "chip");
    }
    struct snapshot *sum = merge((const struct snapshot *const *)s, 3);
    assert_int_equal(snapshot_join(s, 3, &joined, text, sizeof(text)), SNAPSHOT_OK);
    struct snapshot *copy = checks_copy(joined);
    assert_true(checks_same(joined, copy));
    assert_int_equal(copy->run_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        struct profile one, alone;
        assert_int_equal(snapshot_run_profile(copy, 0, i + 1, true, &one, text, sizeof(text)),
                         SNAPSHOT_OK);
        assert_int_equal(snapshot_profile(s[i], 0, &alone, text, sizeof(text)), SNAPSHOT_OK);
        assert_int_equal(one.attributed, p[i].attributed);
        assert_int_equal(one.dropped, 10 + i);
        assert_int_equal(one.used, alone.used);
        for (size_t k = 0; k < one.used; k++) {
            assert_int_equal(one.rows[k].addr, alone.rows[k].addr);
            assert_int_equal(one.rows[k].hits, alone.rows[k].hits);
        }
        assert_true(one.recent_s > 0 && fabs(one.recent_s - alone.recent_s) < 1e-9);
        profile_free(&one);
        profile_free(&alone);
    }
    assert_int_equal(snapshot_forget_runs(&copy, text, sizeof(text)), SNAPSHOT_OK);
    assert_int_equal(copy->run_count, 0);
    struct profile a = checks_back(copy, NULL), b = checks_back(sum, NULL);
    assert_int_equal(a.attributed, b.attributed);
    assert_int_equal(a.used, b.used);
    profile_free(&a);
    profile_free(&b);
    for (uint32_t i = 0; i < 3; i++) {
        profile_free(&p[i]);
        snapshot_free(s[i]);
    }
    snapshot_free(sum);
    snapshot_free(copy);
    snapshot_free(joined);
}

static void refuse(const struct snapshot *a, const struct snapshot *b, const char *why)
{
    static const char *const names[] = {"old.pb.gz", "new.pb.gz"};
    struct snapshot *s = NULL;
    char text[300] = "";

    assert_int_equal(
        snapshot_merge((const struct snapshot *const[]){a, b}, names, 2, &s, text, sizeof(text)),
        SNAPSHOT_EMIX);
    assert_null(s);
    assert_non_null(strstr(text, "old.pb.gz and new.pb.gz"));
    assert_non_null(strstr(text, why));
}

static void test_merge_refuses(void **state)
{
    struct profile samples = checks_profile(1, 16, false), arcs = checks_profile(1, 16, true);
    struct profile fine = checks_profile(1, 2, false);
    struct snapshot *a = checks_make(&samples, "x"), *b = checks_make(&arcs, "x");
    struct snapshot *c = checks_make(&fine, "x"), *d = checks_make(&samples, "x");

    d->mappings[0].build_id = "other";
    refuse(a, b, "different things");
    refuse(a, c, "block sizes differ");
    refuse(a, d, "different builds");
    d->mappings[0].build_id = "0011aa";
    d->values[0] = INT64_MAX;
    a->values[0] = 1;
    refuse(a, d, "too large");
    profile_free(&samples);
    profile_free(&arcs);
    profile_free(&fine);
    snapshot_free(a);
    snapshot_free(b);
    snapshot_free(c);
    snapshot_free(d);
}

static void test_empty(void **state)
{
    struct profile p;
    struct view_rows rows;

    profile_init(&p);
    struct snapshot *made = checks_make(&p, "chip"), *s = checks_copy(made);
    struct profile back = checks_back(s, NULL);
    const struct symbol_naming names = snapshot_naming(s);
    assert_true(view_rows_build_named(&back, &names, VIEW_BY_FUNCTION, NULL, &rows));
    assert_int_equal(rows.count, 0);
    assert_true(checks_same(made, s));
    view_rows_free(&rows);
    profile_free(&back);
    snapshot_free(made);
    snapshot_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_without_elf),
        cmocka_unit_test(test_same_bytes_again),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_factors_without_end),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_one_location_a_block),
        cmocka_unit_test(test_inlined),
        cmocka_unit_test(test_merge_order),
        cmocka_unit_test(test_merge_sums),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_merge_refuses),
        cmocka_unit_test(test_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
