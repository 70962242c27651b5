/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of blocks to instructions and lines. */
#include "unit.h"

#include "annotate_checks.h"
#include "counted.h"

static void test_one_block(void **state)
{
    struct made m;

    init_made(&m, 16);
    add_part(&m, &made_functions[0], "4224");
    add_hits(&m, 0x100, 80);
    add_hits(&m, 0x140, 20);
    build(&m);
    assert_int_equal(m.annotation.hits, 80);
    assert_int_equal(m.annotation.attributed, 100);
    assert_int_equal(m.annotation.block_count, 1);
    const struct annotate_block *block = m.annotation.blocks;
    assert_int_equal(block->addr, 0x100);
    assert_int_equal(block->first, 0);
    assert_int_equal(block->count, 5);
    assert_int_equal(block->instructions, 5);
    assert_int_equal(block->lines, 4);
    assert_int_equal(block->range.hits, 80);
    assert_false(annotate_is_shared(&block->range));
    /* Which of them it was nobody knows. */
    for (size_t i = 0; i < 5; i++) {
        const struct annotate_range *range = &m.annotation.steps[i].range;
        assert_int_equal(range->hits, 0);
        assert_int_equal(range->most, 80);
        assert_true(annotate_is_shared(range));
        assert_true(range->share.low < 0.001 && range->share.high > 0.999);
    }
    assert_int_equal(step_at(&m, 0x110)->range.most, 0);
    assert_int_equal(step_at(&m, 0x110)->block, ANNOTATE_NO_BLOCK);
    /* All of them together have them. */
    assert_int_equal(annotate_range_of(&m.annotation, 0, 5).hits, 80);
    assert_int_equal(annotate_range_of(&m.annotation, 0, 9).hits, 80);
    assert_int_equal(annotate_range_of(&m.annotation, 1, 5).hits, 0);
    assert_int_equal(annotate_range_of(&m.annotation, 1, 5).most, 80);
    annotate_free(&m.annotation);
}

/* A line runs once, and a hot loop begins in its block: it has no number of its own. */
static void test_once_before_a_loop(void **state)
{
    struct made m;

    init_made(&m, 8);
    add_part(&m, &made_functions[3], "4"); /* a line is four bytes */
    add_hits(&m, 0x200, 10);
    add_hits(&m, 0x208, 60);
    add_hits(&m, 0x210, 30);
    build(&m);
    const struct annotate_line *line = &m.annotation.lines[2];
    assert_int_equal(line->addr, 0x208);
    assert_int_equal(line->range.hits, 0);
    assert_int_equal(line->range.most, 60);
    assert_true(line->range.share.low < 1e-9);
    assert_true(line->range.share.high > 0.6 && line->range.share.high < 0.7);
    annotate_free(&m.annotation);
}

/* Another function has code in a block: all of its hits, or none, are this one's. */
static void test_block_of_two_functions(void **state)
{
    struct made m;

    init_made(&m, 16);
    add_part(&m, &made_functions[0], "2");
    add_hits(&m, 0x110, 50);
    add_hits(&m, 0x120, 80); /* ten bytes of alpha, six of beta */
    build(&m);
    const struct annotate_block *last = &m.annotation.blocks[1];
    assert_true(last->split);
    assert_int_equal(last->hits, 50);
    assert_int_equal(last->range.hits, 0);
    assert_int_equal(last->range.most, 80);
    assert_int_equal(m.annotation.hits, 100);
    assert_int_equal(m.annotation.least, 50);
    assert_int_equal(m.annotation.most, 130);
    /* 50 of 50 to 50 of 130; 80 of 130; and chance. */
    const struct stats_share own = m.annotation.blocks[0].range.share;
    assert_true(own.low > 0.3 && own.low < 50.0 / 130 && own.high > 0.999);
    assert_true(last->range.share.low < 1e-9);
    assert_true(last->range.share.high > 80.0 / 130 && last->range.share.high < 0.7);
    annotate_free(&m.annotation);
}

