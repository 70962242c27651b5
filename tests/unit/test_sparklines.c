/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last minute: what is kept of it, and what it makes of rows. */
#include <math.h>

#include "unit.h"

#include <profile/recent_window.h>
#include <ranking/sparklines.h>

#define BLOCKS 8

/* A profile that a test updates by hand. */
struct source {
    struct profile profile;
    struct profile_hit rows[BLOCKS];
};

static void source_init(struct source *s)
{
    *s = (struct source){.profile = {.unit = DECODE_UNIT_SAMPLES,
                                     .grain = 16,
                                     .sample_hz = 1000,
                                     .cores = 1,
                                     .updated_s = 100}};
    s->profile.rows = s->rows;
    s->profile.row_count = BLOCKS;
    for (size_t i = 0; i < BLOCKS; i++)
        s->rows[i].addr = 0x1000 + 0x10 * i;
}

/* So many more hits of two blocks within a time. interval false: it is no interval of the run. */
static void count(struct source *s, double seconds, bool interval, uint32_t first, uint32_t second)
{
    struct profile *p = &s->profile;

    p->updated_s += seconds;
    p->recent_s = interval ? seconds : 0;
    for (size_t i = 0; i < BLOCKS; i++)
        s->rows[i].recent = 0;
    s->rows[0].recent = interval ? first : 0;
    s->rows[5].recent = interval ? second : 0;
    s->rows[0].hits += first;
    s->rows[5].hits += second;
    p->attributed += first + second;
    p->recent = s->rows[0].recent + s->rows[5].recent;
    p->events = interval ? first + second + 1 : 0;
    p->heartbeat += first + second + 1;
    p->dropped += 1;
}

static struct recent_window *window_of(struct source *s)
{
    struct recent_window *window = recent_window_new();

    assert_non_null(window);
    assert_true(recent_window_add(window, &s->profile));
    return window;
}

static void add(struct recent_window *window, struct source *s, double seconds, uint32_t first,
                uint32_t second)
{
    count(s, seconds, true, first, second);
    assert_true(recent_window_add(window, &s->profile));
}

static uint64_t total_of(const struct recent_window *window)
{
    size_t pieces;
    const struct window_piece *piece = recent_window_pieces(window, &pieces);
    uint64_t total = 0;

    for (size_t i = 0; i < pieces; i++)
        total += piece[i].total;
    return total;
}

static size_t pieces_of(const struct recent_window *window)
{
    size_t pieces;

    recent_window_pieces(window, &pieces);
    return pieces;
}

/* Short intervals are put together, long ones stay what they are. */
static void test_pieces(void **state)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    assert_int_equal(pieces_of(window), 0);
    for (int i = 0; i < 40; i++)
        add(window, &s, 0.125, 3, 1);
    assert_int_equal(pieces_of(window), 5);
    assert_int_equal(total_of(window), 160);
    add(window, &s, 5, 10, 0);
    add(window, &s, 5, 10, 0);
    assert_int_equal(pieces_of(window), 7);
    assert_true(recent_window_add(window, &s.profile));
    assert_int_equal(total_of(window), 180);
    recent_window_free(window);
}

static void test_a_minute(void **state)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    for (int i = 0; i < 500; i++)
        add(window, &s, 1, 3, 1);
    assert_in_range(pieces_of(window), RECENT_WINDOW_SECONDS, RECENT_WINDOW_SECONDS + 1);
    recent_window_free(window);
}

/* A time that is no interval leaves a gap; another run begins anew. */
static void test_gaps_and_restarts(void **state)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    add(window, &s, 1, 10, 0);
    count(&s, 20, false, 500, 0);
    assert_true(recent_window_add(window, &s.profile));
    add(window, &s, 1, 10, 0);
    assert_int_equal(total_of(window), 20);
    assert_int_equal(pieces_of(window), 2);
    s.profile.restarts++;
    add(window, &s, 1, 77, 0);
    assert_int_equal(pieces_of(window), 0);
    add(window, &s, 1, 5, 0);
    assert_int_equal(total_of(window), 5);
    s.profile.unit = DECODE_UNIT_CALLS;
    add(window, &s, 1, 5, 0);
    assert_int_equal(pieces_of(window), 0);
    recent_window_free(window);
}

