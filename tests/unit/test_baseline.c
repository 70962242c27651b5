/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bases and snapshots of a live view, over readings that the test makes up of two real builds. */
#define _XOPEN_SOURCE 700

#include <time.h>
#include <unistd.h>

#include <base/say.h> /* cmocka has a macro fail() */
#include <options/option_table.h>
#include <target/save.h>
#include <target/time_range.h>

#include "baseline.h"

#include "unit.h"

#include "fake_table.h"

#define ROWS  4
#define OLDER COMMAND_FILES "/older.elf"
#define NEWER COMMAND_FILES "/newer.elf"
#define MANY  300

static const char *const names[ROWS] = {"alpha", "beta", "gamma", "delta"};

/* How often a set of changes was made. */
static unsigned made;

bool __real_view_changes_make(struct view_set *set, const struct view_change_options *options,
                              struct view_changes *changes, char *text, size_t capacity);
bool __wrap_view_changes_make(struct view_set *set, const struct view_change_options *options,
                              struct view_changes *changes, char *text, size_t capacity);
bool __wrap_view_changes_make(struct view_set *set, const struct view_change_options *options,
                              struct view_changes *changes, char *text, size_t capacity)
{
    made++;
    return __real_view_changes_make(set, options, changes, text, capacity);
}

struct target {
    struct options options;
    struct watch watch;
    struct time_range range;
    struct fake_table table;
    uint32_t hits[ROWS];
    uint32_t heartbeat;
    char folder[40];
    char text[WATCH_TEXT];
};

static uint64_t addr_of(const struct symtab *symtab, const char *name)
{
    size_t count;
    const struct symtab_function *f = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(f[i].name, name) == 0)
            return f[i].addr;
    }
    fail_msg("there is no function %s", name);
    return 0;
}

/* Another build is on the disk and in the flash. */
static void flash(struct target *t, const char *path)
{
    struct elf_file *elf = &t->watch.session.elf;
    char text[400];

    symtab_free(elf->symtab);
    assert_int_equal(symtab_load(path, &elf->symtab, text, sizeof(text)), SYMTAB_OK);
    elf->path = path;
    elf->loaded.changed.tv_nsec++;
}

static void empty(struct target *t, uint32_t boot)
{
    fake_init(&t->table, false, 8, ROWS);
    fake_put(&t->table, 98, 1, 0); /* blocks of a byte */
    fake_boot(&t->table, boot);
    memset(t->hits, 0, sizeof(t->hits));
    t->heartbeat = 0;
}

static int begin(void **state)
{
    struct target *t = calloc(1, sizeof(*t));

    option_defaults(&t->options);
    t->watch.options = &t->options;
    t->watch.session.options = &t->options;
    t->watch.session.match = IDENTITY_SAME;
    snprintf(t->watch.session.server.kind, sizeof(t->watch.session.server.kind), "gdb");
    profile_init(&t->watch.profile);
    time_range_init(&t->range, false);
    flash(t, OLDER);
    empty(t, 1);
    snprintf(t->folder, sizeof(t->folder), "/tmp/test-baseline-XXXXXX");
    assert_non_null(mkdtemp(t->folder));
    made = 0;
    *state = t;
    return 0;
}

static int end(void **state)
{
    struct target *t = *state;
    char command[80];

    time_range_free(&t->range);
    profile_free(&t->watch.profile);
    symtab_free(t->watch.session.elf.symtab);
    snprintf(command, sizeof(command), "rm -r %s", t->folder);
    assert_int_equal(system(command), 0);
    free(t);
    return 0;
}

/* Some milliseconds pass between two polls. */
static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void count(struct target *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t more[ROWS] = {a, b, c, d};
    struct decode_header header;
    size_t need;
    char text[120];

    for (size_t i = 0; i < ROWS; i++) {
        t->hits[i] += more[i];
        t->heartbeat += more[i];
        if (t->hits[i])
            fake_item(&t->table, i, addr_of(t->watch.session.elf.symtab, names[i]), t->hits[i], 0,
                      (uint32_t)i + 1);
    }
    fake_heartbeat(&t->table, t->heartbeat);
    fake_generation(&t->table, ROWS);
    assert_int_equal(
        decode_header(t->table.bytes, fake_total(&t->table), &header, &need, text, sizeof(text)),
        DECODE_OK);
    const struct profile_object object = {.bytes = t->table.bytes, .header = &header};
    wait_a_moment();
    assert_true(profile_update(&t->watch.profile, &object, 1, watch_now_s()));
    t->watch.fresh = true;
    t->watch.state = GDBMI_STATE_RUNNING;
    assert_true(time_range_update(&t->range, &t->watch));
    wait_a_moment();
}

static const struct profile *shown(const struct target *t)
{
    return time_range_profile(&t->range, &t->watch);
}

