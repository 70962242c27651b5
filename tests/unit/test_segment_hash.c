/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of builds that have no build-id. */
#define _POSIX_C_SOURCE 200809L

#include <elf.h>
#include <unistd.h>

#include "unit.h"

#include "load.h"
#include "sha1.h"
#include "symbol_checks.h"

#define WHOLE ((size_t)1 << 20)

static struct symtab *load_by(const char *name, size_t whole_max)
{
    struct symtab *t = NULL;
    char path[512];
    char text[600] = "";

    snprintf(path, sizeof(path), "%s%s%s", name[0] == '/' ? "" : SYMBOL_FILES,
             name[0] == '/' ? "" : "/", name);
    if (symtab_load_by(path, whole_max, &t, text, sizeof(text)) != SYMTAB_OK)
        fail_msg("%s", text);
    return t;
}

static void build_by(const char *name, size_t whole_max, char build[128])
{
    struct symtab *t = load_by(name, whole_max);

    snprintf(build, 128, "%s", symtab_build(t));
    assert_string_equal(symtab_build(t), build);
    symtab_free(t);
}

/* Read whole, or only what is asked for: the same. */
static void build_of(const char *name, char build[128])
{
    char again[128];

    build_by(name, WHOLE, build);
    build_by(name, 0, again);
    assert_string_equal(again, build);
}

