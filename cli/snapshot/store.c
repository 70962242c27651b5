/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are kept once, and equals that are found again. */
#define _POSIX_C_SOURCE 200809L

#include "store.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

#include "index.h"

#define CHUNK 16384

struct text_chunk {
    struct text_chunk *next;
    size_t used, size;
    char bytes[];
};

enum snapshot_code snapshot_say(char *text, size_t capacity, enum snapshot_code code,
                                const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, capacity, format, args);
    va_end(args);
    return code;
}

uint64_t hash_number(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
    const uint8_t *b = bytes;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash_number(hash, len);
}

static bool dedupe_widen(struct dedupe *d)
{
    size_t size = d->size ? 2 * d->size : 64;
    struct dedupe_slot *slots = calloc(size, sizeof(*slots));

    if (!slots)
        return false;
    for (size_t i = 0; i < d->size; i++) {
        size_t at = d->slots[i].hash & (size - 1);
        if (d->slots[i].item == 0)
            continue;
        while (slots[at].item != 0)
            at = (at + 1) & (size - 1);
        slots[at] = d->slots[i];
    }
    free(d->slots);
    d->slots = slots;
    d->size = size;
    return true;
}

bool dedupe_put(struct dedupe *d, uint64_t hash, uint32_t item, dedupe_same *same,
                const void *context, uint32_t *before)
{
    if (4 * d->count >= 3 * d->size && !dedupe_widen(d))
        return false;
    size_t at = hash & (d->size - 1);
    *before = SNAPSHOT_NONE;
    for (; d->slots[at].item != 0; at = (at + 1) & (d->size - 1)) {
        if (d->slots[at].hash == hash && same(context, d->slots[at].item - 1, item)) {
            *before = d->slots[at].item - 1;
            return true;
        }
    }
    d->slots[at] = (struct dedupe_slot){.hash = hash, .item = item + 1};
    d->count++;
    return true;
}

void dedupe_free(struct dedupe *d)
{
    free(d->slots);
    *d = (struct dedupe){.slots = NULL};
}

static char *chunk_room(struct snapshot_store *store, size_t len)
{
    struct text_chunk *chunk = store->chunks;

    if (!chunk || chunk->size - chunk->used < len) {
        size_t size = len > CHUNK ? len : CHUNK;
        chunk = malloc(sizeof(*chunk) + size);
        if (!chunk)
            return NULL;
        *chunk = (struct text_chunk){.next = store->chunks, .size = size};
        store->chunks = chunk;
    }
    chunk->used += len;
    return chunk->bytes + chunk->used - len;
}

static bool same_text(const void *context, uint32_t a, uint32_t b)
{
    const struct snapshot_store *store = context;

    return strcmp(store->texts[a], store->texts[b]) == 0;
}

uint32_t store_number(struct snapshot *s, const char *bytes, size_t len)
{
    struct snapshot_store *store = s->store;
    uint32_t before;

    len = strnlen(bytes, len);
    if (store->text_count == SNAPSHOT_NONE - 1 ||
        !VEC_ROOM(store->texts, store->text_capacity, store->text_count, 1))
        return SNAPSHOT_NONE;
    char *room = chunk_room(store, len + 1);
    if (!room)
        return SNAPSHOT_NONE;
    memcpy(room, bytes, len);
    room[len] = '\0';
    store->texts[store->text_count] = room;
    if (!dedupe_put(&store->known, hash_bytes(HASH_START, room, len), (uint32_t)store->text_count,
                    same_text, store, &before))
        return SNAPSHOT_NONE;
    if (before == SNAPSHOT_NONE)
        return (uint32_t)store->text_count++;
    store->chunks->used -= len + 1;
    return before;
}

const char *store_text(struct snapshot *s, const char *bytes, size_t len)
{
    uint32_t number = store_number(s, bytes, len);

    return number == SNAPSHOT_NONE ? NULL : s->store->texts[number];
}

const char *store_string(struct snapshot *s, const char *string)
{
    return store_text(s, string ? string : "", string ? strlen(string) : 0);
}

static void set_texts(struct snapshot *s, const char *empty)
{
    s->conditions = (struct snapshot_conditions){
        .tool = empty,
        .elf = empty,
        .identity = empty,
        .target = empty,
        .arch = empty,
        .link = empty,
        .server = empty,
        .address = empty,
        .sampler = empty,
        .grain = 1,
        .runs = 1,
    };
    s->period_type = (struct snapshot_type){.name = empty, .unit = empty};
    s->default_type = s->drop_frames = s->keep_frames = empty;
}

struct snapshot *snapshot_new(void)
{
    struct snapshot *s = calloc(1, sizeof(*s));
    const char *empty = NULL;

    if (s)
        s->store = calloc(1, sizeof(*s->store));
    if (s && s->store)
        empty = store_string(s, "");
    if (!empty) {
        snapshot_free(s);
        return NULL;
    }
    set_texts(s, empty);
    return s;
}

static void free_store(struct snapshot_store *store)
{
    if (!store)
        return;
    while (store->chunks) {
        struct text_chunk *next = store->chunks->next;
        free(store->chunks);
        store->chunks = next;
    }
    free(store->texts);
    dedupe_free(&store->known);
    free(store);
}

int64_t snapshot_end_ns(const struct snapshot *snapshot)
{
    int64_t lasted_ns = snapshot->duration_ns > 0 ? snapshot->duration_ns : 0;
    int64_t end_ns;

    if (snapshot->end_ns > 0 || snapshot->time_ns <= 0)
        return snapshot->end_ns;
    return __builtin_add_overflow(snapshot->time_ns, lasted_ns, &end_ns) ? 0 : end_ns;
}

void snapshot_free(struct snapshot *snapshot)
{
    if (!snapshot)
        return;
    index_free(snapshot->index);
    free_store(snapshot->store);
    free(snapshot->types);
    free(snapshot->mappings);
    free(snapshot->functions);
    free(snapshot->lines);
    free(snapshot->locations);
    free(snapshot->samples);
    free(snapshot->values);
    free(snapshot->frames);
    free(snapshot->labels);
    free(snapshot->comments);
    free(snapshot);
}
