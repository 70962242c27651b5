/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of every version of DWARF as binutils' addr2line has them, and files that change. */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "load.h"
#include "symbol_checks.h"

#define WHOLE SIZE_MAX
#define COPY  0

#define COMMAND_MAX (1 << 18)

static struct symtab *load_path(const char *path, size_t whole_max)
{
    struct symtab *symtab = NULL;
    char text[600] = "";

    if (symtab_load_by(path, whole_max, &symtab, text, sizeof(text)) != SYMTAB_OK)
        fail_msg("%s", text);
    return symtab;
}

/* All addresses of all functions but their entries, where we say where the function begins. */
static FILE *ask_addr2line(const struct symtab *t, const char *path)
{
    char *command = malloc(COMMAND_MAX);
    size_t count;
    const struct symtab_function *f = symtab_functions(t, &count);

    assert_non_null(command);
    int used = snprintf(command, COMMAND_MAX, "addr2line -e %s", path);
    for (size_t i = 0; i < count; i++) {
        for (uint64_t at = 1; at < f[i].size && used < COMMAND_MAX - 32; at++)
            used += snprintf(command + used, (size_t)(COMMAND_MAX - used), " 0x%" PRIx64,
                             f[i].addr + at);
    }
    FILE *pipe = popen(command, "r");
    free(command);
    assert_non_null(pipe);
    return pipe;
}

static void check_address(struct symtab *t, const char *path, uint64_t addr, char *answer)
{
    struct symtab_line line;
    char ours[600] = "??";

    answer[strcspn(answer, " \n")] = '\0'; /* "(discriminator 2)" */
    if (symtab_find_line(t, addr, &line))
        snprintf(ours, sizeof(ours), "%s:%u", line.file, line.line);
    /* A folder that is not absolute stays as it is; addr2line puts the compiler's before it. */
    size_t len = strlen(answer), tail = strlen(ours);
    bool inside = ours[0] != '/' && len > tail && answer[len - tail - 1] == '/';
    if (strcmp(inside ? answer + len - tail : answer, ours) != 0)
        fail_msg("%s 0x%" PRIx64 ": %s, not %s", path, addr, ours, answer);
}

static void check_file(const char *name, size_t whole_max)
{
    char path[512], answer[600];
    size_t count;

    snprintf(path, sizeof(path), "%s/%s", SYMBOL_FILES, name);
    struct symtab *t = load_path(path, whole_max);
    const struct symtab_function *f = symtab_functions(t, &count);
    FILE *pipe = ask_addr2line(t, path);
    size_t checked = 0;
    for (size_t i = 0; i < count; i++) {
        for (uint64_t at = 1; at < f[i].size; at++, checked++) {
            assert_non_null(fgets(answer, sizeof(answer), pipe));
            check_address(t, path, f[i].addr + at, answer);
        }
    }
    assert_int_equal(pclose(pipe), 0);
    assert_true(checked > 50);
    symtab_free(t);
}

static void every_version(void **state)
{
    static const char *const machines[] = {"native", "arm", "rv32"};
    const bool there[] = {true, SYMBOL_ARM, SYMBOL_RISCV};

    for (size_t i = 0; i < 3; i++) {
        for (unsigned version = 2; version <= 5 && there[i]; version++) {
            char name[64];
            snprintf(name, sizeof(name), "%s_%u.elf", machines[i], version);
            check_file(name, WHOLE);
            check_file(name, COPY);
        }
    }
    check_file("packed.elf", WHOLE);
    check_file("packed.elf", COPY);
}

static void many_rows(void **state)
{
    check_file("rows_native.elf", WHOLE);
    if (SYMBOL_ARM)
        check_file("rows_arm.elf", COPY);
    if (SYMBOL_RISCV)
        check_file("rows_rv32.elf", WHOLE);
}

/* A copy of the file in the current folder, which the caller removes. */
static void make_copy(char *path, size_t capacity)
{
    char from[512], bytes[4096];
    size_t len;

    snprintf(from, sizeof(from), "%s/native_5.elf", SYMBOL_FILES);
    snprintf(path, capacity, "%s/changing-%ld.elf", SYMBOL_FILES, (long)getpid());
    FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
    assert_non_null(in);
    assert_non_null(out);
    while ((len = fread(bytes, 1, sizeof(bytes), in)) > 0)
        assert_int_equal(fwrite(bytes, 1, len, out), len);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* In place, with the same length and another time. */
static void write_over(const char *path)
{
    struct stat st;
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = 1000}};
    int fd = open(path, O_WRONLY);

    assert_int_equal(fstat(fd, &st), 0);
    for (off_t at = 0; at < st.st_size; at++)
        assert_int_equal(pwrite(fd, "\xa5", 1, at), 1);
    assert_int_equal(futimens(fd, times), 0);
    close(fd);
}

