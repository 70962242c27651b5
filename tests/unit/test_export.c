/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk that exports are made by, how blocks are divided, and names that are made safe. */
#include "unit.h"
#include <profile/divide.h>

#include "counted.h"
#include "snapshot_checks.h"
#include "walk.h"
#include <export/clean.h>

/* A format that only adds up what rows by function count. */
struct sums {
    uint64_t hits[1024], inherited[1024]; /* by number in the function table */
    uint64_t parts;
};

static struct sums *last;
static struct export_function functions[1024];
static size_t function_count;
static unsigned last_count;
static size_t checked_profiles;

static bool add_sums(struct export *e, const struct export_part *part)
{
    struct sums *sums = e->state;
    uint32_t owner = part->frames[part->owner].function;

    assert_true(part->depth > part->owner);
    assert_true(owner < 1024);
    sums->hits[owner] += part->value;
    sums->inherited[owner] += part->inherited;
    sums->parts++;
    return true;
}

static bool keep_sums(struct export *e)
{
    memcpy(last, e->state, sizeof(*last));
    function_count = e->table.count;
    for (size_t i = 0; i < e->table.count; i++) {
        functions[i] = e->table.functions[i];
        functions[i].name = strdup(functions[i].name);
    }
    return true;
}

static const struct exporter_ops adding_ops = {
    .state_size = sizeof(struct sums), .sample = add_sums, .end = keep_sums};

static void export_sums(const struct snapshot *s, struct sums *sums)
{
    const struct exporter adding = {.name = "adding", .ops = &adding_ops};
    const struct export_source source = {
        .snapshot = s, .type = snapshot_choose_type(s, NULL, false), .all = true};
    FILE *out = tmpfile();
    char text[200];

    last = sums;
    assert_non_null(out);
    assert_int_equal(export_write(&adding, &source, 1, "test", out, NULL, text, sizeof(text)),
                     EXPORT_OK);
    fclose(out);
}

static uint64_t hits_of(const struct sums *sums, const char *name, bool inherited)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < function_count; i++) {
        if (strcmp(functions[i].name, name) == 0)
            sum += inherited ? sums->inherited[i] : sums->hits[i];
    }
    return sum;
}

static uint64_t hits_of_rows(const struct view_rows *rows, const char *name, bool inherited)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct view_row *row = &rows->rows[i];
        char address[32] = "";
        if (!row->function)
            snprintf(address, sizeof(address), "0x%llx", (unsigned long long)row->addr);
        if (strcmp(row->function ? row->function : address, name) == 0)
            sum += inherited ? row->inherited : row->hits;
    }
    return sum;
}

static void check_profile(uint32_t seed, unsigned block_size, bool arcs)
{
    struct profile profile = checks_profile(seed, block_size, arcs);
    struct symbol_naming naming = checks_naming();
    struct snapshot *s = checks_make(&profile, "target");
    struct sums *sums = calloc(1, sizeof(*sums));
    uint64_t off = block_size > 256 ? 60 : 5;
    struct view_rows rows;

    assert_non_null(sums);
    assert_true(view_rows_build_named(&profile, &naming, VIEW_BY_FUNCTION, NULL, &rows));
    export_sums(s, sums);
    assert_true(sums->parts >= profile.used);
    for (size_t i = 0; i < function_count; i++) {
        const char *name = functions[i].name;
        assert_int_equal(hits_of(sums, name, false), hits_of_rows(&rows, name, false));
        /* A part too small for a hit of its own has none that was inherited, either. */
        assert_in_range(hits_of(sums, name, true) + off, hits_of_rows(&rows, name, true),
                        hits_of_rows(&rows, name, true) + 2 * off);
    }
    uint64_t total = 0;
    for (size_t i = 0; i < function_count; i++)
        total += sums->hits[i];
    assert_int_equal(total, profile.attributed);
    for (size_t i = 0; i < function_count; i++)
        free((void *)(uintptr_t)functions[i].name);
    view_rows_free(&rows);
    free(sums);
    snapshot_free(s);
    profile_free(&profile);
}

static void test_parts_add_up_to_the_rows(void **state)
{
    static const unsigned block_sizes[] = {1, 2, 4, 16, 100, 64, 256, 4096, 65536};

    bool soak = getenv("MPROF_SOAK") != NULL;

    for (size_t g = 0; g < COUNT(block_sizes); g += soak ? 1 : 2) {
        for (uint32_t seed = 1; seed <= (soak ? 20 : 1); seed++) {
            check_profile(seed, block_sizes[g], false);
            check_profile(seed, block_sizes[g], true);
            checked_profiles += 2;
        }
    }
}

