/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By each grouping, the same hits are one row for the ranking, the sparkline, the diff and the live
 * screen's cursor; by function, for the history and exports too. Each hit count is a power of two:
 * a row's hits say which blocks are in it. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <unistd.h>

#include "unit.h"

#include <history/trend.h>
#include <profile/recent_window.h>
#include <ranking/change.h>
#include <ranking/row_key.h>
#include <ranking/sparklines.h>

#include "live_private.h"
#include "walk.h"

#define BLOCKS   9
#define ALL_HITS 511
#define BASE     0x1000
#define GRAIN    0x10

/* A build: its functions, and a line and perhaps inlined code for each block from base on. */
struct place {
    unsigned function; /* its number; functions[NONE]: not known */
    const char *file;  /* NULL: not known */
    unsigned line;
    const char *inlined; /* NULL: nothing is */
};

#define NONE 4

struct build {
    uint64_t base;
    struct symtab_function functions[NONE];
    const char *files[NONE];
};

/* Two functions of one name stand in two files; the last two blocks have no name. */
static const struct place places[] = {
    {0, "a.c", 1, "crc"}, {0, "a.c", 2, NULL},  {1, "b.c", 7, "crc"},  {1, "b.c", 7, NULL},
    {2, "a.c", 20, NULL}, {3, "b.c", 20, NULL}, {NONE, NULL, 0, NULL}, {NONE, NULL, 0, NULL},
};

static const struct build build = {
    BASE,
    {{.addr = BASE, .size = 0x20, .name = "alpha"},
     {.addr = BASE + 0x20, .size = 0x20, .name = "beta"},
     {.addr = BASE + 0x40, .size = 0x10, .name = "init"},
     {.addr = BASE + 0x50, .size = 0x10, .name = "init"}},
    {"a.c", "b.c", "a.c", "b.c"},
};

/* The same functions elsewhere, one of them as the compiler made it this time. */
static const struct build moved = {
    BASE + 0x10000,
    {{.addr = BASE + 0x10000, .size = 0x20, .name = "alpha.constprop.0"},
     {.addr = BASE + 0x10020, .size = 0x20, .name = "beta"},
     {.addr = BASE + 0x10040, .size = 0x10, .name = "init"},
     {.addr = BASE + 0x10050, .size = 0x10, .name = "init"}},
    {"a.c", "b.c", "a.c", "b.c"},
};

static const struct place *place_of(const struct build *b, uint64_t addr)
{
    return addr >= b->base && addr < b->base + COUNT(places) * GRAIN
               ? &places[(addr - b->base) / GRAIN]
               : NULL;
}

static const struct symtab_function *find(void *context, uint64_t addr)
{
    const struct build *b = context;
    const struct place *place = place_of(b, addr);

    return place && place->function != NONE ? &b->functions[place->function] : NULL;
}

static bool find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    const struct place *place = place_of(context, addr);

    if (!place || !place->file)
        return false;
    *line = (struct symtab_line){.file = place->file, .line = place->line};
    return true;
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    const struct build *b = context;

    *line = (struct symtab_line){.file = b->files[function - b->functions], .line = 1};
    return true;
}

static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    const struct place *place = place_of(context, addr);

    if (!place || !place->inlined || max == 0)
        return 0;
    frames[0] = (struct symtab_inlined){.name = place->inlined, .file = "crc.h", .line = 3};
    return 1;
}

static struct symbol_naming naming_of(const struct build *b)
{
    return (struct symbol_naming){.context = (void *)(uintptr_t)b,
                                  .find = find,
                                  .find_caller = find,
                                  .find_line = find_line,
                                  .find_start = find_start,
                                  .find_inlined = find_inlined};
}

struct counted {
    struct profile profile;
    struct profile_hit hits[BLOCKS];
};

