/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector tables: of the example firmware, and of ELF files that are made here word by word. */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "unit.h"

#include <elf.h>
#include <symbol/vectors.h>

#include "symbol_checks.h"

static void is_called(const struct vectors *v, unsigned number, const char *right)
{
    char text[200];

    vectors_label(v, number, text, sizeof(text));
    assert_string_equal(text, right);
}

static void test_examples(void **state)
{
    static const char *const boards[] = {"cortex-m0",  "cortex-m3", "cortex-m33",
                                         "cortex-m4f", "cortex-m7", "two-sides"};
    uint64_t addr;
    unsigned number;

    for (size_t i = 0; i < COUNT(boards); i++) {
        char path[600];
        snprintf(path, sizeof(path), "%s/%s.elf", SYMBOL_FILES, boards[i]);
        struct symtab *t = load(path);
        struct vectors *v = vectors_new(t);
        assert_non_null(v);
        assert_int_equal(vectors_count(v, &addr), 16 + 32);
        assert_int_equal(addr, symtab_elf(t)->entry & 0xF0000000);
        is_called(v, 0, "thread");
        is_called(v, 1, "Reset_Handler (Reset)");
        is_called(v, 3, "Default_Handler (HardFault)");
        is_called(v, 8, "exception 8");
        is_called(v, 15, "SysTick_Handler (SysTick)");
        is_called(v, 16 + 5, "Default_Handler (IRQ 5)");
        is_called(v, 16 + 31, "Default_Handler (IRQ 31)");
        is_called(v, 16 + 32, "IRQ 32");
        assert_true(vectors_handler(v, 1, &addr));
        assert_int_equal(addr, symtab_elf(t)->entry & ~(uint64_t)1);
        assert_int_equal(vectors_number(v, addr), 0); /* after a reset it is no exception */
        assert_true(vectors_handler(v, 15, &addr));
        assert_int_equal(vectors_number(v, addr), 15);
        assert_false(vectors_handler(v, 13, &addr));
        assert_false(vectors_is_shared(v, 15));
        assert_true(vectors_is_shared(v, 16 + 31));
        assert_true(vectors_parse(v, "systick_handler", &number) && number == 15);
        assert_true(vectors_parse(v, "SysTick", &number) && number == 15);
        assert_true(vectors_parse(v, "irq 5", &number) && number == 21);
        assert_true(vectors_parse(v, "IRQ5", &number) && number == 21);
        assert_true(vectors_parse(v, "thread", &number) && number == 0);
        assert_true(vectors_parse(v, "21", &number) && number == 21);
        bool chosen[VECTORS_MAX];
        assert_true(vectors_choose(v, "default_handler", chosen));
        for (unsigned n = 0; n < VECTORS_MAX; n++)
            assert_int_equal(chosen[n], (n >= 2 && n <= 7) || n == 11 || n == 12 || n == 14 ||
                                            (n >= 16 && n < 48));
        assert_true(vectors_choose(v, "IRQ5", chosen) && chosen[21] && !chosen[20] && !chosen[22]);
        assert_false(vectors_choose(v, "nothing", chosen));
        static const char *const wrong[] = {"",
                                            "IRQ",
                                            "512",
                                            "IRQ496",
                                            "-1",
                                            "5x",
                                            "nothing",
                                            "18446744073709551600",
                                            "IRQ18446744073709551600"};
        for (size_t k = 0; k < COUNT(wrong); k++)
            if (vectors_parse(v, wrong[k], &number))
                fail_msg("'%s' is taken for %u", wrong[k], number);
        vectors_free(v);
        symtab_free(t);
    }
}

static void test_others_have_none(void **state)
{
    static const char *const files[] = {"rv32.elf", "rv64.elf", "x86-64"};
    uint64_t addr;
    unsigned number;

    for (size_t i = 0; i < COUNT(files); i++) {
        char path[600];
        snprintf(path, sizeof(path), "%s/%s", SYMBOL_FILES, files[i]);
        struct symtab *t = load(path);
        struct vectors *v = vectors_new(t);
        assert_int_equal(vectors_count(v, NULL), 0);
        assert_false(vectors_handler(v, 15, &addr));
        assert_int_equal(vectors_number(v, symtab_elf(t)->entry), 0);
        is_called(v, 15, "SysTick");
        assert_true(vectors_parse(v, "SysTick", &number) && number == 15);
        vectors_free(v);
        symtab_free(t);
    }
}

