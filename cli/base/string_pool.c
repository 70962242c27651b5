/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings in an arena, found again by their hashes. */
#define _POSIX_C_SOURCE 200809L

#include <base/string_pool.h>

#include <stdlib.h>
#include <string.h>

#include <base/dedupe.h>
#include <base/string_arena.h>
#include <base/vec.h>

struct string_pool {
    struct string_arena arena;
    const char **texts; /* the one with number 1 first; behind them, the one that is looked for */
    size_t count, room;
    size_t len; /* of the one that is looked for */
    struct dedupe known;
    bool failed;
};

struct string_pool *string_pool_new(void)
{
    return calloc(1, sizeof(struct string_pool));
}

void string_pool_free(struct string_pool *pool)
{
    if (!pool)
        return;
    string_arena_free(&pool->arena);
    dedupe_free(&pool->known);
    free(pool->texts);
    free(pool);
}

static bool same(const void *context, uint32_t a, uint32_t b)
{
    const struct string_pool *p = context;

    return strncmp(p->texts[a], p->texts[b], p->len) == 0 && p->texts[a][p->len] == '\0';
}

/* Finds the text or takes a copy of it. Returns 0 if memory runs out. */
static string_pool_id intern(struct string_pool *p, const char *text, size_t len)
{
    uint32_t before;

    if (p->count == UINT32_MAX - 1 || !VEC_ROOM(p->texts, p->room, p->count, 1))
        return 0;
    p->texts[p->count] = text;
    p->len = len;
    if (!dedupe_put(&p->known, hash_bytes(HASH_START, text, len), (uint32_t)p->count, same, p,
                    &before))
        return 0;
    if (before != DEDUPE_NONE)
        return before + 1;
    p->texts[p->count] = string_arena_add(&p->arena, text, len);
    return p->texts[p->count] ? (string_pool_id)++p->count : 0;
}

string_pool_id string_pool_add_part(struct string_pool *pool, const char *text, size_t len)
{
    if (!text || pool->failed)
        return 0;
    string_pool_id id = intern(pool, text, strnlen(text, len));
    pool->failed = id == 0;
    return id;
}

string_pool_id string_pool_add(struct string_pool *pool, const char *text)
{
    return text ? string_pool_add_part(pool, text, strlen(text)) : 0;
}

const char *string_pool_text(const struct string_pool *pool, string_pool_id id)
{
    return id ? pool->texts[id - 1] : NULL;
}

size_t string_pool_count(const struct string_pool *pool)
{
    return pool->count;
}

bool string_pool_failed(const struct string_pool *pool)
{
    return pool->failed;
}
