/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ and Rust: what they mean, and that no name takes long or writes too much. */
#include <inttypes.h>

#include "unit.h"

#include <names/demangle.h>

#include "symbol_checks.h"

#define HASH "17h0123456789abcdefE"

static const struct {
    const char *symbol, *name, *full;
} known[] = {
    {"_Z3fooi", "foo", "foo(int)"},
    {"_ZN2ns3fooIiEEvT_", "ns::foo<int>", "void ns::foo<int>(int)"},
    {"_Z3fooi.constprop.0", "foo [clone .constprop.0]", "foo(int) [clone .constprop.0]"},
    {"_Z3foov.cold", "foo [clone .cold]", "foo() [clone .cold]"},
    {"_ZN12_GLOBAL__N_13barEv", "(anonymous namespace)::bar", "(anonymous namespace)::bar()"},
    {"_ZN1AC1Ev", "A::A", "A::A()"},
    {"_Znwm", "operator new", "operator new(unsigned long)"},
    {"_Z6taggedB3twoi", "tagged[abi:two]", "tagged[abi:two](int)"},
    {"_ZZ4mainENKUlT_E_clIiEEDaS_", "main::{lambda(auto:1)#1}::operator()<int>", NULL},
    {"_ZN4core3fmt9Formatter3pad" HASH, "core::fmt::Formatter::pad", "core::fmt::Formatter::pad"},
    {"_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$" HASH,
     "core::ptr::drop_in_place<alloc::string::String>", NULL},
    {"_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo"},
    {"_RNvNtCs1234_7mycrate3bar3baz", "mycrate::bar::baz", NULL},
};

static void means(void **state)
{
    char text[DEMANGLE_MAX];

    for (size_t i = 0; i < COUNT(known); i++) {
        if (!demangle(known[i].symbol, false, text))
            fail_msg("%s is not known", known[i].symbol);
        assert_string_equal(text, known[i].name);
        assert_true(demangle(known[i].symbol, true, text));
        if (known[i].full)
            assert_string_equal(text, known[i].full);
    }
}

static void stands_for_itself(void **state)
{
    static const char *const plain[] = {"",   "_",       "main",      "_start",
                                        "_Z", "__ZNoNo", "_Zimmer-7", "_Reset",
                                        "_R", "$x",      "_Z.cold",   "_ZN"};
    char text[DEMANGLE_MAX];

    for (size_t i = 0; i < COUNT(plain); i++)
        if (demangle(plain[i], false, text))
            fail_msg("%s is taken for %s", plain[i], text);
}

/* pair<pair<..., ...>, pair<..., ...>>: each level doubles it. */
static void make_doubling(char *symbol, size_t capacity, int levels)
{
    static const char digits[] = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t used = (size_t)snprintf(symbol, capacity, "_Z1fISt4pairIiiE");

    for (int i = 0; i < levels; i++)
        used +=
            (size_t)snprintf(symbol + used, capacity - used, "S0_IS%c_S%c_E", digits[i], digits[i]);
    snprintf(symbol + used, capacity - used, "EvT_");
}

static void does_not_explode(void **state)
{
    char symbol[1000], text[DEMANGLE_MAX];

    make_doubling(symbol, sizeof(symbol), 2);
    assert_true(demangle(symbol, false, text));
    assert_int_equal(strncmp(text, "f<std::pair<int, int>, std::pair<std::pair<", 43), 0);
    make_doubling(symbol, sizeof(symbol), 34);
    for (int parameters = 0; parameters < 2; parameters++) {
        assert_true(demangle(symbol, parameters, text));
        assert_int_equal(strlen(text), DEMANGLE_MAX - 1);
        assert_string_equal(text + DEMANGLE_MAX - 4, "...");
    }
}

static void long_ones(void **state)
{
    enum { LEN = 100000 };
    char *symbol = malloc(LEN + 1), text[DEMANGLE_MAX];
    static const char letters[] = "xIiSN1_R.";

    assert_non_null(symbol);
    for (const char *letter = letters; *letter; letter++) {
        for (size_t len = 100; len <= LEN; len *= 10) {
            memset(symbol, *letter, len);
            memcpy(symbol, "_Z1fI", 5);
            symbol[len] = '\0';
            if (demangle(symbol, true, text))
                assert_true(strlen(text) < DEMANGLE_MAX);
        }
    }
    free(symbol);
}

/* Any byte at any place. */
static void damaged_ones(void **state)
{
    char symbol[200], text[DEMANGLE_MAX];

    for (size_t i = 0; i < COUNT(known); i++) {
        for (size_t at = 2; at < strlen(known[i].symbol); at++) {
            for (int byte = 0; byte < 256; byte++) {
                snprintf(symbol, sizeof(symbol), "%s", known[i].symbol);
                symbol[at] = (char)byte;
                if (demangle(symbol, true, text))
                    assert_true(strlen(text) < DEMANGLE_MAX);
            }
        }
    }
}

/* In its function, the inlined one, and the one inlined in that. */
static void check_inlined(struct symtab *t)
{
    const struct symtab_function *f = named(t, "plain");
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    size_t found = 0;

    assert_non_null(f);
    for (uint64_t at = 0; at < f->size; at++) {
        size_t count = symtab_find_inlined(t, f->addr + at, frames, SYMTAB_INLINED_MAX);
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(frames[i].name, "outer::in_line");
            assert_non_null(strstr(frames[i].call_file, "symbol_cpp.cc"));
            found++;
        }
    }
    assert_true(found > 0);
}

static void of_a_program(void **state)
{
    static const struct {
        const char *name, *symbol;
    } wanted[] = {
        {"outer::over(int)", "_ZN5outer4overEi"},
        {"outer::over(unsigned long)", "_ZN5outer4overEm"},
        {"outer::single", "_ZN5outer6singleEPKc"},
        {"outer::tagged[abi:two]", "_ZN5outer6taggedB3twoEi"},
        {"outer::Box<int>::get", "_ZNK5outer3BoxIiE3getEi"},
        {"outer::(anonymous namespace)::hidden", "_ZN5outer12_GLOBAL__N_16hiddenEi"},
        {"plain", NULL},
    };

    if (!SYMBOL_ARM)
        skip();
    struct symtab *t = load("cpp.elf");
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct symtab_function *f = named(t, wanted[i].name);
        if (!f)
            fail_msg("there is no %s", wanted[i].name);
        if (wanted[i].symbol)
            assert_string_equal(f->symbol, wanted[i].symbol);
        else
            assert_null(f->symbol);
    }
    check_inlined(t);
    symtab_free(t);
}

/* This program itself calls a shared library. */
static void stubs(void **state)
{
#if defined(__x86_64__)
    struct symtab *t = load("/proc/self/exe");
    const struct symtab_function *f = named(t, "getppid@plt");
    assert_non_null(f);
    assert_true(f->size == 8 || f->size == 16);
    assert_ptr_equal(symtab_find(t, f->addr + f->size - 1), f);
    assert_true(symtab_is_code(t, f->addr));
    symtab_free(t);
#endif
}

int getppid(void);

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means),        cmocka_unit_test(stands_for_itself),
        cmocka_unit_test(long_ones),    cmocka_unit_test(does_not_explode),
        cmocka_unit_test(damaged_ones), cmocka_unit_test(of_a_program),
        cmocka_unit_test(stubs),
    };

    return getppid() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
