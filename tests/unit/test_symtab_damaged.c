/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files cut short and with wrong bytes: refused or read, never a crash. */
#include <elf.h>

#include "unit.h"

#include "counted.h"
#include "load.h"
#include "symbol_checks.h"

/* Asks all there is to ask; what comes back must be sound in itself. */
static void ask(struct symtab *t)
{
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    struct symtab_line line;
    uint64_t addr;
    uint64_t size;
    unsigned sum = 0;
    size_t count;
    const struct symtab_function *f = symtab_functions(t, &count);

    for (size_t i = 0; i < count; i++) {
        sum += (unsigned)strlen(f[i].name);
        assert_true(f[i].size != 0);
        assert_true(i == 0 || f[i - 1].addr < f[i].addr);
        assert_ptr_equal(symtab_find(t, f[i].addr), &f[i]);
        for (uint64_t at = 0; at < f[i].size && at < 64; at += 4) {
            if (symtab_find_line(t, f[i].addr + at, &line))
                sum += (unsigned)strlen(line.file);
            size_t depth = symtab_find_inlined(t, f[i].addr + at, frames, SYMTAB_INLINED_MAX);
            assert_true(depth <= SYMTAB_INLINED_MAX);
            for (size_t k = 0; k < depth; k++)
                sum += (unsigned)strlen(frames[k].name) + frames[k].line;
        }
    }
    struct symtab_table table;
    char text[400];
    symtab_object(t, "symbol_object", &addr, &size);
    (void)symtab_find_table(t, "symbol_object", &table, text, sizeof(text));
    const struct symtab_segment *s = symtab_segments(t, &count);
    for (size_t i = 0; i < count; i++)
        sum += s[i].bytes[0] + s[i].bytes[s[i].len - 1];
    assert_true(sum != 1);
}

static enum symtab_code try_file(const struct elf_copy *file, size_t len)
{
    struct symtab *t = NULL;
    char text[600] = "";

    write_copy(file, len);
    /* One time in memory, one time by its copy. */
    static unsigned turn;
    size_t whole_max = turn++ % 2 ? SIZE_MAX : 0;
    enum symtab_code code = symtab_load_by(file->path, whole_max, &t, text, sizeof(text));
    if (code == SYMTAB_OK)
        ask(t);
    else
        assert_true(text[0] != '\0' && !t);
    symtab_free(t);
    return code;
}

static void cut_anywhere(void **state)
{
    static const char *const names[] = {"native.elf", "arm.elf"};

    for (size_t n = 0; n < 1 + (size_t)SYMBOL_ARM; n++) {
        struct elf_copy *file = copy_of(names[n]);
        for (size_t len = 0; len < file->len; len += len < 128 ? 1 : 97)
            assert_int_equal(try_file(file, len), SYMTAB_EFORMAT);
        assert_int_equal(try_file(file, file->len), SYMTAB_OK);
        free_copy(file);
    }
}

/* One section at a time is said to reach beyond the end of the file. */
static void sections_too_long(void **state)
{
    struct elf_copy *file = copy_of("native.elf");
    Elf64_Ehdr header;
    int tried = 0;

    memcpy(&header, file->bytes, sizeof(header));
    for (size_t i = 1; header.e_ident[EI_CLASS] == ELFCLASS64 && i < header.e_shnum; i++) {
        Elf64_Shdr section;
        uint8_t *at = file->bytes + header.e_shoff + i * header.e_shentsize;
        memcpy(&section, at, sizeof(section));
        if (section.sh_type == SHT_NOBITS)
            continue;
        Elf64_Shdr longer = section;
        longer.sh_size = file->len - section.sh_offset + 1;
        memcpy(at, &longer, sizeof(longer));
        assert_int_equal(try_file(file, file->len), SYMTAB_EFORMAT);
        memcpy(at, &section, sizeof(section));
        tried++;
    }
    assert_true(header.e_ident[EI_CLASS] != ELFCLASS64 || tried > 5);
    free_copy(file);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* The headers, the names and the lines are a small part of a file: aim at bytes that are not 0. */
static size_t pick_byte(const struct elf_copy *file, uint32_t *seed)
{
    size_t at;

    do {
        at = next_random(seed) % file->len;
    } while (file->bytes[at] == 0 && next_random(seed) % 16 != 0);
    return at;
}

static size_t bytes_flipped_runs;

static void bytes_flipped(void **state)
{
    static const char *const names[] = {"native.elf", "packed.elf", "arm.elf", "arm_big.elf"};
    uint32_t seed = 20240229;
    int refused = 0;
    int runs = 400;

    if (getenv("MPROF_SOAK"))
        runs = 20000;
    for (size_t n = 0; n < 2 + 2 * (size_t)SYMBOL_ARM; n++) {
        struct elf_copy *file = copy_of(names[n]);
        for (int i = 0; i < runs; i++) {
            size_t at[3];
            uint8_t old[3];
            for (size_t k = 0; k < 3; k++) {
                at[k] = k == 0 && i % 4 == 0 ? next_random(&seed) % 64 : pick_byte(file, &seed);
                old[k] = file->bytes[at[k]];
                file->bytes[at[k]] = (uint8_t)(next_random(&seed) >> 11);
            }
            refused += try_file(file, file->len) != SYMTAB_OK;
            for (size_t k = 3; k-- > 0;)
                file->bytes[at[k]] = old[k];
        }
        assert_int_equal(try_file(file, file->len), SYMTAB_OK);
        free_copy(file);
    }
    assert_true(refused != 0);
    bytes_flipped_runs = (2 + 2 * (size_t)SYMBOL_ARM) * (size_t)runs;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(sections_too_long),
        cmocka_unit_test(bytes_flipped),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, bytes_flipped_runs, "damaged files");
}
