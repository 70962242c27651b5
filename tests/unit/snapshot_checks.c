/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is made up, and profiles of it. */
#include "snapshot_checks.h"

#include "fake_names.h"
#include "unit.h"
#include <table/ranking_columns.h>

#define FUNCTIONS 40
#define BEGIN     0x1000

static struct symtab_function functions[FUNCTIONS];
static char names[FUNCTIONS][32];

/* Sizes of 2 to 60 bytes; after every third one 2 bytes of padding. */
static void make_functions(void)
{
    uint64_t addr = BEGIN;
    uint32_t seed = 7;

    if (functions[0].name)
        return;
    for (int i = 0; i < FUNCTIONS; i++) {
        snprintf(names[i], sizeof(names[i]), "function_%d", i == 11 ? 10 : i);
        functions[i] = (struct symtab_function){
            .addr = addr, .size = 2 + 2 * (checks_random(&seed) % 30), .name = names[i]};
        addr += functions[i].size + (i % 3 == 0 ? 2 : 0);
    }
}

static bool line_at(const struct symtab_function *f, uint64_t addr, struct symtab_line *line)
{
    uint64_t at = f ? (addr - f->addr) / 2 : 0;
    size_t index = f ? (size_t)(f - functions) : 0;

    if (!f || index % 7 == 6)
        return false;
    /* Every fifth instruction, in some functions, is of a header; never the first one. */
    line->file = at % 5 == 4 && index % 2 ? "/src/inline.h" : index < 20 ? "/src/a.c" : "/src/b.c";
    line->line = (unsigned)(10 * (index == 11 ? 10 : index) + at / 3 + 1);
    return true;
}

/* The header's code is that of two functions, one in the other, in some of them. */
static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    const struct symtab_function *f = fake_find(context, addr);
    struct symtab_line line = {.file = ""};

    if (!f || (f - functions) % 4 != 1 || !line_at(f, addr, &line) || max < 2 ||
        strcmp(line.file, "/src/inline.h") != 0)
        return 0;
    frames[0] = (struct symtab_inlined){
        .name = "inner", .file = "/src/inline.h", .line = 3, .call_line = 8};
    frames[1] = (struct symtab_inlined){
        .name = "outer", .file = "/src/inline.h", .line = 6, .call_line = 77};
    return 2;
}

static const struct symtab_function *all_functions(void *context, size_t *count)
{
    *count = FUNCTIONS;
    return functions;
}

struct symbol_naming checks_naming(void)
{
    static struct fake_names fake = {
        .functions = functions, .count = FUNCTIONS, .line_at = line_at};

    make_functions();
    return (struct symbol_naming){FAKE_NAMES(&fake), .find_caller = fake_find_caller,
                                  .find_inlined = find_inlined, .functions = all_functions};
}

uint32_t checks_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Whether a row before this one is of the same block and caller. */
static bool is_there(const struct profile *p, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (p->rows[i].addr == p->rows[index].addr && p->rows[i].caller == p->rows[index].caller)
            return true;
    }
    return false;
}

struct profile checks_profile(uint32_t seed, unsigned block_size, bool arcs)
{
    struct profile p;

    profile_init(&p);
    p.row_count = 60;
    p.rows = calloc(p.row_count, sizeof(*p.rows));
    assert_non_null(p.rows);
    p.unit = arcs ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES;
    p.source = arcs ? DECODE_ARCS : DECODE_TABLE;
    p.block_size = block_size;
    p.sample_hz = arcs ? 0 : 997;
    p.jittered = !arcs;
    for (size_t i = 0; i < p.row_count; i++) {
        struct profile_hit *row = &p.rows[i];
        row->addr = (BEGIN - 32 + checks_random(&seed) % 1500) / block_size * block_size;
        row->caller = arcs && i % 5 ? BEGIN + 4 + 2 * (checks_random(&seed) % 600) : 0;
        row->hits = i % 10 == 3 ? 0 : checks_random(&seed) % 5000;
        if (is_there(&p, i)) /* live rows divide it alone, in a snapshot it is added up first */
            row->hits = 0;
        row->inherited = row->hits ? checks_random(&seed) % (uint32_t)row->hits / 4 : 0;
        p.attributed += row->hits;
        p.used += row->hits != 0;
    }
    p.dropped = 17 + checks_random(&seed) % 100;
    p.late = 3;
    p.heartbeat = (uint32_t)p.attributed + p.dropped;
    return p;
}

