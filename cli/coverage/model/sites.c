/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps over the code of each function. */
#include <model/sites.h>

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <model/flow.h>

/* Bytes of code that one bit of struct code.targets stands for. */
#define GRAIN 2

/* A function that is swept. */
struct code {
    const uint8_t *bytes; /* len of them */
    size_t len;
    uint64_t addr;
    const struct symtab_elf *machine;
    uint8_t *targets; /* owned; a bit for each place that something in the function jumps to */
};

struct search {
    const struct symtab *symtab;
    const char *const *hooks;
    struct sites *sites;
    const struct symtab_function *functions; /* count of them, sorted by address */
    size_t count;
    size_t function,
        last; /* the one whose code is swept, and of all so far the one that ends last */
    struct code code;
};

/* Linkers and symtab_functions() add to the name of what calls it in turn. */
static bool is_named(const char *name, const char *hook)
{
    const char *at = strstr(name, hook);
    const char *after = at ? at + strlen(hook) : NULL;

    if (!at)
        return false;
    return at == name ? *after == '\0' || strchr("@ [", *after) : strcmp(after, "_veneer") == 0;
}

static bool is_hook(const struct search *s, uint64_t target)
{
    uint64_t place = symtab_place(s->symtab, target);
    const struct symtab_function *f = symtab_find(s->symtab, place);

    if (!f || f->addr != place)
        return false;
    for (const char *const *hook = s->hooks; *hook; hook++) {
        if (is_named(f->symbol ? f->symbol : f->name, *hook))
            return true;
    }
    return false;
}

static bool decode(const struct code *c, size_t at, struct flow *f)
{
    return flow_decode(c->machine, c->bytes + at, c->len - at, c->addr + at, f);
}

/* The function that has the code at addr: after the end of the last one that began, one around it.
 */
static size_t owner_of(const struct search *s, uint64_t addr)
{
    const struct symtab_function *f = &s->functions[s->function];

    return addr - f->addr < f->size ? s->function : s->last;
}

static bool add_site(struct search *s, uint64_t call, unsigned len)
{
    struct sites *sites = s->sites;

    if (!VEC_ROOM(sites->all, sites->capacity, sites->count, 1))
        return false;
    sites->all[sites->count++] = (struct site){
        .call = call, .returns = call + len, .end = call + len, .function = owner_of(s, call)};
    return true;
}

static bool add_jump(struct search *s)
{
    struct sites *sites = s->sites;

    if (sites->jump_count != 0 && sites->jumps[sites->jump_count - 1] == s->function)
        return true;
    if (!VEC_ROOM(sites->jumps, sites->jump_capacity, sites->jump_count, 1))
        return false;
    sites->jumps[sites->jump_count++] = s->function;
    return true;
}

/* Where data stands between the code, an instruction may seem to begin anywhere. Steps of the least
 * distance find all calls; what only looks like one would need the very distance to the hook. */
static bool find_calls(struct search *s)
{
    struct code *c = &s->code;
    size_t step = flow_is_complete(c->machine) ? GRAIN : 1;
    struct flow f;

    for (size_t at = 0; at < c->len; at += step) {
        bool found = decode(c, at, &f);
        if (!found || (f.kind != FLOW_CALL && f.kind != FLOW_JUMP) || !is_hook(s, f.target))
            continue;
        if (!(f.kind == FLOW_CALL ? add_site(s, c->addr + at, f.len) : add_jump(s)))
            return false;
    }
    return true;
}

static void mark_target(struct code *c, uint64_t target)
{
    uint64_t offset = target - c->addr;

    if (offset < c->len)
        c->targets[offset / GRAIN / 8] |= (uint8_t)(1u << (offset / GRAIN % 8));
}

static bool is_target(const struct code *c, size_t at)
{
    return c->targets[at / GRAIN / 8] >> (at / GRAIN % 8) & 1;
}

static void mark_targets(struct code *c, size_t from, size_t to)
{
    struct flow f;

    for (size_t at = from; at < to && decode(c, at, &f); at += f.len) {
        if (f.kind == FLOW_JUMP)
            mark_target(c, f.target);
    }
}

/* Up to where nothing else comes in or goes out. */
static uint64_t straight_end(const struct code *c, size_t from, size_t to)
{
    struct flow f;
    size_t at = from;

    while (at < to && !is_target(c, at) && decode(c, at, &f)) {
        at += f.len;
        if (f.kind == FLOW_JUMP || f.kind == FLOW_BREAK)
            break;
    }
    return c->addr + (at < to ? at : to);
}

/* Sets the ends of the function's sites, from the first one on. */
static bool find_ends(struct search *s, size_t first)
{
    struct code *c = &s->code;
    struct site *all = s->sites->all;
    size_t count = s->sites->count;

    if (first == count || !flow_is_complete(c->machine))
        return true;
    c->targets = calloc(c->len / GRAIN / 8 + 1, 1);
    if (!c->targets)
        return false;
    mark_targets(c, 0, (size_t)(all[first].call - c->addr));
    for (size_t i = first; i < count; i++)
        mark_targets(c, (size_t)(all[i].returns - c->addr),
                     i + 1 < count ? (size_t)(all[i + 1].call - c->addr) : c->len);
    for (size_t i = first; i < count; i++)
        all[i].end = straight_end(c, (size_t)(all[i].returns - c->addr),
                                  i + 1 < count ? (size_t)(all[i + 1].call - c->addr) : c->len);
    free(c->targets);
    c->targets = NULL;
    return true;
}

static uint64_t end_of(const struct symtab_function *f)
{
    return f->addr + f->size;
}

/* The code from a function's start to the next one's, so that no byte is swept twice. */
static bool search_function(struct search *s, size_t index)
{
    const struct symtab_function *f = &s->functions[index];
    size_t first = s->sites->count, len;
    const uint8_t *bytes = symtab_constant(s->symtab, f->addr, &len);

    s->function = index;
    if (end_of(f) >= end_of(&s->functions[s->last]))
        s->last = index;
    uint64_t size = end_of(&s->functions[s->last]) - f->addr;
    if (index + 1 < s->count && s->functions[index + 1].addr - f->addr < size)
        size = s->functions[index + 1].addr - f->addr;
    if (!bytes || end_of(&s->functions[s->last]) <= f->addr)
        return true;
    s->code.bytes = bytes;
    s->code.len = len < size ? len : (size_t)size;
    s->code.addr = f->addr;
    return find_calls(s) && find_ends(s, first);
}

static int by_address(const void *a, const void *b)
{
    const struct site *x = a, *y = b;

    return (x->returns > y->returns) - (x->returns < y->returns);
}

bool sites_find(const struct symtab *symtab, const char *const *hooks, struct sites *sites)
{
    struct search s = {.symtab = symtab, .hooks = hooks, .sites = sites};

    s.functions = symtab_functions(symtab, &s.count);
    s.code.machine = symtab_elf(symtab);
    for (size_t i = 0; i < s.count; i++) {
        if (!search_function(&s, i))
            return false;
    }
    if (sites->count != 0)
        qsort(sites->all, sites->count, sizeof(*sites->all), by_address);
    return true;
}

void sites_free(struct sites *sites)
{
    free(sites->all);
    free(sites->jumps);
    *sites = (struct sites){.all = NULL};
}

const struct site *sites_at(const struct sites *sites, uint64_t returns)
{
    const struct site wanted = {.returns = returns};

    return sites->count == 0
               ? NULL
               : bsearch(&wanted, sites->all, sites->count, sizeof(*sites->all), by_address);
}
