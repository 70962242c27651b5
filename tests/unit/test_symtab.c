/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table on ELF files that the build made. */
#include "unit.h"

#include "symbol_checks.h"

#define EM_ARM    40
#define EM_X86_64 62

/* The index-th function of that name, NULL if there are fewer. */
static const struct symtab_function *nth(const struct symtab *t, const char *name, int index)
{
    size_t count;
    const struct symtab_function *f = symtab_functions(t, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(f[i].name, name) == 0 && index-- == 0)
            return &f[i];
    return NULL;
}

/* The bytes at [from, to) behind symbol_asm_use belong to that name, NULL: to none. */
static void owns(const struct symtab *t, uint64_t from, uint64_t to, const char *name)
{
    uint64_t base = the(t, "symbol_asm_use")->addr;
    const char *wanted = name ? name : "nothing";

    for (uint64_t at = from; at < to; at++) {
        const struct symtab_function *f = symtab_find(t, base + at);
        const char *got = f ? f->name : "nothing";
        if (strcmp(got, wanted) != 0)
            fail_msg("byte %u is of %s and not of %s", (unsigned)at, got, wanted);
    }
}

static void check_assembler(const struct symtab *t)
{
    static const char *const absent[] = {
        "asm_inside", "a_local", "asm_w", "__asm_a", "asm_global_too",
        "asm_table",  "$t",      "$d",    "$x",      "asm_code_end",
    };

    owns(t, 0, 16, "symbol_asm_use");
    owns(t, 16, 24, "asm_outer");
    owns(t, 24, 32, "asm_nested");
    owns(t, 32, 40, "asm_outer");
    owns(t, 40, 46, "asm_global");
    owns(t, 46, 48, NULL);
    owns(t, 48, 60, "asm_unsized");
    owns(t, 60, 64, NULL);
    owns(t, 64, 72, "asm_label");
    owns(t, 72, 80, "asm_label_local");
    owns(t, 80, 92, "asm_last");
    owns(t, 92, 93, NULL);
    assert_int_equal(the(t, "asm_outer")->size, 24);
    assert_int_equal(the(t, "asm_global")->size, 6);
    assert_int_equal(the(t, "asm_unsized")->size, 12);
    assert_int_equal(the(t, "asm_last")->size, 12);
    for (size_t i = 0; i < COUNT(absent); i++)
        assert_null(named(t, absent[i]));
}

static void check_c_functions(const struct symtab *t)
{
    assert_non_null(named(t, "symbol_sum"));
    assert_non_null(nth(t, "symbol_sum", 1));
    assert_null(nth(t, "symbol_sum", 2));
    /* GLOBAL before WEAK. */
    assert_non_null(named(t, "symbol_alias"));
    assert_null(named(t, "symbol_weak"));
}

/* Ordered, one per address, each found by its first and last byte. */
static void check_order(const struct symtab *t)
{
    size_t count;
    const struct symtab_function *f = symtab_functions(t, &count);

    assert_true(count > 8);
    for (size_t i = 0; i < count; i++) {
        assert_true(f[i].size != 0);
        assert_true(i == 0 || f[i - 1].addr < f[i].addr);
        assert_ptr_equal(symtab_find(t, f[i].addr), &f[i]);
        assert_ptr_equal(symtab_find(t, f[i].addr + f[i].size - 1), &f[i]);
    }
    assert_true(f[0].addr == 0 || !symtab_find(t, f[0].addr - 1));
    assert_null(symtab_find(t, UINT64_MAX));
}

/* The line of the source file on which that text stands for the first time. */
static unsigned line_of(const char *file, const char *text)
{
    char path[512];
    char line[512];
    unsigned number = 0;

    snprintf(path, sizeof(path), "%s/%s", SYMBOL_DATA, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof(line), f)) {
        number++;
        if (strstr(line, text))
            break;
    }
    fclose(f);
    return number;
}

