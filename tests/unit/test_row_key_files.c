/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of saved snapshots, the same hits are one function for the ranking, the history and exports. */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include "unit.h"

#include <history/trend.h>

#include "row_key_checks.h"
#include "walk.h"

static struct snapshot *save_build(const struct build *b, const char *id, int64_t time_s,
                                   const char *path)
{
    const struct symbol_naming naming = naming_of(b);
    const struct snapshot_about about = {.program = "fw.elf",
                                         .build_id = id,
                                         .program_start = b->base,
                                         .program_end = b->base + 0x100,
                                         .time_ns = time_s * 1000000000,
                                         .duration_ns = 1000000000};
    struct snapshot *s = NULL;
    struct counted c;
    char text[600];

    init_counted(&c, b, false);
    hit_all_rows(&c);
    assert_int_equal(snapshot_make(&c.profile, &naming, &about, &s, text, sizeof(text)),
                     SNAPSHOT_OK);
    if (path)
        assert_int_equal(snapshot_save(s, path, text, sizeof(text)), SNAPSHOT_OK);
    return s;
}

static void save_file(const struct build *b, const char *id, int64_t time_s, const char *path)
{
    snapshot_free(save_build(b, id, time_s, path));
}

static void no_skip(void *context, const char *text)
{
    fail_msg("%s", text);
}

/* A function is one trend, whose row of each build has the hits of a ranking's. */
static void check_history(const char *folder)
{
    const struct history_question question = {.pattern = "*", .skip = no_skip};
    struct history history;
    struct view_trends trends;
    char text[600];

    assert_true(history_open(folder, false, NULL, no_skip, NULL, &history, text, sizeof(text)));
    assert_true(history_trend(&history, &question, &trends, text, sizeof(text)));
    assert_int_equal(trends.count, length_of(groupings[0].across));
    for (size_t i = 0; i < trends.count; i++) {
        assert_int_equal(trends.trends[i].count, 2);
        check_has(&groupings[0], groupings[0].across, trends.trends[i].points[0].hits);
        assert_int_equal(trends.trends[i].points[0].hits, trends.trends[i].points[1].hits);
    }
    history_trend_free(&trends);
    history_free(&history);
}

static void test_history(void **state)
{
    char folder[] = "/tmp/mprof-rows-XXXXXX", older[80], newer[80];

    assert_non_null(mkdtemp(folder));
    snprintf(older, sizeof(older), "%s/older.pb.gz", folder);
    snprintf(newer, sizeof(newer), "%s/newer.pb.gz", folder);
    save_file(&first_build, "aaaa", 1700000000, older);
    save_file(&moved_build, "bbbb", 1700000100, newer);
    check_history(folder);
    unlink(older);
    unlink(newer);
    rmdir(folder);
}

/* Hits by number in the function table. */
struct exported {
    uint64_t hits[BLOCKS];
};

static bool export_part(struct export *e, const struct export_part *part)
{
    struct exported *x = e->state;
    uint32_t owner = part->frames[part->owner].function;

    assert_in_range(owner, 0, BLOCKS - 1);
    x->hits[owner] += part->value;
    return true;
}

/* Callers are functions too, with no hits of their own. */
static bool export_end(struct export *e)
{
    const struct exported *x = e->state;
    size_t rows = 0;

    for (size_t i = 0; i < BLOCKS; i++) {
        if (x->hits[i] == 0)
            continue;
        check_has(&groupings[0], groupings[0].rows, x->hits[i]);
        rows++;
    }
    assert_int_equal(rows, length_of(groupings[0].rows));
    return true;
}

/* A function of an export has the hits of its row in a ranking. */
static void test_export(void **state)
{
    static const struct exporter_ops ops = {
        .state_size = sizeof(struct exported), .sample = export_part, .end = export_end};
    const struct exporter exporter = {.name = "rows", .ops = &ops};
    struct snapshot *s = save_build(&first_build, "aaaa", 1700000000, NULL);
    const struct export_source source = {.snapshot = s};
    FILE *out = tmpfile();
    char text[600];

    assert_int_equal(export_write(&exporter, &source, 1, "", out, NULL, text, sizeof(text)),
                     EXPORT_OK);
    fclose(out);
    snapshot_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_export),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
