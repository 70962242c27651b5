/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of call stacks. */
#include <profile/stacks.h>

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

#define INDEX_MIN 256

/* What tells one stack from another. */
struct key {
    const uint64_t *addrs;
    size_t depth;
    uint16_t context;
    bool cut;
};

static struct key key_of(const struct profile_stacks *s, const struct profile_stack *stack)
{
    return (struct key){s->addrs + stack->first, stack->depth, stack->context, stack->cut};
}

static bool is_same(const struct key *a, const struct key *b)
{
    return a->depth == b->depth && a->context == b->context && a->cut == b->cut &&
           memcmp(a->addrs, b->addrs, a->depth * sizeof(*a->addrs)) == 0;
}

static size_t hash_of(const struct key *key)
{
    uint64_t hash = (uint64_t)key->context << 1 | key->cut;

    for (size_t i = 0; i < key->depth; i++)
        hash = (hash ^ key->addrs[i]) * 0x9E3779B97F4A7C15u;
    return (size_t)(hash >> 32);
}

/* Where the stack is, or the free place where it would be. */
static uint32_t *place_of(const struct profile_stacks *s, const struct key *key)
{
    size_t at = hash_of(key) & (s->index_size - 1);

    while (s->index[at] != 0) {
        const struct key there = key_of(s, &s->list[s->index[at] - 1]);
        if (is_same(&there, key))
            break;
        at = (at + 1) & (s->index_size - 1);
    }
    return &s->index[at];
}

/* The index is never more than half full. */
static bool grow_index(struct profile_stacks *s)
{
    size_t size = INDEX_MIN;

    while (size <= 2 * s->count)
        size *= 2;
    uint32_t *index = calloc(size, sizeof(*index));
    if (!index)
        return false;
    free(s->index);
    s->index = index;
    s->index_size = size;
    for (size_t i = 0; i < s->count; i++) {
        const struct key key = key_of(s, &s->list[i]);
        *place_of(s, &key) = (uint32_t)(i + 1);
    }
    return true;
}

static bool make_room(struct profile_stacks *s, size_t depth)
{
    return VEC_ROOM(s->list, s->capacity, s->count, 1) &&
           VEC_ROOM(s->addrs, s->addr_capacity, s->addr_count, depth) &&
           (2 * s->count < s->index_size || grow_index(s));
}

static uint32_t append(struct profile_stacks *s, const struct key *key)
{
    memcpy(s->addrs + s->addr_count, key->addrs, key->depth * sizeof(*key->addrs));
    s->list[s->count++] = (struct profile_stack){
        .first = s->addr_count, .depth = key->depth, .context = key->context, .cut = key->cut};
    s->addr_count += key->depth;
    return (uint32_t)s->count;
}

bool profile_stacks_add(struct profile_stacks **stacks, const uint64_t *addrs, size_t depth,
                        uint16_t context, bool cut)
{
    return profile_stacks_add_hits(stacks, addrs, depth, context, cut, 1);
}

bool profile_stacks_add_hits(struct profile_stacks **stacks, const uint64_t *addrs, size_t depth,
                             uint16_t context, bool cut, uint64_t hits)
{
    bool deep = depth > PROFILE_STACK_DEPTH;
    const struct key key = {addrs, deep ? PROFILE_STACK_DEPTH : depth, context, cut || deep};

    if (!*stacks)
        *stacks = calloc(1, sizeof(**stacks));
    if (!*stacks || !make_room(*stacks, key.depth))
        return false;
    uint32_t *place = place_of(*stacks, &key);
    if (*place == 0)
        *place = append(*stacks, &key);
    (*stacks)->list[*place - 1].hits += hits;
    (*stacks)->cut += key.cut ? hits : 0;
    return true;
}

uint64_t profile_stacks_hits(const struct profile_stacks *stacks)
{
    uint64_t hits = 0;

    for (size_t i = 0; stacks && i < stacks->count; i++)
        hits += stacks->list[i].hits;
    return hits;
}

bool profile_stacks_copy(const struct profile_stacks *stacks, struct profile_stacks **copy)
{
    *copy = NULL;
    if (!stacks)
        return true;
    struct profile_stacks *made = calloc(1, sizeof(*made));
    if (!made || !VEC_ROOM(made->list, made->capacity, 0, stacks->count + 1) ||
        !VEC_ROOM(made->addrs, made->addr_capacity, 0, stacks->addr_count + 1)) {
        profile_stacks_free(made);
        return false;
    }
    made->count = stacks->count;
    made->addr_count = stacks->addr_count;
    made->cut = stacks->cut;
    if (stacks->count) {
        memcpy(made->list, stacks->list, stacks->count * sizeof(*made->list));
        memcpy(made->addrs, stacks->addrs, stacks->addr_count * sizeof(*made->addrs));
    }
    if (!grow_index(made)) {
        profile_stacks_free(made);
        return false;
    }
    *copy = made;
    return true;
}

void profile_stacks_subtract(struct profile_stacks *stacks, const struct profile_stacks *before)
{
    for (size_t i = 0; stacks && before && i < before->count && i < stacks->count; i++) {
        struct profile_stack *now = &stacks->list[i];
        uint64_t hits = before->list[i].hits < now->hits ? before->list[i].hits : now->hits;
        now->hits -= hits;
        stacks->cut -= now->cut ? hits : 0;
    }
}

void profile_stacks_free(struct profile_stacks *stacks)
{
    if (!stacks)
        return;
    free(stacks->list);
    free(stacks->addrs);
    free(stacks->index);
    free(stacks);
}
