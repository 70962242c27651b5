/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that are found by their types, on ELF files that the build made. */
#include "unit.h"

#include "counted.h"
#include "symbol_checks.h"

static struct symtab_table plain(const struct symtab *t, const char *name)
{
    struct symtab_table table;
    char text[400] = "";
    uint64_t addr;
    uint64_t size;

    if (symtab_find_table(t, name, &table, text, sizeof(text)) != SYMTAB_TABLE_HEADERLESS)
        fail_msg("%s: %s", name, text);
    if (symtab_object(t, name, &addr, &size)) {
        assert_int_equal(table.addr, addr);
        assert_int_equal(table.size, size);
    }
    return table;
}

static void is(const struct symtab *t, const char *name, enum symtab_table_kind kind,
               const char *word)
{
    struct symtab_table table;
    char text[400] = "";

    assert_int_equal(symtab_find_table(t, name, &table, text, sizeof(text)), kind);
    if (!strstr(text, word))
        fail_msg("\"%s\" does not speak of \"%s\"", text, word);
    assert_null(strchr(text, '\n'));
}

/* w: bytes of an address. */
static void check_shapes(const struct symtab *t, unsigned w)
{
    struct symtab_table a = plain(t, "snake_prof");
    unsigned row = w == 8 ? 16 : 12;

    assert_int_equal(a.offset, 8);
    assert_int_equal(a.count, 30);
    assert_int_equal(a.stride, row);
    assert_int_equal(a.addr_offset, 0);
    assert_int_equal(a.addr_size, w);
    assert_int_equal(a.hits_offset, w);
    assert_int_equal(a.hits_size, 4);
    assert_false(a.indirect);

    a = plain(t, "camelProf");
    assert_int_equal(a.offset, 16);
    assert_int_equal(a.count, 20);
    assert_int_equal(a.stride, 8 + w);
    assert_int_equal(a.addr_offset, 8);
    assert_int_equal(a.addr_size, w);
    assert_int_equal(a.hits_offset, 4);
    assert_int_equal(a.hits_size, 2);

    a = plain(t, "bare_items");
    assert_int_equal(a.offset, 0);
    assert_int_equal(a.count, 7);

    a = plain(t, "pointed_prof");
    assert_true(a.indirect);
    assert_int_equal(a.offset, 8);
    assert_int_equal(a.count, 30);

    a = plain(t, "choosy_prof");
    assert_int_equal(a.count, 2);
    assert_int_equal(a.addr_size, 8); /* addr before pc */
    assert_int_equal(a.hits_offset, 8);
    assert_int_equal(a.hits_size, 1);

    a = plain(t, "hidden_prof");
    assert_int_not_equal(a.addr, plain(t, "snake_prof").addr);
    assert_int_equal(a.count, 30);
    assert_int_equal(a.size, plain(t, "snake_prof").size);
    /* The linker dropped it, or nobody has its name any more. */
    is(t, "dropped_prof", SYMTAB_TABLE_UNKNOWN, "-g");
}

static void check_open(const struct symtab *t, unsigned w)
{
    struct symtab_table a = plain(t, "open_prof");

    assert_int_equal(a.offset, w);
    assert_int_equal(a.count, 3);
}

static struct symtab_table ring(const struct symtab *t, const char *name)
{
    struct symtab_table table;
    char text[400] = "";

    assert_int_equal(symtab_find_table(t, name, &table, text, sizeof(text)), SYMTAB_TABLE_RING);
    assert_false(table.indirect);
    return table;
}

static void is_member(const struct symtab_member *m, unsigned offset, unsigned size)
{
    assert_int_equal(m->size, size);
    assert_int_equal(m->offset, offset);
}

static void check_rings(const struct symtab *t, unsigned w)
{
    struct symtab_table a = ring(t, "calls_ring");

    assert_int_equal(a.count, 5);
    assert_int_equal(a.offset, w);
    assert_int_equal(a.stride, 8 + 5 * w);
    is_member(&a.time, 4, 4);
    is_member(&a.caller, 8, w); /* from before call_site */
    assert_int_equal(a.argument_count, 2);
    is_member(&a.arguments[0], 8 + 2 * w, 2);
    is_member(&a.arguments[1], 8 + 3 * w, w);
    is_member(&a.callee, 8 + 4 * w, w);
    a = ring(t, "bare_ring");
    assert_int_equal(a.count, 3);
    assert_int_equal(a.offset, 0);
    assert_int_equal(a.stride, 8 + 8 * w);
    is_member(&a.callee, 0, w);
    is_member(&a.caller, w, w);
    is_member(&a.time, a.time.offset, 0); /* too short, and arg0 is no word */
    assert_int_equal(a.argument_count, SYMTAB_RECORD_ARGUMENTS);
    is_member(&a.arguments[3], 8 + 5 * w, w);
    is(t, "half_ring", SYMTAB_TABLE_OTHER, "call_site");
}

