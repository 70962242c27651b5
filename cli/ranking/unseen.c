/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many lost hits may belong to a row of a ranking. */
#include "unseen.h"

#include <stdlib.h>

#include <base/vec.h>
#include <profile/divide.h>

/* How much of a row's code may have lost something in a region, in steps of DIVIDE_STEP. */
struct share_of_region {
    size_t region, row;
    uint64_t steps;
};

/* All code that no row is of; and code that is left out. */
#define NO_ROW  SIZE_MAX
#define IGNORED (SIZE_MAX - 1)

struct unseen {
    struct naming *naming;
    const struct profile *profile;
    struct view_row *rows;
    size_t count;
    int (*order)(const void *, const void *);
    uint64_t *complete; /* addresses, sorted */
    size_t complete_count;
    struct share_of_region *shares;
    size_t share_count, share_capacity;
    struct stats_unseen *ignored;
    bool foreign; /* there are hits outside the functions that are known */
};

static int order_addr(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static bool find_complete(struct unseen *u)
{
    const struct profile *p = u->profile;

    u->complete = malloc((p->row_count + 1) * sizeof(*u->complete));
    if (!u->complete)
        return false;
    for (size_t i = 0; i < p->row_count; i++) {
        if (p->rows[i].complete && p->source != DECODE_ARCS)
            u->complete[u->complete_count++] = p->rows[i].addr;
    }
    qsort(u->complete, u->complete_count, sizeof(*u->complete), order_addr);
    return true;
}

static bool is_complete(const struct unseen *u, uint64_t addr)
{
    return bsearch(&addr, u->complete, u->complete_count, sizeof(addr), order_addr) != NULL;
}

/* Whether some address from first on, below end, is complete. */
static bool has_complete(const struct unseen *u, uint64_t first, uint64_t end)
{
    size_t low = 0, high = u->complete_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (u->complete[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < u->complete_count && u->complete[low] < end;
}

static size_t find_row(const struct unseen *u, const struct view_row *key)
{
    const struct view_row *row = bsearch(key, u->rows, u->count, sizeof(*key), u->order);

    return row ? (size_t)(row - u->rows) : NO_ROW;
}

static bool add_share(struct unseen *u, size_t region, size_t row, uint64_t steps)
{
    struct share_of_region *last = u->share_count ? &u->shares[u->share_count - 1] : NULL;

    if (last && last->region == region && last->row == row) {
        last->steps += steps;
        return true;
    }
    if (!VEC_ROOM(u->shares, u->share_capacity, u->share_count, 1))
        return false;
    u->shares[u->share_count++] =
        (struct share_of_region){.region = region, .row = row, .steps = steps};
    return true;
}

/* All rows of a block, from first on, below end. one: it is one row. */
static bool add_block(struct unseen *u, uint64_t block, uint64_t first, uint64_t end, bool one)
{
    size_t region = profile_rest_region(&u->profile->rest, block);

    for (uint64_t at = first, steps; at < end; at += steps * DIVIDE_STEP) {
        struct view_row row = naming_row(u->naming, block, at);
        uint64_t same = one && !u->naming->ignore ? UINT64_MAX : naming_same(u->naming, at);
        steps = divide_steps(same, at - first, end - first);
        size_t found = naming_ignores(u->naming, at, &row) ? IGNORED : find_row(u, &row);
        bool padding = found == NO_ROW && !naming_is_named(u->naming, &row);
        if (!padding && !add_share(u, region, found, steps))
            return false;
    }
    return true;
}

/* Blocks that a function has in regions in which something was lost. */
static bool add_function(struct unseen *u, const struct symtab_function *f)
{
    const struct profile_rest *rest = &u->profile->rest;
    uint64_t size = u->profile->block_size, end = f->addr + f->size;
    bool calls = u->profile->unit == DECODE_UNIT_CALLS;
    enum view_by by = u->naming->by;
    bool one = by == VIEW_BY_ADDRESS || (naming_is_by_function(by) && by != VIEW_BY_INLINE);

    if (calls && has_complete(u, f->addr, end)) /* a function is called in one place */
        return true;
    for (uint64_t block = f->addr / size * size; block < end;) {
        if (rest->counts[profile_rest_region(rest, block)] == 0) {
            block = (block / rest->region_size + 1) * rest->region_size;
            continue;
        }
        uint64_t first = block < f->addr ? f->addr : block;
        uint64_t last = block + size < end ? block + size : end;
        if (!is_complete(u, block) && !add_block(u, block, first, last, one))
            return false;
        block += size;
    }
    return true;
}

/* Whether no function has a part of the block. */
static bool is_foreign(const struct unseen *u, uint64_t block)
{
    const struct symbol_naming *names = &u->naming->names;

    for (uint64_t at = block; at < block + u->profile->block_size; at += DIVIDE_STEP) {
        if (names->find && names->find(names->context, at))
            return false;
    }
    return true;
}

/* What the profile knows of places without a function, or of all where it is all that is known. */
static bool add_places(struct unseen *u, bool all)
{
    for (size_t i = 0; i < u->profile->row_count; i++) {
        const struct profile_hit *hit = &u->profile->rows[i];
        bool foreign = hit->hits != 0 && is_foreign(u, hit->addr);
        u->foreign |= foreign;
        if ((!all && !foreign) || hit->stamp == 0 || hit->complete ||
            u->profile->rest.counts[profile_rest_region(&u->profile->rest, hit->addr)] == 0)
            continue;
        if (!add_block(u, hit->addr, hit->addr, hit->addr + u->profile->block_size,
                       u->naming->by == VIEW_BY_ADDRESS))
            return false;
    }
    return true;
}

static bool add_all(struct unseen *u)
{
    const struct symbol_naming *names = &u->naming->names;
    size_t count = 0;
    const struct symtab_function *functions =
        names->functions ? names->functions(names->context, &count) : NULL;

    for (size_t i = 0; i < count; i++) {
        if (!add_function(u, &functions[i]))
            return false;
    }
    return add_places(u, !names->functions);
}

static int order_shares(const void *a, const void *b)
{
    const struct share_of_region *x = a, *y = b;

    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* One of each row in each region. */
static void merge(struct unseen *u)
{
    size_t kept = 0;

    if (u->share_count == 0)
        return;
    qsort(u->shares, u->share_count, sizeof(*u->shares), order_shares);
    for (size_t i = 1; i < u->share_count; i++) {
        if (order_shares(&u->shares[kept], &u->shares[i]) == 0)
            u->shares[kept].steps += u->shares[i].steps;
        else
            u->shares[++kept] = u->shares[i];
    }
    u->share_count = kept + 1;
}

/* The rows of one region: first of count of them. */
static void divide(struct unseen *u, const struct share_of_region *first, size_t count)
{
    uint64_t lost = u->profile->rest.counts[first->region];
    bool joined = u->profile->rest.count == 1; /* code that is not known may have lost it, too */
    uint64_t steps = 0;

    for (size_t i = 0; i < count; i++)
        steps += first[i].steps;
    for (size_t i = 0; i < count; i++) {
        if (first[i].row == NO_ROW)
            continue;
        struct stats_unseen *unseen =
            first[i].row == IGNORED ? u->ignored : &u->rows[first[i].row].unseen;
        unseen->most += lost;
        unseen->least += count == 1 && !u->foreign && !joined ? lost : 0;
        unseen->likely += (double)lost * (double)first[i].steps / (double)steps;
    }
}

static void divide_all(struct unseen *u)
{
    size_t end;

    merge(u);
    for (size_t i = 0; i < u->share_count; i = end) {
        for (end = i + 1; end < u->share_count && u->shares[end].region == u->shares[i].region;)
            end++;
        divide(u, &u->shares[i], end - i);
    }
}

/* Where code is seen at two places, or a row is no code, any row may have any of it. */
static void suspect_all(struct unseen *u, uint64_t lost)
{
    for (size_t i = 0; i < u->count; i++)
        u->rows[i].unseen = (struct stats_unseen){.most = lost};
    if (u->naming->ignore)
        u->ignored->most = lost;
}

bool unseen_work_out(struct naming *n, const struct profile *profile, struct view_row *rows,
                     size_t count, int (*order)(const void *, const void *),
                     struct stats_unseen *ignored)
{
    struct unseen u = {.naming = n,
                       .profile = profile,
                       .rows = rows,
                       .count = count,
                       .order = order,
                       .ignored = ignored};
    uint64_t lost = profile_rest_sum(&profile->rest);

    *ignored = (struct stats_unseen){.least = 0};
    if (lost == 0)
        return true;
    if (n->exceptions || (n->names.aliased && n->names.aliased(n->names.context))) {
        suspect_all(&u, lost);
        return true;
    }
    bool done = find_complete(&u) && add_all(&u);
    if (done)
        divide_all(&u);
    free(u.complete);
    free(u.shares);
    return done;
}

uint64_t unseen_of_code(const struct profile *profile, uint64_t start, uint64_t size)
{
    const struct profile_rest *rest = &profile->rest;
    struct unseen u = {.profile = profile};
    uint64_t block_size = profile->block_size, lost = profile_rest_sum(rest), most = 0;
    bool *seen = lost ? calloc(rest->count, sizeof(*seen)) : NULL;

    if (!seen || !find_complete(&u)) {
        free(seen);
        return lost; /* which is always true */
    }
    for (uint64_t at = start / block_size * block_size; at < start + size; at += block_size) {
        size_t region = profile_rest_region(rest, at);
        if (seen[region] || is_complete(&u, at))
            continue;
        seen[region] = true;
        most += rest->counts[region];
    }
    free(u.complete);
    free(seen);
    return most;
}
