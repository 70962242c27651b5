/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing arrays: what is in them stays, and what cannot grow is left as it is. */
#include "unit.h"

#include <base/vec.h>

struct item {
    uint64_t number;
    char rest[5];
};

static void test_one_by_one(void **state)
{
    struct item *items = NULL;
    size_t capacity = 0, grown = 0;

    for (size_t count = 0; count < 100000; count++) {
        size_t before = capacity;
        assert_true(VEC_ROOM(items, capacity, count, 1));
        assert_true(capacity > count);
        grown += capacity != before;
        items[count] = (struct item){.number = count};
    }
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(items[i].number, i);
    assert_true(grown < 20);
    free(items);
}

static void test_many(void **state)
{
    uint16_t *items = NULL;
    size_t capacity = 0;

    assert_true(VEC_ROOM(items, capacity, 0, 0));
    assert_null(items);
    assert_true(VEC_ROOM(items, capacity, 0, 1000));
    assert_true(capacity >= 1000);
    items[999] = 7;
    assert_true(VEC_ROOM(items, capacity, 1000, 123456));
    assert_true(capacity >= 124456);
    assert_int_equal(items[999], 7);
    items[124455] = 8;
    size_t before = capacity;
    assert_true(VEC_ROOM(items, capacity, 0, 124456));
    assert_int_equal(capacity, before);
    free(items);
}

static bool no_memory;

void *__real_realloc(void *bytes, size_t size);
void *__wrap_realloc(void *bytes, size_t size);
void *__wrap_realloc(void *bytes, size_t size)
{
    return no_memory ? NULL : __real_realloc(bytes, size);
}

/* What no size_t can count, and what there is no memory for. */
static void test_too_many(void **state)
{
    static const size_t most = SIZE_MAX / sizeof(struct item);
    static const size_t wanted[] = {SIZE_MAX, SIZE_MAX - 3, SIZE_MAX / 2, most, most - 2, 100};
    struct item *items = NULL;
    size_t capacity = 0;

    assert_true(VEC_ROOM(items, capacity, 0, 3));
    items[2].number = 42;
    const struct item *before = items;
    size_t capacity_before = capacity;
    for (size_t i = 0; i < COUNT(wanted); i++) {
        no_memory = wanted[i] == 100;
        assert_false(VEC_ROOM(items, capacity, 3, wanted[i]));
        no_memory = false;
        assert_ptr_equal(items, before);
        assert_int_equal(capacity, capacity_before);
        assert_int_equal(items[2].number, 42);
    }
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_by_one),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
