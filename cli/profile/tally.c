/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of addresses and exceptions. */
#include <profile/tally.h>

#include <stdlib.h>

#include <base/vec.h>

#define INDEX_MIN 512

static bool is_at(const struct tally_entry *entry, uint64_t addr, uint16_t exception)
{
    return entry->addr == addr && entry->exception == exception;
}

/* Where the two are, or the free place where they would be. */
static uint32_t *place_of(const struct tally *t, uint64_t addr, uint16_t exception)
{
    uint64_t key = addr ^ (uint64_t)exception << 48;
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15u >> 32) & (t->index_size - 1);

    while (t->index[at] != 0 && !is_at(&t->entries[t->index[at] - 1], addr, exception))
        at = (at + 1) & (t->index_size - 1);
    return &t->index[at];
}

/* The index is never more than half full. */
static bool grow_index(struct tally *t)
{
    size_t size = t->index_size ? 2 * t->index_size : INDEX_MIN;
    uint32_t *index = calloc(size, sizeof(*index));

    if (!index)
        return false;
    free(t->index);
    t->index = index;
    t->index_size = size;
    for (size_t i = 0; i < t->count; i++)
        *place_of(t, t->entries[i].addr, t->entries[i].exception) = (uint32_t)(i + 1);
    return true;
}

bool tally_add(struct tally *tally, uint64_t addr, uint16_t exception, bool late)
{
    if (!VEC_ROOM(tally->entries, tally->capacity, tally->count, 1))
        return false;
    if (2 * tally->count >= tally->index_size && !grow_index(tally))
        return false;
    uint32_t *place = place_of(tally, addr, exception);
    if (*place == 0) {
        tally->entries[tally->count++] = (struct tally_entry){.addr = addr, .exception = exception};
        *place = (uint32_t)tally->count;
    }
    tally->entries[*place - 1].hits++;
    tally->entries[*place - 1].late += late;
    return true;
}

void tally_free(struct tally *tally)
{
    free(tally->entries);
    free(tally->index);
    *tally = (struct tally){.count = 0};
}
