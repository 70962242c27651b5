/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A symbol table that is made up, a profile of it, and its rows. */
#include "ranking_checks.h"

#include "unit.h"

const struct symtab_function made_functions[3] = {
    {.addr = 0x100, .size = 0x1c, .name = "alpha"},
    {.addr = 0x11c, .size = 0x24, .name = "beta"},
    {.addr = 0x150, .size = 0x08, .name = "evil\x1b[2Jname\n\xff"},
};

const struct symtab_function *symtab_find(const struct symtab *symtab, uint64_t addr)
{
    for (size_t i = 0; i < COUNT(made_functions); i++) {
        if (addr >= made_functions[i].addr &&
            addr - made_functions[i].addr < made_functions[i].size)
            return &made_functions[i];
    }
    return NULL;
}

const struct symtab_function *symtab_functions(const struct symtab *symtab, size_t *count)
{
    *count = COUNT(made_functions);
    return made_functions;
}

const struct symtab_alias *symtab_aliases(const struct symtab *symtab, size_t *count)
{
    *count = 0;
    return NULL;
}

bool symtab_find_line(struct symtab *symtab, uint64_t addr, struct symtab_line *line)
{
    if (addr < 0x100 || addr >= 0x150)
        return false;
    line->file = addr < 0x120 ? "/src/one.c" : "/src/two.c";
    line->line = (unsigned)(addr - 0x100) / 4 + 1;
    return true;
}

uint64_t symtab_place(const struct symtab *symtab, uint64_t addr)
{
    return addr;
}

const struct symtab_elf *symtab_elf(const struct symtab *symtab)
{
    static const struct symtab_elf elf = {.arch = "arm", .addr_size = 4};

    return &elf;
}

size_t symtab_find_inlined(struct symtab *symtab, uint64_t addr, struct symtab_inlined *frames,
                           size_t max)
{
    return 0;
}

static char fake_symtab[1];

struct symtab *symtab_of_test(void)
{
    return (struct symtab *)(void *)fake_symtab;
}

static struct profile_hit hits[] = {
    {.addr = 0x100, .hits = 600, .recent = 60},
    {.addr = 0x110, .hits = 101, .recent = 11, .inherited = 5}, /* 12 bytes alpha, 4 bytes beta */
    {.addr = 0x130, .hits = 90, .recent = 9, .stale = true},
    {.addr = 0x150, .hits = 7, .recent = 0}, /* 8 bytes named, 8 bytes of nothing */
    {.addr = 0x900, .hits = 2, .recent = 0},
    {.addr = 0x0, .hits = 0},
};

struct profile make_profile(void)
{
    return (struct profile){
        .unit = DECODE_UNIT_SAMPLES,
        .block_size = 16,
        .sample_hz = 1000,
        .rows = hits,
        .row_count = 6,
        .capacity = 6,
        .used = 5,
        .attributed = 800,
        .recent = 80,
        .events = 82,
        .dropped = 3,
        .updated_s = 5,
        .recent_s = 2,
    };
}

struct view_rows build_rows(enum view_by by)
{
    static struct profile p; /* the rows refer to it */
    struct view_rows rows;

    p = make_profile();
    assert_true(view_rows_build(&p, symtab_of_test(), by, NULL, &rows));
    view_rows_sort(&rows, view_column_find(&view_ranking_columns, "share", 5));
    return rows;
}

const struct view_row *row_of(const struct view_rows *rows, const char *function)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].function && strcmp(rows->rows[i].function, function) == 0)
            return &rows->rows[i];
    }
    return NULL;
}

uint64_t sum(const struct view_rows *rows)
{
    uint64_t all = 0;

    for (size_t i = 0; i < rows->count; i++)
        all += rows->rows[i].hits;
    return all;
}
