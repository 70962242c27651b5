/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of two builds: names without suffixes, moved files, guesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <profile/match.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_names(void **state)
{
    static const struct {
        const char *whole, *name;
    } cases[] = {
        {"fir", "fir"},
        {"fir.constprop.0", "fir"},
        {"fir.isra.12", "fir"},
        {"fir.part.3.constprop.1", "fir"},
        {"fir.cold", "fir"},
        {"fir.cold.7", "fir"},
        {"fir.lto_priv.0", "fir"},
        {"fir.llvm.1234567890123456789", "fir"},
        {"count.1", "count"},
        {"fir(int) [clone .constprop.0]", "fir(int)"},
        {"fir.c", "fir.c"},
        {"fir.colder", "fir.colder"},
        {"fir.1a", "fir.1a"},
        {"fir.", "fir."},
        {".cold", ".cold"},
        {".1", ".1"},
        {"", ""},
        {"[libgcc]", "[libgcc]"},
        {"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
        {"core::fmt::write::h0123456789abcdef.llvm.77", "core::fmt::write"},
        {"_ZN4core3fmt5write17h0123456789abcdefE", "_ZN4core3fmt5write"},
        {"_ZN4core3fmt5write17h0123456789abcdefE.cold", "_ZN4core3fmt5write"},
        {"core::fmt::h0123456789abcdeg", "core::fmt::h0123456789abcdeg"},
        {"core::fmt::h0123456789abcde", "core::fmt::h0123456789abcde"},
        {"::h0123456789abcdef", "::h0123456789abcdef"},
        {"x17h0123456789abcdefE", "x17h0123456789abcdefE"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(match_name_len(cases[i].whole), strlen(cases[i].name));
}

/* Keys of rows; the caller frees them. */
static struct match_key *match(struct match_row *rows, size_t row_count, size_t count)
{
    struct match_key *keys;
    size_t found;

    assert_true(match_rows(rows, row_count, &keys, &found));
    assert_int_equal(found, count);
    for (size_t i = 0; i < row_count; i++)
        assert_true(rows[i].key < found);
    return keys;
}

static void test_suffixes_add_up(void **state)
{
    struct match_row rows[] = {
        {.function = "fir", .file = "dsp.c", .hits = 10, .size = 40},
        {.function = "fir.part.0", .file = "dsp.c", .hits = 5, .size = 20},
        {.function = "fir.constprop.1", .file = "dsp.c", .hits = 20, .newer = true, .size = 70},
        {.function = "fir", .file = "other.c", .hits = 3, .newer = true},
    };

    (void)state;
    struct match_key *keys = match(rows, COUNT(rows), 2);
    const struct match_key *key = &keys[rows[0].key];
    assert_int_equal(rows[1].key, rows[0].key);
    assert_int_equal(rows[2].key, rows[0].key);
    assert_int_not_equal(rows[3].key, rows[0].key);
    assert_int_equal(key->hits[0], 15);
    assert_int_equal(key->size[0], 60);
    assert_int_equal(key->hits[1], 20);
    assert_int_equal(key->joined, 1);
    assert_int_equal(key->name_len, 3);
    assert_false(key->guessed);
    free(keys);
}

static void test_moved_files(void **state)
{
    struct match_row rows[] = {
        {.function = "fir", .file = "/home/a/dsp.c", .hits = 1},
        {.function = "fir", .file = "/ci/dsp.c", .hits = 9, .newer = true},
        {.function = "bare", .hits = 1},
        {.function = "bare", .file = "x.c", .hits = 9, .newer = true},
        /* Two come into question: neither. */
        {.function = "init", .file = "/a/main.c", .hits = 1},
        {.function = "init", .file = "/b/1/main.c", .hits = 1, .newer = true},
        {.function = "init", .file = "/b/2/main.c", .hits = 1, .newer = true},
    };

    (void)state;
    struct match_key *keys = match(rows, COUNT(rows), 5);
    assert_int_equal(rows[0].key, rows[1].key);
    assert_int_equal(rows[2].key, rows[3].key);
    assert_int_not_equal(rows[4].key, rows[5].key);
    assert_int_not_equal(rows[4].key, rows[6].key);
    assert_false(keys[rows[0].key].guessed);
    assert_string_equal(keys[rows[0].key].file, "/ci/dsp.c");
    free(keys);
}

static void test_renamed(void **state)
{
    struct match_row rows[] = {
        {.function = "old_name", .file = "dsp.c", .hits = 100, .size = 96},
        {.function = "new_name", .file = "dsp.c", .hits = 130, .size = 96, .newer = true},
        {.function = "stays", .file = "dsp.c", .hits = 500, .size = 50},
        {.function = "stays", .file = "dsp.c", .hits = 500, .size = 50, .newer = true},
        {.function = "gone", .file = "a.c", .hits = 40, .size = 200},
        {.function = "new", .file = "b.c", .hits = 40, .size = 200, .newer = true},
    };

    (void)state;
    struct match_key *keys = match(rows, COUNT(rows), 4);
    const struct match_key *key = &keys[rows[0].key];
    assert_int_equal(rows[0].key, rows[1].key);
    assert_true(key->guessed);
    assert_memory_equal(key->function, "new_name", key->name_len);
    assert_memory_equal(key->old_name, "old_name", key->old_len);
    assert_int_not_equal(rows[4].key, rows[5].key);
    free(keys);
}

static void test_two_guesses_are_none(void **state)
{
    struct match_row rows[] = {
        {.function = "old", .file = "dsp.c", .hits = 100, .size = 96},
        {.function = "new_1", .file = "dsp.c", .hits = 101, .size = 96, .newer = true},
        {.function = "new_2", .file = "dsp.c", .hits = 99, .size = 96, .newer = true},
    };

    (void)state;
    struct match_key *keys = match(rows, COUNT(rows), 3);
    for (size_t i = 0; i < 3; i++)
        assert_false(keys[i].guessed);
    free(keys);
}

static void test_two_old_ones_are_none(void **state)
{
    struct match_row rows[] = {
        {.function = "old_1", .file = "dsp.c", .hits = 100, .size = 96},
        {.function = "old_2", .file = "dsp.c", .hits = 100, .size = 96},
        {.function = "new", .file = "dsp.c", .hits = 200, .size = 96, .newer = true},
    };

    (void)state;
    struct match_key *keys = match(rows, COUNT(rows), 3);
    for (size_t i = 0; i < 3; i++)
        assert_false(keys[i].guessed);
    free(keys);
}

static void test_moved_to_another_file(void **state)
{
    struct match_row rows[] = {
        {.function = "fir", .file = "dsp.c", .hits = 100},
        {.function = "fir.part.0", .file = "dsp.c", .hits = 20},
        {.function = "fir", .file = "filters.c", .hits = 150, .newer = true},
        {.function = "stays", .file = "dsp.c", .hits = 500},
        {.function = "stays", .file = "dsp.c", .hits = 500, .newer = true},
    };

    (void)state;
    struct match_key *keys = match(rows, COUNT(rows), 2);
    const struct match_key *key = &keys[rows[0].key];
    assert_int_equal(rows[0].key, rows[2].key);
    assert_string_equal(key->file, "filters.c");
    assert_string_equal(key->old_file, "dsp.c");
    assert_false(key->guessed);
    assert_int_equal(key->hits[0], 120);
    assert_int_equal(key->hits[1], 150);
    assert_null(keys[rows[3].key].old_file);
    free(keys);
}

/* One name in two files may be two functions. */
static void test_other_file(void **state)
{
    struct match_row sizes[] = {
        {.function = "init", .file = "uart.c", .hits = 100, .size = 96},
        {.function = "init", .file = "adc.c", .hits = 100, .size = 48, .newer = true},
    };
    struct match_row shares[] = {
        {.function = "init", .file = "uart.c", .hits = 100},
        {.function = "init", .file = "adc.c", .hits = 500, .newer = true},
        {.function = "stays", .file = "dsp.c", .hits = 900},
        {.function = "stays", .file = "dsp.c", .hits = 500, .newer = true},
    };
    struct match_row third[] = {
        {.function = "init", .file = "uart.c", .hits = 100},
        {.function = "init", .file = "adc.c", .hits = 100, .newer = true},
        {.function = "init", .file = "z.c", .hits = 100},
        {.function = "init", .file = "z.c", .hits = 100, .newer = true},
    };

    (void)state;
    free(match(sizes, COUNT(sizes), 2));
    free(match(shares, COUNT(shares), 3));
    free(match(third, COUNT(third), 3));
}

static void test_no_rows(void **state)
{
    (void)state;
    free(match(NULL, 0, 0));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_suffixes_add_up),
        cmocka_unit_test(test_moved_files),
        cmocka_unit_test(test_renamed),
        cmocka_unit_test(test_two_guesses_are_none),
        cmocka_unit_test(test_two_old_ones_are_none),
        cmocka_unit_test(test_moved_to_another_file),
        cmocka_unit_test(test_other_file),
        cmocka_unit_test(test_no_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