/* Block by block; the first one was hit from two callers, the second time in an interrupt. */
static void count(struct counted *c, const struct build *b, bool exceptions)
{
    static const unsigned blocks[BLOCKS] = {0, 0, 1, 2, 3, 4, 5, 6, 7};
    static const unsigned callers[BLOCKS] = {2, 4, 2, 1, 1, 1, 1, 0, 0}; /* 0: not known */

    *c = (struct counted){.profile = {.unit = DECODE_UNIT_SAMPLES,
                                      .grain = GRAIN,
                                      .row_count = BLOCKS,
                                      .sample_hz = 1000,
                                      .cores = 1,
                                      .updated_s = 100,
                                      .exceptions = exceptions}};
    c->profile.rows = c->hits;
    for (size_t i = 0; i < BLOCKS; i++)
        c->hits[i] =
            (struct profile_hit){.addr = b->base + GRAIN * blocks[i],
                                 .caller = callers[i] ? b->base + GRAIN * callers[i] + 4 : 0,
                                 .exception = i == 1 || i == 4 ? 15 : 0};
}

/* All hits at once, within a second. */
static void hit(struct counted *c)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        c->hits[i].recent = 1u << i;
        c->hits[i].hits += 1u << i;
    }
    c->profile.attributed += ALL_HITS;
    c->profile.recent = ALL_HITS;
    c->profile.recent_s = 1;
    c->profile.updated_s += 1;
    c->profile.events = c->profile.heartbeat = ALL_HITS + 1;
}

static struct view_rows rank(const struct counted *c, const struct build *b, enum view_by by)
{
    const struct symbol_naming naming = naming_of(b);
    struct view_rows rows;

    assert_true(view_rows_build_named(&c->profile, &naming, by, NULL, &rows));
    return rows;
}

/* A grouping, the hits of its rows, and those of its rows in a diff if they are others. */
struct grouping {
    const char *name;
    enum view_by by;
    bool exceptions;
    uint64_t rows[BLOCKS], diff[BLOCKS]; /* up to a 0 */
    uint64_t across[BLOCKS];             /* of rows that another build has, too */
};

static const struct grouping groupings[] = {
    {"function", VIEW_BY_FUNCTION, false, {7, 24, 32, 64, 128, 256}, {0}, {7, 24, 32, 64}},
    {"line", VIEW_BY_LINE, false, {3, 4, 24, 32, 64, 128, 256}, {0}, {3, 4, 24, 32, 64}},
    {"file", VIEW_BY_FILE, false, {39, 88, 128, 256}, {39, 88, 384}, {39, 88}},
    {"address", VIEW_BY_ADDRESS, false, {3, 4, 8, 16, 32, 64, 128, 256}, {0}, {0}},
    {"arc", VIEW_BY_ARC, false, {5, 2, 24, 32, 64, 128, 256}, {0}, {5, 2, 24, 32, 64}},
    {"inline", VIEW_BY_INLINE, false, {3, 4, 8, 16, 32, 64, 128, 256}, {0}, {3, 4, 8, 16, 32, 64}},
    {"context", VIEW_BY_CONTEXT, false, {7, 24, 32, 64, 128, 256}, {0}, {7, 24, 32, 64}},
    {"exception", VIEW_BY_CONTEXT, true, {18, 493}, {0}, {18, 493}},
};

static size_t length(const uint64_t *hits)
{
    size_t count = 0;

    while (count < BLOCKS && hits[count])
        count++;
    return count;
}

static void check_has(const struct grouping *g, const uint64_t *wanted, uint64_t hits)
{
    for (size_t i = 0; i < length(wanted); i++) {
        if (wanted[i] == hits)
            return;
    }
    fail_msg("by %s: a row of %u hits", g->name, (unsigned)hits);
}

static void test_ranking(void **state)
{
    struct counted c;

    for (const struct grouping *g = groupings; g < groupings + COUNT(groupings); g++) {
        count(&c, &build, g->exceptions);
        hit(&c);
        struct view_rows rows = rank(&c, &build, g->by);
        assert_int_equal(rows.count, length(g->rows));
        for (size_t i = 0; i < rows.count; i++)
            check_has(g, g->rows, rows.rows[i].hits);
        view_rows_free(&rows);
    }
}