static struct baseline *take(struct target *t)
{
    struct baseline *b = baseline_take(&t->watch, shown(t), t->text, sizeof(t->text));

    if (!b)
        fail_msg("%s", t->text);
    baseline_set_effort(b, 1);
    return b;
}

/* What the frame compares, or NULL. */
static const struct view_changes *compare(struct target *t, struct baseline *b)
{
    const struct view_layout layout = {.width = 100, .height = 24, .selected = 0, .footer = "q"};
    struct view_frame frame;

    if (!baseline_frame(b, &t->watch, shown(t), &t->options, &layout, &frame, t->text,
                        sizeof(t->text)))
        return NULL;
    assert_int_equal(frame.count, 24);
    view_frame_free(&frame);
    return baseline_changes(b);
}

/* Whether a line of the screen has that text. */
static bool says(struct target *t, struct baseline *b, unsigned height, const char *what)
{
    const struct view_layout layout = {
        .width = 100, .height = height, .span = "since reset", .footer = "q"};
    struct view_frame frame;
    bool found = false;

    assert_true(baseline_frame(b, &t->watch, shown(t), &t->options, &layout, &frame, t->text,
                               sizeof(t->text)));
    for (size_t i = 0; i < frame.count; i++)
        found |= strstr(frame.lines[i].text, what) != NULL;
    view_frame_free(&frame);
    return found;
}

static const struct view_change *row_of(const struct view_changes *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->rows[i].function && strcmp(c->rows[i].function, name) == 0)
            return &c->rows[i];
    }
    fail_msg("no row %s", name);
    return NULL;
}

static void assert_sides(const struct view_changes *c, uint64_t base, uint64_t now)
{
    assert_non_null(c);
    assert_int_equal(c->sides[VIEW_BASE].hits, base);
    assert_int_equal(c->sides[VIEW_NEW].hits, now);
}

/* Of the run that the base is of, only what came since is compared. */
static void test_same_run(void **state)
{
    struct target *t = *state;

    count(t, 1000, 2000, 3000, 4000);
    struct baseline *b = take(t);
    assert_int_equal(strlen(baseline_name(b)), 8);
    assert_null(compare(t, b));
    assert_non_null(strstr(t->text, "nothing was counted since"));
    count(t, 2000, 2000, 3000, 4000);
    const struct view_changes *c = compare(t, b);
    assert_sides(c, 10000, 11000);
    assert_int_equal(row_of(c, "alpha")->d.new_hits, 2000);
    assert_true(row_of(c, "alpha")->d.significant);
    assert_int_equal(c->significant, 1);
    assert_string_equal(baseline_row_function(b, 0), "alpha");
    assert_null(baseline_row_function(b, c->count));
    assert_true(c->same_build);
    baseline_free(b);
}

/* The header's counts are those that are compared, and it says what they cover. */
static void test_header(void **state)
{
    struct target *t = *state;
    char span[40];

    count(t, 1000, 2000, 3000, 4000);
    struct baseline *b = take(t);
    count(t, 20, 20, 30, 40);
    snprintf(span, sizeof(span), "since base %s", baseline_name(b));
    assert_true(says(t, b, 24, span));
    assert_false(says(t, b, 24, "since reset"));
    assert_true(says(t, b, 24, "   110 samples"));
    assert_true(says(t, b, 10, "nothing changed beyond noise"));
    assert_false(says(t, b, 7, "nothing changed beyond noise"));
    /* All of another run is compared. */
    empty(t, 2);
    count(t, 10, 20, 30, 40);
    assert_true(says(t, b, 24, "since reset"));
    baseline_free(b);
}

/* Names and the build of the base stay when ELF and flash change. */
static void test_other_build(void **state)
{
    struct target *t = *state;
    char older[80];

    count(t, 1000, 2000, 3000, 4000);
    snprintf(older, sizeof(older), "%s", symtab_elf(t->watch.session.elf.symtab)->build_id);
    struct baseline *b = take(t);
    flash(t, NEWER);
    empty(t, 2);
    count(t, 100, 400, 300, 400);
    const struct view_changes *c = compare(t, b);
    assert_sides(c, 10000, 1200);
    assert_string_equal(c->sides[VIEW_BASE].build_id, older);
    assert_string_not_equal(c->sides[VIEW_NEW].build_id, older);
    assert_string_equal(c->sides[VIEW_BASE].elf, "older.elf");
    assert_int_equal(c->count, ROWS);
    assert_int_equal(row_of(c, "beta")->d.base_hits, 2000);
    assert_int_equal(row_of(c, "beta")->d.new_hits, 400);
    assert_true(row_of(c, "beta")->d.significant);
    assert_int_equal(row_of(c, "gamma")->d.direction, 0);
    /* The run goes on, and all of it is compared. */
    count(t, 1, 0, 0, 0);
    assert_sides(compare(t, b), 10000, 1201);
    baseline_free(b);
}

