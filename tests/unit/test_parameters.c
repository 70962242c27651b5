/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How functions get their parameters, by debug information of several compilers and cores. */
#include "unit.h"

#include "symbol_checks.h"

/* NULL: not known. */
static void assert_parameters(struct symtab *t, const char *function, const char *expected)
{
    char text[SYMTAB_PARAMETERS];
    const struct symtab_function *f = the(t, function);

    assert_int_equal(symtab_find_parameters(t, f->addr, text), expected != NULL);
    if (expected)
        assert_string_equal(text, expected);
    assert_false(symtab_find_parameters(t, f->addr + 2, text));
}

static void check(const char *name, const char *others, const char *variable)
{
    struct symtab *t = load(name);

    assert_parameters(t, "none", "(");
    assert_parameters(t, "numbers", "(i1u2i4u8u1");
    assert_parameters(t, "others", others);
    assert_parameters(t, "structure", "(i4*");
    assert_parameters(t, "variable", variable);
    assert_parameters(t, "large", NULL);
    symtab_free(t);
}

static void test_native(void **state)
{
    check("parameters.elf", "(p8i4u4f8f4", "(f8i4*");
}

static void test_clang(void **state)
{
    if (!SYMBOL_CLANG)
        skip();
    check("parameters_clang.elf", "(p8i4u4f8f4", "(f8i4*");
    struct symtab *t = load("parameters_clang.elf");
    assert_parameters(t, "unused", NULL);
    symtab_free(t);
}

/* Enumerations are as small as they can be. */
static void test_arm(void **state)
{
    if (!SYMBOL_ARM)
        skip();
    check("parameters_soft.elf", "(p4i1u1r8r4", "(r8i4*");
    check("parameters_hard.elf", "(p4i1u1f8f4", "(r8i4*");
}

static void test_without_debug_information(void **state)
{
    struct symtab *t = load("parameters_plain.elf");

    assert_parameters(t, "none", NULL);
    symtab_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_clang),
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_without_debug_information),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
