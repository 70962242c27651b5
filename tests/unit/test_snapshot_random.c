/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every profile: saved again it is the same, and added up it is in any order. */
#include "unit.h"
#include <profile.pb-c.h>

#include "counted.h"
#include "snapshot_checks.h"

#define FUNCTIONS 9
#define LOCATIONS 14
#define SAMPLES   30
#define DEEPEST   5
#define FILES     4

/* Texts of all random profiles, by their numbers. */
static char texts[][12] = {"",    "samples", "count", "time",   "nanoseconds", "space",  "bytes",
                           "f",   "g",       "h",     "a.c",    "b.c",         "thread", "one",
                           "two", "x.so",    "00aa",  "a word", "more"};
#define TEXTS (COUNT(texts))

/* A message with room for all of its parts. */
struct drawn {
    Pprof__Profile m;
    Pprof__ValueType types[3], *type_list[3];
    Pprof__Mapping mapping, *mapping_list[1];
    Pprof__Function functions[FUNCTIONS], *function_list[FUNCTIONS];
    Pprof__Location locations[LOCATIONS], *location_list[LOCATIONS];
    Pprof__Line lines[LOCATIONS][2], *line_lists[LOCATIONS][2];
    Pprof__Sample samples[SAMPLES], *sample_list[SAMPLES];
    uint64_t frames[SAMPLES][DEEPEST];
    int64_t values[SAMPLES][3];
    Pprof__Label labels[SAMPLES], *label_lists[SAMPLES][1];
    int64_t comments[2];
    char *text_list[TEXTS];
    uint64_t stride; /* between ids */
};

static uint32_t below(uint32_t *seed, uint32_t limit)
{
    return checks_random(seed) % limit;
}

static void draw_types(struct drawn *d, uint32_t *seed)
{
    bool twins = below(seed, 4) == 0; /* two of one name */

    d->m.n_sample_type = 1 + below(seed, 3);
    d->m.sample_type = d->type_list;
    for (size_t i = 0; i < d->m.n_sample_type; i++) {
        /* All have the last one. */
        size_t type = i + 1 + twins >= d->m.n_sample_type ? 2 : i;
        pprof__value_type__init(&d->types[i]);
        d->types[i].type = 1 + 2 * (int64_t)type;
        d->types[i].unit = 2 + 2 * (int64_t)type;
        d->type_list[i] = &d->types[i];
    }
}

static void draw_functions(struct drawn *d, uint32_t *seed)
{
    d->m.n_function = FUNCTIONS;
    d->m.function = d->function_list;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        pprof__function__init(&d->functions[i]);
        d->functions[i].id = (i + 1) * d->stride;
        d->functions[i].name = below(seed, 5) ? 7 + below(seed, 3) : 0;
        d->functions[i].filename = below(seed, 3) ? 10 + below(seed, 2) : 0;
        d->functions[i].start_line = below(seed, 3);
        d->function_list[i] = &d->functions[i];
    }
}

static void draw_location(struct drawn *d, size_t index, uint32_t *seed)
{
    Pprof__Location *l = &d->locations[index];

    pprof__location__init(l);
    l->id = (LOCATIONS - index) * d->stride;
    l->address = below(seed, 6) ? 0x1000 + 16 * below(seed, 8) : 0;
    l->mapping_id = d->m.n_mapping && below(seed, 2) ? 3 : 0;
    l->is_folded = below(seed, 5) == 0;
    l->n_line = below(seed, 3);
    l->line = d->line_lists[index];
    for (size_t i = 0; i < l->n_line; i++) {
        Pprof__Line *line = &d->lines[index][i];
        pprof__line__init(line);
        line->function_id = below(seed, 8) ? (1 + below(seed, FUNCTIONS)) * d->stride : 0;
        line->line = below(seed, 4);
        d->line_lists[index][i] = line;
    }
    d->location_list[index] = l;
}

static void draw_label(struct drawn *d, size_t index, uint32_t *seed)
{
    Pprof__Label *l = &d->labels[index];

    pprof__label__init(l);
    l->key = 12;
    l->str = below(seed, 2) ? 13 + below(seed, 2) : 0;
    l->num = l->str ? 0 : below(seed, 3);
    d->label_lists[index][0] = l;
    d->samples[index].n_label = 1;
    d->samples[index].label = d->label_lists[index];
}

