/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the windows of a focus have counted, as one profile. */
#include "unit.h"

#include <target/focus.h>

#define ENTRIES 4
#define UNIT    2
#define START   0x1000

/* A function of 14 bytes: 4 entries, and 3 of the next window. */
struct fixture {
    struct focus_window windows[2];
    uint64_t hits[2][ENTRIES];
    uint32_t new_hits[2][ENTRIES];
    struct focus focus;
    struct profile table;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){
        .focus = {
            .windows = f->windows, .addr = START, .count = 2, .entries = ENTRIES, .unit = UNIT}};
    for (size_t i = 0; i < 2; i++) {
        struct focus_window *w = &f->windows[i];
        w->base = START + i * ENTRIES * UNIT;
        w->end = i == 0 ? w->base + ENTRIES * UNIT : START + 14;
        w->hits = f->hits[i];
        w->new_hits = f->new_hits[i];
    }
    profile_init(&f->table);
}

static uint64_t hits_at(const struct profile *p, uint64_t addr)
{
    uint64_t hits = 0;

    for (size_t i = 0; i < p->row_count; i++)
        hits += p->rows[i].addr == addr ? p->rows[i].hits : 0;
    return hits;
}

/* Until all parts were counted, none is shown: shares within the function are not known. */
static void test_parts(void **state)
{
    struct fixture f;
    char text[FOCUS_TEXT];

    begin(&f);
    f.hits[0][1] = 30;
    f.windows[0].events = 100;
    assert_null(focus_profile(&f.focus, &f.table));
    focus_text(&f.focus, START, text);
    assert_string_equal(text, "focus: 1 of 2 parts of the function counted so far");
    f.windows[1].new_events = 50;
    assert_non_null(focus_profile(&f.focus, &f.table));
    focus_text(&f.focus, START + 2, text);
    assert_string_equal(text, "");
    profile_free(&f.focus.profile);
}

/* As many hits as if all parts had been counted for the fewest events. */
static void test_scale(void **state)
{
    struct fixture f;
    char text[FOCUS_TEXT];

    begin(&f);
    f.hits[0][1] = 30;
    f.new_hits[0][1] = 10;
    f.new_hits[0][3] = 20;
    f.windows[0].events = 300;
    f.windows[0].new_events = 100;
    f.new_hits[1][0] = 7;
    f.new_hits[1][3] = 9; /* behind the function */
    f.windows[1].new_events = 100;
    const struct profile *p = focus_profile(&f.focus, &f.table);
    assert_non_null(p);
    assert_int_equal(p->block_size, UNIT);
    assert_int_equal(hits_at(p, START + 2), 10);
    assert_int_equal(hits_at(p, START + 6), 5);
    assert_int_equal(hits_at(p, START + 8), 7);
    assert_int_equal(p->row_count, 3);
    assert_int_equal(p->attributed, 22);
    assert_true(p == focus_counted(&f.focus));
    focus_text(&f.focus, START, text);
    assert_string_equal(
        text, "focus: lines are exact, from 22 samples; 2 parts of the function take turns");
    profile_free(&f.focus.profile);
}

static void test_one_part(void **state)
{
    struct fixture f;
    char text[FOCUS_TEXT];

    begin(&f);
    f.focus.count = 1;
    f.windows[0].new_events = 5;
    assert_null(focus_profile(&f.focus, &f.table));
    focus_text(&f.focus, START, text);
    assert_string_equal(text, "focus: no samples in this function yet");
    f.new_hits[0][0] = 3;
    assert_int_equal(focus_profile(&f.focus, &f.table)->attributed, 3);
    focus_text(&f.focus, START, text);
    assert_string_equal(text, "focus: lines are exact, from 3 samples");
    profile_free(&f.focus.profile);
}

/* A copy shows what was counted when it was made, and owns all of it. */
static void test_copy(void **state)
{
    struct focus copy;
    struct fixture f;
    char text[FOCUS_TEXT];

    begin(&f);
    f.hits[0][1] = 30;
    f.new_hits[1][0] = 4;
    f.windows[0].events = f.windows[1].new_events = 100;
    assert_true(focus_copy(&f.focus, &f.table, &copy));
    f.hits[0][1] = f.windows[0].events = 0;
    assert_ptr_not_equal(copy.windows[0].hits, f.hits[0]);
    assert_ptr_not_equal(copy.windows[1].new_hits, f.new_hits[1]);
    assert_non_null(focus_counted(&copy));
    assert_int_equal(hits_at(focus_counted(&copy), START + UNIT), 30);
    assert_int_equal(hits_at(focus_profile(&copy, &f.table), START + ENTRIES * UNIT), 4);
    focus_text(&copy, START, text);
    assert_non_null(strstr(text, "34 samples"));
    focus_free(&copy);
    assert_int_equal(copy.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_one_part),
        cmocka_unit_test(test_copy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
