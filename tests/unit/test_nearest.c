/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which name is nearest to a word, and when none is. */
#include "unit.h"

#include <base/nearest.h>

/* Offers the names, which end with NULL. */
static const char *nearest_of(const char *typed, const char *const *names)
{
    struct nearest n;

    nearest_begin(&n, typed, strlen(typed));
    for (; *names; names++)
        nearest_offer(&n, *names);
    return n.name;
}

static void test_one_mistake(void **state)
{
    static const char *const verbs[] = {"top", "stat", "report", "annotate", "export", NULL};

    assert_string_equal(nearest_of("tpo", verbs), "top");   /* swapped */
    assert_string_equal(nearest_of("tops", verbs), "top");  /* one more */
    assert_string_equal(nearest_of("tp", verbs), "top");    /* one less */
    assert_string_equal(nearest_of("tip", verbs), "top");   /* another */
    assert_string_equal(nearest_of("STAT", verbs), "stat"); /* capitals */
    assert_string_equal(nearest_of("anotat", verbs), "annotate");
}

static void test_far(void **state)
{
    static const char *const verbs[] = {"top", "stat", "report", NULL};

    assert_null(nearest_of("xyz", verbs));
    assert_null(nearest_of("pto", (const char *const[]){"tpx", NULL}));
    assert_null(nearest_of("t", verbs));
    assert_null(nearest_of("", verbs));
    /* A swap and its repair are two steps, however they are counted: ca to abc takes three. */
    assert_null(nearest_of("ca", (const char *const[]){"abc", NULL}));
}

static void test_ties(void **state)
{
    assert_string_equal(nearest_of("base", (const char *const[]){"vase", "case", NULL}), "vase");
    assert_string_equal(nearest_of("base", (const char *const[]){"vases", "case", NULL}), "case");
    assert_string_equal(nearest_of("base", (const char *const[]){"BASE", "base", NULL}), "BASE");
}

static void test_lengths(void **state)
{
    char name[NEAREST_MAX + 2], word[NEAREST_MAX + 2];
    struct nearest n;

    memset(name, 'a', sizeof(name));
    memset(word, 'a', sizeof(word));
    name[NEAREST_MAX] = word[NEAREST_MAX] = '\0';
    word[7] = 'b';
    nearest_begin(&n, word, NEAREST_MAX);
    nearest_offer(&n, NULL);
    nearest_offer(&n, "");
    assert_null(n.name);
    nearest_offer(&n, name);
    assert_ptr_equal(n.name, name);
    name[NEAREST_MAX] = word[NEAREST_MAX] = 'a';
    name[NEAREST_MAX + 1] = word[NEAREST_MAX + 1] = '\0';
    nearest_begin(&n, "aaa", 3);
    nearest_offer(&n, name);
    assert_null(n.name);
    nearest_begin(&n, word, NEAREST_MAX + 1);
    nearest_offer(&n, "aaa");
    assert_null(n.name);
}

static void test_hint(void **state)
{
    char text[NEAREST_HINT];
    struct nearest n;

    nearest_begin(&n, "elff=x", 4);
    assert_string_equal(nearest_hint(&n, "--", text, sizeof(text)), "");
    nearest_offer(&n, "elf");
    assert_string_equal(nearest_hint(&n, "--", text, sizeof(text)), "; did you mean '--elf'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_mistake), cmocka_unit_test(test_far),
        cmocka_unit_test(test_ties),        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_hint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
