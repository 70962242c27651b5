/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which alias would explain hits at no code: said, never done. */
#include "elf_map.h"

#include <profile/profile.h>

/* Fewer hits tell nothing; that part of all must be outside, and of those be explained. */
#define HITS_MIN      50
#define OUTSIDE_MIN   0.5
#define EXPLAINED_MIN 0.95

struct extent {
    uint64_t low, high; /* both are in it */
    uint64_t hits;
};

static void add(struct extent *e, uint64_t addr, uint64_t hits)
{
    e->low = e->hits == 0 || addr < e->low ? addr : e->low;
    e->high = e->hits == 0 || addr > e->high ? addr : e->high;
    e->hits += hits;
}

/* The file's code, function by function: what is in RAM is far away, and not meant. */
static struct extent extent_of_code(const struct symtab *symtab)
{
    struct extent code = {.hits = 0};
    size_t count, segments;
    const struct symtab_function *f = symtab_functions(symtab, &count);
    const struct symtab_segment *s = symtab_segments(symtab, &segments);

    for (size_t i = 0; i < segments; i++) {
        for (size_t n = 0; n < count; n++) {
            if (f[n].addr - s[i].addr < s[i].len)
                add(&code, f[n].addr + f[n].size - 1, 1);
            if (f[n].addr - s[i].addr < s[i].len)
                add(&code, f[n].addr, 1);
        }
    }
    return code;
}

/* Flash is mapped from a multiple of its size on; at least 64 kB, and at most what an address has
 * at its lower end where chips have their flash. */
static bool make_alias(const struct extent *code, const struct extent *outside,
                       struct symtab_alias *alias)
{
    for (unsigned bits = 16; bits <= 26; bits++) {
        uint64_t size = (uint64_t)1 << bits;
        uint64_t to = code->low & ~(size - 1), from = outside->low & ~(size - 1);
        if (code->high - to >= size || outside->high - from >= size)
            continue;
        *alias = (struct symtab_alias){.from = from, .to = to, .size = size};
        return from != to;
    }
    return false;
}

static uint64_t explained(const struct symtab *symtab, const struct profile *p,
                          const struct symtab_alias *alias)
{
    uint64_t hits = 0;

    for (size_t i = 0; i < p->row_count; i++) {
        uint64_t addr = p->rows[i].addr;
        if (!symtab_is_code(symtab, addr) && addr - alias->from < alias->size &&
            symtab_find(symtab, addr - alias->from + alias->to))
            hits += p->rows[i].hits;
    }
    return hits;
}

bool elf_map_guess(const struct symtab *symtab, const struct profile *profile,
                   struct symtab_alias *alias, double *share)
{
    struct extent outside = {.hits = 0};

    for (size_t i = 0; i < profile->row_count; i++) {
        const struct profile_hit *h = &profile->rows[i];
        if (h->hits && !symtab_is_code(symtab, h->addr))
            add(&outside, h->addr, h->hits);
    }
    if (profile->attributed < HITS_MIN ||
        (double)outside.hits < OUTSIDE_MIN * (double)profile->attributed)
        return false;
    const struct extent code = extent_of_code(symtab);
    if (code.hits == 0 || !make_alias(&code, &outside, alias))
        return false;
    *share = (double)outside.hits / (double)profile->attributed;
    return (double)explained(symtab, profile, alias) >= EXPLAINED_MIN * (double)outside.hits;
}
