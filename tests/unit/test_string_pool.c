/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores of strings: each kept once by its number, and none moves. */
#include "unit.h"

#include <base/string_arena.h>
#include <base/string_pool.h>

enum { MANY = 20000 };

static void test_each_once(void **state)
{
    struct string_pool *pool = string_pool_new();
    static const char *first[MANY];
    char text[32];

    assert_non_null(pool);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < MANY; i++) {
            snprintf(text, sizeof(text), "text %u", i);
            assert_int_equal(string_pool_add(pool, text), i + 1);
            assert_string_equal(string_pool_text(pool, i + 1), text);
            if (round == 0)
                first[i] = string_pool_text(pool, i + 1);
            assert_ptr_equal(string_pool_text(pool, i + 1), first[i]);
        }
        assert_int_equal(string_pool_count(pool), MANY);
    }
    assert_false(string_pool_failed(pool));
    string_pool_free(pool);
}

static void test_parts(void **state)
{
    struct string_pool *pool = string_pool_new();

    assert_non_null(pool);
    assert_int_equal(string_pool_add(pool, NULL), 0);
    assert_null(string_pool_text(pool, 0));
    assert_int_equal(string_pool_add(pool, ""), 1);
    assert_int_equal(string_pool_add_part(pool, "abcdef", 3), 2);
    assert_int_equal(string_pool_add_part(pool, "abcdef", 6), 3);
    assert_int_equal(string_pool_add(pool, "abc"), 2);
    assert_int_equal(string_pool_add_part(pool, "ab\0c", 4), 4); /* to the NUL */
    assert_int_equal(string_pool_add(pool, "ab"), 4);
    assert_int_equal(string_pool_add_part(pool, "xyz", 0), 1);
    assert_string_equal(string_pool_text(pool, 2), "abc");
    assert_false(string_pool_failed(pool));
    string_pool_free(pool);
}

/* One of each length, some longer than a block, and a part of one. */
static void test_arena(void **state)
{
    static char text[200001];
    struct string_arena arena = {.blocks = NULL};
    const char *copies[600];

    memset(text, 'x', sizeof(text) - 1);
    for (size_t i = 0; i < 600; i++) {
        size_t len = i % 100 == 99 ? sizeof(text) - 1 - i : i;
        copies[i] = string_arena_add(&arena, text, len);
        assert_non_null(copies[i]);
    }
    for (size_t i = 0; i < 600; i++)
        assert_int_equal(strlen(copies[i]), i % 100 == 99 ? sizeof(text) - 1 - i : i);
    string_arena_free(&arena);
    assert_null(arena.blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_once),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_arena),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
