/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How functions get their parameters, by debug information of several compilers and cores. */
#include "unit.h"

#include "symbol_checks.h"

/* NULL: not known. */
static void assert_parameters(struct symtab *t, const char *function, const char *expected)
{
    struct symtab_parameters p;
    const struct symtab_function *f = the(t, function);

    assert_int_equal(symtab_find_parameters(t, f->addr, &p), expected != NULL);
    if (expected)
        assert_string_equal(p.text, expected);
    assert_false(symtab_find_parameters(t, f->addr + 2, &p));
}

/* A letter for each type: plain, Bool, Char, String, Enumeration. */
static struct symtab_parameters assert_types(struct symtab *t, const char *function,
                                             const char *expected)
{
    static const char letters[] = "pbcse";
    struct symtab_parameters p;

    assert_true(symtab_find_parameters(t, the(t, function)->addr, &p));
    for (size_t i = 0; expected[i]; i++)
        assert_int_equal(letters[p.types[i].kind], expected[i]);
    return p;
}

/* NULL: the value has no name. */
static void assert_value(struct symtab *t, const struct symtab_parameters *p, unsigned parameter,
                         uint64_t value, const char *expected)
{
    unsigned size = (unsigned)(p->text[2 + 2 * parameter] - '0');
    uint64_t addr = the(t, "named")->addr;
    char text[40];

    assert_int_equal(
        symtab_find_enumerator(t, addr, &p->types[parameter], value, size, text, sizeof(text)),
        expected != NULL);
    if (expected)
        assert_string_equal(text, expected);
    assert_false(symtab_find_enumerator(t, addr, &p->types[parameter], value, size, text, 4));
}

static void check_types(struct symtab *t)
{
    assert_types(t, "numbers", "ppppb");
    assert_types(t, "others", "pee");
    struct symtab_parameters p = assert_types(t, "named", "eescp");
    assert_value(t, &p, 0, 0, "NONE");
    assert_value(t, &p, 0, 8, "EXECUTE");
    assert_value(t, &p, 0, 3, "BOTH");
    assert_value(t, &p, 0, 11, "READ|WRITE|EXECUTE");
    assert_value(t, &p, 0, 0x41, "READ|0x40");
    assert_value(t, &p, 0, 4, NULL);
    assert_value(t, &p, 1, 0x7fffffff, "HUGE");
    assert_value(t, &p, 1, 0xfffffffb, "LAST");
    assert_value(t, &p, 1, UINT64_MAX - 4, "LAST");
    assert_value(t, &p, 1, 1, NULL);
    assert_value(t, &p, 2, 0, NULL);
}

static void check(const char *name, const char *others, const char *named, const char *variable)
{
    struct symtab *t = load(name);

    assert_parameters(t, "none", "(");
    assert_parameters(t, "numbers", "(i1u2i4u8u1");
    assert_parameters(t, "others", others);
    assert_parameters(t, "named", named);
    check_types(t);
    assert_parameters(t, "structure", "(i4*");
    assert_parameters(t, "variable", variable);
    assert_parameters(t, "large", NULL);
    symtab_free(t);
}

static void test_native(void **state)
{
    check("parameters.elf", "(p8i4u4f8f4", "(u4i4p8i1p8", "(f8i4*");
}

static void test_clang(void **state)
{
    if (!SYMBOL_CLANG)
        skip();
    check("parameters_clang.elf", "(p8i4u4f8f4", "(u4i4p8i1p8", "(f8i4*");
    struct symtab *t = load("parameters_clang.elf");
    assert_parameters(t, "unused", NULL);
    symtab_free(t);
}

/* Enumerations are as small as they can be. */
static void test_arm(void **state)
{
    if (!SYMBOL_ARM)
        skip();
    check("parameters_soft.elf", "(p4i1u1r8r4", "(u1i4p4u1p4", "(r8i4*");
    check("parameters_hard.elf", "(p4i1u1f8f4", "(u1i4p4u1p4", "(r8i4*");
}

static void test_scoped(void **state)
{
    struct symtab *t = load("parameters_scoped.elf");
    struct symtab_parameters p = assert_types(t, "paint", "e");
    uint64_t addr = the(t, "paint")->addr;
    char text[40];

    assert_true(symtab_find_enumerator(t, addr, &p.types[0], 4, 1, text, sizeof(text)));
    assert_string_equal(text, "Color::BLUE");
    assert_false(symtab_find_enumerator(t, addr, &p.types[0], 2, 1, text, sizeof(text)));
    symtab_free(t);
}

/* Addresses of objects and of constant bytes. */
static void test_addresses(void **state)
{
    struct symtab *t = load("parameters.elf");
    struct symtab_data data;
    uint64_t addr, size;
    size_t len;

    assert_true(symtab_object(t, "kept", &addr, &size));
    assert_true(symtab_find_data(t, addr + size - 1, &data));
    assert_string_equal(data.name, "kept");
    assert_true(data.addr == addr && data.size == size);
    assert_false(symtab_find_data(t, 16, &data));
    assert_null(symtab_constant(t, addr, &len));
    assert_non_null(symtab_constant(t, the(t, "none")->addr, &len));
    assert_true(len >= the(t, "none")->size);
    symtab_free(t);
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
        cmocka_unit_test(test_native),    cmocka_unit_test(test_clang),
        cmocka_unit_test(test_arm),       cmocka_unit_test(test_scoped),
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_without_debug_information),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