/* A restart of the same build, too. */
static void test_restart(void **state)
{
    struct target *t = *state;

    count(t, 100, 200, 300, 400);
    struct baseline *b = take(t);
    count(t, 10, 0, 0, 0);
    assert_sides(compare(t, b), 1000, 10);
    empty(t, 2);
    count(t, 7, 1, 1, 1);
    assert_sides(compare(t, b), 1000, 10);
    count(t, 0, 0, 0, 3000);
    assert_sides(compare(t, b), 1000, 3010);
    baseline_free(b);
}

/* A mark before the base, and one after it: what is compared is in no case in the base. */
static void test_with_marks(void **state)
{
    struct target *t = *state;

    count(t, 5000, 0, 0, 0);
    assert_true(time_range_mark(&t->range, &t->watch));
    count(t, 100, 200, 300, 400);
    struct baseline *b = take(t);
    count(t, 10, 20, 30, 40);
    assert_sides(compare(t, b), 1000, 100);
    assert_true(time_range_mark(&t->range, &t->watch));
    count(t, 1, 2, 3, 4);
    assert_sides(compare(t, b), 1000, 10);
    time_range_clear(&t->range);
    assert_sides(compare(t, b), 1000, 110);
    /* The last seconds reach back before the base. */
    time_range_toggle_recent(&t->range);
    assert_int_equal(shown(t)->attributed, 1110);
    assert_sides(compare(t, b), 1000, 110);
    baseline_free(b);
}

static void test_made_anew_only_when_needed(void **state)
{
    struct target *t = *state;

    count(t, 100, 200, 300, 400);
    struct baseline *b = take(t);
    count(t, 10, 20, 30, 40);
    for (int i = 0; i < 3; i++)
        assert_sides(compare(t, b), 1000, 100);
    assert_int_equal(made, 1);
    count(t, 1, 0, 0, 0);
    assert_sides(compare(t, b), 1000, 101);
    assert_int_equal(made, 2);
    t->options.by = VIEW_BY_FILE;
    assert_int_equal(compare(t, b)->count, 1);
    assert_int_equal(made, 3);
    t->options.by = VIEW_BY_ADDRESS;
    assert_int_equal(compare(t, b)->count, ROWS);
    t->options.by = VIEW_BY_ARC;
    assert_int_equal(compare(t, b)->count, ROWS);
    assert_int_equal(made, 5);
    char text[80];
    assert_true(view_ignore_parse("beta", &t->options.ignore, text, sizeof(text)));
    assert_sides(compare(t, b), 800, 81);
    baseline_free(b);
}

/* Counts alone are no reason before it is due; what is asked for is. */
static void test_effort(void **state)
{
    struct target *t = *state;

    count(t, 100, 200, 300, 400);
    struct baseline *b = take(t);
    baseline_set_effort(b, 1e-9);
    count(t, 10, 20, 30, 40);
    assert_sides(compare(t, b), 1000, 100);
    count(t, 1, 2, 3, 4);
    assert_sides(compare(t, b), 1000, 100);
    t->options.by = VIEW_BY_FILE;
    assert_sides(compare(t, b), 1000, 110);
    assert_int_equal(made, 2);
    baseline_set_effort(b, 1);
    empty(t, 2);
    count(t, 5, 5, 5, 5);
    assert_sides(compare(t, b), 1000, 20);
    baseline_free(b);
}

static void test_no_hits(void **state)
{
    struct target *t = *state;

    count(t, 0, 0, 0, 0);
    assert_null(baseline_take(&t->watch, shown(t), t->text, sizeof(t->text)));
    assert_non_null(strstr(t->text, "no hits"));
    assert_int_equal(save_snapshot(&t->watch, shown(t), NULL, t->text, sizeof(t->text)),
                     STATUS_FAILED);
    assert_non_null(strstr(t->text, "no hits"));
}

static struct snapshot *load(const char *path)
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

    count(t, 100, 200, 300, 400);
    snprintf(path, sizeof(path), "%s/a.pb.gz", t->folder);
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_DONE);
    assert_string_equal(saved, path);
    struct snapshot *s = load(path);
    assert_int_equal(hits_of(s), 1000);
    assert_string_equal(s->conditions.link, "gdb");
    assert_string_equal(s->conditions.elf, "older.elf");
    assert_int_equal(s->conditions.sample_hz, 1000);
    assert_int_equal(s->duration_ns, 0);
    snapshot_free(s);
    /* Never over a file. */
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_FAILED);
    assert_non_null(strstr(saved, "is there already"));
    assert_int_equal(save_snapshot(&t->watch, shown(t), "/nowhere/a.pb.gz", saved, sizeof(saved)),
                     STATUS_FAILED);
    assert_non_null(strstr(saved, "/nowhere/a.pb.gz could not be written"));
    /* What came since a mark is of a time. */
    assert_true(time_range_mark(&t->range, &t->watch));
    count(t, 1, 2, 3, 4);
    snprintf(path, sizeof(path), "%s/b.pb.gz", t->folder);
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_DONE);
    s = load(path);
    assert_int_equal(hits_of(s), 10);
    assert_true(s->duration_ns > 1000000 && s->duration_ns < 60000000000);
    assert_true(s->time_ns > 0);
    snapshot_free(s);
}

