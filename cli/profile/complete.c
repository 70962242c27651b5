/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses whose row in the target's table has all of their hits. */
#include <profile/complete.h>

#include <stdlib.h>

#include <base/sorted.h>
#include <profile/profile.h>

static int order_addr(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

bool profile_complete_list(const struct profile *profile, struct profile_complete *list)
{
    *list = (struct profile_complete){.count = 0};
    list->addrs = malloc((profile->row_count + 1) * sizeof(*list->addrs));
    if (!list->addrs)
        return false;
    for (size_t i = 0; i < profile->row_count && profile->source != DECODE_ARCS; i++) {
        if (profile->rows[i].complete)
            list->addrs[list->count++] = profile->rows[i].addr;
    }
    qsort(list->addrs, list->count, sizeof(*list->addrs), order_addr);
    return true;
}

void profile_complete_free(struct profile_complete *list)
{
    free(list->addrs);
    *list = (struct profile_complete){.count = 0};
}

bool profile_complete_within(const struct profile_complete *list, uint64_t first, uint64_t end)
{
    size_t low = sorted_below(SORTED_NUMBERS(list->addrs, list->count), first);

    return low < list->count && list->addrs[low] < end;
}
