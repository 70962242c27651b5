/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ids of parts, which are nearly always their numbers. */
#include "ids.h"

#include <stdlib.h>

#include <base/sorted.h>
#include <base/vec.h>

#include "store.h"

static int order_ids(const void *a, const void *b)
{
    const struct id_pair *p = a, *q = b;
    int order = (p->id > q->id) - (p->id < q->id);

    return order ? order : (p->index > q->index) - (p->index < q->index);
}

static bool make_sparse(struct ids *ids)
{
    if (!VEC_ROOM(ids->pairs, ids->room, 0, ids->count + 1))
        return false;
    for (size_t i = 0; i < ids->count; i++)
        ids->pairs[i] = (struct id_pair){.id = i + 1, .index = (uint32_t)i};
    ids->sparse = true;
    return true;
}

bool ids_add(struct ids *ids, uint64_t id)
{
    if (!ids->sparse && id == ids->count + 1) {
        ids->count++;
        return true;
    }
    if (!ids->sparse && !make_sparse(ids))
        return false;
    if (!VEC_ROOM(ids->pairs, ids->room, ids->count, 1))
        return false;
    ids->pairs[ids->count] = (struct id_pair){.id = id, .index = (uint32_t)ids->count};
    ids->count++;
    return true;
}

uint32_t ids_close(struct ids *ids)
{
    if (!ids->sparse)
        return SNAPSHOT_NONE;
    qsort(ids->pairs, ids->count, sizeof(*ids->pairs), order_ids);
    for (size_t i = 1; i < ids->count; i++) {
        if (ids->pairs[i].id == ids->pairs[i - 1].id)
            return ids->pairs[i].index;
    }
    return SNAPSHOT_NONE;
}

uint32_t ids_find(const struct ids *ids, uint64_t id)
{
    if (!ids->sparse)
        return id >= 1 && id <= ids->count ? (uint32_t)(id - 1) : SNAPSHOT_NONE;

    size_t low = sorted_below(SORTED_BY(ids->pairs, ids->count, struct id_pair, id), id);
    return low < ids->count && ids->pairs[low].id == id ? ids->pairs[low].index : SNAPSHOT_NONE;
}

void ids_free(struct ids *ids)
{
    free(ids->pairs);
    *ids = (struct ids){.pairs = NULL};
}
