/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file that a build is writing is waited for; one that is damaged is not, for long. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "scratch_file.h"
#include "unit.h"

#include <load/elf_file.h>

#define PARTS 7

int __wrap_nanosleep(const struct timespec *pause, struct timespec *left);
time_t __wrap_time(time_t *now);

/* The whole file, and how many parts of it are written so far, one in each pause. */
static char *whole;
static size_t whole_len;
static int written, pauses;

/* How long ago the file was written last, however long the test takes. */
static int age_s;

time_t __wrap_time(time_t *now)
{
    struct stat about = {.st_mtim = {.tv_sec = 0}};

    (void)now;
    (void)stat(scratch_path, &about);
    return about.st_mtim.tv_sec + age_s;
}

static void write_parts(int count)
{
    written = count;
    scratch_write(whole, whole_len * (size_t)count / PARTS);
}

int __wrap_nanosleep(const struct timespec *pause, struct timespec *left)
{
    pauses++;
    if (written < PARTS)
        write_parts(written + 1);
    return 0;
}

static int make(void **state)
{
    FILE *file = fopen(SYMBOL_FILES "/tables.elf", "rb");
    struct stat about;

    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    whole_len = (size_t)about.st_size;
    whole = malloc(whole_len);
    assert_non_null(whole);
    assert_int_equal(fread(whole, 1, whole_len, file), whole_len);
    fclose(file);
    return scratch_make(state);
}

static int end(void **state)
{
    free(whole);
    return scratch_remove(state);
}

static bool load(char *text, size_t capacity)
{
    struct elf_file elf = {.symtab = NULL};

    pauses = 0;
    text[0] = '\0';
    bool loaded = elf_file_load_written(&elf, scratch_path, "snake_prof", text, capacity);
    elf_file_free(&elf);
    return loaded;
}

static void test_written_to_its_end(void **state)
{
    char text[400];

    write_parts(2);
    assert_true(load(text, sizeof(text)));
    assert_int_equal(written, PARTS);
}

/* A linker opens the file first, and writes it when it is done. */
static void test_begins_empty(void **state)
{
    char text[400];

    write_parts(0);
    assert_true(load(text, sizeof(text)));
}

static void test_whole_at_once(void **state)
{
    char text[400];

    write_parts(PARTS);
    assert_true(load(text, sizeof(text)));
    assert_int_equal(pauses, 0);
}

static void guess(const char *symbol, const char *counter, unsigned size)
{
    struct elf_file elf = {.symtab = NULL};
    char text[400] = "";
    uint64_t addr = 1, bytes;

    bool loaded = elf_file_load(&elf, SYMBOL_FILES "/tables.elf", symbol, text, sizeof(text));
    if (!loaded)
        fail_msg("%s", text);
    assert_string_equal(elf.guessed, strchr(symbol, ',') ? "" : counter);
    assert_true(symtab_object(elf.symtab, counter, &addr, &bytes));
    assert_int_equal(elf.counter.addr, addr);
    assert_int_equal(elf.counter.size, size);
    elf_file_free(&elf);
}

static void refuse(const char *symbol, const char *part)
{
    struct elf_file elf = {.symtab = NULL};
    char text[400] = "";

    assert_false(elf_file_load(&elf, SYMBOL_FILES "/tables.elf", symbol, text, sizeof(text)));
    if (!strstr(text, part))
        fail_msg("%s", text);
}

/* Of a name that says nothing, only the whole is looked for; and neither arrays nor fractions. */
static void test_counter(void **state)
{
    guess("ring", "ring_head", 2);
    guess("ring,count", "count", 2);
    guess("calls_buf", "calls_buf_next", sizeof(void *));
    guess("lone_ring", "lone_idx", 1);
    refuse("both_ring", "'both_ring_head' and 'both_ring_count'");
    refuse("both<1, 2>::ring", "'both<1, 2>::ring'");
    refuse("both<1, 2>::ring,count", "'both<1, 2>::ring'");
    refuse("bare_ring", "no counter of the ring 'bare_ring' has a name like bare_ring_head");
}

static void test_damaged(void **state)
{
    char text[400];

    written = PARTS;
    scratch_write(whole, whole_len / 2);
    assert_false(load(text, sizeof(text)));
    assert_non_null(strstr(text, "cut short or damaged"));
    assert_in_range(pauses, 1, 20);
}

static void test_damaged_long_ago(void **state)
{
    char text[400];

    written = PARTS;
    scratch_write(whole, whole_len / 2);
    age_s = 3;
    assert_false(load(text, sizeof(text)));
    age_s = 0;
    assert_non_null(strstr(text, "cut short or damaged"));
    assert_int_equal(pauses, 0);
}

static void test_no_file(void **state)
{
    char text[400];

    remove(scratch_path);
    written = PARTS;
    assert_false(load(text, sizeof(text)));
    assert_int_equal(pauses, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_to_its_end),
        cmocka_unit_test(test_begins_empty),
        cmocka_unit_test(test_whole_at_once),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_damaged_long_ago),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_counter),
    };

    return cmocka_run_group_tests(tests, make, end);
}