/* A block that two functions share, and lost hits: the function's share is that of a report. */
static void test_share_is_that_of_a_ranking(void **state)
{
    static uint64_t lost[8] = {3, 11, 20, 0};
    struct view_rows rows;
    struct made m;

    init_made(&m, 16);
    add_part(&m, &made_functions[0], "4");
    add_hits(&m, 0x100, 60);
    add_hits(&m, 0x120, 30);
    add_hits(&m, 0x140, 20);
    for (size_t i = 0; i < m.profile.row_count; i++)
        m.hits[i].stamp = 1;
    m.hits[0].complete = true;
    m.profile.source = DECODE_TABLE;
    m.profile.rest =
        (struct profile_rest){.counts = lost, .recent = lost + 4, .count = 4, .region_size = 16};
    build(&m);
    assert_true(view_rows_build_named(&m.profile, &made_naming, VIEW_BY_FUNCTION, NULL, &rows));
    const struct view_row *alpha = rows.rows;
    while (strcmp(alpha->function, "alpha") != 0)
        alpha++;
    assert_int_equal(m.annotation.hits, alpha->hits);
    assert_true(alpha->unseen.likely > 0 && alpha->least < alpha->hits);
    assert_true(m.annotation.share.value == alpha->share.value);
    assert_true(m.annotation.share.low == alpha->share.low);
    assert_true(m.annotation.share.high == alpha->share.high);
    view_rows_free(&rows);
    annotate_free(&m.annotation);
}

/* Instructions have the hits of the focus, and the function those of the table. */
static void test_focus(void **state)
{
    struct made m, focus;

    init_made(&m, 16);
    init_made(&focus, 2);
    add_part(&m, &made_functions[0], "4");
    add_hits(&m, 0x100, 80);
    add_hits(&m, 0x140, 20);
    add_hits(&focus, 0x104, 30);
    add_hits(&focus, 0x10c, 10);
    add_hits(&focus, 0x140, 5); /* another function's */
    m.focus = &focus.profile;
    build(&m);
    build(&m); /* with numbers of before */
    assert_int_equal(m.annotation.hits, 80);
    assert_int_equal(m.annotation.parts[0].hits, 80);
    assert_int_equal(m.annotation.attributed, 100);
    assert_true(m.annotation.share.value > 0.79 && m.annotation.share.value < 0.81);
    assert_int_equal(m.annotation.divided, 40);
    assert_int_equal(step_at(&m, 0x100)->range.most, 0);
    const struct annotate_step *step = step_at(&m, 0x104);
    assert_int_equal(step->range.hits, 30);
    assert_false(annotate_is_shared(&step->range));
    assert_true(step->range.share.value > 0.74 && step->range.share.value < 0.76);
    assert_true(step->range.share.low > 0.55 && step->range.share.high < 0.9); /* of 40 */
    assert_int_equal(m.annotation.note_count, 2);
    assert_string_equal(m.annotation.notes[1], "focus: here");
    m.focus = NULL;
    build(&m);
    assert_int_equal(step_at(&m, 0x100)->range.hits, 0);
    assert_int_equal(step_at(&m, 0x100)->range.most, 80);
    assert_int_equal(m.annotation.divided, 80);
    annotate_free(&m.annotation);
}

/* Lines that take turns: their intervals know that from the polls. */
static void test_lines_wander(void **state)
{
    struct slices *slices = slices_new();
    struct made m;

    init_made(&m, 4);
    add_part(&m, &made_functions[0], "4");
    add_hits(&m, 0x100, 500);
    add_hits(&m, 0x110, 500);
    add_hits(&m, 0x130, 9000); /* of beta */
    build(&m);
    assert_string_equal(annotate_intervals(&m.annotation), "counting only");
    struct stats_share counting = step_at(&m, 0x100)->range.share;
    assert_true(counting.high - counting.low < 0.07);
    for (uint64_t k = 0; k < 20; k++) {
        assert_true(slices_add(slices, (struct wander_place){.addr = k < 10 ? 0x100 : 0x110}, 50));
        assert_true(slices_add(slices, (struct wander_place){.addr = 0x130}, 450));
        slices_end_poll(slices);
    }
    slices_wander(slices, &m.profile.wander);
    build(&m);
    assert_string_equal(annotate_intervals(&m.annotation), "counting and polls");
    struct stats_share wider = step_at(&m, 0x100)->range.share;
    assert_true(wider.high - wider.low > 0.5 && wider.value > 0.49 && wider.value < 0.51);
    const struct annotate_range both = annotate_range_of(&m.annotation, 0, m.annotation.step_count);
    assert_true(both.share.low > 0.99);
    annotate_free(&m.annotation);
    wander_list_free(&m.profile.wander);
    slices_free(slices);
}

