/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions were renamed (docs/statistics.md, "Rows across builds"). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "match_private.h"

#define NONE SIZE_MAX

/* Taken for renamed: of one size, and shares that differ by so much at most; or of similar shares
 * alone, sizes being alike where they are known. */
static const double same_size_share = 3, like_share = 1.25;

/* Smaller functions of one size are too many to mean anything. */
static const uint64_t telling_size = 16;

/* Sizes that are alike are in one class, or in classes side by side. Class 0: not known. */
static const double class_step = 1.6;

#define CLASSES 100

/* What is looked for is a little more than alike() lets pass, which decides. */
static const double margin = 1 + 1e-9;

/* A key that may be found by what it is like. */
struct entry {
    const char *name; /* of the file, without folders */
    int side;
    size_t file; /* the file's number */
    unsigned class;
    uint64_t size;
    double share;
    size_t key;
};

struct search {
    struct match *m;
    struct entry *by_key;             /* of a key; name is NULL: it is like nothing */
    struct entry *by_size, *by_class; /* count of them */
    size_t count;
    bool present[CLASSES];
};

typedef int compare_function(const void *, const void *);

static int compare_names(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;

    return strcmp(l->name, r->name);
}

static int compare_shares(const struct entry *l, const struct entry *r)
{
    if (l->share < r->share || r->share < l->share)
        return l->share < r->share ? -1 : 1;
    return (l->key > r->key) - (l->key < r->key);
}

static int compare_places(const struct entry *l, const struct entry *r)
{
    int order = (l->file > r->file) - (l->file < r->file);

    return order != 0 ? order : l->side - r->side;
}

static int compare_by_size(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;
    int order = compare_places(l, r);

    order = order != 0 ? order : (l->size > r->size) - (l->size < r->size);
    return order != 0 ? order : compare_shares(l, r);
}

static int compare_by_class(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;
    int order = compare_places(l, r);

    order = order != 0 ? order : (l->class > r->class) - (l->class < r->class);
    return order != 0 ? order : compare_shares(l, r);
}

static unsigned class_of(uint64_t size)
{
    return size == 0 ? 0 : 2 + (unsigned)(log((double)size) / log(class_step));
}

/* Keys of one side whose file is known and that have hits. */
static void make_entries(struct search *s)
{
    const struct match *m = s->m;

    for (size_t i = 0; i < m->count; i++) {
        const struct match_key *key = &m->keys[i];
        int side = match_is_only(m, i, 0) ? 0 : 1;
        if (!match_is_only(m, i, side) || key->file == NULL || key->hits[side] == 0)
            continue;
        s->by_size[s->count++] = (struct entry){.name = match_last_part(key->file),
                                                .side = side,
                                                .class = class_of(key->size[side]),
                                                .size = key->size[side],
                                                .share = (double)key->hits[side] / m->totals[side],
                                                .key = i};
    }
}

static void number_files(struct search *s)
{
    qsort(s->by_size, s->count, sizeof(*s->by_size), compare_names);
    for (size_t i = 0; i < s->count; i++) {
        struct entry *e = &s->by_size[i];
        e->file = i == 0 ? 0 : e[-1].file + (compare_names(e, e - 1) != 0);
        s->by_key[e->key] = s->by_class[i] = *e;
        s->present[e->class] = true;
    }
    qsort(s->by_size, s->count, sizeof(*s->by_size), compare_by_size);
    qsort(s->by_class, s->count, sizeof(*s->by_class), compare_by_class);
}

static bool alike(const struct match *m, const struct entry *left, const struct entry *right)
{
    const struct entry *base = left->side == 0 ? left : right;
    const struct entry *newer = left->side == 0 ? right : left;

    if (base->size == newer->size && base->size >= telling_size)
        return match_within(base->share, newer->share, same_size_share);
    return match_like_sizes(&m->keys[base->key], &m->keys[newer->key]) &&
           match_within(base->share, newer->share, like_share);
}

/* The first entry that is not before what is looked for. */
static size_t first_of(const struct entry *entries, size_t count, const struct entry *from,
                       compare_function *compare)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&entries[middle], from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Looks through what has the file, side, and size or class of like, and a share within the factor.
 * false: there are several that are alike. */
static bool find_only(const struct search *s, const struct entry *entries,
                      compare_function *compare, struct entry like, double factor, size_t *found)
{
    const struct entry *self = &s->by_key[like.key];
    struct entry last = like;

    last.share = like.share * factor * margin;
    last.key = NONE;
    like.share = like.share / factor / margin;
    like.key = 0;
    for (size_t i = first_of(entries, s->count, &like, compare);
         i < s->count && compare(&entries[i], &last) <= 0; i++) {
        size_t key = entries[i].key;
        if (key == *found || !match_is_only(s->m, key, like.side) ||
            !alike(s->m, self, &entries[i]))
            continue;
        if (*found != NONE)
            return false;
        *found = key;
    }
    return true;
}

/* Whether sizes of two classes may be alike. */
static bool are_near(unsigned left, unsigned right)
{
    return left == 0 || right == 0 || (left <= right + 1 && right <= left + 1);
}

/* The one that is alike; NONE: none or several, and a guess would be a lottery. */
static size_t only_alike(const struct search *s, size_t i)
{
    struct entry like = s->by_key[i];
    size_t found = NONE;

    if (like.name == NULL)
        return NONE;
    like.side = !like.side;
    if (like.size >= telling_size &&
        !find_only(s, s->by_size, compare_by_size, like, same_size_share, &found))
        return NONE;
    unsigned class = like.class;
    for (like.class = 0; like.class < CLASSES; like.class ++)
        if (s->present[like.class] && are_near(class, like.class) &&
            !find_only(s, s->by_class, compare_by_class, like, like_share, &found))
            return NONE;
    return found;
}

static void join_renamed(const struct search *s)
{
    struct match *m = s->m;

    for (size_t i = 0; i < m->count; i++) {
        size_t newer = match_is_only(m, i, 0) ? only_alike(s, i) : NONE;
        if (newer == NONE || only_alike(s, newer) != i)
            continue;
        match_join(m, i, newer);
        struct match_key *key = &m->keys[i];
        key->guessed = true;
        key->old_name = key->function;
        key->old_len = key->name_len;
        key->function = m->keys[newer].function;
        key->name_len = m->keys[newer].name_len;
    }
}

bool match_renamed(struct match *m)
{
    struct search s = {.m = m};

    s.by_key = calloc(m->count + 1, sizeof(*s.by_key));
    s.by_size = calloc(m->count + 1, sizeof(*s.by_size));
    s.by_class = calloc(m->count + 1, sizeof(*s.by_class));
    bool ok = s.by_key != NULL && s.by_size != NULL && s.by_class != NULL;
    if (ok) {
        make_entries(&s);
        number_files(&s);
        join_renamed(&s);
    }
    free(s.by_key);
    free(s.by_size);
    free(s.by_class);
    return ok;
}