static void test_portions_add_up(void **state)
{
    uint32_t seed = 5;

    for (int i = 0; i < (getenv("MPROF_SOAK") ? 20000 : 4000 / (int)sanitized(4)); i++) {
        uint64_t total = 1 + checks_random(&seed) % 300;
        uint64_t hits = checks_random(&seed) % (i % 2 ? 50 : 4000000000u);
        uint64_t before = 0, sum = 0;
        while (before < total) {
            uint64_t steps = 1 + checks_random(&seed) % (total - before);
            uint64_t part = divide_portion(hits, before, steps, total);
            uint64_t plain =
                (hits * (before + steps) + total / 2) / total - (hits * before + total / 2) / total;
            assert_int_equal(part, plain);
            sum += part;
            before += steps;
        }
        assert_int_equal(sum, hits);
    }
    /* What would not fit when it is multiplied. */
    uint64_t most = INT64_MAX;
    assert_int_equal(divide_portion(most, 0, 1, 8) + divide_portion(most, 1, 7, 8), most);
    assert_int_equal(divide_portion(most, 0, 4, 8), most / 2 + 1);
}

static void check_same(const struct snapshot *s, uint64_t from, uint64_t to)
{
    for (uint64_t addr = from; addr < to;) {
        uint32_t location = snapshot_find_location(s, addr);
        uint64_t same = snapshot_same(s, addr);
        uint64_t up_to = same < to - addr ? addr + same : to;
        assert_true(same > 0);
        for (uint64_t at = addr; at < up_to; at++)
            assert_int_equal(snapshot_find_location(s, at), location);
        addr = up_to;
    }
}

static void check_rows_same(const struct profile *p, const struct symbol_naming *a,
                            const struct symbol_naming *b, enum view_by by)
{
    struct view_ignore ignore = {.count = 0};
    struct view_rows of_a, of_b;
    char text[100];

    assert_true(view_ignore_parse("0x1003-0x1031,0x1100+0x7", &ignore, text, sizeof(text)));
    assert_true(view_rows_build_named(p, a, by, &ignore, &of_a));
    assert_true(view_rows_build_named(p, b, by, &ignore, &of_b));
    assert_int_equal(of_a.count, of_b.count);
    assert_int_equal(of_a.ignored, of_b.ignored);
    for (size_t i = 0; i < of_a.count; i++) {
        assert_int_equal(of_a.rows[i].addr, of_b.rows[i].addr);
        assert_int_equal(of_a.rows[i].hits, of_b.rows[i].hits);
    }
    view_rows_free(&of_a);
    view_rows_free(&of_b);
}

/* Blocks that are looked at from border to border, and every two bytes: also where what a file says
 * of its blocks' size is not how they were made. */
static void test_borders_are_enough(void **state)
{
    static const unsigned block_sizes[] = {1, 2, 3, 16, 17, 100, 1000, 4096};
    const size_t count = COUNT(block_sizes);

    for (uint32_t seed = 0; seed < 2 * count * count; seed += sanitized(5)) {
        bool arcs = seed % 2;
        struct profile p = checks_profile(seed + 7, block_sizes[seed / 2 % count], arcs);
        struct snapshot *s = checks_make(&p, "target");
        s->conditions.block_size = p.block_size = block_sizes[seed / 2 / count];
        struct symbol_naming quick = snapshot_naming(s), slow = quick;
        slow.same = NULL;
        assert_non_null(quick.same);
        check_same(s, 0, 0x1800);
        checks_rows(&p, &quick, &p, &slow);
        for (int by = VIEW_BY_FUNCTION; by <= VIEW_BY_ARC; by++)
            check_rows_same(&p, &quick, &slow, (enum view_by)by);
        snapshot_free(s);
        profile_free(&p);
    }
}

static unsigned look_ups;
static const struct symbol_naming *asked_names;

static const struct symtab_function *count_find(void *context, uint64_t addr)
{
    look_ups++;
    return asked_names->find(context, addr);
}

static void test_wide_blocks_are_not_searched(void **state)
{
    struct profile p = checks_profile(1, 65536, false);
    struct snapshot *s = checks_make(&p, "target");
    struct symbol_naming naming = snapshot_naming(s), counting = naming;
    struct view_rows rows;

    asked_names = &naming;
    counting.find = count_find;
    look_ups = 0;
    assert_true(view_rows_build_named(&p, &counting, VIEW_BY_FUNCTION, NULL, &rows));
    assert_in_range(look_ups, 1, p.row_count * (s->location_count + 3));
    view_rows_free(&rows);
    snapshot_free(s);
    profile_free(&p);
}

static unsigned questions;

static int stopped_at_ten(void)
{
    return ++questions >= 10 ? 15 : 0;
}

static bool count_part(struct export *e, const struct export_part *part)
{
    ++*(unsigned *)e->state;
    last_count = *(unsigned *)e->state;
    return true;
}

