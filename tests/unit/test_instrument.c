/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions of a file can be chosen, and copies of files. */
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include <instrument/instrument.h>
#include <instrument/site.h>
#include <sampler/identity.h>

#include "symbol_checks.h"

/* A file of the fixtures. */
struct file {
    struct symtab *symtab;
    struct instrument *instrument;
    struct instrument_site *sites;
    size_t count;
    char path[600];
};

static void open_path(struct file *f, const char *path)
{
    char text[600];

    f->symtab = load(path);
    f->instrument = instrument_open(path, f->symtab, text, sizeof(text));
    if (!f->instrument)
        fail_msg("%s", text);
    f->sites = instrument_sites(f->instrument, &f->count);
}

static void open_file(struct file *f, const char *name)
{
    snprintf(f->path, sizeof(f->path), "%s/%s", SYMBOL_FILES, name);
    open_path(f, f->path);
}

static void close_file(struct file *f)
{
    instrument_free(f->instrument);
    symtab_free(f->symtab);
}

static struct instrument_site *site_of(const struct file *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->sites[i].function->name, name) == 0)
            return &f->sites[i];
    }
    fail_msg("%s is not there", name);
    return NULL;
}

static const char *const files[] = {"m0.elf",   "m3.elf",  "rv32imc.elf", "rv32i.elf",
                                    "rv64.elf", "gcc.elf", "clang.elf",   "clang_rv32.elf"};

/* Functions of sites.c that are in all files, and the beginnings of what is said of others. */
static const struct {
    const char *name, *why;
} expected[] = {
    {"main", NULL},
    {"spi_receive", NULL},
    {"set_trap", NULL},
    {"below", "runs in the hook"},
    {"clock_of_board", "runs in the hook"},
    {"mprof_other", "is of the stub"},
    {"mprof_patched_entry", "has no nops"},
    {"bare", "has no nops"},
    {"far_away", "is too far from the hook"},
    {"switch_stacks", "switches stacks"},
    {"look_at_lr", "reads lr"},
    {"pass_frame", "is naked: reads sp"},
    {"move_stack", "sets the stack pointer"},
    {"trap", "handles traps (set in mtvec)"},
    {"on_interrupt", "handles "},
    {"save_t0", "needs t0"},
    {"pop_return", "pops its return address"},
    {"label", "is a label"},
    {"outer", "has another function in its nops"},
    {"inner", NULL},
};

static void test_files(void **state)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        struct file f;
        size_t found = 0, spi = 0;
        open_file(&f, files[i]);
        for (size_t e = 0; e < COUNT(expected); e++) {
            for (size_t s = 0; s < f.count; s++) {
                const struct instrument_site *site = &f.sites[s];
                if (strcmp(site->function->name, expected[e].name) != 0)
                    continue;
                found++;
                if (expected[e].why ? !site->why || !strstr(site->why, expected[e].why)
                                    : site->why != NULL)
                    fail_msg("%s: %s: %s", files[i], expected[e].name,
                             site->why ? site->why : "can be chosen");
            }
        }
        for (size_t s = 0; s < f.count; s++) /* one of two names at one address */
            spi += strncmp(f.sites[s].function->name, "spi_", 4) == 0 && !f.sites[s].why;
        assert_int_equal(spi, 2);
        assert_int_equal(found + 1, f.count); /* and spi_send */
        close_file(&f);
    }
}

static void write_to(const struct file *f, const char *path)
{
    char text[800];

    if (!instrument_write(f->instrument, path, text, sizeof(text)))
        fail_msg("%s", text);
}

static void choose_spi(const struct file *f, bool chosen)
{
    for (size_t i = 0; i < f->count; i++)
        f->sites[i].chosen = chosen && strncmp(f->sites[i].function->name, "spi_", 4) == 0;
}

/* Whether the files have the same bytes. */
static bool are_same(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    int from_x = 0, from_y = 0;

    assert_true(x && y);
    while (from_x == from_y && from_x != EOF) {
        from_x = fgetc(x);
        from_y = fgetc(y);
    }
    fclose(x);
    fclose(y);
    return from_x == from_y;
}

/* What instrument_check() says of a copy in which the byte at an offset is another one. */
static bool is_same_with(const struct file *f, const char *path, size_t offset, char text[800])
{
    FILE *file = fopen(path, "r+b");
    size_t calls;

    assert_non_null(file);
    assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
    int byte = fgetc(file);
    fseek(file, (long)offset, SEEK_SET);
    fputc(byte ^ 0x40, file);
    fflush(file);
    bool same = instrument_check(f->instrument, path, &calls, text, 800);
    fseek(file, (long)offset, SEEK_SET);
    fputc(byte, file);
    fclose(file);
    return same;
}

