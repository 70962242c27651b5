/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a path still leads to the same file: what tells two stamps apart, and what does not. */
#define _POSIX_C_SOURCE 200809L

#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include <base/file_stamp.h>

static const struct stat about = {
    .st_dev = 5, .st_ino = 70, .st_size = 900, .st_mtim = {.tv_sec = 1000, .tv_nsec = 20}};

static void check_differs(struct stat other)
{
    const struct file_stamp was = file_stamp_of(&about), now = file_stamp_of(&other);

    assert_false(file_stamp_same(&was, &now));
    assert_false(file_stamp_same(&now, &was));
    assert_true(file_stamp_same(&now, &now));
}

/* File systems number their files each for itself. */
static void test_same_inode_number_on_another_device_is_another_file(void **state)
{
    struct stat other = about;

    other.st_dev++;
    check_differs(other);
}

static void test_each_part_of_a_stamp_tells(void **state)
{
    struct stat inode = about, size = about, seconds = about, nanoseconds = about;

    inode.st_ino++;
    check_differs(inode);
    size.st_size++;
    check_differs(size);
    seconds.st_mtim.tv_sec++;
    check_differs(seconds);
    nanoseconds.st_mtim.tv_nsec++;
    check_differs(nanoseconds);
}

static void test_only_the_parts_are_compared(void **state)
{
    struct stat other = about;
    struct file_stamp was, now;

    other.st_mode = 0644;
    other.st_atim.tv_sec = 7;
    memset(&was, 0x55, sizeof(was));
    memset(&now, 0xAA, sizeof(now));
    was.device = now.device = about.st_dev;
    was.inode = now.inode = about.st_ino;
    was.size = now.size = about.st_size;
    was.changed.tv_sec = now.changed.tv_sec = about.st_mtim.tv_sec;
    was.changed.tv_nsec = now.changed.tv_nsec = about.st_mtim.tv_nsec;
    assert_true(file_stamp_same(&was, &now));
    now = file_stamp_of(&other);
    assert_true(file_stamp_same(&was, &now));
}

static void test_path(void **state)
{
    char path[] = "/tmp/mprof-stamp-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    const struct file_stamp empty = file_stamp_at(path);
    assert_int_equal(empty.size, 0);
    assert_int_equal(write(fd, "x", 1), 1);
    const struct file_stamp written = file_stamp_at(path);
    assert_int_equal(written.size, 1);
    assert_false(file_stamp_same(&empty, &written));
    close(fd);
    unlink(path);
    const struct file_stamp gone = file_stamp_at(path), none = file_stamp_at("/nowhere/none");
    assert_int_equal(gone.size, -1);
    assert_false(file_stamp_same(&written, &gone));
    assert_true(file_stamp_same(&gone, &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_inode_number_on_another_device_is_another_file),
        cmocka_unit_test(test_each_part_of_a_stamp_tells),
        cmocka_unit_test(test_only_the_parts_are_compared),
        cmocka_unit_test(test_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
