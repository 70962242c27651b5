/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best name of several, code in RAM, and veneers that a real linker made. */
#include "unit.h"

#include "symbol_checks.h"

#define RAM 0x20000000

static void has(const struct symtab *t, const char *name)
{
    if (!named(t, name))
        fail_msg("there is no function %s", name);
}

static void has_not(const struct symtab *t, const char *name)
{
    if (named(t, name))
        fail_msg("there is a function %s", name);
}

/* Of two global names with a size, the one that the source gives to the function. */
static void check_aliases(const struct symtab *t, bool debug)
{
    if (debug) {
        has(t, "zz_the_function");
        has_not(t, "aa_alias");
        has(t, "_with_underscore");
        has_not(t, "without");
    } else {
        has(t, "aa_alias"); /* the shorter one */
        has_not(t, "zz_the_function");
        has(t, "without");
        has_not(t, "_with_underscore");
    }
    /* A name of that form that is no linker's stays. */
    has(t, "__user_veneer");
    has(t, "__local_veneer");
}

static void check_ram(struct symtab *t)
{
    const struct symtab_function *f = named(t, "ram_function");
    struct symtab_line line;
    size_t count;
    const struct symtab_segment *s = symtab_segments(t, &count);

    /* Where it runs, not where it is loaded from. */
    assert_non_null(f);
    assert_in_range(f->addr, RAM, RAM + 64);
    assert_true(f->size > 4 && f->size < 64);
    assert_ptr_equal(symtab_find(t, f->addr + f->size - 1), f);
    assert_true(symtab_is_code(t, f->addr));
    if (symtab_find_line(t, f->addr, &line))
        assert_non_null(strstr(line.file, "symbol_veneers.c"));
    for (size_t i = 0; i < count; i++)
        assert_false(f->addr - s[i].addr < s[i].len);
}

static void thumb_2(void **state)
{
    static const char *const files[] = {"veneers.elf", "veneers_be8.elf", "veneers_plain.elf"};

    for (size_t i = 0; SYMBOL_ARM && i < 3; i++) {
        struct symtab *t = load(files[i]);
        struct symtab_line line;
        check_aliases(t, i < 2);
        check_ram(t);
        has(t, "ram_function [veneer]");
        has_not(t, "__ram_function_veneer");
        assert_true(named(t, "ram_function [veneer]")->addr < RAM);
        assert_int_equal(symtab_elf(t)->big_endian, i == 1);
        assert_int_equal(symtab_find_line(t, named(t, "Reset_Handler")->addr, &line), i < 2);
        symtab_free(t);
    }
}

/* Arm and Thumb in one program, as on an ARM7. */
static void interworking(void **state)
{
    if (!SYMBOL_ARM)
        return;
    struct symtab *t = load("veneers_arm7.elf");
    check_aliases(t, true);
    check_ram(t);
    has(t, "ram_function [veneer]");
    has(t, "arm_function");
    has(t, "arm_function [veneer]");
    has_not(t, "__arm_function_from_thumb");
    symtab_free(t);
}

/* 64 bits, and 32 bits of another machine. */
static void other_machines(void **state)
{
    struct symtab *t = load("veneers_native.elf");
    check_aliases(t, true);
    assert_int_equal(symtab_elf(t)->addr_size, sizeof(void *));
    symtab_free(t);
    for (unsigned bits = 32; SYMBOL_RISCV && bits <= 64; bits += 32) {
        char name[32];
        snprintf(name, sizeof(name), "veneers_rv%u.elf", bits);
        t = load(name);
        check_aliases(t, true);
        assert_int_equal(symtab_elf(t)->addr_size, bits / 8);
        assert_string_equal(symtab_elf(t)->arch, "riscv");
        assert_false(symtab_elf(t)->big_endian);
        symtab_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thumb_2),
        cmocka_unit_test(interworking),
        cmocka_unit_test(other_machines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