static void check_copy(const struct file *f, const char *path)
{
    const struct instrument_site *receive = site_of(f, "spi_receive");
    char text[800] = "";
    size_t calls = 0;

    assert_true(instrument_check(f->instrument, path, &calls, text, sizeof(text)));
    assert_int_equal(calls, 2);
    assert_false(is_same_with(f, path, 7, text));
    assert_non_null(strstr(text, "differs"));
    assert_false(is_same_with(f, path, receive->offset + 1, text));
    assert_non_null(strstr(text, "spi_receive"));
    size_t size = site_machine_of(symtab_elf(f->symtab))->size;
    assert_false(is_same_with(f, path, receive->offset + size, text));
    assert_non_null(strstr(text, "spi_receive+0x"));
    assert_false(is_same_with(f, path, site_of(f, "mprof_other")->offset, text));
    assert_non_null(strstr(text, "mprof_other"));
    assert_true(instrument_check(f->instrument, path, &calls, text, sizeof(text)));
}

/* A copy of a copy has the new choice; without any it is the file. */
static void test_copies(void **state)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[] = "/tmp/mprof-sites-XXXXXX", again[600];
        struct file f, copy;
        struct stat about;
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        open_file(&f, files[i]);
        choose_spi(&f, true);
        assert_int_equal(chmod(f.path, 0751), 0);
        instrument_free(f.instrument);
        symtab_free(f.symtab);
        open_file(&f, files[i]);
        choose_spi(&f, true);
        write_to(&f, path);
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_mode & 07777, 0751);
        check_copy(&f, path);
        open_path(&copy, path);
        assert_int_equal(site_of(&copy, "spi_receive")->state, INSTRUMENT_CALLS);
        assert_int_equal(site_of(&copy, "main")->state, INSTRUMENT_FREE);
        assert_int_equal(copy.count, f.count);
        snprintf(again, sizeof(again), "%s.again", path);
        write_to(&copy, again);
        assert_true(are_same(again, f.path));
        assert_false(are_same(path, f.path));
        site_of(&copy, "spi_receive")->chosen = true;
        write_to(&copy, again);
        choose_spi(&f, false);
        site_of(&f, "spi_receive")->chosen = true;
        write_to(&f, path);
        assert_true(are_same(again, path));
        close_file(&copy);
        close_file(&f);
        unlink(path);
        unlink(again);
    }
}

/* The target has the copy and --elf names the file, or the other way round. */
static void test_identity(void **state)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[] = "/tmp/mprof-sites-XXXXXX", text[400];
        struct file f, copy;
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        open_file(&f, files[i]);
        choose_spi(&f, true);
        write_to(&f, path);
        open_path(&copy, path);
        uint64_t addr = site_of(&f, "spi_receive")->addr;
        size_t len;
        const uint8_t *plain = symtab_constant(f.symtab, addr, &len);
        const uint8_t *patched = symtab_constant(copy.symtab, addr, &len);
        assert_non_null(plain);
        assert_non_null(patched);
        for (size_t from = 0; from < 8; from++) { /* windows that begin in the site, too */
            assert_int_equal(
                identity_compare(f.symtab, addr + from, patched + from, 12, text, sizeof(text)),
                IDENTITY_SAME);
            assert_int_equal(
                identity_compare(copy.symtab, addr + from, plain + from, 12, text, sizeof(text)),
                IDENTITY_SAME);
        }
        uint8_t other[32];
        memcpy(other, patched, sizeof(other));
        other[site_machine_of(symtab_elf(f.symtab))->size + 1] ^= 0x40;
        assert_int_equal(identity_compare(f.symtab, addr, other, 20, text, sizeof(text)),
                         IDENTITY_DIFFERS);
        close_file(&copy);
        close_file(&f);
        unlink(path);
    }
}

static void test_not_possible(void **state)
{
    char text[600];
    struct symtab *big = load("big.elf");

    assert_null(instrument_open("big.elf", big, text, sizeof(text)));
    assert_non_null(strstr(text, "big.elf is not for a Cortex-M, RISC-V or x86-64"));
    symtab_free(big);
    struct symtab *stripped = load("stripped.elf");
    assert_null(instrument_open("stripped.elf", stripped, text, sizeof(text)));
    assert_non_null(strstr(text, "stripped.elf has no symbol table"));
    symtab_free(stripped);
}

/* Within a line of the cache: any address of a fixture's site, except on x86-64. */
static void test_whole(void **state)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        struct file f;
        open_file(&f, files[i]);
        bool lines = symtab_elf(f.symtab)->machine == EM_X86_64;
        for (unsigned at = 0; at < 64; at++) {
            f.sites[0].addr = 0x1000 + at;
            assert_int_equal(instrument_site_is_whole(f.instrument, 0), !lines || at <= 59);
        }
        close_file(&f);
    }
}

/* Nops of the compiler have no line, but the function has one, and parameters. */
static void test_lines(void **state)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        struct file f;
        struct symtab_line line;
        struct symtab_parameters parameters;
        open_file(&f, files[i]);
        const struct symtab_function *receive = site_of(&f, "spi_receive")->function;
        assert_true(symtab_find_line(f.symtab, receive->addr, &line));
        assert_true(line.line >= 46 && line.line <= 47); /* where data/sites.c has it */
        if (!symtab_find_parameters(f.symtab, receive->addr, &parameters))
            fail_msg("%s", files[i]);
        assert_string_equal(parameters.text, "(u4u4");
        close_file(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),    cmocka_unit_test(test_copies),
        cmocka_unit_test(test_identity), cmocka_unit_test(test_not_possible),
        cmocka_unit_test(test_whole),    cmocka_unit_test(test_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