/* A sound file of the same length, in place: it only speaks of another source file. */
static void edit(const char *path)
{
    static const char name[] = "symbol_inlines.c";
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = 1000}};
    static char bytes[1 << 20];
    int fd = open(path, O_RDWR);
    ssize_t len = read(fd, bytes, sizeof(bytes));
    int edits = 0;

    for (ssize_t at = 0; at + (ssize_t)sizeof(name) < len; at++)
        if (memcmp(bytes + at, name, sizeof(name)) == 0) {
            assert_int_equal(pwrite(fd, "X", 1, at), 1);
            edits++;
        }
    assert_true(edits > 0);
    assert_int_equal(futimens(fd, times), 0);
    close(fd);
}

static void cut(const char *path)
{
    assert_int_equal(truncate(path, 100), 0);
}

static void remove_it(const char *path)
{
    assert_int_equal(unlink(path), 0);
    FILE *other = fopen(path, "wb");
    assert_non_null(other);
    fputs("another file", other);
    fclose(other);
}

/* Changes the file after it was loaded, and after the first question or before it. */
static void change(void (*how)(const char *path), size_t whole_max, bool asked, bool known)
{
    char path[512];
    struct symtab_line line = {.line = 77};
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    size_t deepest = 0;

    make_copy(path, sizeof(path));
    struct symtab *t = load_path(path, whole_max);
    const struct symtab_function *f = the(t, "inlines_first");
    if (asked)
        assert_true(symtab_find_line(t, f->addr, &line));
    how(path);
    assert_ptr_equal(symtab_find(t, f->addr + 1), f);
    assert_int_equal(symtab_find_line(t, f->addr + 1, &line), known);
    assert_int_equal(line.line == 77, !known && !asked);
    for (uint64_t at = 0; at < f->size; at++) {
        size_t count = symtab_find_inlined(t, f->addr + at, frames, SYMTAB_INLINED_MAX);
        deepest = count > deepest ? count : deepest;
    }
    assert_int_equal(deepest, known ? 3 : 0);
    symtab_free(t);
    unlink(path);
}

static void changed_before(void **state)
{
    change(cut, COPY, false, false);
    change(write_over, COPY, false, false);
    change(edit, COPY, false, false);
    change(remove_it, COPY, false, true); /* ours is still there, without a name */
    change(cut, WHOLE, false, true);
    change(write_over, WHOLE, false, true);
}

static void changed_after(void **state)
{
    change(cut, COPY, true, true);
    change(write_over, COPY, true, true);
    change(edit, COPY, true, true);
    change(remove_it, COPY, true, true);
}

/* Segments have the bytes that were there when it was loaded. */
static void bytes_stay(void **state)
{
    char path[512];
    size_t count, same;

    make_copy(path, sizeof(path));
    struct symtab *whole = load_path(path, WHOLE), *large = load_path(path, COPY);
    write_over(path);
    const struct symtab_segment *a = symtab_segments(whole, &count);
    const struct symtab_segment *b = symtab_segments(large, &same);
    assert_int_equal(count, same);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(a[i].addr, b[i].addr);
        assert_int_equal(a[i].len, b[i].len);
        assert_memory_equal(a[i].bytes, b[i].bytes, a[i].len);
    }
    symtab_free(whole);
    symtab_free(large);
    unlink(path);
}

/* A folder for temporary files that is not there, and one that is. */
static void any_folder(void **state)
{
    const char *old = getenv("TMPDIR");
    char *kept = old ? strdup(old) : NULL;

    setenv("TMPDIR", "/nonexistent", 1);
    check_file("native_5.elf", COPY);
    setenv("TMPDIR", SYMBOL_FILES, 1);
    check_file("native_5.elf", COPY);
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version),  cmocka_unit_test(many_rows),
        cmocka_unit_test(changed_before), cmocka_unit_test(changed_after),
        cmocka_unit_test(bytes_stay),     cmocka_unit_test(any_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
