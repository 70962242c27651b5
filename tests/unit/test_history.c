/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files in a history, and what "@WORD" means. */
#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <unistd.h>

#include "unit.h"

#include <history/history.h>

static const char *name(const char *folder, int64_t seconds, const char *build, unsigned number)
{
    static char path[PATH_MAX];

    assert_true(
        history_name(folder, seconds * 1000000000 + 999999999, build, number, path, sizeof(path)));
    return path;
}

static void test_names(void **state)
{
    char path[44];

    /* 2026-11-21 20:42:37 UTC, wherever the test runs. */
    setenv("TZ", "Asia/Kolkata", 1);
    assert_string_equal(name("d", 1795293757, "3f9a21c0ffee", 1),
                        "d/20261121T204237Z-3f9a21c.pb.gz");
    assert_string_equal(name("d/e/", 1795293757, "3f9a21c0ffee", 2),
                        "d/e/20261121T204237Z-3f9a21c-2.pb.gz");
    assert_string_equal(name(".", 0, "", 10), "./19700101T000000Z-nobuild-10.pb.gz");
    assert_string_equal(name("d", 1795293757, "seg-3f9a21c0ffee", 1),
                        "d/20261121T204237Z-seg-3f9a21c.pb.gz");
    assert_string_equal(name("/", 1, "ab", 1), "/19700101T000001Z-ab.pb.gz");

    assert_false(history_name("d", -1, "", 1, path, sizeof(path)));
    assert_false(history_name("d", 1795293757, "3f9a21c", 1, path, 32));
    assert_true(history_name("d", 1795293757, "3f9a21c", 1, path, 33));
    /* A name begins with its time, so a folder's listing is in that order. */
    assert_true(history_name("d", INT64_MAX, "", 1, path, sizeof(path)));
    assert_string_equal(path, "d/22620411T234716Z-nobuild.pb.gz");
}

static char builds[][20] = {"3f9a21c0ffee", "aaaa111122223333", "3f9a21c0ffee", "",
                            "3f9adddd",     "0000123456",       "seg-beef0001"};

/* As it would be of a folder with so many of these, which nobody frees. */
static struct history make_history(struct history_entry *entries, size_t count)
{
    static char folder[] = "dir";

    for (size_t i = 0; i < count; i++)
        entries[i] = (struct history_entry){.path = builds[i], .build = builds[i]};
    return (struct history){.folder = folder, .entries = entries, .count = count};
}

static void expect(const struct history *h, const char *word, size_t count, const size_t *wanted)
{
    size_t picked[COUNT(builds)];
    char text[200];

    if (history_pick(h, word, picked, text, sizeof(text)) != count)
        fail_msg("@%s", word);
    assert_memory_equal(picked, wanted, count * sizeof(*wanted));
}

static void refuse(const struct history *h, const char *word, const char *wanted)
{
    size_t picked[COUNT(builds)];
    char text[200];

    assert_int_equal(history_pick(h, word, picked, text, sizeof(text)), 0);
    assert_string_equal(text, wanted);
}

static void test_numbers(void **state)
{
    struct history_entry entries[COUNT(builds)];
    const struct history h = make_history(entries, COUNT(builds));
    const struct history one = make_history(entries, 1), none = make_history(entries, 0);

    for (size_t i = 0; i < COUNT(builds); i++) {
        const char digit[] = {(char)('0' + i), '\0'};
        expect(&h, digit, 1, &i);
    }
    expect(&h, "005", 1, &(size_t){5});
    refuse(&h, "7", "@7: there are 7 snapshots in dir, @0 to @6");
    refuse(&one, "1", "@1: there is one snapshot in dir, @0");
    refuse(&none, "0", "@0: there is no snapshot in dir; 'mprof snapshot --store dir' adds one");
    refuse(&h, "99999999999999999999999",
           "@99999999999999999999999: there are 7 snapshots in dir, @0 to @6");
    refuse(&h, "", "@: not @NUMBER or @BUILD; for a file of that name use ./@");
    refuse(&h, "-1", "@-1: not @NUMBER or @BUILD; for a file of that name use ./@-1");
    refuse(&h, "today", "@today: not @NUMBER or @BUILD; for a file of that name use ./@today");
}

static void test_builds(void **state)
{
    struct history_entry entries[COUNT(builds)];
    const struct history h = make_history(entries, COUNT(builds));

    expect(&h, "3f9a2", 2, (size_t[]){0, 2});
    expect(&h, "3F9A21C0FFEE", 2, (size_t[]){0, 2});
    expect(&h, "aaaa", 1, &(size_t){1});
    /* A number if there are so many, else a build. */
    expect(&h, "0000", 1, &(size_t){0});
    expect(&h, "000012", 1, &(size_t){5});
    refuse(&h, "3f9a", "@3f9a: several builds in dir begin with this: 3f9a21c0ffee and 3f9adddd");
    refuse(&h, "3f9", "@3f9: give at least four digits of a build");
    refuse(&h, "3f9a21c0ffee0",
           "@3f9a21c0ffee0: no snapshot in dir has a build that begins with this");
    refuse(&h, "cafe", "@cafe: no snapshot in dir has a build that begins with this");
    /* A hash, with what tells it apart or without. */
    expect(&h, "seg-beef", 1, &(size_t){6});
    expect(&h, "SEG-BEEF0001", 1, &(size_t){6});
    expect(&h, "beef0", 1, &(size_t){6});
    refuse(&h, "seg-3f9a", "@seg-3f9a: no snapshot in dir has a build that begins with this");
    refuse(&h, "seg-bee", "@seg-bee: give at least four digits of a build");
    refuse(&h, "seg-0", "@seg-0: give at least four digits of a build");
    refuse(&h, "seg-", "@seg-: not @NUMBER or @BUILD; for a file of that name use ./@seg-");
    refuse(&h, "1234", "@1234: there are 7 snapshots in dir, @0 to @6");
    assert_true(history_is_word("@1"));
    assert_false(history_is_word("./@1"));
}

static void test_folder(void **state)
{
    char at[] = "/tmp/mprof-history-XXXXXX", folder[60], below[80], text[200];

    assert_non_null(mkdtemp(at));
    snprintf(folder, sizeof(folder), "%s/a", at);
    snprintf(below, sizeof(below), "%s/b/c", folder);
    assert_true(history_make_folder(folder, text, sizeof(text)));
    assert_true(history_make_folder(folder, text, sizeof(text)));
    assert_false(history_make_folder(below, text, sizeof(text)));
    assert_non_null(strstr(text, below));
    assert_non_null(strstr(text, "No such file"));
    assert_false(history_make_folder("/dev/null", text, sizeof(text)));
    assert_non_null(strstr(text, "/dev/null"));
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(rmdir(at), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_builds),
        cmocka_unit_test(test_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
