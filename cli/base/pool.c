/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of texts, the texts in blocks that do not move. */
#include <base/pool.h>

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

#define BLOCK 65536

struct block {
    struct block *next;
    size_t used, room;
    char bytes[];
};

struct pool {
    struct block *blocks;
    const char **texts; /* by number, from 1 */
    size_t count, room;
    pool_id *slots; /* a power of two of them, 0: free */
    size_t slot_count;
    bool failed;
};

struct pool *pool_new(void)
{
    return calloc(1, sizeof(struct pool));
}

void pool_free(struct pool *pool)
{
    if (!pool)
        return;
    while (pool->blocks) {
        struct block *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
    free(pool->texts);
    free(pool->slots);
    free(pool);
}

static uint64_t hash_of(const char *text, size_t len)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
    return hash ^ hash >> 29;
}

/* Where the text stands, or would. */
static size_t find_slot(const struct pool *p, const char *text, size_t len)
{
    size_t at = hash_of(text, len) & (p->slot_count - 1);

    for (; p->slots[at]; at = (at + 1) & (p->slot_count - 1)) {
        const char *there = p->texts[p->slots[at]];
        if (strncmp(there, text, len) == 0 && there[len] == '\0')
            break;
    }
    return at;
}

static bool grow_slots(struct pool *p)
{
    struct pool bigger = *p;

    bigger.slot_count = p->slot_count ? 2 * p->slot_count : 1024;
    bigger.slots = calloc(bigger.slot_count, sizeof(*bigger.slots));
    if (!bigger.slots)
        return false;
    for (size_t i = 1; i <= p->count; i++)
        bigger.slots[find_slot(&bigger, p->texts[i], strlen(p->texts[i]))] = (pool_id)i;
    free(p->slots);
    *p = bigger;
    return true;
}

static char *take_bytes(struct pool *p, size_t len)
{
    if (!p->blocks || p->blocks->room - p->blocks->used < len) {
        size_t room = len > BLOCK ? len : BLOCK;
        struct block *block = malloc(sizeof(*block) + room);
        if (!block)
            return NULL;
        *block = (struct block){.next = p->blocks, .room = room};
        p->blocks = block;
    }
    p->blocks->used += len;
    return p->blocks->bytes + p->blocks->used - len;
}

static pool_id add_new(struct pool *p, size_t slot, const char *text, size_t len)
{
    char *copy = take_bytes(p, len + 1);

    if (!copy) {
        p->failed = true;
        return 0;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    p->texts[++p->count] = copy;
    p->slots[slot] = (pool_id)p->count;
    return (pool_id)p->count;
}

pool_id pool_add_part(struct pool *pool, const char *text, size_t len)
{
    if (!text || pool->failed)
        return 0;
    bool room = VEC_ROOM(pool->texts, pool->room, pool->count, 2) &&
                (2 * (pool->count + 1) < pool->slot_count || grow_slots(pool));
    if (!room || pool->count == UINT32_MAX - 1) {
        pool->failed = true;
        return 0;
    }
    size_t slot = find_slot(pool, text, len);
    return pool->slots[slot] ? pool->slots[slot] : add_new(pool, slot, text, len);
}

pool_id pool_add(struct pool *pool, const char *text)
{
    return text ? pool_add_part(pool, text, strlen(text)) : 0;
}

const char *pool_text(const struct pool *pool, pool_id id)
{
    return id ? pool->texts[id] : NULL;
}

bool pool_failed(const struct pool *pool)
{
    return pool->failed;
}
