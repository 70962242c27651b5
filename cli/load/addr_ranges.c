/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of addresses, and how names become such a set. */
#include <load/addr_ranges.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/say.h>
#include <base/vec.h>
#include <load/near_names.h>

void addr_ranges_free(struct addr_ranges *ranges)
{
    free(ranges->all);
    *ranges = (struct addr_ranges){.all = NULL};
}

/* The index of the first range that ends behind addr. */
static size_t first_behind(const struct addr_ranges *r, uint64_t addr)
{
    size_t low = 0, high = r->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->all[middle].end > addr)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool addr_ranges_have(const struct addr_ranges *ranges, uint64_t addr)
{
    size_t i = first_behind(ranges, addr);

    return i < ranges->count && ranges->all[i].start <= addr;
}

/* Puts new ones in place of those from index first up to last. */
static bool replace(struct addr_ranges *r, size_t first, size_t last, const struct addr_range *new,
                    size_t count)
{
    if (!VEC_ROOM(r->all, r->capacity, r->count, count))
        return false;
    memmove(&r->all[first + count], &r->all[last], (r->count - last) * sizeof(*r->all));
    if (count != 0)
        memcpy(&r->all[first], new, count * sizeof(*new));
    r->count += count - (last - first);
    return true;
}

bool addr_ranges_add(struct addr_ranges *ranges, uint64_t start, uint64_t end)
{
    size_t first = start == 0 ? 0 : first_behind(ranges, start - 1), last = first;
    struct addr_range joined = {.start = start, .end = end};

    for (; last < ranges->count && ranges->all[last].start <= end; last++) {
        const struct addr_range *old = &ranges->all[last];
        joined.start = old->start < joined.start ? old->start : joined.start;
        joined.end = old->end > joined.end ? old->end : joined.end;
    }
    return replace(ranges, first, last, &joined, 1);
}

static bool remove_range(struct addr_ranges *r, uint64_t start, uint64_t end)
{
    size_t first = first_behind(r, start), last = first, count = 0;
    struct addr_range left[2];

    while (last < r->count && r->all[last].start < end)
        last++;
    if (first == last)
        return true;
    if (r->all[first].start < start)
        left[count++] = (struct addr_range){.start = r->all[first].start, .end = start};
    if (r->all[last - 1].end > end)
        left[count++] = (struct addr_range){.start = end, .end = r->all[last - 1].end};
    return replace(r, first, last, left, count);
}

bool addr_ranges_copy(struct addr_ranges *copy, const struct addr_ranges *ranges)
{
    return replace(copy, 0, 0, ranges->all, ranges->count);
}

bool addr_ranges_remove(struct addr_ranges *ranges, const struct addr_ranges *other)
{
    for (size_t i = 0; i < other->count; i++) {
        if (!remove_range(ranges, other->all[i].start, other->all[i].end))
            return false;
    }
    return true;
}

void addr_ranges_join(struct addr_ranges *ranges, size_t most)
{
    struct addr_range *all = ranges->all;

    while (ranges->count > most) {
        size_t nearest = 0;
        for (size_t i = 1; i + 1 < ranges->count; i++) {
            if (all[i + 1].start - all[i].end < all[nearest + 1].start - all[nearest].end)
                nearest = i;
        }
        all[nearest].end = all[nearest + 1].end;
        ranges->count--;
        memmove(&all[nearest + 1], &all[nearest + 2], (ranges->count - nearest - 1) * sizeof(*all));
    }
}

/* A function of a part is at alias->from as it is at alias->to. */
static bool add_function(struct addr_ranges *r, const struct symtab_function *f,
                         const struct symtab_alias *alias)
{
    uint64_t start = f->addr - alias->to + alias->from;

    return f->addr - alias->to >= alias->size || addr_ranges_add(r, start, start + f->size);
}

static bool add_function_everywhere(struct addr_ranges *r, const struct symtab *symtab,
                                    const struct symtab_function *f)
{
    const struct symtab_alias own = {.size = UINT64_MAX};
    size_t count;
    const struct symtab_alias *aliases = symtab_aliases(symtab, &count);
    bool fits = add_function(r, f, &own);

    for (size_t i = 0; fits && i < count; i++)
        fits = add_function(r, f, &aliases[i]);
    return fits;
}

static bool is_meant(const struct view_ignore_rule *rule, struct symtab *symtab,
                     const struct symtab_function *f)
{
    struct symtab_line line = {.file = NULL};

    if (rule->files && !symtab_find_line(symtab, f->addr, &line))
        line.file = NULL;
    return view_ignore_rule_hit(rule, f->name, line.file) ||
           (f->symbol && view_ignore_rule_hit(rule, f->symbol, NULL));
}

static bool add_named(struct addr_ranges *r, const struct view_ignore_rule *rule,
                      struct symtab *symtab, bool *found)
{
    for (size_t i = 0; i < symtab_part_count(symtab); i++) {
        size_t count = 0;
        const struct symtab_function *functions = NULL;
        if (symtab_part_is_used(symtab, i))
            functions = symtab_functions(symtab_part(symtab, i), &count);
        for (size_t f = 0; f < count; f++) {
            if (!is_meant(rule, symtab, &functions[f]))
                continue;
            *found = true;
            if (!add_function_everywhere(r, symtab, &functions[f]))
                return false;
        }
    }
    return true;
}

static int fail_unknown(const struct view_ignore_rule *rule, struct symtab *symtab,
                        const char *path)
{
    char hint[NEAREST_HINT];
    struct nearest nearest;

    nearest_begin(&nearest, rule->glob, strlen(rule->glob));
    near_functions(&nearest, symtab);
    complain("%s has no function%s named '%s'%s", path, rule->files ? " and no file" : "",
             rule->glob, nearest_hint(&nearest, "", hint, sizeof(hint)));
    return STATUS_FAILED;
}

int addr_ranges_add_rules(struct addr_ranges *ranges, const struct view_ignore *rules,
                          struct symtab *symtab, unsigned bits, const char *path)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct view_ignore_rule *rule = &rules->rules[i];
        bool named = rule->glob[0] != '\0', found = !named;

        if (!named && bits < 64 && rule->last >> bits != 0) {
            complain("0x%" PRIx64 " is not an address of %u bits", rule->last, bits);
            return STATUS_FAILED;
        }
        if (named ? !add_named(ranges, rule, symtab, &found)
                  : !addr_ranges_add(ranges, rule->first, rule->last + 1))
            return fail("out of memory");
        if (!found)
            return fail_unknown(rule, symtab, path);
    }
    return STATUS_DONE;
}
