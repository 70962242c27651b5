/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots that a live view saves: what is in the file, and its name. */
#define _XOPEN_SOURCE 700

#include <unistd.h>

#include <target/save.h>

#include "baseline_checks.h" /* cmocka has a macro fail() */

#include "unit.h"

static void test_no_hits(void **state)
{
    struct target *t = *state;

    count_hits(t, 0, 0, 0, 0);
    assert_null(baseline_take(&t->watch, shown(t), t->text, sizeof(t->text)));
    assert_non_null(strstr(t->text, "no hits"));
    assert_int_equal(save_snapshot(&t->watch, shown(t), NULL, t->text, sizeof(t->text)),
                     STATUS_FAILED);
    assert_non_null(strstr(t->text, "no hits"));
}

static struct snapshot *load_snapshot(const char *path)
{
    struct snapshot *snapshot = NULL;
    char text[400];

    assert_int_equal(snapshot_load(path, &snapshot, text, sizeof(text)), SNAPSHOT_OK);
    return snapshot;
}

static uint64_t hits_of(const struct snapshot *s)
{
    struct profile p;
    char text[400];

    assert_int_equal(snapshot_profile(s, 0, &p, text, sizeof(text)), SNAPSHOT_OK);
    uint64_t hits = p.attributed;
    profile_free(&p);
    return hits;
}

static void test_save(void **state)
{
    struct target *t = *state;
    char path[80], saved[PATH_MAX];

    count_hits(t, 100, 200, 300, 400);
    snprintf(path, sizeof(path), "%s/a.pb.gz", t->folder);
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_DONE);
    assert_string_equal(saved, path);
    struct snapshot *s = load_snapshot(path);
    assert_int_equal(hits_of(s), 1000);
    assert_string_equal(s->conditions.link, "gdb");
    assert_string_equal(s->conditions.elf, "older.elf");
    assert_int_equal(s->conditions.sample_hz, 1000);
    assert_int_equal(s->duration_ns, 0);
    snapshot_free(s);
    /* Never over a file. */
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_FAILED);
    assert_non_null(strstr(saved, "exists already"));
    assert_int_equal(save_snapshot(&t->watch, shown(t), "/nowhere/a.pb.gz", saved, sizeof(saved)),
                     STATUS_FAILED);
    assert_non_null(strstr(saved, "cannot write /nowhere/a.pb.gz"));
    /* What came since a mark is of a time. */
    assert_true(time_range_mark(&t->range, &t->watch));
    count_hits(t, 1, 2, 3, 4);
    snprintf(path, sizeof(path), "%s/b.pb.gz", t->folder);
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_DONE);
    s = load_snapshot(path);
    assert_int_equal(hits_of(s), 10);
    assert_true(s->duration_ns > 1000000 && s->duration_ns < 60000000000);
    assert_true(s->time_ns > 0);
    snapshot_free(s);
}

static void test_save_by_itself(void **state)
{
    struct target *t = *state;
    char saved[PATH_MAX], again[PATH_MAX], before[PATH_MAX], store[80];

    count_hits(t, 100, 200, 300, 400);
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(t->folder), 0);
    int status = save_snapshot(&t->watch, shown(t), NULL, saved, sizeof(saved));
    int second = save_snapshot(&t->watch, shown(t), NULL, again, sizeof(again));
    bool there = access(saved, R_OK) == 0 && access(again, R_OK) == 0;
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, STATUS_DONE);
    assert_int_equal(second, STATUS_DONE);
    assert_true(there);
    assert_int_equal(strlen(saved), strlen("mprof-20261121-140307.pb.gz"));
    assert_memory_equal(saved, "mprof-2", 7);
    assert_string_not_equal(saved, again);
    snprintf(store, sizeof(store), "%s/store", t->folder);
    t->options.store = store;
    assert_int_equal(save_snapshot(&t->watch, shown(t), NULL, saved, sizeof(saved)), STATUS_DONE);
    assert_memory_equal(saved, store, strlen(store));
    /* And it is the newest of them. */
    struct baseline *b = baseline_load(&t->options, "@0", t->text, sizeof(t->text));
    assert_non_null(b);
    assert_string_equal(baseline_name(b), saved + strlen(store) + 1);
    baseline_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TARGET_TEST(test_no_hits),
        TARGET_TEST(test_save),
        TARGET_TEST(test_save_by_itself),
    };

    unsetenv("MPROF_STORE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