/* A program counter is where an instruction begins. */
static void test_what_begins_before(void **state)
{
    struct made m;

    init_made(&m, 2);
    add_part(&m, &made_functions[0], "42");
    add_hits(&m, 0x100, 7);
    add_hits(&m, 0x104, 5);
    add_hits(&m, 0x102, 1); /* in the middle of one: it is that one's */
    build(&m);
    assert_int_equal(step_at(&m, 0x100)->range.hits, 8);
    assert_int_equal(step_at(&m, 0x104)->range.hits, 5);
    assert_int_equal(step_at(&m, 0x104)->range.most, 5);
    assert_true(step_at(&m, 0x104)->range.share.low > 0.1);
    annotate_free(&m.annotation);
    init_made(&m, 16);
    add_part(&m, &made_functions[0], "664");
    add_hits(&m, 0x110, 90); /* 0x10c+6 reaches into it */
    build(&m);
    assert_int_equal(step_at(&m, 0x10c)->range.most, 0);
    assert_int_equal(m.annotation.hits, 90);
    annotate_free(&m.annotation);
}

static void test_data_is_not_run(void **state)
{
    struct made m;

    init_made(&m, 16);
    add_part(&m, &made_functions[0], "4");
    m.annotation.parts[0].listing.items[2].data = true;
    m.annotation.parts[0].listing.items[3].data = true;
    for (size_t i = 4; i < 8; i++)
        m.annotation.parts[0].listing.items[i].data = true;
    add_hits(&m, 0x100, 10);
    add_hits(&m, 0x110, 3); /* nothing but data: hits are not lost all the same */
    build(&m);
    assert_int_equal(step_at(&m, 0x100)->range.most, 10);
    assert_int_equal(step_at(&m, 0x104)->range.most, 10);
    assert_int_equal(step_at(&m, 0x108)->range.most, 0);
    assert_int_equal(m.annotation.blocks[0].instructions, 2);
    assert_int_equal(m.annotation.blocks[0].count, 2);
    assert_int_equal(m.annotation.hits, 13);
    annotate_free(&m.annotation);
}

static uint64_t random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

/* What a ranking by function says of it. */
static uint64_t ranked(const struct profile *profile, const char *name)
{
    struct view_rows rows;
    uint64_t hits = 0;

    assert_true(view_rows_build_named(profile, &made_naming, VIEW_BY_FUNCTION, NULL, &rows));
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.rows[i].function && strcmp(rows.rows[i].function, name) == 0)
            hits += rows.rows[i].hits;
    }
    view_rows_free(&rows);
    return hits;
}

static void check_range(const struct annotate_range *range)
{
    assert_true(range->hits <= range->most && range->split <= range->most);
    assert_true(range->share.low <= range->share.value + 1e-9);
    assert_true(range->share.high >= range->share.value - 1e-9);
}

static void check_sums(const struct made *m, const char *name)
{
    const struct annotation *a = &m->annotation;
    uint64_t steps = 0, lines = 0, parts = 0;

    for (size_t i = 0; i < a->step_count; i++) {
        steps += a->steps[i].range.hits;
        check_range(&a->steps[i].range);
    }
    for (size_t i = 0; i < a->line_count; i++) {
        lines += a->lines[i].range.hits;
        check_range(&a->lines[i].range);
    }
    for (size_t i = 0; i < a->block_count; i++) {
        const struct annotate_block *block = &a->blocks[i];
        check_range(&block->range);
        lines += block->lines > 1 || block->split ? block->hits : 0;
        steps += block->instructions != 1 || block->split ? block->hits : 0;
    }
    for (size_t i = 0; i < a->part_count; i++)
        parts += a->parts[i].hits;
    assert_int_equal(a->parts[0].hits, ranked(&m->profile, name));
    assert_int_equal(parts, a->hits);
    assert_int_equal(lines, a->hits);
    if (a->step_count)
        assert_int_equal(steps, a->hits);
}