/* Each row has a series of its own, whose share is that of its hits. */
static void test_sparkline(void **state)
{
    const struct symbol_naming naming = naming_of(&build);
    double shares[RECENT_WINDOW_SECONDS];
    struct counted c;

    for (const struct grouping *g = groupings; g < groupings + COUNT(groupings); g++) {
        struct recent_window *past = recent_window_new();
        struct sparklines *view = sparklines_new();
        count(&c, &build, g->exceptions);
        assert_true(recent_window_add(past, &c.profile));
        hit(&c);
        assert_true(recent_window_add(past, &c.profile));
        assert_true(sparklines_update(view, past, &c.profile, &naming, g->by, NULL));
        struct view_rows rows = rank(&c, &build, g->by);
        for (size_t i = 0; i < rows.count; i++) {
            assert_int_equal(sparklines_series(view, &rows.rows[i], shares, RECENT_WINDOW_SECONDS),
                             1);
            assert_true(fabs(shares[0] * ALL_HITS - (double)rows.rows[i].hits) < 1e-6);
        }
        view_rows_free(&rows);
        sparklines_free(view);
        recent_window_free(past);
    }
}

static void add(struct view_set *set, enum view_side side, const struct build *b)
{
    const struct symbol_naming naming = naming_of(b);
    struct counted c;
    char text[600];

    count(&c, b, false);
    hit(&c);
    const struct view_run run = {.profile = &c.profile,
                                 .naming = &naming,
                                 .name = "a.pb.gz",
                                 .elf = "fw.elf",
                                 .build_id = b == &build ? "aaaa" : "bbbb",
                                 .unit = "samples",
                                 .start = b->base};
    assert_true(view_set_add(set, side, &run, text, sizeof(text)));
}

static void check_diff(const struct grouping *g, const struct build *newer, const uint64_t *wanted)
{
    const struct view_change_options options = {.diff = DIFF_OPTIONS_DEFAULT};
    struct view_set *set = view_set_new(g->by, NULL);
    struct view_changes c;
    char text[600];

    add(set, VIEW_BASE, &build);
    add(set, VIEW_NEW, newer);
    if (!view_changes_make(set, &options, &c, text, sizeof(text)))
        fail_msg("by %s: %s", g->name, text);
    assert_int_equal(c.count, length(wanted));
    for (size_t i = 0; i < c.count; i++) {
        check_has(g, wanted, c.rows[i].d.base_hits);
        assert_int_equal(c.rows[i].d.base_hits, c.rows[i].d.new_hits);
    }
    view_changes_free(&c);
    view_set_free(set);
}

/* Snapshots do not say in which exception a sample came: a diff has no such rows. */
static void test_diff(void **state)
{
    for (const struct grouping *g = groupings; g < groupings + COUNT(groupings); g++) {
        if (!g->exceptions)
            check_diff(g, &build, g->diff[0] ? g->diff : g->rows);
    }
}

/* What has a name is the same row in another build; all that has none is one row. */
static void test_diff_of_builds(void **state)
{
    for (const struct grouping *g = groupings; g < groupings + COUNT(groupings); g++) {
        uint64_t wanted[BLOCKS] = {0};
        if (g->exceptions || g->by == VIEW_BY_LINE || g->by == VIEW_BY_ADDRESS)
            continue;
        memcpy(wanted, g->across, sizeof(wanted));
        wanted[length(wanted)] = 384;
        check_diff(g, &moved, wanted);
    }
}

static bool is_across(const struct grouping *g, uint64_t hits)
{
    for (size_t i = 0; i < length(g->across); i++) {
        if (g->across[i] == hits)
            return true;
    }
    return false;
}

static struct snapshot *save(const struct build *b, const char *id, int64_t time_s,
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

    count(&c, b, false);
    hit(&c);
    assert_int_equal(snapshot_make(&c.profile, &naming, &about, &s, text, sizeof(text)),
                     SNAPSHOT_OK);
    if (path)
        assert_int_equal(snapshot_save(s, path, text, sizeof(text)), SNAPSHOT_OK);
    return s;
}

static void save_file(const struct build *b, const char *id, int64_t time_s, const char *path)
{
    snapshot_free(save(b, id, time_s, path));
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
    assert_int_equal(trends.count, length(groupings[0].across));
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
    save_file(&build, "aaaa", 1700000000, older);
    save_file(&moved, "bbbb", 1700000100, newer);
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
    assert_int_equal(rows, length(groupings[0].rows));
    return true;
}

