/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How functions get their parameters, by debug information of several compilers and cores. */
#include "unit.h"

#include <trace/arguments.h>

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

/* Of each function with a structure that is described; the same order in all. */
static const char *const with_structures[] = {"structure", "structures", "nesting",    "widths",
                                              "floats",    "unions",     "precisions", "too_many",
                                              "distant",   "pointed"};

static void assert_layouts(struct symtab *t, const char *const *expected)
{
    struct symtab_parameters p;

    for (size_t i = 0; i < COUNT(with_structures); i++) {
        bool known = symtab_find_parameters(t, the(t, with_structures[i])->addr, &p);
        assert_int_equal(known, expected[i] != NULL);
        if (known)
            assert_string_equal(p.layout.text, expected[i]);
        if (known && p.layout.text[0]) /* a trace file may have it */
            assert_true(trace_layout_is_good(p.layout.text));
    }
    assert_true(symtab_find_parameters(t, the(t, "structures")->addr, &p));
    assert_int_equal(p.layout.count, 8);
    assert_int_equal(p.layout.types[0].kind, SYMTAB_TYPE_PLAIN);
    assert_int_equal(p.layout.types[1].kind, SYMTAB_TYPE_ENUM);
    assert_int_equal(p.layout.types[3].kind, SYMTAB_TYPE_STRING);
    assert_true(symtab_find_parameters(t, the(t, "named")->addr, &p));
    assert_string_equal(p.layout.text, "");
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

#define MEASURED  "{length:{one:r4@0two:{x:r4@0y:r4@4}}scale:r4@8}i4"
#define PRECISION "{low:r4@0high:r8@0}i4"

/* By the registers of floats(), unions() and precisions(). */
#define LAYOUTS_OF_FLOATS(floats, unions, precisions) \
    "(=" floats "{x:r4@0y:r4@4z:r4@8}i4", "(=" unions MEASURED, "(=" precisions PRECISION

#define PAIR "first:i4@0second:i4@4third:i4@8"

/* What is in memory, and what a register of floating point values has, is not in those of integers.
 */
#define NATIVE_LAYOUTS(...)                                                                    \
    "(i4=mi4",                                                                                 \
        "(=r{x:i2@0sign:i4@4}i4=rf{name:p8@0value:r4@8other:r4@12}=r{number:i4@0letter:i1@0}", \
        "(=rr{small:{x:i2@0sign:i4@4}bytes:[:u1@8:u1@9:u1@10]a:u4@11.0.3b:u4@12.0.7}=mi4",     \
        "(i4=rr{count:i4@0total:i8@8}=mi4", __VA_ARGS__, "", "", "(p8*{x:i2@0sign:i4@4}p8i4"

/* clang does not say where the structure is that floats() gets, so nothing is known of it. */
static const char *const native[] = {NATIVE_LAYOUTS(LAYOUTS_OF_FLOATS("ff", "ff", "f"))},
                         *const native_clang[] = {NATIVE_LAYOUTS(NULL, NULL, "(=f" PRECISION)};

/* A value of 8 bytes begins in a register with an even number. */
#define ARM_LAYOUTS(...)                                                                       \
    "(i4=rrr{" PAIR "}i4",                                                                     \
        "(=r{x:i2@0sign:i1@2}i4=rrr{name:p4@0value:r4@4other:r4@8}=r{number:i4@0letter:u1@0}", \
        "(=rrr{small:{x:i2@0sign:i1@2}bytes:[:u1@4:u1@5:u1@6]a:u4@7.0.3b:u4@8.0.7}=rrr{" PAIR  \
        "}i1",                                                                                 \
        "(i4=errrr{count:i4@0total:i8@8}=rr{a:u1@0b:i4@1}i4", __VA_ARGS__, "", "",             \
        "(p4*{x:i2@0sign:i1@2}p4i4"

static const char *const arm_soft[] = {ARM_LAYOUTS(LAYOUTS_OF_FLOATS("rrr", "rrr", "err"))};

/* Floats of one size are in registers of their own; of a union, those of the largest member. */
static const char *const arm_hard[] = {ARM_LAYOUTS(LAYOUTS_OF_FLOATS("f", "f", "err"))};

/* Of a large one, a register has the address. */
static const char *const rv32[] = {
    "(i4=a{" PAIR "}i4",
    "(=rr{x:i2@0sign:i4@4}i4=a{name:p4@0value:r4@4other:r4@8}=r{number:i4@0letter:u1@0}",
    "(=a{small:{x:i2@0sign:i4@4}bytes:[:u1@8:u1@9:u1@10]a:u4@11.0.3b:u4@12.0.7}=a{" PAIR "}i4",
    "(i4=a{count:i4@0total:i8@8}=rr{a:u1@0b:i4@1}i4",
    LAYOUTS_OF_FLOATS("a", "a", "rr"),
    "",
    "",
    "(p4*{x:i2@0sign:i4@4}p4i4"};

static void check_layouts(const char *name, const char *const *expected)
{
    struct symtab *t = load(name);

    assert_layouts(t, expected);
    symtab_free(t);
}

/* Of constants, of code and of variables, also those that are 0 at first. */
static void check_sections(const char *name)
{
    struct symtab *t = load(name);
    uint64_t addr, size;

    assert_true(symtab_object(t, "kept", &addr, &size));
    assert_true(symtab_has_section(t, addr) && symtab_has_section(t, addr + size - 1));
    assert_true(symtab_has_section(t, the(t, "none")->addr));
    assert_false(symtab_has_section(t, 0x10000000)); /* of a peripheral */
    assert_false(symtab_has_section(t, UINT64_MAX));
    symtab_free(t);
}

static void test_riscv(void **state)
{
    if (!SYMBOL_RISCV)
        skip();
    check_layouts("parameters_rv32.elf", rv32);
    check_sections("parameters_rv32.elf");
}

static void test_native(void **state)
{
    check_layouts("parameters.elf", native);
    check("parameters.elf", "(p8i4u4f8f4", "(u4i4p8i1p8", "(f8i4*");
}

static void test_clang(void **state)
{
    if (!SYMBOL_CLANG)
        skip();
    check_layouts("parameters_clang.elf", native_clang);
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
    check_layouts("parameters_soft.elf", arm_soft);
    check_layouts("parameters_hard.elf", arm_hard);
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
        cmocka_unit_test(test_riscv),
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_clang),
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_scoped),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_without_debug_information),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