static void expect_digest(const char *text, size_t times, const char *wanted)
{
    uint8_t digest[SHA1_LEN];
    char hex[2 * SHA1_LEN + 1];
    struct sha1 sha1;

    sha1_init(&sha1);
    for (size_t i = 0; i < times; i++)
        sha1_add(&sha1, text, strlen(text));
    sha1_end(&sha1, digest);
    for (size_t i = 0; i < SHA1_LEN; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(hex, wanted);
}

/* The examples of FIPS 180, and lengths around what fits into a block beside its length. */
static void digests(void **state)
{
    expect_digest("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    expect_digest("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d");
    expect_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                  "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    expect_digest("a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    expect_digest("0123456701234567012345670123456701234567012345670123456701234567", 10,
                  "dea356a2cddd90c7a7ecedc5ebb563934f460452");
    expect_digest("x", 55, "cef734ba81a024479e09eb5a75b6ddae62e6abf1");
    expect_digest("x", 56, "901305367c259952f4e7af8323f480d59f81335b");
    expect_digest("x", 63, "0ddc4e0cccd9a12850deb5abb0853a4425559fec");
    expect_digest("x", 64, "bb2fa3ee7afb9f54c6dfb5d021f14b1ffe40c163");
}

static void build_id_wins(void **state)
{
    char build[128];

    build_of("native.elf", build);
    assert_int_equal(strspn(build, "0123456789abcdef"), 40);
    assert_int_equal(strlen(build), 40);
}

/* Without debug information or symbols it is the same build; a shared object's first segment holds
 * the ELF header, which strip changes. */
static void strip_keeps_it(void **state)
{
    static const char *const same[][3] = {
        {"nameless.elf", "nameless_plain.elf", "nameless_stripped.elf"},
        {"nameless.so", "nameless_plain.so", "nameless_stripped.so"},
    };
    char build[128], other[128];

    for (size_t i = 0; i < 2; i++) {
        build_of(same[i][0], build);
        assert_memory_equal(build, "seg-", 4);
        assert_int_equal(strspn(build + 4, "0123456789abcdef"), 40);
        assert_int_equal(strlen(build), 44);
        for (size_t k = 1; k < 3; k++) {
            build_of(same[i][k], other);
            assert_string_equal(build, other);
        }
    }
}

#if defined(__x86_64__)
static Elf64_Phdr *headers_of(struct elf_copy *copy, size_t *count)
{
    Elf64_Ehdr *e = (Elf64_Ehdr *)(void *)copy->bytes;

    *count = e->e_phnum;
    return (Elf64_Phdr *)(void *)(copy->bytes + e->e_phoff);
}

/* The last byte of what is loaded, or an address, makes another build; a header's flags do not. */
static void changes_show(void **state)
{
    struct elf_copy *copy = copy_of("nameless.elf");
    char build[128], other[128];
    Elf64_Phdr *last = NULL;
    size_t count;
    Elf64_Phdr *ph = headers_of(copy, &count);

    build_of("nameless.elf", build);
    for (size_t i = 0; i < count; i++)
        if (ph[i].p_type == PT_LOAD && ph[i].p_filesz)
            last = &ph[i];
    assert_non_null(last);
    copy->bytes[last->p_offset + last->p_filesz - 1] ^= 1;
    write_copy(copy, copy->len);
    build_of(copy->path, other);
    assert_string_not_equal(build, other);

    copy->bytes[last->p_offset + last->p_filesz - 1] ^= 1;
    last->p_flags ^= PF_R;
    write_copy(copy, copy->len);
    build_of(copy->path, other);
    assert_string_equal(build, other);

    last->p_vaddr += 4096;
    write_copy(copy, copy->len);
    build_of(copy->path, other);
    assert_string_not_equal(build, other);
    free_copy(copy);
}

/* Many segments with all of the file: no name, rather than hours of reading. */
static void bounded(void **state)
{
    struct elf_copy *copy = copy_of("nameless.elf");
    Elf64_Ehdr *e = (Elf64_Ehdr *)(void *)copy->bytes;
    char build[128];
    size_t count;
    Elf64_Phdr *ph = headers_of(copy, &count);

    for (size_t i = 0; i < count; i++)
        ph[i] = (Elf64_Phdr){.p_type = PT_LOAD, .p_filesz = copy->len, .p_memsz = copy->len};
    assert_in_range(e->e_phnum, 3, 100);
    write_copy(copy, copy->len);
    build_of(copy->path, build);
    assert_string_equal(build, "");
    free_copy(copy);
}
#endif

/* Debug information alone has nothing that is loaded. */
static void nothing_loaded(void **state)
{
    char build[128];

    build_of("nameless_debug.elf", build);
    assert_string_equal(build, "");
}

/* Of a large file that was written over before it was asked, nothing is known. */
static void written_over(void **state)
{
    struct elf_copy *copy = copy_of("nameless.elf");

    write_copy(copy, copy->len);
    struct symtab *t = load_by(copy->path, 0);
    assert_int_equal(truncate(copy->path, (off_t)copy->len - 1), 0);
    assert_string_equal(symtab_build(t), "");
    symtab_free(t);
    free_copy(copy);
}

static void compared(void **state)
{
    struct symtab *t = load_by("nameless.elf", WHOLE), *with = load_by("native.elf", WHOLE);
    char hash[128];

    snprintf(hash, sizeof(hash), "%s", symtab_build(t));
    assert_int_equal(symtab_compare_build(t, hash), SYMTAB_BUILD_SAME);
    assert_int_equal(symtab_compare_build(t, ""), SYMTAB_BUILD_UNKNOWN);
    assert_int_equal(symtab_compare_build(t, symtab_build(with)), SYMTAB_BUILD_UNKNOWN);
    assert_int_equal(symtab_compare_build(with, symtab_build(with)), SYMTAB_BUILD_SAME);
    assert_int_equal(symtab_compare_build(with, "00"), SYMTAB_BUILD_OTHER);
    assert_int_equal(symtab_compare_build(with, hash), SYMTAB_BUILD_OTHER);
    hash[strlen(hash) - 1] ^= 1;
    assert_int_equal(symtab_compare_build(t, hash), SYMTAB_BUILD_OTHER);
    symtab_free(t);
    symtab_free(with);
}

static bool stopping;

static bool stop(void)
{
    return stopping;
}

/* No name while the caller wants no more, and then the right one. */
static void stopped(void **state)
{
    char build[128], text[600];
    struct symtab *t;

    build_of("nameless.elf", build);
    assert_int_equal(symtab_load_until(SYMBOL_FILES "/nameless.elf", stop, &t, text, sizeof(text)),
                     SYMTAB_OK);
    stopping = true;
    assert_string_equal(symtab_build(t), "");
    stopping = false;
    assert_string_equal(symtab_build(t), build);
    symtab_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests),
        cmocka_unit_test(build_id_wins),
        cmocka_unit_test(strip_keeps_it),
        cmocka_unit_test(nothing_loaded),
        cmocka_unit_test(written_over),
        cmocka_unit_test(compared),
        cmocka_unit_test(stopped),
#if defined(__x86_64__)
        cmocka_unit_test(changes_show),
        cmocka_unit_test(bounded),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