static void draw_sample(struct drawn *d, size_t index, uint32_t *seed)
{
    Pprof__Sample *s = &d->samples[index];

    pprof__sample__init(s);
    s->n_location_id = below(seed, DEEPEST);
    s->location_id = d->frames[index];
    for (size_t i = 0; i < s->n_location_id; i++)
        d->frames[index][i] = (1 + below(seed, LOCATIONS)) * d->stride;
    s->n_value = d->m.n_sample_type;
    s->value = d->values[index];
    for (size_t i = 0; i < s->n_value; i++)
        d->values[index][i] = below(seed, 1000);
    if (below(seed, 3) == 0)
        draw_label(d, index, seed);
    d->sample_list[index] = s;
}

static void draw(struct drawn *d, uint32_t *seed)
{
    pprof__profile__init(&d->m);
    d->stride = below(seed, 2) ? 1 : 1000003;
    d->m.n_mapping = below(seed, 2);
    d->m.mapping = d->mapping_list;
    d->mapping_list[0] = &d->mapping;
    pprof__mapping__init(&d->mapping);
    d->mapping.id = 3;
    d->mapping.filename = 15;
    d->mapping.build_id = 16;
    draw_types(d, seed);
    draw_functions(d, seed);
    d->m.n_location = LOCATIONS;
    d->m.location = d->location_list;
    for (size_t i = 0; i < LOCATIONS; i++)
        draw_location(d, i, seed);
    d->m.n_sample = below(seed, SAMPLES);
    d->m.sample = d->sample_list;
    for (size_t i = 0; i < d->m.n_sample; i++)
        draw_sample(d, i, seed);
    d->m.n_string_table = TEXTS;
    d->m.string_table = d->text_list;
    for (size_t i = 0; i < TEXTS; i++)
        d->text_list[i] = texts[i];
    d->m.n_comment = below(seed, 3);
    d->m.comment = d->comments;
    for (size_t i = 0; i < d->m.n_comment; i++)
        d->comments[i] = 17 + below(seed, 2);
    d->m.period = below(seed, 2);
    d->m.time_nanos = below(seed, 3);
    d->m.duration_nanos = below(seed, 3);
    d->m.default_sample_type = below(seed, 2) ? 5 : 0;
}

/* A profile of somebody else's, with parts that are there several times. */
static struct snapshot *make_foreign(uint32_t seed)
{
    struct drawn *d = calloc(1, sizeof(*d));
    uint8_t *bytes = malloc(1 << 16);

    assert_true(d && bytes);
    draw(d, &seed);
    assert_true(pprof__profile__get_packed_size(&d->m) < 1 << 16);
    struct snapshot *s = checks_read(bytes, pprof__profile__pack(&d->m, bytes));
    assert_false(s->ours);
    free(bytes);
    free(d);
    return s;
}

static struct snapshot *make_ours(uint32_t seed)
{
    struct profile p = checks_profile(seed, 16, seed % 2);
    struct snapshot *s;

    p.row_count = seed % 7 == 6 ? 0 : p.row_count;
    s = checks_make(&p, seed % 3 ? "chip" : "another chip");
    profile_free(&p);
    return s;
}

/* Profiles that go together have the same number modulo 2. */
static struct snapshot *make_snapshot(bool foreign, uint32_t group, uint32_t number)
{
    return foreign ? make_foreign(2 * (100 * group + number) + 1)
                   : make_ours(2 * (100 * group + number) + group % 2);
}

static struct snapshot *merge(struct snapshot *const *all, size_t count)
{
    static const char *const names[FILES] = {"1", "2", "3", "4"};
    struct snapshot *s = NULL;
    char text[300] = "";

    if (snapshot_merge((const struct snapshot *const *)all, names, count, &s, text, sizeof(text)) !=
        SNAPSHOT_OK)
        fail_msg("%s", text);
    return s;
}

/* Adds two of count up, until there is one: in an order and in groups by chance. */
static struct snapshot *merge_by_chance(struct snapshot *const *all, size_t count, uint32_t *seed)
{
    struct snapshot *left[FILES];

