/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many lost hits may belong to a row of a ranking. */
#include "unseen.h"

#include <stdlib.h>

#include <base/vec.h>
#include <profile/complete.h>
#include <profile/divide.h>

/* How much of a row's code may have lost something in a region, in steps of DIVIDE_STEP. */
struct share_of_region {
    size_t region, row;
    uint64_t steps;
};

/* A function without a row may have lost something in a region. */
struct without_row {
    uint64_t function;
    size_t region;
};

/* All code that no row is of; and code that is left out. */
#define NO_ROW  SIZE_MAX
#define IGNORED (SIZE_MAX - 1)

/* Blocks that are looked at one by one: 16 MB of code, more than a microcontroller has. An ELF file
 * may claim any number. */
#define BLOCKS_MAX ((uint64_t)1 << 20)

struct unseen {
    struct naming *naming;
    const struct profile *profile;
    struct view_row *rows;
    size_t count;
    int (*order)(const void *, const void *);
    struct profile_complete complete;
    struct share_of_region *shares;
    size_t share_count, share_capacity;
    struct without_row *without;
    size_t without_count, without_capacity;
    struct stats_unseen *ignored;
    bool foreign; /* there are hits outside the functions that are known */
};

static bool is_complete(const struct profile_complete *list, uint64_t addr)
{
    return profile_complete_within(list, addr, addr + 1);
}

static size_t find_row(const struct unseen *u, const struct view_row *key)
{
    const struct view_row *row = bsearch(key, u->rows, u->count, sizeof(*key), u->order);

    /* A block that lines share has the key of padding in it. */
    return row && !row->block ? (size_t)(row - u->rows) : NO_ROW;
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

/* Whether rows are functions, and no parts of them. */
static bool has_functions(const struct unseen *u)
{
    return u->naming->by == VIEW_BY_FUNCTION ||
           (u->naming->by == VIEW_BY_CONTEXT && !u->naming->exceptions);
}

static bool add_without(struct unseen *u, size_t region, uint64_t function)
{
    struct without_row *last = u->without_count ? &u->without[u->without_count - 1] : NULL;

    if (last && last->region == region && last->function == function)
        return true;
    if (!VEC_ROOM(u->without, u->without_capacity, u->without_count, 1))
        return false;
    u->without[u->without_count++] = (struct without_row){.function = function, .region = region};
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
        bool named = naming_is_named(u->naming, &row);
        if ((found != NO_ROW || named) && !add_share(u, region, found, steps))
            return false;
        if (found == NO_ROW && named && has_functions(u) && !add_without(u, region, row.addr))
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

    if (calls &&
        profile_complete_within(&u->complete, f->addr, end)) /* a function is called in one place */
        return true;
    for (uint64_t block = f->addr / size * size; block < end;) {
        if (rest->counts[profile_rest_region(rest, block)] == 0) {
            block = (block / rest->region_size + 1) * rest->region_size;
            continue;
        }
        uint64_t first = block < f->addr ? f->addr : block;
        uint64_t last = block + size < end ? block + size : end;
        if (!is_complete(&u->complete, block) && !add_block(u, block, first, last, one))
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

/* At most one more than BLOCKS_MAX. */
static uint64_t count_blocks(const struct unseen *u)
{
    const struct symbol_naming *names = &u->naming->names;
    size_t count = 0;
    const struct symtab_function *functions =
        names->functions ? names->functions(names->context, &count) : NULL;
    uint64_t blocks = 0;

    for (size_t i = 0; i < count && blocks <= BLOCKS_MAX; i++)
        blocks += functions[i].size / u->profile->block_size + 1;
    return blocks <= BLOCKS_MAX ? blocks : BLOCKS_MAX + 1;
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

/* By line, a block that lines share is a row, too. */
static void add_shared(struct unseen *u)
{
    for (size_t i = 0; i < u->count; i++) {
        struct view_row *row = &u->rows[i];
        if (row->block && !is_complete(&u->complete, row->addr))
            row->unseen.most =
                u->profile->rest.counts[profile_rest_region(&u->profile->rest, row->addr)];
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

static int order_without(const void *a, const void *b)
{
    const struct without_row *x = a, *y = b;

    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->region > y->region) - (x->region < y->region);
}

static void work_out_without(struct unseen *u, struct view_without_row *without)
{
    const struct without_row *w = u->without;
    uint64_t most = 0;

    if (u->without_count)
        qsort(u->without, u->without_count, sizeof(*u->without), order_without);
    for (size_t i = 0; i < u->without_count; i++) {
        bool other = i == 0 || w[i].function != w[i - 1].function;
        most = other ? 0 : most;
        without->functions += other;
        if (other || w[i].region != w[i - 1].region)
            most += u->profile->rest.counts[w[i].region];
        without->most = most > without->most ? most : without->most;
    }
}

/* If code is seen at two places, or a row is no code, or there is too much code, any row may have
 * any of it. */
static void suspect_all(struct unseen *u, uint64_t lost, struct view_without_row *without)
{
    for (size_t i = 0; i < u->count; i++)
        u->rows[i].unseen = (struct stats_unseen){.most = lost};
    if (u->naming->ignore)
        u->ignored->most = lost;
    if (has_functions(u))
        without->most = lost;
}

bool unseen_work_out(struct naming *n, const struct profile *profile, struct view_row *rows,
                     size_t count, int (*order)(const void *, const void *),
                     struct stats_unseen *ignored, struct view_without_row *without)
{
    struct unseen u = {.naming = n,
                       .profile = profile,
                       .rows = rows,
                       .count = count,
                       .order = order,
                       .ignored = ignored};
    uint64_t lost = profile_rest_sum(&profile->rest);

    *ignored = (struct stats_unseen){.least = 0};
    *without = (struct view_without_row){.most = 0};
    if (lost == 0)
        return true;
    if (n->exceptions || (n->names.aliased && n->names.aliased(n->names.context)) ||
        count_blocks(&u) > BLOCKS_MAX) {
        suspect_all(&u, lost, without);
        return true;
    }
    bool done = profile_complete_list(profile, &u.complete) && add_all(&u);
    if (done) {
        divide_all(&u);
        add_shared(&u);
        work_out_without(&u, without);
    }
    profile_complete_free(&u.complete);
    free(u.shares);
    free(u.without);
    return done;
}

uint64_t unseen_of_code(const struct profile *profile, uint64_t start, uint64_t size)
{
    const struct profile_rest *rest = &profile->rest;
    struct profile_complete complete;
    uint64_t block_size = profile->block_size, lost = profile_rest_sum(rest), most = 0;

    if (lost == 0 || size / block_size >= BLOCKS_MAX)
        return lost;
    bool *seen = calloc(rest->count, sizeof(*seen));
    if (!seen || !profile_complete_list(profile, &complete)) {
        free(seen);
        return lost; /* which is always true */
    }
    for (uint64_t at = start / block_size * block_size; at < start + size; at += block_size) {
        size_t region = profile_rest_region(rest, at);
        if (seen[region] || is_complete(&complete, at))
            continue;
        seen[region] = true;
        most += rest->counts[region];
    }
    profile_complete_free(&complete);
    free(seen);
    return most;
}