static void begins_on(struct symtab *t, const struct symtab_function *f, const char *file,
                      const char *text)
{
    struct symtab_line line;

    assert_true(symtab_find_line(t, f->addr, &line));
    const char *slash = strrchr(line.file, '/');
    assert_string_equal(slash ? slash + 1 : line.file, file);
    /* gcc says the line of the brace, clang that of the name. */
    assert_in_range(line.line, line_of(file, text), line_of(file, text) + 1);
}

static void check_lines(struct symtab *t)
{
    struct symtab_line line;
    const struct symtab_function *first = named(t, "symbol_sum");
    const struct symtab_function *second = nth(t, "symbol_sum", 1);

    begins_on(t, first, "symbol_main.c", "int symbol_sum(int x)");
    begins_on(t, second, "symbol_other.c", "int symbol_sum(int x)");
    begins_on(t, the(t, "symbol_alias"), "symbol_main.c", "APART int symbol_weak(int x)");
    begins_on(t, the(t, "_start"), "symbol_main.c", "void _start(void)\n");
    begins_on(t, the(t, "symbol_other"), "symbol_other.c",
              "__attribute__((noinline)) int symbol_o");
    assert_false(symtab_find_line(t, UINT64_MAX, &line));
    /* Data has no line, and what is behind the last instruction has none either. */
    assert_false(symtab_find_line(t, the(t, "asm_last")->addr + 12, &line));
}

/* Every instruction of a function is on one of its lines. */
static void stays_on(struct symtab *t, const struct symtab_function *f, unsigned from, unsigned to)
{
    struct symtab_line line;

    for (uint64_t at = 0; at + 4 < f->size; at += 2) {
        assert_true(symtab_find_line(t, f->addr + at, &line));
        if (line.line < from || line.line > to)
            fail_msg("%s+%u is on line %u", f->name, (unsigned)at, line.line);
    }
}

static void check_bodies(struct symtab *t)
{
    unsigned weak = line_of("symbol_main.c", "APART int symbol_weak");

    stays_on(t, named(t, "symbol_sum"), line_of("symbol_main.c", "int symbol_sum(int x)"),
             weak - 2);
    stays_on(t, the(t, "symbol_alias"), weak, weak + 3);
}

static void native(void **state)
{
    struct symtab *t = load("native.elf");
    const struct symtab_elf *elf = symtab_elf(t);

    check_order(t);
    check_c_functions(t);
    check_assembler(t);
    check_lines(t);
    check_bodies(t);
    assert_int_equal(elf->addr_size, sizeof(void *));
    assert_int_equal(strlen(elf->build_id), 40);
    assert_int_equal(strspn(elf->build_id, "0123456789abcdef"), 40);
#if defined(__x86_64__)
    assert_string_equal(elf->arch, "i386");
    assert_int_equal(elf->machine, EM_X86_64);
    assert_false(elf->big_endian);
#endif
    symtab_free(t);
}

/* Compressed debug information; a shared object. */
static void packed_and_shared(void **state)
{
    static const char *const names[] = {"packed.elf", "native.so"};

    for (size_t i = 0; i < COUNT(names); i++) {
        struct symtab *t = load(names[i]);
        check_order(t);
        check_assembler(t);
        check_lines(t);
        symtab_free(t);
    }
}

/* e_entry, which stands at the same place in files of 32 and 64 bits. */
static uint64_t entry_of(const char *name)
{
    char path[512];
    uintptr_t entry = 0;

    snprintf(path, sizeof(path), "%s/%s", SYMBOL_FILES, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, 24, SEEK_SET), 0);
    assert_int_equal(fread(&entry, sizeof(entry), 1, f), 1);
    fclose(f);
    return entry;
}