/* Blocks of any size anywhere, functions that share them, instructions of any size. */
static void test_sums_are_the_rankings(void **state)
{
    static const unsigned block_sizes[] = {1, 2, 4, 16, 16, 16, 64, 256};
    static const char *const sizes[] = {"2", "4", "24422", "13571", "6", NULL};
    uint64_t seed = 1;

    for (int round = 0; round < 4000 / (int)sanitized(4); round++) {
        unsigned block_size = block_sizes[random_number(&seed) % 8];
        size_t which = random_number(&seed) % 3;
        const char *shape = sizes[random_number(&seed) % 6];
        struct made m;
        init_made(&m, block_size);
        add_part(&m, &made_functions[which], shape);
        if (which == 0)
            add_part(&m, &made_functions[3], shape);
        for (size_t n = random_number(&seed) % HITS_MAX; n > 0; n--)
            add_hits(&m, (0xf0 + random_number(&seed) % 0x140) / block_size * block_size,
                     random_number(&seed) % 1000);
        build(&m);
        check_sums(&m, made_functions[which].name);
        annotate_free(&m.annotation);
    }
}

/* A screen that looks again and again. */
static void test_built_again(void **state)
{
    struct made m, other;

    init_made(&m, 16);
    add_part(&m, &made_functions[0], "42");
    annotate_note(&m.annotation, "mine");
    add_hits(&m, 0x100, 10);
    build(&m);
    size_t notes = m.annotation.note_count, frames = m.annotation.frame_count;
    add_hits(&m, 0x110, 20);
    build(&m);
    init_made(&other, 16);
    add_part(&other, &made_functions[0], "42");
    add_hits(&other, 0x100, 10);
    add_hits(&other, 0x110, 20);
    build(&other);
    check_sums(&m, "alpha");
    assert_int_equal(m.annotation.hits, 30);
    assert_int_equal(m.annotation.note_count, notes);
    assert_string_equal(m.annotation.notes[0], "mine");
    assert_int_equal(m.annotation.frame_count, frames);
    assert_int_equal(m.annotation.source_count, 1);
    assert_int_equal(m.annotation.step_count, other.annotation.step_count);
    assert_int_equal(m.annotation.line_count, other.annotation.line_count);
    for (size_t i = 0; i < other.annotation.step_count; i++)
        assert_int_equal(m.annotation.steps[i].range.most, other.annotation.steps[i].range.most);
    annotate_free(&other.annotation);
    annotate_free(&m.annotation);
}

static void test_lines(void **state)
{
    struct made m;

    init_made(&m, 4);
    add_part(&m, &made_functions[0], "2");
    add_hits(&m, 0x104, 30);
    add_hits(&m, 0x124, 10); /* the same line again */
    add_hits(&m, 0x108, 60);
    build(&m);
    assert_int_equal(m.annotation.line_count, 8);
    const struct annotate_line *lines = m.annotation.lines;
    assert_int_equal(lines[1].range.hits, 40);
    assert_int_equal(lines[2].range.hits, 60);
    assert_int_equal(lines[0].range.most, 0);
    /* Its blocks are its own: only chance is in the interval. */
    assert_true(lines[1].range.share.low > 0.3 && lines[1].range.share.high < 0.5);
    assert_int_equal(step_at(&m, 0x124)->line, 1);
    annotate_free(&m.annotation);
}

static void test_inline_chains(void **state)
{
    struct made m;

    init_made(&m, 16);
    add_part(&m, &made_functions[0], "4");
    add_hits(&m, 0x110, 60);
    build(&m);
    assert_int_equal(step_at(&m, 0x10c)->frame_count, 0);
    assert_int_equal(step_at(&m, 0x110)->frame_count, 1);
    assert_int_equal(step_at(&m, 0x114)->frame_count, 2);
    assert_int_equal(step_at(&m, 0x118)->frame_count, 0);
    assert_int_equal(m.annotation.frame_count, 3);
    annotate_free(&m.annotation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_block),
        cmocka_unit_test(test_once_before_a_loop),
        cmocka_unit_test(test_block_of_two_functions),
        cmocka_unit_test(test_share_is_that_of_a_ranking),
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_lines_wander),
        cmocka_unit_test(test_what_begins_before),
        cmocka_unit_test(test_data_is_not_run),
        cmocka_unit_test(test_sums_are_the_rankings),
        cmocka_unit_test(test_built_again),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_inline_chains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