static void check_others(const struct symtab *t)
{
    is(t, "own_prof", SYMTAB_TABLE_STUB, "");
    is(t, "bad_prof", SYMTAB_TABLE_OTHER, "(struct bad)");
    is(t, "bad_prof", SYMTAB_TABLE_OTHER, "hit_cnt");
    is(t, "other_object", SYMTAB_TABLE_OTHER, "'other_object' is not a table of hits");
    is(t, "unknown_pointer", SYMTAB_TABLE_OTHER, "'unknown_pointer' (struct unknown)");
    is(t, "unknown_prof", SYMTAB_TABLE_UNKNOWN, "-g");
    is(t, "nobody", SYMTAB_TABLE_UNKNOWN, "'nobody'");
    is(t, "_start", SYMTAB_TABLE_UNKNOWN, "-g");
}

static void shapes(void **state)
{
    static const struct {
        const char *name;
        unsigned width;
        bool there;
    } files[] = {
        {"tables.elf", sizeof(void *), true}, {"tables_2.elf", sizeof(void *), true},
        {"tables_pie", sizeof(void *), true}, {"tables_packed.elf", sizeof(void *), true},
        {"tables_arm.elf", 4, SYMBOL_ARM},    {"tables_be8.elf", 4, SYMBOL_ARM},
        {"tables_rv64.elf", 8, SYMBOL_RISCV},
    };

    for (size_t i = 0; i < COUNT(files); i++) {
        if (!files[i].there)
            continue;
        struct symtab *t = load(files[i].name);
        check_shapes(t, files[i].width);
        check_open(t, files[i].width);
        check_rings(t, files[i].width);
        check_others(t);
        symtab_free(t);
    }
}

/* Lines and tables do not get in each other's way. */
static void beside_lines(void **state)
{
    struct symtab_line line;
    struct symtab *t = load("tables_packed.elf");
    const struct symtab_function *f;
    size_t count;

    f = symtab_functions(t, &count);
    assert_true(count > 0);
    plain(t, "snake_prof");
    assert_true(symtab_find_line(t, f[0].addr, &line));
    plain(t, "snake_prof");
    symtab_free(t);
}

static void moved(void **state)
{
    struct symtab *t = load("tables_pie");
    struct symtab_table before = plain(t, "hidden_prof");
    char text[400];
    uint64_t entry = the(t, "_start")->addr;

    assert_true(symtab_is_code(t, entry));
    assert_int_equal(symtab_relocate(t, entry + 0x10000, text, sizeof(text)), SYMTAB_OK);
    assert_int_equal(plain(t, "hidden_prof").addr, before.addr + 0x10000);
    assert_true(symtab_is_code(t, entry + 0x10000));
    assert_false(symtab_is_code(t, entry));
    assert_false(symtab_is_code(t, plain(t, "snake_prof").addr));
    symtab_free(t);
}

static void without_types(void **state)
{
    struct symtab *t = load("tables_plain.elf");
    uint64_t addr;
    uint64_t size;

    assert_true(symtab_object(t, "snake_prof", &addr, &size));
    is(t, "snake_prof", SYMTAB_TABLE_UNKNOWN, "compile it with -g");
    symtab_free(t);
}

/* A row is whole within the object, whatever the debug information says. */
static void ask(const struct symtab *t, const char *name)
{
    struct symtab_table a;
    char text[400];

    if (symtab_find_table(t, name, &a, text, sizeof(text)) != SYMTAB_TABLE_HEADERLESS)
        return;
    assert_true(a.count > 0 && a.stride > 0);
    assert_in_range(a.addr_size, 1, 8);
    assert_in_range(a.hits_size, 1, 8);
    assert_true(a.addr_offset + a.addr_size <= a.stride);
    assert_true(a.hits_offset + a.hits_size <= a.stride);
    if (a.size != 0 && !a.indirect)
        assert_true(a.offset + a.count * a.stride <= a.size);
}

static void ask_all(const char *path)
{
    static const char *const names[] = {"snake_prof",   "camelProf",   "bare_items", "open_prof",
                                        "pointed_prof", "choosy_prof", "bad_prof",   "hidden_prof"};
    struct symtab *t = NULL;
    char text[600];

    if (symtab_load(path, &t, text, sizeof(text)) != SYMTAB_OK)
        return;
    for (size_t i = 0; i < COUNT(names); i++)
        ask(t, names[i]);
    symtab_free(t);
}

static size_t runs; /* of damaged() */

/* Debug information that is wrong is refused or read, and ends. */
static void damaged(void **state)
{
    struct elf_copy *copy = copy_of("tables_2.elf");
    uint32_t random = 20241121;

    runs = getenv("MPROF_SOAK") ? 30000 : 1000;
    for (size_t i = 0; i < runs; i++) {
        uint8_t *at;
        do {
            random = random * 1664525U + 1013904223U;
            at = &copy->bytes[0x1000 + (random >> 8) % (copy->len - 0x1000)];
        } while (*at == 0);
        uint8_t old = *at;
        *at = (uint8_t)(random >> 3);
        write_copy(copy, copy->len);
        ask_all(copy->path);
        *at = old;
    }
    free_copy(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),        cmocka_unit_test(beside_lines), cmocka_unit_test(moved),
        cmocka_unit_test(without_types), cmocka_unit_test(damaged),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, runs, "damaged files");
}
