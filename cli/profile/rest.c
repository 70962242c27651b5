/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lost hits by region of code. */
#include <profile/rest.h>

#include <stdlib.h>
#include <string.h>

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