struct snapshot *checks_make(const struct profile *profile, const char *target)
{
    const struct snapshot_about about = {
        .conditions = {.tool = "mprof 0.1.0",
                       .elf = "fw.elf",
                       .identity = "= flash",
                       .target = target,
                       .arch = "arm",
                       .link = "openocd-tcl",
                       .server = "Open On-Chip Debugger",
                       .address = ":6666",
                       .addr_size = 4,
                       .halts = 2,
                       .halted_ns = 12345},
        .program = "/build/fw.elf",
        .build_id = "0011aa",
        .program_start = BEGIN,
        .program_end = BEGIN + 0x1000,
        .time_ns = 1700000000000000000,
        .duration_ns = 2500000000,
    };
    const struct symbol_naming naming = checks_naming();
    struct snapshot *s = NULL;
    char text[300];

    assert_int_equal(snapshot_make(profile, &naming, &about, &s, text, sizeof(text)), SNAPSHOT_OK);
    return s;
}

struct snapshot *checks_read(const void *bytes, size_t len)
{
    struct snapshot *s = NULL;
    char text[300] = "";

    enum snapshot_code code = snapshot_read(bytes, len, "a file", &s, text, sizeof(text));
    if (code != SNAPSHOT_OK)
        fail_msg("%s", text);
    return s;
}

struct snapshot *checks_copy(const struct snapshot *s)
{
    size_t len;
    uint8_t *bytes = snapshot_bytes(s, &len);

    assert_non_null(bytes);
    struct snapshot *copy = checks_read(bytes, len);
    free(bytes);
    return copy;
}

bool checks_same(const struct snapshot *a, const struct snapshot *b)
{
    size_t a_len, b_len;
    uint8_t *of_a = snapshot_bytes(a, &a_len), *of_b = snapshot_bytes(b, &b_len);

    assert_true(of_a && of_b);
    bool same = a_len == b_len && memcmp(of_a, of_b, a_len) == 0;
    free(of_a);
    free(of_b);
    return same;
}

struct profile checks_back(const struct snapshot *s, const char *type)
{
    struct profile p;
    char text[300] = "";
    uint32_t chosen = snapshot_choose_type(s, type, false);

    assert_int_not_equal(chosen, SNAPSHOT_NONE);
    if (snapshot_profile(s, chosen, &p, text, sizeof(text)) != SNAPSHOT_OK)
        fail_msg("%s", text);
    return p;
}

static void same_text(const char *a, const char *b)
{
    if (!a || !b)
        assert_true(!a && !b);
    else
        assert_string_equal(a, b);
}

static void same_row(const struct view_row *a, const struct view_row *b)
{
    same_text(a->function, b->function);
    same_text(a->caller, b->caller);
    same_text(a->file, b->file);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->addr, b->addr);
    assert_int_equal(a->caller_addr, b->caller_addr);
    assert_int_equal(a->hits, b->hits);
    assert_int_equal(a->inherited, b->inherited);
    assert_int_equal(a->split, b->split);
    assert_memory_equal(&a->share, &b->share, sizeof(a->share));
}

void checks_rows_by(enum view_by by, const struct profile *a, const struct symbol_naming *names_a,
                    const struct profile *b, const struct symbol_naming *names_b)
{
    struct view_rows of_a, of_b;

    assert_true(view_rows_build_named(a, names_a, by, NULL, &of_a));
    assert_true(view_rows_build_named(b, names_b, by, NULL, &of_b));
    assert_int_equal(of_a.count, of_b.count);
    assert_int_equal(of_a.attributed, of_b.attributed);
    /* Both come in the order of what they are grouped by. */
    for (size_t i = 0; i < of_a.count; i++)
        same_row(&of_a.rows[i], &of_b.rows[i]);
    view_rows_free(&of_a);
    view_rows_free(&of_b);
}

void checks_rows(const struct profile *a, const struct symbol_naming *names_a,
                 const struct profile *b, const struct symbol_naming *names_b)
{
    for (int by = VIEW_BY_FUNCTION; by <= VIEW_BY_ARC; by++)
        checks_rows_by((enum view_by)by, a, names_a, b, names_b);
}