static void check_profile(const struct recent_window *window, const struct source *s,
                          unsigned seconds, uint64_t first, uint64_t second, double recent_s)
{
    struct profile p;

    assert_true(recent_window_profile(window, &s->profile, seconds, &p));
    assert_int_equal(p.row_count, p.used);
    assert_int_equal(p.attributed, first + second);
    assert_int_equal(p.recent, first + second);
    assert_int_equal(p.rows[0].hits, first);
    assert_int_equal(p.rows[0].recent, first);
    assert_int_equal(p.rows[1].addr, 0x1050);
    assert_int_equal(p.rows[1].hits, second);
    assert_true(fabs(p.recent_s - recent_s) < 1e-6);
    assert_true(fabs(p.updated_s - p.from_s - recent_s) < 1e-6);
    assert_int_equal(p.sample_hz, 1000);
    profile_free(&p);
}

static void test_profile(void **state)
{
    struct source s;
    struct profile p;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    assert_true(recent_window_profile(window, &s.profile, 10, &p));
    assert_int_equal(p.attributed, 0);
    assert_true(p.recent_s <= 0);
    profile_free(&p);
    for (uint32_t i = 1; i <= 20; i++)
        add(window, &s, 1, i, 1);
    check_profile(window, &s, 10, 155, 10, 10);
    check_profile(window, &s, 60, 210, 20, 20);
    check_profile(window, &s, 1, 20, 1, 1);
    check_profile(window, &s, 0, 20, 1, 1);
    assert_true(recent_window_profile(window, &s.profile, 10, &p));
    assert_int_equal(p.dropped, 10);
    assert_int_equal(p.events, 175);
    assert_int_equal(p.heartbeat, 175);
    profile_free(&p);
    recent_window_free(window);
}

/* The same block from two callers is two rows. */
static void test_arcs(void **state)
{
    struct source s;
    struct profile p;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    s.rows[5].addr = s.rows[0].addr;
    s.rows[5].caller = 0x99;
    add(window, &s, 0.3, 4, 1);
    add(window, &s, 0.3, 4, 1);
    assert_true(recent_window_profile(window, &s.profile, 10, &p));
    assert_int_equal(p.row_count, 2);
    assert_int_equal(p.rows[0].hits, 8);
    assert_int_equal(p.rows[1].hits, 2);
    assert_int_equal(p.rows[1].caller, 0x99);
    profile_free(&p);
    recent_window_free(window);
}

/* Names: alpha holds the first four blocks, beta the others; a line for each block. */
static const struct symtab_function functions[] = {
    {.addr = 0x1000, .size = 0x40, .name = "alpha"},
    {.addr = 0x1040, .size = 0x40, .name = "beta"},
};

static const struct symtab_function *find(void *context, uint64_t addr)
{
    return addr >= 0x1000 && addr < 0x1080 ? &functions[(addr - 0x1000) / 0x40] : NULL;
}

static bool find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    *line = (struct symtab_line){.file = "/src/all.c", .line = (unsigned)(addr - 0x1000) / 16 + 1};
    return true;
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    return find_line(context, function->addr, line);
}

static const struct symbol_naming names = {
    .find = find, .find_line = find_line, .find_start = find_start};

/* The row of the ranking that has the block at 0x1000. */
static struct view_row row_of(const struct source *s, const struct symbol_naming *naming,
                              enum view_by by)
{
    static const struct symbol_naming none;
    struct view_rows rows;

    assert_true(view_rows_build_named(&s->profile, naming ? naming : &none, by, NULL, &rows));
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.rows[i].addr == 0x1000) {
            struct view_row row = rows.rows[i];
            view_rows_free(&rows);
            return row;
        }
    }
    fail();
    return rows.rows[0];
}

static void check_series(struct sparklines *view, const struct recent_window *window,
                         const struct source *s, const struct symbol_naming *naming,
                         enum view_by by, double last)
{
    double shares[RECENT_WINDOW_SECONDS + 1];
    struct view_row row = row_of(s, naming, by);

    assert_true(sparklines_update(view, window, &s->profile, naming, by, NULL));
    assert_int_equal(sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS + 1), 2);
    assert_true(fabs(shares[0] - (by == VIEW_BY_FILE ? 1 : 0.75)) < 1e-9);
    assert_true(fabs(shares[1] - last) < 1e-9);
    assert_int_equal(sparklines_series(view, &row, shares, 1), 1);
    assert_true(fabs(shares[0] - last) < 1e-9);
}

