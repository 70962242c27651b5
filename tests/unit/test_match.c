/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of two builds: names without suffixes, moved files, guesses. */
#include "unit.h"

#include <profile/match.h>

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

    free(match(sizes, COUNT(sizes), 2));
    free(match(shares, COUNT(shares), 3));
    free(match(third, COUNT(third), 3));
}

#define SIDE_ROWS 150

/* Rows of which nothing but what they are like can join any. */
struct strangers {
    struct match_row rows[2 * SIDE_ROWS];
    char names[2 * SIDE_ROWS][24];
    double totals[2];
    size_t partner[2 * SIDE_ROWS]; /* SIZE_MAX: none */
    size_t count;                  /* a side; base's come first */
};

static uint64_t random_of(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void make_strangers(struct strangers *s, uint64_t *seed)
{
    static const char *const files[] = {"a.c", "/x/b.c", "/y/b.c", "d/a.c", "c.c", NULL};
    uint64_t file_count = 1 + random_of(seed, 6), most_hits = 1 + random_of(seed, 100000);
    uint64_t sizes = 1 + random_of(seed, 400), unknown = 1 + random_of(seed, 6);

    *s = (struct strangers){.count = 1 + random_of(seed, SIDE_ROWS)};
    for (size_t i = 0; i < 2 * s->count; i++) {
        bool newer = i >= s->count;
        snprintf(s->names[i], sizeof(s->names[i]), "%c%04zu", newer ? 'n' : 'b', i);
        s->rows[i] =
            (struct match_row){.function = s->names[i],
                               .file = files[random_of(seed, file_count)],
                               .newer = newer,
                               .hits = random_of(seed, most_hits),
                               .size = random_of(seed, unknown) ? random_of(seed, sizes) : 0};
        s->totals[newer] += (double)s->rows[i].hits;
        s->partner[i] = SIZE_MAX;
    }
}

static bool within(double left, double right, double factor)
{
    return left > 0 && right > 0 && left <= right * factor && right <= left * factor;
}

/* What docs/statistics.md says of names ("Rows across builds"). */
static bool are_alike(const struct strangers *s, size_t base, size_t newer)
{
    const struct match_row *b = &s->rows[base], *n = &s->rows[newer];
    double b_share = (double)b->hits / s->totals[0], n_share = (double)n->hits / s->totals[1];

    if (!b->file || !n->file || b->file[strlen(b->file) - 3] != n->file[strlen(n->file) - 3])
        return false;
    if (b->size == n->size && b->size >= 16)
        return within(b_share, n_share, 3);
    return (!b->size || !n->size || within((double)b->size, (double)n->size, 1.5)) &&
           within(b_share, n_share, 1.25);
}

/* The only one of the other side that is alike, by looking at all. */
static size_t partner_of(const struct strangers *s, size_t i)
{
    bool newer = i >= s->count;
    size_t found = SIZE_MAX;

    for (size_t n = 0; n < s->count; n++) {
        size_t k = newer ? n : s->count + n;
        if (s->partner[k] != SIZE_MAX || !(newer ? are_alike(s, k, i) : are_alike(s, i, k)))
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = k;
    }
    return found;
}

/* The guesses are those that looking at every pair finds. */
static void test_every_pair(void **state)
{
    static struct strangers s;
    uint64_t seed = 1;
    size_t guesses = 0;

    for (int trial = 0; trial < 1500; trial++) {
        struct match_key *keys;
        size_t count;
        make_strangers(&s, &seed);
        for (size_t i = 0; i < s.count; i++) {
            size_t k = partner_of(&s, i);
            if (k == SIZE_MAX || partner_of(&s, k) != i)
                continue;
            s.partner[i] = k;
            s.partner[k] = i;
            guesses++;
        }
        assert_true(match_rows(s.rows, 2 * s.count, &keys, &count));
        for (size_t i = 0; i < s.count; i++) {
            size_t k = s.partner[i];
            assert_int_equal(keys[s.rows[i].key].guessed, k != SIZE_MAX);
            if (k != SIZE_MAX)
                assert_int_equal(s.rows[i].key, s.rows[k].key);
        }
        free(keys);
    }
    assert_true(guesses > 1000);
}

/* Similar shares alone are no guess: both files must be known, and be one. */
static void test_no_guess_without_files(void **state)
{
    struct match_row neither[] = {
        {.function = "old", .hits = 100, .size = 96},
        {.function = "new", .hits = 100, .size = 96, .newer = true},
    };
    struct match_row one[] = {
        {.function = "old", .file = "dsp.c", .hits = 100, .size = 96},
        {.function = "new", .hits = 100, .size = 96, .newer = true},
    };

    free(match(neither, COUNT(neither), 2));
    free(match(one, COUNT(one), 2));
}

static void test_no_rows(void **state)
{
    free(match(NULL, 0, 0));
}

/* What people type of a name that begins with namespaces. */
static void test_unqualified(void **state)
{
    static const struct {
        const char *function, *wanted;
        bool fits;
    } cases[] = {
        {"app::Store::put", "put", true},
        {"app::Store::put", "Store::put", true},
        {"app::Store::put", "app::Store::put", true},
        {"put", "put", true},
        {"app::Store::put(int)", "put", true},
        {"app::Store::put(int) const", "put", true},
        {"app::Store::put(int)", "put(int)", true},
        {"app::Store<ns::T, 3u>::put<(char)40>", "put", true},
        {"(anonymous namespace)::put", "put", true},
        {"app::put [clone .cold]", "put", true},
        {"app::put[abi:cxx11]", "put", true},
        {"app::Ring::operator<", "operator<", true},
        {"app::Ring::operator()(int)", "operator()", true},
        {"app::Ring::operator<<(int)::put", "put", true},
        {"app::Store::put", "ut", false},
        {"app::Store::put", "Store", false},
        {"app::Store::put", "", false},
        {"app::Store::put", "::put", false},
        {"app::Store::put_all", "put", false},
        {"app::Box<ns::put>", "put", false},
        {"app::put(int)::{lambda(int)#1}::operator()(int) const", "put", false},
        {"app::each(ns::put)", "put", false},
        {"", "put", false},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        if (match_is_unqualified(cases[i].function, cases[i].wanted) != cases[i].fits)
            fail_msg("'%s' for '%s'", cases[i].wanted, cases[i].function);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unqualified),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_suffixes_add_up),
        cmocka_unit_test(test_moved_files),
        cmocka_unit_test(test_renamed),
        cmocka_unit_test(test_two_guesses_are_none),
        cmocka_unit_test(test_two_old_ones_are_none),
        cmocka_unit_test(test_moved_to_another_file),
        cmocka_unit_test(test_other_file),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_every_pair),
        cmocka_unit_test(test_no_guess_without_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