    for (size_t i = 0; i < count; i++)
        left[i] = checks_copy(all[i]);
    for (; count > 1; count--) {
        size_t a = below(seed, (uint32_t)count),
               b = (a + 1 + below(seed, (uint32_t)count - 1)) % count;
        struct snapshot *const pair[] = {left[a], left[b]};
        struct snapshot *sum = merge(pair, 2);
        snapshot_free(left[a]);
        snapshot_free(left[b]);
        left[a] = sum;
        left[b] = left[count - 1];
        if (a == count - 1)
            left[b] = sum;
    }
    return left[0];
}

static int64_t sum_of(const struct snapshot *s, const char *type)
{
    uint32_t number = snapshot_choose_type(s, type, false);
    int64_t sum = 0;

    assert_int_not_equal(number, SNAPSHOT_NONE);
    for (size_t i = 0; i < s->sample_count; i++)
        sum += s->values[i * s->type_count + number];
    return sum;
}

static const char *type_of(bool foreign, uint32_t group)
{
    return foreign ? "space" : group % 2 ? "calls" : "samples";
}

static void check_group(bool foreign, uint32_t group)
{
    struct snapshot *all[FILES];
    const char *type = type_of(foreign, group);
    int64_t sum = 0;
    uint32_t seed = group;

    for (uint32_t i = 0; i < FILES; i++) {
        all[i] = make_snapshot(foreign, group, i);
        sum += sum_of(all[i], type);
    }
    struct snapshot *of_all = merge(all, FILES);
    assert_int_equal(sum_of(of_all, type), sum);
    for (int i = 0; i < 6; i++) {
        struct snapshot *other = merge_by_chance(all, FILES, &seed);
        assert_true(checks_same(of_all, other));
        snapshot_free(other);
    }
    struct snapshot *copy = checks_copy(of_all), *alone = merge(&of_all, 1);
    assert_true(checks_same(of_all, copy));
    assert_true(checks_same(of_all, alone));
    snapshot_free(copy);
    snapshot_free(alone);
    snapshot_free(of_all);
    for (uint32_t i = 0; i < FILES; i++)
        snapshot_free(all[i]);
}

static uint32_t groups(void)
{
    return getenv("MPROF_SOAK") ? 3000 : 100 / sanitized(4);
}

static void test_merge(void **state)
{
    for (uint32_t group = 0; group < groups(); group++) {
        check_group(false, group);
        check_group(true, group);
    }
}

/* A file of ours that is added to nothing is the file itself. */
static void test_one_is_itself(void **state)
{
    for (uint32_t group = 0; group < groups(); group++) {
        struct snapshot *s = make_snapshot(false, group, 0), *alone = merge(&s, 1);
        assert_true(checks_same(s, alone));
        snapshot_free(alone);
        snapshot_free(s);
    }
}

static void test_saved_again(void **state)
{
    for (uint32_t group = 0; group < groups(); group++) {
        struct snapshot *s = make_snapshot(true, group, 0), *copy = checks_copy(s);
        struct snapshot *again = checks_copy(copy);
        assert_true(checks_same(s, copy));
        assert_true(checks_same(copy, again));
        snapshot_free(again);
        snapshot_free(copy);
        snapshot_free(s);
    }
}

/* Where callers do not matter, leaving them out changes no row. */
static void check_flat(const struct snapshot *s, const char *type)
{
    const struct symbol_naming names = snapshot_naming(s);
    uint32_t number = snapshot_choose_type(s, type, false);
    struct profile full, flat;
    char text[300];

    assert_int_equal(snapshot_profile(s, number, &full, text, sizeof(text)), SNAPSHOT_OK);
    assert_int_equal(snapshot_profile_flat(s, number, &flat, text, sizeof(text)), SNAPSHOT_OK);
    assert_true(flat.row_count <= full.row_count);
    assert_int_equal(flat.attributed, full.attributed);
    for (int by = VIEW_BY_FUNCTION; by < VIEW_BY_ARC; by++)
        checks_rows_by((enum view_by)by, &full, &names, &flat, &names);
    profile_free(&full);
    profile_free(&flat);
}

static void test_flat(void **state)
{
    for (uint32_t group = 0; group < groups(); group++) {
        struct snapshot *ours = make_snapshot(false, group, 0),
                        *foreign = make_snapshot(true, group, 0);
        check_flat(ours, NULL);
        check_flat(foreign, "space");
        snapshot_free(ours);
        snapshot_free(foreign);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_one_is_itself),
        cmocka_unit_test(test_saved_again),
        cmocka_unit_test(test_flat),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, groups(), "groups of files");
}