/* A function of an export has the hits of its row in a ranking. */
static void test_export(void **state)
{
    static const struct exporter_ops ops = {
        .state_size = sizeof(struct exported), .sample = export_part, .end = export_end};
    const struct exporter exporter = {.name = "rows", .ops = &ops};
    struct snapshot *s = save(&build, "aaaa", 1700000000, NULL);
    const struct export_source source = {.snapshot = s};
    FILE *out = tmpfile();
    char text[600];

    assert_int_equal(export_write(&exporter, &source, 1, "", out, NULL, text, sizeof(text)),
                     EXPORT_OK);
    fclose(out);
    snapshot_free(s);
}

static void reverse(struct view_rows *rows)
{
    for (size_t i = 0, j = rows->count; i + 1 < j; i++) {
        struct view_row row = rows->rows[i];
        rows->rows[i] = rows->rows[--j];
        rows->rows[j] = row;
    }
}

/* The hits of the row that the cursor goes to from a row of that number. */
static uint64_t follow(struct live *live, const struct view_rows *from, size_t number,
                       const struct view_rows *to, bool same_build)
{
    live->watch->session.elf.loaded.size = 1;
    live->model.rows = *from;
    live_remember(live, number);
    live->watch->session.elf.loaded.size = same_build ? 1 : 2;
    live->model.rows = *to;
    live->cursors.ranking.selected = SIZE_MAX;
    live_follow(live);
    return to->rows[live->cursors.ranking.selected].hits;
}

/* The cursor goes with its row to another rank, and to another build. What has no name is where it
 * was: nowhere in this one. */
static void test_cursor(void **state)
{
    struct options options = {.by = VIEW_BY_FUNCTION};
    struct watch *watch = calloc(1, sizeof(*watch));
    struct live *live = calloc(1, sizeof(*live));
    struct counted before, after;

    assert_non_null(watch);
    assert_non_null(live);
    live->options = &options;
    live->watch = watch;
    for (const struct grouping *g = groupings; g < groupings + COUNT(groupings); g++) {
        options.by = g->by;
        count(&before, &build, g->exceptions);
        count(&after, &moved, g->exceptions);
        hit(&before);
        hit(&after);
        struct view_rows rows = rank(&before, &build, g->by);
        struct view_rows again = rank(&before, &build, g->by);
        struct view_rows newer = rank(&after, &moved, g->by);
        reverse(&again);
        reverse(&newer);
        for (size_t i = 0; i < rows.count; i++) {
            uint64_t hits = rows.rows[i].hits;
            assert_int_equal(follow(live, &rows, i, &again, true), hits);
            if (is_across(g, hits))
                assert_int_equal(follow(live, &rows, i, &newer, false), hits);
        }
        view_rows_free(&rows);
        view_rows_free(&again);
        view_rows_free(&newer);
    }
    free(live);
    free(watch);
}

/* What has no name is a row of its own where it has an address, and be that 0. */
static void test_without_a_name(void **state)
{
    static const struct view_row at_0 = {.addr = 0}, nowhere = {.unplaced = true};
    static const enum view_by by[] = {VIEW_BY_FUNCTION, VIEW_BY_ARC};

    for (size_t i = 0; i < COUNT(by); i++) {
        const struct row_key placed = row_key_across(by[i], false, true, &at_0);
        const struct row_key unplaced = row_key_across(by[i], false, true, &nowhere);
        const struct row_key elsewhere = row_key_across(by[i], false, false, &at_0);
        assert_int_not_equal(row_key_compare(&placed, &unplaced), 0);
        assert_int_equal(row_key_compare(&elsewhere, &unplaced), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranking), cmocka_unit_test(test_sparkline),
        cmocka_unit_test(test_diff),    cmocka_unit_test(test_diff_of_builds),
        cmocka_unit_test(test_cursor),  cmocka_unit_test(test_history),
        cmocka_unit_test(test_export),  cmocka_unit_test(test_without_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
