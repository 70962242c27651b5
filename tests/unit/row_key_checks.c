/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two builds of a program, hits in them, and by each grouping which of these are one row. */
#include "unit.h"

#include "row_key_checks.h"

#define BASE       0x1000
#define BLOCK_SIZE 0x10

/* A block of a build, from its base on: its function, its line, perhaps inlined code. */
struct place {
    unsigned function; /* its number; NAMED: not known */
    const char *file;  /* NULL: not known */
    unsigned line;
    const char *inlined; /* NULL: nothing is */
};

/* Two functions of one name stand in two files; the last two blocks have no name. */
static const struct place places[] = {
    {0, "a.c", 1, "crc"}, {0, "a.c", 2, NULL},  {1, "b.c", 7, "crc"},   {1, "b.c", 7, NULL},
    {2, "a.c", 20, NULL}, {3, "b.c", 20, NULL}, {NAMED, NULL, 0, NULL}, {NAMED, NULL, 0, NULL},
};

/* Each build begins at a multiple of 0x1000. */
static const struct place *place_of(uint64_t addr)
{
    return &places[addr % 0x1000 / BLOCK_SIZE];
}

static bool line_at(const struct symtab_function *function, uint64_t addr, struct symtab_line *line)
{
    const struct place *place = function ? place_of(addr) : NULL;

    if (place)
        *line = (struct symtab_line){.file = place->file, .line = place->line};
    return place != NULL;
}

const struct build first_build = {
    BASE,
    {{.addr = BASE, .size = 0x20, .name = "alpha"},
     {.addr = BASE + 0x20, .size = 0x20, .name = "beta"},
     {.addr = BASE + 0x40, .size = 0x10, .name = "init"},
     {.addr = BASE + 0x50, .size = 0x10, .name = "init"}},
    {.functions = first_build.functions, .count = NAMED, .line_at = line_at},
};

const struct build moved_build = {
    BASE + 0x10000,
    {{.addr = BASE + 0x10000, .size = 0x20, .name = "alpha.constprop.0"},
     {.addr = BASE + 0x10020, .size = 0x20, .name = "beta"},
     {.addr = BASE + 0x10040, .size = 0x10, .name = "init"},
     {.addr = BASE + 0x10050, .size = 0x10, .name = "init"}},
    {.functions = moved_build.functions, .count = NAMED, .line_at = line_at},
};

static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    const struct place *place = fake_find(context, addr) ? place_of(addr) : NULL;

    if (!place || !place->inlined || max == 0)
        return 0;
    frames[0] = (struct symtab_inlined){.name = place->inlined, .file = "crc.h", .line = 3};
    return 1;
}

struct symbol_naming naming_of(const struct build *b)
{
    return (struct symbol_naming){FAKE_NAMES((void *)(uintptr_t)&b->names),
                                  .find_caller = fake_find, .find_inlined = find_inlined};
}

void init_counted(struct counted *c, const struct build *b, bool exceptions)
{
    static const unsigned blocks[BLOCKS] = {0, 0, 1, 2, 3, 4, 5, 6, 7};
    static const unsigned callers[BLOCKS] = {2, 4, 2, 1, 1, 1, 1, 0, 0}; /* 0: not known */

    *c = (struct counted){.profile = {.unit = DECODE_UNIT_SAMPLES,
                                      .block_size = BLOCK_SIZE,
                                      .row_count = BLOCKS,
                                      .sample_hz = 1000,
                                      .cores = 1,
                                      .updated_s = 100,
                                      .exceptions = exceptions}};
    c->profile.rows = c->hits;
    for (size_t i = 0; i < BLOCKS; i++)
        c->hits[i] =
            (struct profile_hit){.addr = b->base + BLOCK_SIZE * blocks[i],
                                 .caller = callers[i] ? b->base + BLOCK_SIZE * callers[i] + 4 : 0,
                                 .exception = i == 1 || i == 4 ? 15 : 0};
}

void hit_all_rows(struct counted *c)
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

struct view_rows ranking_of(const struct counted *c, const struct build *b, enum view_by by)
{
    const struct symbol_naming naming = naming_of(b);
    struct view_rows rows;

    assert_true(view_rows_build_named(&c->profile, &naming, by, NULL, &rows));
    return rows;
}

const struct grouping groupings[GROUPINGS] = {
    {"function", VIEW_BY_FUNCTION, false, {7, 24, 32, 64, 128, 256}, {0}, {7, 24, 32, 64}},
    {"line", VIEW_BY_LINE, false, {3, 4, 24, 32, 64, 128, 256}, {0}, {3, 4, 24, 32, 64}},
    {"file", VIEW_BY_FILE, false, {39, 88, 128, 256}, {39, 88, 384}, {39, 88}},
    {"address", VIEW_BY_ADDRESS, false, {3, 4, 8, 16, 32, 64, 128, 256}, {0}, {0}},
    {"arc", VIEW_BY_ARC, false, {5, 2, 24, 32, 64, 128, 256}, {0}, {5, 2, 24, 32, 64}},
    {"inline", VIEW_BY_INLINE, false, {3, 4, 8, 16, 32, 64, 128, 256}, {0}, {3, 4, 8, 16, 32, 64}},
    {"context", VIEW_BY_CONTEXT, false, {7, 24, 32, 64, 128, 256}, {0}, {7, 24, 32, 64}},
    {"exception", VIEW_BY_CONTEXT, true, {18, 493}, {0}, {18, 493}},
};

size_t length_of(const uint64_t *hits)
{
    size_t count = 0;

    while (count < BLOCKS && hits[count])
        count++;
    return count;
}

void check_has(const struct grouping *g, const uint64_t *wanted, uint64_t hits)
{
    for (size_t i = 0; i < length_of(wanted); i++) {
        if (wanted[i] == hits)
            return;
    }
    fail_msg("by %s: a row of %u hits", g->name, (unsigned)hits);
}