/* However the rows are grouped, also when that changes. */
static void test_series(void **state)
{
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    struct sparklines *view = sparklines_new();
    add(window, &s, 1, 3, 1);
    add(window, &s, 1, 1, 1);
    check_series(view, window, &s, &names, VIEW_BY_FUNCTION, 0.5);
    check_series(view, window, &s, &names, VIEW_BY_LINE, 0.5);
    check_series(view, window, &s, &names, VIEW_BY_FILE, 1);
    check_series(view, window, &s, NULL, VIEW_BY_ADDRESS, 0.5);
    check_series(view, window, &s, NULL, VIEW_BY_FUNCTION, 0.5);
    check_series(view, window, &s, &names, VIEW_BY_FUNCTION, 0.5);
    sparklines_free(view);
    recent_window_free(window);
}

/* Code that was inlined at two places of a function is two rows of one address. */
static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t room)
{
    frames[0] = (struct symtab_inlined){
        .name = addr < 0x1020 ? "first" : "second", .file = "/src/all.c", .line = 3};
    return addr < 0x1040 ? 1 : 0;
}

/* The row of that chain. */
static struct view_row inlined_row(const struct view_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].function && strncmp(rows->rows[i].function, name, strlen(name)) == 0)
            return rows->rows[i];
    }
    fail();
    return rows->rows[0];
}

static void test_series_by_inline(void **state)
{
    struct symbol_naming naming = names;
    double shares[RECENT_WINDOW_SECONDS];
    struct view_rows rows;
    struct source s;

    naming.find_inlined = find_inlined;
    source_init(&s);
    s.rows[5].addr = 0x1020;
    struct recent_window *window = window_of(&s);
    struct sparklines *view = sparklines_new();
    add(window, &s, 1, 3, 1);
    add(window, &s, 1, 1, 1);
    assert_true(view_rows_build_named(&s.profile, &naming, VIEW_BY_INLINE, NULL, &rows));
    assert_true(sparklines_update(view, window, &s.profile, &naming, VIEW_BY_INLINE, NULL));
    struct view_row first = inlined_row(&rows, "first"), second = inlined_row(&rows, "second");
    assert_int_equal(first.addr, second.addr);
    assert_int_equal(sparklines_series(view, &first, shares, RECENT_WINDOW_SECONDS), 2);
    assert_true(fabs(shares[0] - 0.75) < 1e-9 && fabs(shares[1] - 0.5) < 1e-9);
    assert_int_equal(sparklines_series(view, &second, shares, RECENT_WINDOW_SECONDS), 2);
    assert_true(fabs(shares[0] - 0.25) < 1e-9 && fabs(shares[1] - 0.5) < 1e-9);
    view_rows_free(&rows);
    sparklines_free(view);
    recent_window_free(window);
}

/* Shares of one context are not those of all, though nothing else is asked for anew. */
static void test_series_of_a_context(void **state)
{
    struct view_ignore one = {.some_contexts = true, .contexts = {[21] = true}};
    double shares[RECENT_WINDOW_SECONDS];
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    struct sparklines *view = sparklines_new();
    s.profile.exceptions = true;
    s.profile.rows[0].exception = 21;
    add(window, &s, 1, 3, 1);
    add(window, &s, 1, 1, 1);
    struct view_row row = row_of(&s, &names, VIEW_BY_FUNCTION);
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, &one));
    assert_int_equal(sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS), 2);
    assert_true(fabs(shares[0] - 1) < 1e-9 && fabs(shares[1] - 1) < 1e-9);
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, NULL));
    assert_int_equal(sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS), 2);
    assert_true(fabs(shares[0] - 0.75) < 1e-9 && fabs(shares[1] - 0.5) < 1e-9);
    sparklines_free(view);
    recent_window_free(window);
}

/* An exception is known by its number, whatever is shown of it; of what is no handler's, which is
 * made of many functions, nothing is known. */
static void test_series_by_context(void **state)
{
    double shares[RECENT_WINDOW_SECONDS];
    struct view_row row = {.function = "IRQ 5", .addr = 0x1040, .exception = 21};
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    struct sparklines *view = sparklines_new();
    s.profile.exceptions = true;
    s.profile.rows[0].exception = 21;
    add(window, &s, 1, 3, 1);
    add(window, &s, 1, 1, 1);
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_CONTEXT, NULL));
    assert_int_equal(sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS), 2);
    assert_true(fabs(shares[0] - 0.75) < 1e-9 && fabs(shares[1] - 0.5) < 1e-9);
    s.profile.exceptions = false;
    row = (struct view_row){.function = "thread", .unplaced = true};
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_CONTEXT, NULL));
    assert_int_equal(sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS), 2);
    assert_true(shares[0] < 0 && shares[1] < 0);
    sparklines_free(view);
    recent_window_free(window);
}