/* A file of one segment of code at BASE, with functions of 16 bytes from CODE on. */
#define BASE      0x08000000u
#define WORDS     256
#define CODE      0x200u
#define FUNCTIONS 8
#define STACK     0x20001000u

struct made {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
    uint32_t words[WORDS];
    Elf32_Sym symbols[FUNCTIONS + 2]; /* the last one is the table's */
    char strings[128];
    Elf32_Shdr sections[5];
};

static uint32_t function(unsigned index)
{
    return BASE + CODE + 16 * index + 1;
}

static void name_symbol(struct made *m, unsigned index, uint32_t value, uint32_t size,
                        unsigned char type, const char *name)
{
    size_t at = 1;

    while (m->strings[at])
        at += strlen(m->strings + at) + 1;
    assert_true(at + strlen(name) + 2 < sizeof(m->strings));
    memcpy(m->strings + at, name, strlen(name) + 1);
    m->symbols[index] = (Elf32_Sym){.st_name = (Elf32_Word)at,
                                    .st_value = value,
                                    .st_size = size,
                                    .st_info = ELF32_ST_INFO(STB_GLOBAL, type),
                                    .st_shndx = 1};
}

/* The entry is function 0. */
static struct made make_image(void)
{
    struct made m = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
                               EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_ARM,
                   .e_version = EV_CURRENT,
                   .e_entry = function(0),
                   .e_phoff = offsetof(struct made, segment),
                   .e_shoff = offsetof(struct made, sections),
                   .e_ehsize = sizeof(Elf32_Ehdr),
                   .e_phentsize = sizeof(Elf32_Phdr),
                   .e_phnum = 1,
                   .e_shentsize = sizeof(Elf32_Shdr),
                   .e_shnum = 5},
        .segment = {.p_type = PT_LOAD,
                    .p_offset = offsetof(struct made, words),
                    .p_vaddr = BASE,
                    .p_paddr = BASE,
                    .p_filesz = sizeof(m.words),
                    .p_memsz = sizeof(m.words),
                    .p_flags = PF_R | PF_X},
    };
    char name[8];

    m.sections[1] = (Elf32_Shdr){.sh_type = SHT_PROGBITS,
                                 .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                 .sh_addr = BASE,
                                 .sh_offset = offsetof(struct made, words),
                                 .sh_size = sizeof(m.words)};
    m.sections[2] = (Elf32_Shdr){.sh_type = SHT_SYMTAB,
                                 .sh_offset = offsetof(struct made, symbols),
                                 .sh_size = sizeof(m.symbols),
                                 .sh_link = 3,
                                 .sh_info = 1,
                                 .sh_entsize = sizeof(Elf32_Sym)};
    m.sections[3] = (Elf32_Shdr){.sh_type = SHT_STRTAB,
                                 .sh_offset = offsetof(struct made, strings),
                                 .sh_size = sizeof(m.strings)};
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        snprintf(name, sizeof(name), "f%u", i);
        name_symbol(&m, i + 1, function(i), 16, STT_FUNC, name);
    }
    for (unsigned i = CODE / 4; i < WORDS; i++)
        m.words[i] = 0xBF00BF00u; /* nop */
    return m;
}

/* A table at word at with that many handlers from function 0 on, the reset's first. */
static void put_table(struct made *m, unsigned at, unsigned handlers)
{
    m->words[at] = STACK;
    for (unsigned i = 0; i < handlers; i++)
        m->words[at + 1 + i] = function(i % FUNCTIONS);
}

struct loaded {
    struct symtab *t;
    struct vectors *v;
};

static struct loaded open_made(const struct made *m)
{
    char path[] = "/tmp/mprof-vectors-XXXXXX";
    int fd = mkstemp(path);
    struct loaded l;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, m, sizeof(*m)), (ssize_t)sizeof(*m));
    close(fd);
    l.t = load(path);
    unlink(path);
    l.v = vectors_new(l.t);
    assert_non_null(l.v);
    return l;
}

static void close_made(struct loaded *l)
{
    vectors_free(l->v);
    symtab_free(l->t);
}

static void check_table(const struct made *m, size_t count, uint64_t right)
{
    struct loaded l = open_made(m);
    uint64_t addr = 0;

    assert_int_equal(vectors_count(l.v, &addr), count);
    if (count)
        assert_int_equal(addr, right);
    close_made(&l);
}

