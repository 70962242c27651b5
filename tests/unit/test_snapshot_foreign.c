/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of others: pprof's in every form, gmon.out, and what is none. */
#include "unit.h"

#include "snapshot_checks.h"

/* A message written by hand, apart from the encoder. */
struct message {
    uint8_t bytes[4096];
    size_t len;
};

static void varint(struct message *m, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        m->bytes[m->len++] = (uint8_t)(number | 0x80);
    m->bytes[m->len++] = (uint8_t)number;
}

static void number(struct message *m, unsigned field, uint64_t value)
{
    varint(m, field << 3);
    varint(m, value);
}

static void bytes(struct message *m, unsigned field, const void *from, size_t len)
{
    varint(m, field << 3 | 2);
    varint(m, len);
    memcpy(m->bytes + m->len, from, len);
    m->len += len;
}

static void sub(struct message *m, unsigned field, const struct message *from)
{
    bytes(m, field, from->bytes, from->len);
}

static void string(struct message *m, const char *text)
{
    bytes(m, 6, text, strlen(text));
}

static void type(struct message *m, uint64_t name, uint64_t unit)
{
    struct message t = {.len = 0};

    number(&t, 1, name);
    number(&t, 2, unit);
    sub(m, 1, &t);
}

static void sample(struct message *m, bool packed, uint64_t leaf, uint64_t caller, uint64_t value)
{
    struct message s = {.len = 0}, list = {.len = 0};

    if (packed) {
        varint(&list, leaf);
        varint(&list, caller);
        sub(&s, 1, &list);
        list.len = 0;
        varint(&list, value);
        sub(&s, 2, &list);
    } else {
        number(&s, 1, leaf);
        number(&s, 1, caller);
        number(&s, 2, value);
    }
    number(&s, 99, 5); /* of a newer format */
    sub(m, 2, &s);
}

static void location(struct message *m, uint64_t id, uint64_t addr, uint64_t inner, uint64_t outer)
{
    struct message l = {.len = 0};
    struct message line = {.len = 0};

    number(&l, 1, id);
    number(&l, 3, addr);
    number(&line, 1, inner);
    number(&line, 2, 10 * inner);
    sub(&l, 4, &line);
    if (outer) {
        line.len = 0;
        number(&line, 1, outer);
        number(&line, 2, 5);
        sub(&l, 4, &line);
    }
    sub(m, 4, &l);
}

static void function(struct message *m, uint64_t id, uint64_t name)
{
    struct message f = {.len = 0};

    number(&f, 1, id);
    number(&f, 2, name);
    number(&f, 4, 6);
    sub(m, 5, &f);
}

/* Three functions, ids that are far apart; addr 0: a profile without addresses. */
static struct message profile_of_others(bool packed, uint64_t addr)
{
    struct message m = {.len = 0};

    number(&m, 77, 1);
    type(&m, 1, 2);
    sample(&m, packed, 1000, 7, 30);
    sample(&m, packed, 7, 1000, 20);
    sample(&m, packed, 1000, 7, 12);
    location(&m, 7, addr ? addr + 0x10 : 0, 40, 0);
    location(&m, 1000, addr, 50, 60); /* fun_50, in fun_60 */
    function(&m, 50, 4);
    function(&m, 40, 3);
    function(&m, 60, 5);
    number(&m, 9, 12);
    string(&m, "");
    string(&m, "cpu");
    string(&m, "microseconds");
    string(&m, "fun_40");
    string(&m, "fun_50");
    string(&m, "fun_60");
    string(&m, "/x/file.go");
    return m;
}

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
    struct message m = profile_of_others(packed, addr);
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
    struct message m = profile_of_others(true, 0x5000);
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

static void refuse(const struct message *m, const char *why)
{
    struct snapshot *s = NULL;
    char text[300] = "";

    assert_int_equal(snapshot_read(m->bytes, m->len, "x.pb.gz", &s, text, sizeof(text)),
                     SNAPSHOT_EFORMAT);
    assert_null(s);
    assert_memory_equal(text, "x.pb.gz: ", 9);
    assert_null(strchr(text, '\n'));
    if (!strstr(text, why))
        fail_msg("'%s' does not say '%s'", text, why);
}

/* Each adds one thing that cannot be to a good profile. */
static void test_wrong_numbers(void **state)
{
    struct message m, part;

    m = profile_of_others(true, 0x5000);
    sample(&m, true, 8, 7, 1);
    refuse(&m, "sample 3: location_id");
    m = profile_of_others(true, 0x5000);
    location(&m, 9, 1, 41, 0);
    refuse(&m, "function_id is no function's");
    m = profile_of_others(true, 0x5000);
    function(&m, 40, 3);
    refuse(&m, "id is another one's");
    m = profile_of_others(true, 0x5000);
    function(&m, 0, 3);
    refuse(&m, "function 3: id is 0");
    m = profile_of_others(true, 0x5000);
    function(&m, 41, 7);
    refuse(&m, "function 3: name");
    m = profile_of_others(true, 0x5000);
    type(&m, 1, 2);
    refuse(&m, "sample 0: value");
    m = profile_of_others(true, 0x5000);
    number(&m, 14, UINT64_MAX);
    refuse(&m, "default_sample_type");
    m = profile_of_others(true, 0x5000);
    number(&m, 13, 70);
    refuse(&m, "comment 0");
    m = (struct message){.len = 0};
    string(&m, "not empty");
    refuse(&m, "string_table 0");
    m = (struct message){.len = 0};
    string(&m, "");
    refuse(&m, "sample_type 0: missing");
    m = profile_of_others(true, 0x5000);
    part = (struct message){.len = 0};
    number(&part, 1, 9);
    number(&part, 2, 3); /* no such mapping */
    sub(&m, 4, &part);
    refuse(&m, "location 2: mapping_id");
}

