/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots read from pprof's files in every form, and from files that are damaged. */
#include "unit.h"

#include "foreign_checks.h"

static const struct view_row *find_row(const struct view_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].function && strcmp(rows->rows[i].function, name) == 0)
            return &rows->rows[i];
    }
    return NULL;
}

static void check_others(bool packed, uint64_t addr)
{
    struct message m = make_pprof(packed, addr);
    struct snapshot *s = checks_read(m.bytes, m.len);
    struct profile p = checks_back(s, NULL);
    const struct symbol_naming names = snapshot_naming(s);
    struct view_rows rows;

    assert_false(s->ours);
    assert_true(view_rows_build_named(&p, &names, VIEW_BY_FUNCTION, NULL, &rows));
    assert_int_equal(rows.count, 2);
    const struct view_row *inlined = find_row(&rows, "fun_50"), *other = find_row(&rows, "fun_40");
    assert_true(inlined && other);
    assert_int_equal(inlined->hits, 42);
    assert_int_equal(other->hits, 20);
    assert_string_equal(other->file, "/x/file.go");
    assert_int_equal(other->unplaced, addr == 0);
    view_rows_free(&rows);
    assert_true(view_rows_build_named(&p, &names, VIEW_BY_ARC, NULL, &rows));
    assert_string_equal(find_row(&rows, "fun_50")->caller, "fun_40");
    view_rows_free(&rows);
    struct snapshot *copy = checks_copy(s);
    assert_true(checks_same(s, copy));
    profile_free(&p);
    snapshot_free(copy);
    snapshot_free(s);
}

static void test_others(void **state)
{
    check_others(true, 0x5000);
    check_others(false, 0x5000);
    check_others(true, 0);
}

static void test_merge_others(void **state)
{
    static const char *const names[] = {"a", "b"};
    struct message m = make_pprof(true, 0x5000);
    struct snapshot *s = checks_read(m.bytes, m.len), *sum = NULL;
    char text[200];

    assert_int_equal(
        snapshot_merge((const struct snapshot *const[]){s, s}, names, 2, &sum, text, sizeof(text)),
        SNAPSHOT_OK);
    struct profile p = checks_back(sum, NULL);
    assert_int_equal(p.attributed, 124);
    assert_int_equal(sum->sample_count, 2);
    assert_int_equal(sum->function_count, 3);
    profile_free(&p);
    snapshot_free(s);
    snapshot_free(sum);
}

/* Each adds one thing that cannot be to a good profile. */
static void test_wrong_numbers(void **state)
{
    struct message m, part;

    m = make_pprof(true, 0x5000);
    add_sample(&m, true, 8, 7, 1);
    check_refused(&m, "sample 3: location_id");
    m = make_pprof(true, 0x5000);
    add_location(&m, 9, 1, 41, 0);
    check_refused(&m, "function_id is not a known function");
    m = make_pprof(true, 0x5000);
    add_function(&m, 40, 3);
    check_refused(&m, "id is used twice");
    m = make_pprof(true, 0x5000);
    add_function(&m, 0, 3);
    check_refused(&m, "function 3: id is 0");
    m = make_pprof(true, 0x5000);
    add_function(&m, 41, 7);
    check_refused(&m, "function 3: name");
    m = make_pprof(true, 0x5000);
    add_type(&m, 1, 2);
    check_refused(&m, "sample 0: value");
    m = make_pprof(true, 0x5000);
    add_number(&m, 14, UINT64_MAX);
    check_refused(&m, "default_sample_type");
    m = make_pprof(true, 0x5000);
    add_number(&m, 13, 70);
    check_refused(&m, "comment 0");
    m = (struct message){.len = 0};
    add_string(&m, "not empty");
    check_refused(&m, "string_table 0");
    m = (struct message){.len = 0};
    add_string(&m, "");
    check_refused(&m, "sample_type 0: missing");
    m = make_pprof(true, 0x5000);
    part = (struct message){.len = 0};
    add_number(&part, 1, 9);
    add_number(&part, 2, 3); /* no such mapping */
    add_message(&m, 4, &part);
    check_refused(&m, "location 2: mapping_id");
}

