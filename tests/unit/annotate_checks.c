/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is made up, hits of its blocks, and what is made of them. */
#include "unit.h"

#include "annotate_checks.h"
#include "fake_names.h"

struct symtab_function made_functions[4] = {
    {.addr = 0x100, .size = 0x2a, .name = "alpha"},
    {.addr = 0x12a, .size = 0x36, .name = "beta"},
    {.addr = 0x160, .size = 0x10, .name = "gamma"},
    {.addr = 0x200, .size = 0x20, .name = "alpha.cold"},
};

/* Four bytes a line, every 32 bytes the same ones again; gamma has none. */
static bool line_at(const struct symtab_function *function, uint64_t addr, struct symtab_line *line)
{
    if (function == &made_functions[2])
        return false;
    *line = (struct symtab_line){.file = "/nowhere/one.c", .line = (unsigned)(addr % 32) / 4 + 1};
    return true;
}

/* From 0x110 to 0x118 code of inner, in which innermost stands from 0x114 on. */
static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    static const struct symtab_inlined both[] = {
        {.name = "innermost", .file = "/nowhere/in.h", .line = 7, .call_line = 3},
        {.name = "inner", .file = "/nowhere/one.c", .line = 5, .call_line = 9}};
    size_t count = addr >= 0x114 && addr < 0x118 ? 2 : addr >= 0x110 && addr < 0x118 ? 1 : 0;

    memcpy(frames, both + 2 - count, count * sizeof(*frames));
    return count;
}

static struct fake_names fake = {
    .functions = made_functions, .count = COUNT(made_functions), .line_at = line_at};

const struct symbol_naming made_naming = {FAKE_NAMES(&fake), .find_inlined = find_inlined};

void add_hits(struct made *m, uint64_t addr, uint64_t hits)
{
    m->hits[m->profile.row_count++] = (struct profile_hit){.addr = addr, .hits = hits};
    m->profile.rows = m->hits;
    m->profile.attributed += hits;
}

void init_made(struct made *m, unsigned block_size)
{
    *m = (struct made){.profile = {.block_size = block_size, .unit = DECODE_UNIT_SAMPLES}};
}

void add_part(struct made *m, const struct symtab_function *function, const char *sizes)
{
    struct annotate_part *part = &m->annotation.parts[m->annotation.part_count++];
    uint64_t at = function->addr, end = at + function->size;

    part->function = function;
    for (size_t i = 0; sizes && at < end; i++) {
        struct listing_item item = {.addr = at, .text = (char[]){"nop"}};
        item.size = (unsigned)(sizes[i % strlen(sizes)] - '0');
        item.size = item.size < end - at ? item.size : (unsigned)(end - at);
        assert_true(listing_add(&part->listing, &item));
        at += item.size;
    }
}

void build(struct made *m)
{
    const struct annotate_input input = {.profile = &m->profile,
                                         .names = &made_naming,
                                         .addr_size = 4,
                                         .unit = "samples",
                                         .focus = m->focus,
                                         .focus_text = m->focus ? "focus: here" : NULL};

    assert_true(annotate_build(&m->annotation, &input));
}

const struct annotate_step *step_at(const struct made *m, uint64_t addr)
{
    for (size_t i = 0; i < m->annotation.step_count; i++) {
        if (m->annotation.steps[i].item->addr == addr)
            return &m->annotation.steps[i];
    }
    fail_msg("no step at 0x%llx", (unsigned long long)addr);
    return NULL;
}

void set_jump(struct made *m, uint64_t from, uint64_t to)
{
    struct listing *l = &m->annotation.parts[0].listing;

    for (size_t i = 0; i < l->count; i++) {
        if (l->items[i].addr == from) {
            l->items[i].jumps = true;
            l->items[i].target = to;
        }
    }
}
