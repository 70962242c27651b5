/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the link to a file that holds a piece of memory. */
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "link_checks.h"
#include "scratch_file.h"

#define ADDR 0x20000100U

static enum gdbmi_code try_open(const char *name, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    struct gdbmi_options options = {.raw = name, .raw_addr = ADDR};

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return gdbmi_link_open(&options, link, error);
}

static struct gdbmi_link *must_open(void)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    enum gdbmi_code code = try_open(scratch_path, &link, &error);
    return check_opened(code, link, &error);
}

static void check_refused(struct gdbmi_link *link, uint64_t addr, size_t len, const char *text)
{
    char bytes[64];

    memset(bytes, 0x55, sizeof(bytes));
    assert_int_equal(gdbmi_link_read(link, addr, bytes, len), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, scratch_path);
    check_text(gdbmi_link_error(link)->text, text);
    for (size_t i = 0; i < sizeof(bytes); i++)
        assert_int_equal(bytes[i], 0x55);
}

static void test_range(void **state)
{
    char bytes[11] = "";
    enum gdbmi_state is = GDBMI_STATE_RUNNING;

    scratch_write("0123456789", 10);
    struct gdbmi_link *link = must_open();
    const struct gdbmi_info *info = gdbmi_link_info(link);
    assert_string_equal(info->kind, "raw");
    assert_string_equal(info->address, scratch_path);
    assert_true(info->live);
    assert_int_equal(info->entry, 0);
    assert_int_equal(gdbmi_link_poll(link, ADDR, bytes, 10, &is), GDBMI_OK);
    assert_string_equal(bytes, "0123456789");
    assert_int_equal(is, GDBMI_STATE_UNKNOWN);
    assert_int_equal(gdbmi_link_read(link, ADDR + 7, bytes, 3), GDBMI_OK);
    assert_memory_equal(bytes, "789", 3);
    check_refused(link, ADDR, 11, "10 bytes from 0x20000100, which do not include the 11 bytes");
    check_refused(link, ADDR + 9, 2, "do not include");
    check_refused(link, ADDR + 10, 1, "do not include");
    check_refused(link, ADDR - 1, 1, "do not include");
    check_refused(link, UINT64_MAX, 1, "do not include");
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

static void test_no_target(void **state)
{
    uint64_t pc;
    char *answer;

    scratch_write("0123", 4);
    struct gdbmi_link *link = must_open();
    assert_int_equal(gdbmi_link_write(link, ADDR, "x", 1), GDBMI_EUNSUPPORTED);
    check_text(gdbmi_link_error(link)->text, "a file, not a target");
    assert_int_equal(gdbmi_link_halt(link), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_resume(link), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_command(link, "help", &answer), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

/* What is dumped next is read next: into the same file, in its place, after it was gone. */
static void test_dumped_again(void **state)
{
    char bytes[4];
    char other[80];

    scratch_write("0123", 4);
    struct gdbmi_link *link = must_open();
    scratch_write("4567", 4);
    assert_int_equal(gdbmi_link_read(link, ADDR, bytes, 4), GDBMI_OK);
    assert_memory_equal(bytes, "4567", 4);
    snprintf(other, sizeof(other), "%s.new", scratch_path);
    assert_int_equal(rename(scratch_path, other), 0);
    check_refused(link, ADDR, 4, "No such file");
    scratch_write("89ab", 4);
    assert_int_equal(gdbmi_link_read(link, ADDR, bytes, 4), GDBMI_OK);
    assert_memory_equal(bytes, "89ab", 4);
    scratch_write("89", 2);
    check_refused(link, ADDR, 4, "do not include");
    scratch_write("", 0);
    check_refused(link, ADDR, 4, "empty");
    assert_int_equal(rename(other, scratch_path), 0);
    assert_int_equal(gdbmi_link_read(link, ADDR, bytes, 4), GDBMI_OK);
    assert_memory_equal(bytes, "4567", 4);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

static void check_open(const char *name, const char *text)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    assert_int_equal(try_open(name, &link, &error), GDBMI_ECONNECT);
    assert_null(link);
    check_text(error.text, name);
    check_text(error.text, text);
}

static void test_no_dump(void **state)
{
    char pipe[80];

    snprintf(pipe, sizeof(pipe), "%s/pipe", scratch_folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    check_open(pipe, "not a regular file");
    unlink(pipe);
    check_open(scratch_folder, "a folder");
    check_open("/nowhere/dump", "No such file");
    scratch_write("", 0);
    check_open(scratch_path, "empty");
}

/* The file that a process has mapped may be written, and nothing beyond it. */
static void test_process(void **state)
{
    struct gdbmi_options options = {.raw = scratch_path, .raw_addr = ADDR, .raw_entry = 1};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    char bytes[11] = "";

    scratch_write("0123456789", 10);
    assert_int_equal(gdbmi_link_open(&options, &link, &error), GDBMI_OK);
    assert_int_equal(gdbmi_link_write(link, ADDR + 8, "ab", 2), GDBMI_OK);
    assert_int_equal(gdbmi_link_read(link, ADDR, bytes, 10), GDBMI_OK);
    assert_string_equal(bytes, "01234567ab");
    assert_int_equal(gdbmi_link_write(link, ADDR + 9, "cd", 2), GDBMI_ETARGET);
    assert_int_equal(gdbmi_link_write(link, ADDR - 1, "cd", 2), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "it does not have these bytes");
    assert_int_equal(gdbmi_link_read(link, ADDR, bytes, 10), GDBMI_OK);
    assert_string_equal(bytes, "01234567ab");
    assert_int_equal(gdbmi_link_close(link, &error), GDBMI_OK);
}

static void test_no_samples(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;

    scratch_write("0123456789", 10);
    struct gdbmi_link *link = must_open();
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_EUNSUPPORTED);
    check_text(gdbmi_link_error(link)->text, "no core can be halted and sampled here");
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_samples),   cmocka_unit_test(test_range),
        cmocka_unit_test(test_process),      cmocka_unit_test(test_no_target),
        cmocka_unit_test(test_dumped_again), cmocka_unit_test(test_no_dump),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
