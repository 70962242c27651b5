/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of the numbers of items. */
#include <base/dedupe.h>

#include <stdlib.h>

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
    *before = DEDUPE_NONE;
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