/* Without a symbol: by its shape, to the last handler. */
static void test_shape(void **state)
{
    struct made m = make_image();

    put_table(&m, 0, 20);
    check_table(&m, 21, BASE);
    m.words[18] = 0; /* a hole is none's end */
    check_table(&m, 21, BASE);
    m.words[7] = 0x12345678; /* a bootloader's checksum */
    check_table(&m, 21, BASE);
    m.words[18] = function(0) + 2; /* within a function */
    check_table(&m, 18, BASE);
    m.words[0] = BASE + 16; /* a stack in flash */
    check_table(&m, 0, 0);
    m.words[0] = STACK + 2;
    check_table(&m, 0, 0);

    m = make_image();
    put_table(&m, 64, 18); /* behind a loader's header of 256 bytes */
    check_table(&m, 19, BASE + 256);
    put_table(&m, 65, 18); /* no table stands there */
    m.words[64] = 0;
    check_table(&m, 0, 0);

    m = make_image();
    put_table(&m, 0, 18);
    m.words[1] = function(1); /* not where the file begins */
    check_table(&m, 0, 0);
    m.words[1] = function(0) - 1; /* no Thumb bit */
    check_table(&m, 0, 0);
}

/* Of two, the one that holds the entry; a symbol's size is believed, its place only if it is one.
 */
static void test_symbols(void **state)
{
    struct made m = make_image();

    put_table(&m, 0, 18);
    m.words[1] = function(3);
    name_symbol(&m, FUNCTIONS + 1, BASE, 76, STT_OBJECT, "g_pfnVectors");
    check_table(&m, 19, BASE); /* there is no other */
    put_table(&m, 32, 24);
    check_table(&m, 25, BASE + 128);

    m = make_image();
    put_table(&m, 0, 40);
    name_symbol(&m, FUNCTIONS + 1, BASE, 4 * 60, STT_OBJECT, "__Vectors");
    check_table(&m, 60, BASE); /* with the words of 0 at its end */
    m.symbols[FUNCTIONS + 1].st_size = 0xFFFFFFFF;
    check_table(&m, WORDS, BASE); /* no further than the segment */
    m.symbols[FUNCTIONS + 1].st_value = BASE + 4 * WORDS - 4;
    check_table(&m, 41, BASE); /* by its shape */
    m.symbols[FUNCTIONS + 1].st_value = 0xFFFFFFFC;
    check_table(&m, 41, BASE);
}

/* A handler without a name. */
static void test_no_names(void **state)
{
    struct made m = make_image();

    put_table(&m, 0, 20);
    memset(m.symbols, 0, sizeof(m.symbols));
    name_symbol(&m, 1, BASE, 84, STT_OBJECT, "__isr_vector");
    struct loaded l = open_made(&m);
    assert_int_equal(vectors_count(l.v, NULL), 21);
    is_called(l.v, 14, "PendSV");
    is_called(l.v, 18, "IRQ 2");
    close_made(&l);
}

/* Whatever a word of the file says, the answers hold. */
static void test_damaged(void **state)
{
    struct made sound = make_image();
    uint32_t random = 2463534242u;
    unsigned loaded = 0;

    put_table(&sound, 0, 40);
    name_symbol(&sound, FUNCTIONS + 1, BASE, 4 * 41, STT_OBJECT, "__Vectors");
    for (unsigned i = 0; i < 3000; i++) {
        struct made m = sound;
        char path[] = "/tmp/mprof-vectors-XXXXXX", text[600];
        struct symtab *t = NULL;
        for (unsigned k = 0; k < 1 + i % 3; k++) {
            uint32_t value;
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            value = random % 3 ? random >> random % 32 : UINT32_MAX - random % 64;
            memcpy((char *)&m + random / 64 % (sizeof(m) / 4) * 4, &value, 4);
        }
        int fd = mkstemp(path);
        assert_int_equal(write(fd, &m, sizeof(m)), (ssize_t)sizeof(m));
        close(fd);
        enum symtab_code code = symtab_load(path, &t, text, sizeof(text));
        unlink(path);
        if (code != SYMTAB_OK)
            continue;
        struct vectors *v = vectors_new(t);
        loaded++;
        assert_true(vectors_count(v, NULL) <= VECTORS_MAX);
        for (unsigned n = 0; n < VECTORS_MAX; n++) {
            uint64_t addr;
            vectors_label(v, n, text, sizeof(text));
            if (vectors_handler(v, n, &addr))
                assert_true(n < vectors_count(v, NULL) && (addr & 1) == 0);
        }
        vectors_free(v);
        symtab_free(t);
    }
    assert_true(loaded > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_others_have_none),
        cmocka_unit_test(test_shape),    cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_no_names), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