static void test_series_ignores(void **state)
{
    struct view_ignore ignore = {.count = 0};
    struct source s;
    char text[200];
    double share;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    struct sparklines *view = sparklines_new();
    add(window, &s, 1, 3, 1);
    struct view_row row = row_of(&s, &names, VIEW_BY_FUNCTION);
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, &ignore));
    assert_int_equal(sparklines_series(view, &row, &share, 1), 1);
    assert_true(fabs(share - 0.75) < 1e-9);
    assert_true(view_ignore_parse("beta", &ignore, text, sizeof(text)));
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, &ignore));
    sparklines_series(view, &row, &share, 1);
    assert_true(fabs(share - 1) < 1e-9);
    sparklines_free(view);
    recent_window_free(window);
}

/* Seconds of which nothing is known, or in which nothing was counted, have no share. */
static void test_series_gaps(void **state)
{
    double shares[RECENT_WINDOW_SECONDS];
    struct source s;

    source_init(&s);
    struct recent_window *window = window_of(&s);
    struct sparklines *view = sparklines_new();
    add(window, &s, 1, 1, 1);
    count(&s, 3, false, 50, 50);
    assert_true(recent_window_add(window, &s.profile));
    add(window, &s, 1, 0, 0);
    add(window, &s, 2, 1, 3);
    add(window, &s, 0.5, 9, 0); /* not over yet */
    struct view_row row = row_of(&s, &names, VIEW_BY_FUNCTION);
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, NULL));
    size_t known = sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS);
    static const double expected[] = {0.5, -1, -1, -1, -1, 0.25, 0.25};
    assert_int_equal(known, COUNT(expected));
    for (size_t i = 0; i < known; i++)
        assert_true(fabs(shares[i] - expected[i]) < 1e-9);
    add(window, &s, 0.5, 0, 3);
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, NULL));
    assert_int_equal(sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS), known + 1);
    assert_true(fabs(shares[known] - 0.75) < 1e-9);
    /* The target stands still: the minute goes on. */
    count(&s, 10, false, 0, 0);
    assert_true(recent_window_add(window, &s.profile));
    assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, NULL));
    known = sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS);
    assert_int_equal(known, 8 + 10);
    assert_true(shares[known - 1] < 0 && shares[8] < 0 && shares[7] > 0);
    sparklines_free(view);
    recent_window_free(window);
}

static uint32_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* Whatever the pace: what was counted within the minute is there, once. */
static void test_any_pace(void **state)
{
    for (int run = 0; run < 100; run++) {
        struct source s;
        uint64_t all = 0;
        source_init(&s);
        struct recent_window *window = window_of(&s);
        struct sparklines *view = sparklines_new();
        double most_s = 0.05 * (1 + draw(20)), begun_s = s.profile.updated_s;
        while (s.profile.updated_s - begun_s < 50) {
            uint32_t first = draw(100), second = draw(100);
            add(window, &s, most_s * (1 + draw(10)) / 10, first, second);
            all += first + second;
        }
        assert_int_equal(total_of(window), all);
        struct profile p;
        assert_true(recent_window_profile(window, &s.profile, RECENT_WINDOW_SECONDS, &p));
        assert_int_equal(p.attributed, all);
        assert_true(fabs(p.recent_s - (s.profile.updated_s - begun_s)) < 1e-6);
        profile_free(&p);
        assert_true(sparklines_update(view, window, &s.profile, &names, VIEW_BY_FUNCTION, NULL));
        double shares[RECENT_WINDOW_SECONDS];
        struct view_row row = row_of(&s, &names, VIEW_BY_FUNCTION);
        assert_in_range(sparklines_series(view, &row, shares, RECENT_WINDOW_SECONDS), 48, 52);
        sparklines_free(view);
        recent_window_free(window);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_a_minute),
        cmocka_unit_test(test_gaps_and_restarts),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_arcs),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_series_by_inline),
        cmocka_unit_test(test_series_of_a_context),
        cmocka_unit_test(test_series_by_context),
        cmocka_unit_test(test_series_ignores),
        cmocka_unit_test(test_series_gaps),
        cmocka_unit_test(test_any_pace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