/* What lies where in a symtab that was not moved. */
static void check_moved_by(struct symtab *t, const struct symtab *as_is, uint64_t bias)
{
    uint64_t addr, size, own;
    size_t count, same;
    const struct symtab_function *f = symtab_functions(t, &count);
    const struct symtab_function *g = symtab_functions(as_is, &same);

    assert_int_equal(count, same);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(f[i].addr, g[i].addr + bias);
    const struct symtab_segment *s = symtab_segments(t, &count);
    const struct symtab_segment *r = symtab_segments(as_is, &same);
    assert_int_equal(count, same);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(s[i].addr, r[i].addr + bias);
    assert_true(symtab_object(t, "symbol_object", &addr, &size));
    assert_true(symtab_object(as_is, "symbol_object", &own, &size));
    assert_int_equal(addr, own + bias);
}

static void relocated(void **state)
{
    static const uint64_t biases[] = {0x5000, 0x555555554000, 0, -(uint64_t)0x1000};
    struct symtab *as_is = load("native.so");
    struct symtab *t = load("native.so");
    struct symtab *fixed = load("native.elf");
    uint64_t entry = entry_of("native.so");
    char text[600];

    for (size_t i = 0; i < COUNT(biases); i++) {
        assert_int_equal(symtab_relocate(t, entry + biases[i], text, sizeof(text)), SYMTAB_OK);
        check_moved_by(t, as_is, biases[i]);
        check_order(t);
        check_assembler(t);
        check_lines(t);
    }
    assert_int_equal(symtab_relocate(t, entry + 0x10, text, sizeof(text)), SYMTAB_EFORMAT);
    assert_non_null(strstr(text, "give the program with --elf"));
    check_moved_by(t, as_is, -(uint64_t)0x1000);
    entry = entry_of("native.elf");
    assert_int_equal(symtab_relocate(fixed, entry + 0x1000, text, sizeof(text)), SYMTAB_EFORMAT);
    assert_int_equal(symtab_relocate(fixed, entry, text, sizeof(text)), SYMTAB_OK);
    check_lines(fixed);
    symtab_free(as_is);
    symtab_free(t);
    symtab_free(fixed);
}

static void arm(void **state)
{
    static const char *const names[] = {"arm.elf", "arm_big.elf"};

    for (size_t i = 0; SYMBOL_ARM && i < 2; i++) {
        struct symtab *t = load(names[i]);
        check_order(t);
        check_c_functions(t);
        check_assembler(t);
        /* The linker dropped symbol_unused, whose lines begin at 0 where symbol_sum is. */
        assert_int_equal(named(t, "symbol_sum")->addr, 0);
        assert_null(named(t, "symbol_unused"));
        check_lines(t);
        check_bodies(t);
        assert_int_equal(the(t, "symbol_asm_use")->addr, 0x8000);
        assert_int_equal(symtab_elf(t)->machine, EM_ARM);
        assert_string_equal(symtab_elf(t)->arch, "arm");
        assert_string_equal(symtab_elf(t)->build_id, "");
        assert_int_equal(symtab_elf(t)->addr_size, 4);
        assert_int_equal(symtab_elf(t)->big_endian, i);
        symtab_free(t);
    }
}

static void without_debug(void **state)
{
    struct symtab *t = load("plain.elf");
    struct symtab_line line = {.line = 77};

    check_order(t);
    check_assembler(t);
    assert_false(symtab_find_line(t, the(t, "_start")->addr, &line));
    assert_int_equal(line.line, 77);
    symtab_free(t);
}

static void debug_only(void **state)
{
    struct symtab *t = load("debug.elf");
    size_t count;
    const struct symtab_segment *s = symtab_segments(t, &count);

    check_assembler(t);
    check_lines(t);
    for (size_t i = 0; i < count; i++)
        assert_false(the(t, "_start")->addr - s[i].addr < s[i].len);
    symtab_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native),     cmocka_unit_test(packed_and_shared),
        cmocka_unit_test(arm),        cmocka_unit_test(without_debug),
        cmocka_unit_test(debug_only), cmocka_unit_test(relocated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
