/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects and segments of ELF files that the build made, and what is refused. */
#include "unit.h"

#include "symbol_checks.h"

static void objects(void **state)
{
    struct symtab *t = load("native.elf");
    uint64_t addr = 77;
    uint64_t size = 77;

    assert_false(symtab_object(t, "no_such_thing", &addr, &size));
    assert_false(symtab_object(t, "symbol_other", &addr, &size));
    assert_int_equal(addr, 77);
    assert_true(symtab_object(t, "symbol_static_object", &addr, &size));
    assert_int_equal(size, 2);
    assert_true(symtab_object(t, "symbol_object", &addr, &size));
    assert_int_equal(size, 16);
    symtab_free(t);
}

/* clang writes no options by default. The unit of assembly is not counted. */
static void flags(void **state)
{
    struct symtab_flags native, hooked, bare;
    struct symtab *t = load("native.elf");

    symtab_read_flags(t, &native);
    symtab_free(t);
    t = load("hooked.elf");
    symtab_read_flags(t, &hooked);
    symtab_free(t);
    t = load("one_segment.elf");
    symtab_read_flags(t, &bare);
    symtab_free(t);
    assert_true(native.debug && hooked.debug);
    assert_int_equal(native.units, 2);
    assert_true(native.compiler[0] != '\0');
    assert_null(strstr(native.compiler, " -"));
    assert_true(native.eh_frame && !native.exidx);
    assert_false(bare.debug);
    assert_int_equal(bare.units, 0);
    assert_string_equal(bare.level, "");
#ifdef __clang__
    assert_int_equal(native.known + native.hooked + hooked.hooked, 0);
#else
    assert_int_equal(native.known, 2);
    assert_string_equal(native.level, "-O1");
    assert_int_equal(native.with_level, 2);
    assert_int_equal(native.hooked + native.patchable, 0);
    assert_string_equal(hooked.level, "-O0"); /* the last one counts */
    assert_int_equal(hooked.hooked, 2);
    assert_int_equal(hooked.patchable, 2);
#endif
}

/* The segment that has an address, or NULL. */
static const struct symtab_segment *segment_of(const struct symtab *t, uint64_t addr)
{
    size_t count;
    const struct symtab_segment *s = symtab_segments(t, &count);

    for (size_t i = 0; i < count; i++)
        if (addr >= s[i].addr && addr - s[i].addr < s[i].len)
            return &s[i];
    return NULL;
}

static unsigned byte_at(const struct symtab *t, uint64_t addr)
{
    const struct symtab_segment *s = segment_of(t, addr);

    assert_non_null(s);
    return s->bytes[addr - s->addr];
}

static struct symtab *check_segments(const char *file)
{
    struct symtab *t = load(file);
    const struct symtab_function *f = the(t, "symbol_asm_use");
    uint64_t object;
    uint64_t size;
    size_t count;
    const struct symtab_segment *s = symtab_segments(t, &count);

    assert_true(symtab_object(t, "symbol_object", &object, &size));
    assert_null(segment_of(t, object));
    for (size_t i = 1; i < count; i++)
        assert_true(s[i - 1].addr + s[i - 1].len <= s[i].addr);
    /* .space: 92 bytes of zeros */
    for (uint64_t k = 0; k < 92; k++)
        assert_int_equal(byte_at(t, f->addr + k), 0);
    return t;
}

static void segments(void **state)
{
    struct symtab *t = check_segments("native.elf");

    assert_int_not_equal(byte_at(t, the(t, "_start")->addr), 0);
    symtab_free(t);
    /* Its .text may be written to, so nothing there is compared with a target. */
    t = check_segments("one_segment.elf");
    assert_null(segment_of(t, the(t, "_start")->addr));
    symtab_free(t);
}

static void stripped(void **state)
{
    struct symtab *t = load("stripped.elf");
    struct symtab_line line;
    size_t count;

    symtab_functions(t, &count);
    assert_int_equal(count, 0);
    assert_null(symtab_find(t, 0));
    assert_false(symtab_find_line(t, 0, &line));
    assert_int_equal(strlen(symtab_elf(t)->build_id), 40);
    symtab_free(t);

    /* Of a shared object the dynamic linker's names are left: no static ones. */
    t = load("stripped.so");
    assert_non_null(named(t, "symbol_other"));
    assert_null(named(t, "symbol_sum"));
    symtab_free(t);
}

static void refuses(const char *path, enum symtab_code code, const char *word)
{
    struct symtab *t = NULL;
    char text[600] = "";

    assert_int_equal(symtab_load(path, &t, text, sizeof(text)), code);
    assert_null(t);
    assert_non_null(strstr(text, path));
    assert_null(strchr(text, '\n'));
    if (!strstr(text, word))
        fail_msg("\"%s\" does not speak of \"%s\"", text, word);
}

static void refused(void **state)
{
    char tiny[8];
    struct symtab *t = NULL;

    refuses("/nonexistent/fw.elf", SYMTAB_EOPEN, "No such file");
    refuses(SYMBOL_DATA, SYMTAB_EOPEN, "folder");
    refuses("/dev/null", SYMTAB_EOPEN, "regular");
    refuses(SYMBOL_DATA "/symbol_main.c", SYMTAB_EFORMAT, "not an ELF");
    refuses(SYMBOL_FILES "/native.o", SYMTAB_EFORMAT, "not linked");
    assert_int_equal(symtab_load("/nonexistent/fw.elf", &t, tiny, sizeof(tiny)), SYMTAB_EOPEN);
    assert_int_equal(strlen(tiny), sizeof(tiny) - 1);
    symtab_free(NULL);
}

/* Sections as the program has them, unpacked, and code. */
static void test_sections(void **state)
{
    static const char *const files[] = {"native.elf", "packed.elf"};
    struct symtab_section text, info, none = {.len = 7};
    size_t len;

    for (size_t i = 0; i < COUNT(files); i++) {
        struct symtab *t = load(files[i]);
        assert_true(symtab_section(t, ".text", &text));
        assert_true(symtab_section(t, ".debug_info", &info));
        assert_int_equal(info.addr, 0);
        assert_true(info.bytes[4] == 4 || info.bytes[4] == 5); /* the version of DWARF */
        assert_false(symtab_section(t, ".debug_frames", &none));
        assert_false(symtab_section(t, ".bss", &none));
        assert_int_equal(none.len, 7);
        assert_ptr_equal(symtab_code(t, text.addr + 1, &len), text.bytes + 1);
        assert_int_equal(len, text.len - 1);
        assert_null(symtab_code(t, 1, &len));
        symtab_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections), cmocka_unit_test(objects),  cmocka_unit_test(flags),
        cmocka_unit_test(segments),      cmocka_unit_test(stripped), cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