static void add_comment(struct message *m, const char *text)
{
    string(m, text);
    number(m, 13, 7);
}

static void test_wrong_conditions(void **state)
{
    static const char *const wrong[] = {"mprof grain=0",
                                        "mprof grain=65537",
                                        "mprof rate=-1",
                                        "mprof dropped=1x",
                                        "mprof runs=99999999999999999999",
                                        "mprof tick-locked=maybe"};

    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct message m = profile_of_others(true, 0x5000);
        add_comment(&m, wrong[i]);
        refuse(&m, "comment 0");
    }
}

/* Comments that a later version adds are kept. */
static void test_newer_conditions(void **state)
{
    struct message m = profile_of_others(true, 0x5000);

    add_comment(&m, "mprof colour=blue");
    struct snapshot *s = checks_read(m.bytes, m.len), *copy = checks_copy(s);
    assert_int_equal(copy->comment_count, 1);
    assert_string_equal(copy->comments[0], "mprof colour=blue");
    snapshot_free(s);
    snapshot_free(copy);
}

static void test_difference_is_no_profile(void **state)
{
    struct message m = profile_of_others(true, 0x5000);
    struct profile p;
    char text[200];

    sample(&m, true, 7, 1000, (uint64_t)-3);
    struct snapshot *s = checks_read(m.bytes, m.len);
    assert_int_equal(snapshot_profile(s, 0, &p, text, sizeof(text)), SNAPSHOT_EFORMAT);
    assert_non_null(strstr(text, "below 0"));
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

/* gmon.out by hand: numbers of size bytes. */
static void put(struct message *m, bool big, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++)
        m->bytes[m->len++] = (uint8_t)(value >> 8 * (big ? size - 1 - i : i));
}

static struct message gmon(bool big, unsigned size, uint64_t low, uint64_t high, unsigned buckets,
                           bool arcs)
{
    struct message m = {.bytes = "gmon", .len = 4};

    put(&m, big, 4, 1);
    m.len += 12;
    put(&m, big, 1, 0);
    put(&m, big, size, low);
    put(&m, big, size, high);
    put(&m, big, 4, buckets);
    put(&m, big, 4, 100);
    memcpy(m.bytes + m.len, "seconds\0\0\0\0\0\0\0\0s", 16);
    m.len += 16;
    for (unsigned i = 0; i < buckets; i++)
        put(&m, big, 2, i % 4 == 1 ? 10 * i : 0);
    if (arcs) {
        put(&m, big, 1, 1);
        put(&m, big, size, low + 9);
        put(&m, big, size, low + 0x40);
        put(&m, big, 4, 77);
    }
    return m;
}

static void check_gmon(bool big, unsigned size)
{
    struct message m = gmon(big, size, 0x8000, 0x8100, 16, true);
    const struct symbol_naming none = {.find = NULL};
    struct snapshot *s = checks_read(m.bytes, m.len);
    struct profile p = checks_back(s, "samples"), calls = checks_back(s, "calls");
    struct view_rows rows;

    assert_int_equal(p.attributed, 10 + 50 + 90 + 130);
    assert_int_equal(p.grain, 16);
    assert_int_equal(p.sample_hz, 100);
    assert_true(p.headerless);
    assert_true(view_rows_build_named(&p, &none, VIEW_BY_ADDRESS, NULL, &rows));
    assert_int_equal(rows.count, 4);
    assert_int_equal(rows.rows[0].addr, 0x8010);
    view_rows_free(&rows);
    assert_int_equal(calls.attributed, 77);
    assert_int_equal(calls.rows[0].addr, 0x8040);
    assert_int_equal(calls.rows[0].caller, 0x8008); /* without the Thumb bit */
    assert_int_equal(calls.grain, 1);
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
    struct message head = gmon(false, 4, 0, 0xfffffffe, 0, false);
    size_t len = head.len + 2 * (size_t)buckets;
    uint8_t *file = calloc(1, len);

    assert_non_null(file);
    memcpy(file, head.bytes, head.len);
    memcpy(file + 29, &buckets, 4);
    file[head.len + 2 * 3] = 9;
    struct snapshot *s = checks_read(file, len);
    struct profile p = checks_back(s, NULL);
    assert_int_equal(p.grain, 32768);
    assert_int_equal(p.attributed, 9);
    assert_int_equal(p.rows[0].addr, 3 * 32768);
    profile_free(&p);
    snapshot_free(s);
    free(file);
}

static void test_wrong_gmon(void **state)
{
    struct message m = gmon(false, 4, 0x8000, 0x8100, 16, true);

    m.bytes[4] = 2;
    refuse(&m, "another version");
    m.bytes[4] = 1;
    m.len--;
    refuse(&m, "cut short");
    m = gmon(false, 4, 0x8100, 0x8000, 16, false);
    refuse(&m, "damaged gmon.out");
    m = gmon(false, 4, 0, 0x80000000, 16, false);
    refuse(&m, "too wide");
    m = gmon(false, 4, 0x8000, 0x8100, 16, false);
    put(&m, false, 1, 9);
    refuse(&m, "tag");
}

static void test_damaged(void **state)
{
    struct message m = profile_of_others(true, 0x5000);
    struct message g = gmon(false, 4, 0x8000, 0x8040, 4, true);
    struct profile p = checks_profile(9, 16, true);
    struct snapshot *s = checks_make(&p, "chip");
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
    snapshot_free(s);
    profile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_merge_others),
        cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_wrong_conditions),
        cmocka_unit_test(test_newer_conditions),
        cmocka_unit_test(test_difference_is_no_profile),
        cmocka_unit_test(test_gmon),
        cmocka_unit_test(test_wide_gmon),
        cmocka_unit_test(test_wrong_gmon),
        cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