static void test_save_by_itself(void **state)
{
    struct target *t = *state;
    char saved[PATH_MAX], again[PATH_MAX], before[PATH_MAX], store[80];

    count(t, 100, 200, 300, 400);
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
    struct baseline *b = baseline_load_for(&t->options, "@0", t->text, sizeof(t->text));
    assert_non_null(b);
    assert_string_equal(baseline_name(b), saved + strlen(store) + 1);
    baseline_free(b);
}

/* A file that is an earlier reading of the counts that go on: they are not compared twice. */
static void test_load_of_this_run(void **state)
{
    struct target *t = *state;
    char path[80], saved[PATH_MAX];

    count(t, 100, 200, 300, 400);
    snprintf(path, sizeof(path), "%s/a.pb.gz", t->folder);
    assert_int_equal(save_snapshot(&t->watch, shown(t), path, saved, sizeof(saved)), STATUS_DONE);
    count(t, 10, 20, 30, 40);
    struct baseline *b = baseline_load(path, t->text, sizeof(t->text));
    assert_string_equal(baseline_name(b), "a.pb.gz");
    baseline_set_effort(b, 1);
    assert_null(compare(t, b));
    count(t, 1, 2, 3, 4);
    assert_sides(compare(t, b), 1000, 10);
    baseline_free(b);
    /* One of another run is compared with all that there is. */
    empty(t, 2);
    count(t, 50, 0, 60, 0);
    b = baseline_load(path, t->text, sizeof(t->text));
    assert_sides(compare(t, b), 1000, 110);
    baseline_free(b);
    assert_null(baseline_load("/nowhere.pb.gz", t->text, sizeof(t->text)));
    assert_non_null(strstr(t->text, "/nowhere.pb.gz"));
    assert_null(baseline_load("@0", t->text, sizeof(t->text)));
    assert_non_null(strstr(t->text, "MPROF_STORE"));
}

/* MPROF_BENCH=1: what a frame of so many functions costs. */
static void test_cost(void **state)
{
    struct target *t = *state;
    const struct view_layout layout = {.width = 200, .height = 50, .footer = "q"};
    struct profile_hit rows[MANY];
    unsigned rounds = getenv("MPROF_BENCH") ? 200 : 2;
    struct profile *p = &t->watch.profile;
    double whole = 0, again = 0;

    p->rows = calloc(MANY, sizeof(rows[0]));
    p->row_count = p->used = MANY;
    p->sample_hz = 1000;
    p->cores = 1;
    for (int i = 0; i < MANY; i++) {
        char name[20];
        snprintf(name, sizeof(name), "f_%d", i + 1);
        p->rows[i] =
            (struct profile_hit){.addr = addr_of(t->watch.session.elf.symtab, name), .stamp = 1};
    }
    struct baseline *b = NULL;
    for (unsigned round = 0; round <= rounds; round++) {
        for (int i = 0; i < MANY; i++) {
            p->rows[i].hits += 1 + (uint64_t)(random() % 100);
            p->attributed += p->rows[i].hits;
        }
        p->heartbeat += 1000;
        p->updated_s = watch_now_s();
        if (!b) {
            b = take(t);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            struct view_frame frame;
            double before = watch_now_s();
            assert_true(baseline_frame(b, &t->watch, p, &t->options, &layout, &frame, t->text,
                                       sizeof(t->text)));
            *(i ? &again : &whole) += watch_now_s() - before;
            view_frame_free(&frame);
        }
    }
    assert_int_equal(made, rounds);
    print_message("%d functions: %.2f ms a frame, %.2f ms where nothing changed\n", MANY,
                  1e3 * whole / rounds, 1e3 * again / rounds);
    baseline_free(b);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_same_run),
        TEST(test_header),
        TEST(test_other_build),
        TEST(test_restart),
        TEST(test_with_marks),
        TEST(test_made_anew_only_when_needed),
        TEST(test_effort),
        TEST(test_no_hits),
        TEST(test_save),
        TEST(test_save_by_itself),
        TEST(test_load_of_this_run),
        TEST(test_cost),
    };

    unsetenv("MPROF_STORE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
