/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chains of inlined functions, each as binutils' addr2line has it. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>

#include "symbol_checks.h"
#include "unit.h"

/* What addr2line says of one address: names and lines, the innermost first. */
struct chain {
    char names[SYMTAB_INLINED_MAX + 1][64];
    unsigned lines[SYMTAB_INLINED_MAX + 1];
    size_t count;
};

static struct chain ask(const char *path, uint64_t addr)
{
    struct chain chain = {.count = 0};
    char command[400], name[64], place[400];

    snprintf(command, sizeof(command), "addr2line -f -i -e %s 0x%" PRIx64, path, addr);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (chain.count <= SYMTAB_INLINED_MAX && fscanf(pipe, "%63s %399[^\n]", name, place) == 2) {
        const char *colon = strrchr(place, ':');
        snprintf(chain.names[chain.count], sizeof(name), "%s", name);
        chain.lines[chain.count++] = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
    }
    assert_int_equal(pclose(pipe), 0);
    return chain;
}

static size_t check_chain(struct symtab *symtab, const char *path, const struct symtab_function *f,
                          uint64_t addr)
{
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    struct chain chain = ask(path, addr);
    size_t count = symtab_find_inlined(symtab, addr, frames, SYMTAB_INLINED_MAX);

    if (count + 1 != chain.count)
        fail_msg("%s 0x%" PRIx64 ": %zu, not %zu", path, addr, count + 1, chain.count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(frames[i].name, chain.names[i]);
        assert_int_equal(frames[i].call_line, chain.lines[i + 1]);
        assert_non_null(strstr(frames[i].file, "/symbol_"));
        assert_string_equal(frames[i].file, frames[i].call_file);
        assert_true(frames[i].line > 0);
    }
    /* addr2line names the function, without the part of it. */
    assert_int_equal(strncmp(f->name, chain.names[count], strcspn(f->name, ".")), 0);
    return count;
}

static void check_file(const char *name, unsigned step, size_t depth_wanted)
{
    struct symtab *symtab = load(name);
    size_t count, deepest = 0, dropped = 0;
    char path[300];

    snprintf(path, sizeof(path), "%s/%s", SYMBOL_FILES, name);
    const struct symtab_function *all = symtab_functions(symtab, &count);
    for (size_t i = 0; i < count; i++) {
        dropped += strcmp(all[i].name, "dropped") == 0;
        for (uint64_t addr = all[i].addr; addr < all[i].addr + all[i].size; addr += step) {
            size_t depth = check_chain(symtab, path, &all[i], addr);
            deepest = depth > deepest ? depth : deepest;
        }
    }
    assert_int_equal(dropped, 0);
    assert_int_equal(deepest, depth_wanted);
    symtab_free(symtab);
}

/* There, addr2line names functions that the linker dropped: so the same program elsewhere tells. */
static void check_at_zero(const char *zero, const char *elsewhere)
{
    struct symtab *at_0 = load(zero), *at_8000 = load(elsewhere);
    struct symtab_inlined a[SYMTAB_INLINED_MAX], b[SYMTAB_INLINED_MAX];
    size_t found = 0;

    for (uint64_t addr = 0; addr < 0x100; addr += 2) {
        size_t count = symtab_find_inlined(at_0, addr, a, SYMTAB_INLINED_MAX);
        assert_int_equal(count, symtab_find_inlined(at_8000, 0x8000 + addr, b, SYMTAB_INLINED_MAX));
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(a[i].name, b[i].name);
            assert_int_equal(a[i].call_line, b[i].call_line);
        }
        found += count;
    }
    assert_true(found > 10);
    symtab_free(at_0);
    symtab_free(at_8000);
}

static void test_native(void **state)
{
    check_file("native4.elf", 1, 3);
    check_file("native5.elf", 1, 3);
}

/* A part of a function that the compiler puts elsewhere: the chain of calls is the same. */
static void test_cold(void **state)
{
    static const char *const names[] = {"cold4.elf", "cold5.elf"};

    for (size_t n = 0; n < 2; n++) {
        struct symtab *symtab = load(names[n]);
        struct symtab_inlined frames[SYMTAB_INLINED_MAX];
        size_t count;
        const struct symtab_function *all = symtab_functions(symtab, &count);
        for (size_t i = 0; i < count; i++)
            if (strcmp(all[i].name, "cold_user.cold") == 0)
                assert_int_equal(symtab_find_inlined(symtab, all[i].addr, frames, 16), 2);
        symtab_free(symtab);
        check_file(names[n], 1, 2);
    }
}

static void test_arm(void **state)
{
    if (!SYMBOL_ARM)
        skip();
    check_file("arm4_8000.elf", 2, 3);
    check_file("arm5_8000.elf", 2, 3);
    check_at_zero("arm4_0.elf", "arm4_8000.elf");
    check_at_zero("arm5_0.elf", "arm5_8000.elf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_cold),
        cmocka_unit_test(test_arm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
