/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of one trace are found in another one, and lengths of recordings are added up. */
#include "unit.h"

#include <trace/call_diff.h>

static void put(struct trace_span *s, enum trace_kind kind, unsigned core, int64_t ticks)
{
    const struct trace_event event = {.kind = kind, .core = core, .ticks = ticks};

    trace_span_put(s, &event);
}

static void put_clock(struct trace_span *s, unsigned core, uint32_t hz)
{
    const struct trace_event event = {
        .kind = TRACE_CLOCK, .core = core, .hz = hz, .timed = hz != 0};

    trace_span_put(s, &event);
}

/* Cores record at the same time, runs one after the other. */
static void test_span(void **state)
{
    struct trace_span s = {.seconds = 0};

    put(&s, TRACE_RUN, 0, 0);
    put_clock(&s, 0, 1000);
    put(&s, TRACE_CALL, 0, 500);
    put_clock(&s, 1, 100);
    put(&s, TRACE_CALL, 1, 0);
    put(&s, TRACE_CALL, 0, 2500);
    put(&s, TRACE_CALL, 0, 2400);
    put(&s, TRACE_CALL, 1, 300);
    put(&s, TRACE_RESTART, 0, 0);
    put(&s, TRACE_CALL, 0, 0);
    put(&s, TRACE_CALL, 0, 1000);
    put(&s, TRACE_END, 0, 0);
    assert_float_equal(trace_span_end(&s), 4, 1e-9);
}

static void test_unknown_span(void **state)
{
    struct trace_span s = {.seconds = 0};

    put_clock(&s, 0, 0);
    put(&s, TRACE_CALL, 0, 1);
    put(&s, TRACE_CALL, 0, 9);
    assert_float_equal(trace_span_end(&s), 0, 0);
}

#define ROW(n, f, a, c)                                            \
    {                                                              \
        .name = n, .file = f, .addr = a, .calls = c, .context = "" \
    }

static const struct trace_call_row *find(const struct trace_diff_row *rows, size_t count,
                                         const char *file, enum trace_side_index side,
                                         const struct trace_call_row **other)
{
    for (size_t i = 0; i < count; i++) {
        const struct trace_call_row *row = rows[i].of[side];
        if (row && strcmp(row->file, file) == 0) {
            *other = rows[i].of[!side];
            return row;
        }
    }
    fail_msg("no row of %s", file);
    return NULL;
}

static void test_match(void **state)
{
    const struct trace_call_row base[] = {
        ROW("init", "/a/one.c", 1, 5),  ROW("init", "/a/two.c", 2, 5),
        ROW("moved", "/a/old.c", 3, 5), ROW("twice", "/a/x.c", 4, 5),
        ROW("gone", "/a/gone.c", 5, 5), ROW("", "", 0x100, 5)};
    const struct trace_call_row now[] = {
        ROW("init", "/b/two.c", 9, 7),    ROW("init", "/b/one.c", 8, 6),
        ROW("moved", "/b/other.c", 7, 5), ROW("twice", "/a/y.c", 6, 500),
        ROW("twice", "/a/z.c", 5, 5),     ROW("", "", 0x100, 5)};
    const struct trace_side sides[] = {{.rows = base, .count = COUNT(base)},
                                       {.rows = now, .count = COUNT(now)}};
    const struct trace_call_row *other;
    size_t count;
    struct trace_diff_row *rows = trace_diff_rows(sides, false, &count);

    assert_non_null(rows);
    assert_int_equal(count, 9);
    find(rows, count, "/a/one.c", TRACE_SIDE_BASE, &other);
    assert_ptr_equal(other, &now[1]);
    find(rows, count, "/a/two.c", TRACE_SIDE_BASE, &other);
    assert_ptr_equal(other, &now[0]);
    find(rows, count, "/a/old.c", TRACE_SIDE_BASE, &other);
    assert_ptr_equal(other, &now[2]);
    find(rows, count, "/a/x.c", TRACE_SIDE_BASE, &other); /* which of two is not known */
    assert_null(other);
    find(rows, count, "/a/gone.c", TRACE_SIDE_BASE, &other);
    assert_null(other);
    find(rows, count, "", TRACE_SIDE_BASE, &other); /* another build */
    assert_null(other);
    assert_ptr_equal(rows[0].of[TRACE_SIDE_NEW], &now[3]); /* the largest change */
    free(rows);

    rows = trace_diff_rows(sides, true, &count);
    assert_non_null(rows);
    assert_int_equal(count, 8);
    find(rows, count, "", TRACE_SIDE_BASE, &other);
    assert_ptr_equal(other, &now[5]);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_span),
        cmocka_unit_test(test_unknown_span),
        cmocka_unit_test(test_match),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