static void add_comment(struct message *m, const char *text)
{
    add_string(m, text);
    add_number(m, 13, 7);
}

static void test_wrong_conditions(void **state)
{
    static const char *const wrong[] = {"mprof grain=0",
                                        "mprof grain=65537",
                                        "mprof rate=-1",
                                        "mprof dropped=1x",
                                        "mprof runs=99999999999999999999",
                                        "mprof tick-locked=maybe",
                                        "mprof wander=9 10:1,0,0,0,0,0,0,0,0,0",
                                        "mprof wander=4 10:1,0,0,0",
                                        "mprof wander=4 10:1,0,0,0,4",
                                        "mprof wander=4 10:-1,0,0,0,0",
                                        "mprof wander=4 10:1,0,0,0,0 ",
                                        "mprof run-wander=0 4 10:1,0,0,0,0"};

    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct message m = make_pprof(true, 0x5000);
        add_comment(&m, wrong[i]);
        check_refused(&m, "comment 0");
    }
}

/* Comments that a later version adds are kept. */
static void test_newer_conditions(void **state)
{
    struct message m = make_pprof(true, 0x5000);

    add_comment(&m, "mprof colour=blue");
    struct snapshot *s = checks_read(m.bytes, m.len), *copy = checks_copy(s);
    assert_int_equal(copy->comment_count, 1);
    assert_string_equal(copy->comments[0], "mprof colour=blue");
    snapshot_free(s);
    snapshot_free(copy);
}

static void test_difference_is_no_profile(void **state)
{
    struct message m = make_pprof(true, 0x5000);
    struct profile p;
    char text[200];

    add_sample(&m, true, 7, 1000, (uint64_t)-3);
    struct snapshot *s = checks_read(m.bytes, m.len);
    assert_int_equal(snapshot_profile(s, 0, &p, text, sizeof(text)), SNAPSHOT_EFORMAT);
    assert_non_null(strstr(text, "negative"));
    snapshot_free(s);
}

/* Cut anywhere and with any bit flipped: a profile or one line, and always the same bytes again. */
static void try_damaged(const uint8_t *from, size_t len)
{
    struct snapshot *s = NULL;
    char text[300] = "";

    if (snapshot_read(from, len, "x", &s, text, sizeof(text)) != SNAPSHOT_OK) {
        assert_memory_equal(text, "x: ", 3);
        return;
    }
    struct snapshot *copy = checks_copy(s);
    assert_true(checks_same(s, copy));
    snapshot_free(copy);
    snapshot_free(s);
}

static void try_all_damages(const uint8_t *from, size_t len)
{
    uint8_t *copy = malloc(len);

    assert_non_null(copy);
    for (size_t cut = 0; cut < len; cut++) {
        memcpy(copy, from, cut);
        try_damaged(copy, cut);
    }
    memcpy(copy, from, len);
    for (size_t bit = 0; bit < 8 * len; bit++) {
        copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
        try_damaged(copy, len);
        copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(copy);
}

static void test_damaged(void **state)
{
    struct message m = make_pprof(true, 0x5000);
    struct message g = make_gmon(false, 4, 0x8000, 0x8040, 4, true);
    struct profile p = checks_profile(9, 16, true);
    size_t len;

    p.row_count = 6;
    try_all_damages(m.bytes, m.len);
    try_all_damages(g.bytes, g.len);
    struct snapshot *small = checks_make(&p, "chip");
    uint8_t *file = snapshot_bytes(small, &len);
    assert_non_null(file);
    try_all_damages(file, len);
    free(file);
    snapshot_free(small);
    profile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others),           cmocka_unit_test(test_merge_others),
        cmocka_unit_test(test_wrong_numbers),    cmocka_unit_test(test_wrong_conditions),
        cmocka_unit_test(test_newer_conditions), cmocka_unit_test(test_difference_is_no_profile),
        cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