static void check_stop(const struct exporter *exporter, const struct snapshot *s)
{
    const struct export_source source = {.snapshot = s, .all = true};
    FILE *out = tmpfile();
    char text[200];

    assert_non_null(out);
    questions = 0;
    assert_int_equal(
        export_write(exporter, &source, 1, "test", out, stopped_at_ten, text, sizeof(text)),
        EXPORT_ESTOPPED);
    /* Who asked once more after the answer did not go on for long. */
    assert_in_range(questions, 10, 14);
    fclose(out);
}

static void test_stops_when_it_is_told(void **state)
{
    static const struct exporter_ops counting = {.state_size = sizeof(unsigned),
                                                 .sample = count_part};
    const struct exporter plain = {.name = "counting", .ops = &counting};
    struct profile profile = checks_profile(3, 16, false);
    struct snapshot *s = checks_make(&profile, "target");

    assert_true(s->sample_count > 20);
    check_stop(&plain, s);
    assert_in_range(last_count, 1, 10);
    for (const struct exporter *x = exporters; x->name; x++)
        if (x->ops) /* it is for snapshots */
            check_stop(x, s);
    snapshot_free(s);
    profile_free(&profile);
}

typedef void clean_plain(FILE *out, const char *text);

static void line_plain(FILE *out, const char *text)
{
    clean_line(out, text, ";");
}

static void check_clean(clean_plain *clean, const char *text, const char *expected)
{
    char *bytes = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&bytes, &len);

    assert_non_null(out);
    clean(out, text);
    fclose(out);
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void test_names_are_made_safe(void **state)
{
    check_clean(line_plain, "a;b\nc\x1b[0m", "a?b?c?[0m");
    check_clean(line_plain, "na\xc3\xafve \xf0\x9f\x99\x82", "na\xc3\xafve \xf0\x9f\x99\x82");
    check_clean(clean_json, "", "null");
    check_clean(clean_json, "</script>&\"\\\n\x7f",
                "\"\\u003c/script\\u003e\\u0026\\u0022\\u005c"
                "\\u000a\\u007f\"");
    check_clean(clean_json, "\xe2\x80\xae\xc2\x9b", "\"\\u003cU+202E\\u003e\\u009b\"");
    check_clean(clean_json, "\xf0\x9f\x99\x82\xc4\xbc", "\"\xf0\x9f\x99\x82\xc4\xbc\"");
    check_clean(clean_html, "<b a='\"'>&", "&#60;b a=&#39;&#34;&#39;&#62;&#38;");
    check_clean(clean_csv, "a", "a");
    check_clean(clean_csv, "a,\"b\"\n", "\"a,\"\"b\"\"?\"");
    check_clean(clean_csv, " a", "\" a\"");
    check_clean(clean_csv, "=1+1", "\"'=1+1\"");
}

/* Nobody sees them, so they would make one name look like another. */
static void test_hidden_characters(void **state)
{
    const char *name = "a\u200b\U000e0041;", *line = "a<U+200B><U+E0041>?";

    check_clean(line_plain, name, line);
    check_clean(clean_csv, name, "\"a<U+200B><U+E0041>;\"");
    check_clean(clean_json, name, "\"a\\u003cU+200B\\u003e\\u003cU+E0041\\u003e;\"");
    check_clean(clean_html, name, "a&#60;U+200B&#62;&#60;U+E0041&#62;;");
}

/* Overlong forms, halves of pairs, tails without a head, and heads at the end. */
static void test_what_is_no_utf8(void **state)
{
    static const char *const wrong[] = {"\xff",
                                        "\x80",
                                        "\xc0\xaf",
                                        "\xc1\x81",
                                        "\xe0\x80\xaf",
                                        "\xed\xa0\x80",
                                        "\xc3",
                                        "\xe2\x82",
                                        "\xf0\x9f\x99",
                                        "\xf4\x90\x80\x80",
                                        "\xf8\x88\x80\x80\x80",
                                        "\xf0\x80\x80\xaf"};

    for (size_t i = 0; i < COUNT(wrong); i++) {
        char expected[64] = "";
        for (size_t n = 0; n < strlen(wrong[i]); n++)
            strcat(expected, "?");
        check_clean(line_plain, wrong[i], expected);
    }
    check_clean(clean_json, "a\xc3", "\"a\xef\xbf\xbd\"");
    check_clean(clean_html, "\xc3(", "\xef\xbf\xbd(");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_add_up_to_the_rows),
        cmocka_unit_test(test_portions_add_up),
        cmocka_unit_test(test_borders_are_enough),
        cmocka_unit_test(test_wide_blocks_are_not_searched),
        cmocka_unit_test(test_stops_when_it_is_told),
        cmocka_unit_test(test_names_are_made_safe),
        cmocka_unit_test(test_hidden_characters),
        cmocka_unit_test(test_what_is_no_utf8),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, checked_profiles, "random profiles");
}
