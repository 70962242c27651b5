/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lost hits by region of code, and the addresses that have none. */
#include <profile/rest.h>

#include <stdlib.h>
#include <string.h>

#include <base/sorted.h>
#include <profile/complete.h>
#include <profile/profile.h>

bool profile_rest_init(struct profile_rest *rest, size_t count, unsigned region_size)
{
    *rest = (struct profile_rest){.counts = NULL};
    if (count == 0)
        return true;
    uint64_t *counts = calloc(2 * count, sizeof(*counts));
    if (!counts)
        return false;
    *rest = (struct profile_rest){
        .counts = counts, .recent = counts + count, .count = count, .region_size = region_size};
    return true;
}

void profile_rest_free(struct profile_rest *rest)
{
    free(rest->counts);
    *rest = (struct profile_rest){.counts = NULL};
}

bool profile_rest_copy(const struct profile_rest *from, struct profile_rest *to)
{
    if (!profile_rest_init(to, from->count, from->region_size))
        return false;
    if (from->count)
        memcpy(to->counts, from->counts, 2 * from->count * sizeof(*from->counts));
    return true;
}

size_t profile_rest_region(const struct profile_rest *rest, uint64_t addr)
{
    return (size_t)(addr / rest->region_size) & (rest->count - 1);
}

uint64_t profile_rest_sum(const struct profile_rest *rest)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < rest->count; i++)
        sum += rest->counts[i];
    return sum;
}

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
