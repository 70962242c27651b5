/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lost hits of a snapshot, by region of code. */
#include "lost.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/text.h>

/* "64*256 3:17 9:4": 64 counters for regions of 256 bytes, of which two are not 0. */
#define COMMENT_MAX 1800
#define COUNT_MAX   65536

/* Bytes of the one region of a sum whose parts have other regions. */
#define JOINED_SIZE 256

bool lost_each(const struct profile_rest *rest, const char *key, void *context,
               bool (*say)(void *context, const char *comment))
{
    char comment[COMMENT_MAX + 64];
    int begin =
        snprintf(comment, sizeof(comment), "mprof %s%zu*%u", key, rest->count, rest->region_size);
    int len = begin;

    for (size_t i = 0; i < rest->count; i++) {
        if (rest->counts[i] == 0)
            continue;
        len += snprintf(comment + len, sizeof(comment) - (size_t)len, " %zu:%" PRIu64, i,
                        rest->counts[i]);
        if (len < COMMENT_MAX)
            continue;
        if (!say(context, comment))
            return false;
        len = begin;
    }
    return len == begin || say(context, comment);
}

static bool is_power_of_two(uint64_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* A number, and what follows it; false: there is none. */
static bool take_number(const char **at, char behind, uint64_t *number)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    *number = strtoull(*at, &end, 10);
    if (behind && *end != behind)
        return false;
    *at = end + (behind != '\0');
    return true;
}

enum conditions_take lost_take(struct profile_rest *rest, const char *value)
{
    uint64_t count, size, index, events;

    if (!take_number(&value, '*', &count) || !take_number(&value, '\0', &size) ||
        count > COUNT_MAX || size > SNAPSHOT_MAX_BLOCK_SIZE || !is_power_of_two(count) ||
        !is_power_of_two(size) ||
        (rest->counts && (rest->count != count || rest->region_size != size)))
        return CONDITIONS_WRONG;
    if (!rest->counts && !profile_rest_init(rest, (size_t)count, (unsigned)size))
        return CONDITIONS_ENOMEM;
    while (*value == ' ') {
        value++;
        if (!take_number(&value, ':', &index) || !take_number(&value, '\0', &events) ||
            index >= count || events > UINT64_MAX / COUNT_MAX)
            return CONDITIONS_WRONG;
        rest->counts[index] = events;
    }
    return *value == '\0' ? CONDITIONS_TAKEN : CONDITIONS_WRONG;
}

static bool is_lossy(const struct snapshot *s)
{
    return s->conditions.dropped != 0 || s->rest.counts;
}

/* Hits that were lost, whether or not it is known where. */
static uint64_t total_of(const struct snapshot *s)
{
    return s->rest.counts ? profile_rest_sum(&s->rest) : s->conditions.dropped;
}

/* One counter for all code. */
static bool join_regions(struct snapshot *s)
{
    struct profile_rest one;

    if (s->rest.count == 1)
        return true;
    if (!profile_rest_init(&one, 1, JOINED_SIZE))
        return false;
    one.counts[0] = total_of(s);
    profile_rest_free(&s->rest);
    s->rest = one;
    return true;
}

static bool has_shape(const struct profile_rest *a, const struct profile_rest *b)
{
    return a->counts && b->counts && a->count == b->count && a->region_size == b->region_size;
}

static bool add_regions(struct snapshot *s, const struct snapshot *from, bool moved)
{
    const struct profile_rest *rest = &from->rest;
    bool first = !is_lossy(s) && rest->counts && !moved;

    if (first && !profile_rest_init(&s->rest, rest->count, rest->region_size))
        return false;
    if (moved || !has_shape(&s->rest, rest)) {
        if (!join_regions(s))
            return false;
        s->rest.counts[0] += total_of(from);
        return true;
    }
    for (size_t i = 0; i < rest->count; i++)
        s->rest.counts[i] += rest->counts[i];
    return true;
}

bool lost_add(struct snapshot *s, const struct snapshot *from, bool moved, bool partial)
{
    bool located = s->rest.counts || from->rest.counts;

    if (is_lossy(from) && located && !add_regions(s, from, moved))
        return false;
    for (size_t i = 0; partial && s->rest.counts && i < s->sample_count; i++)
        s->samples[i].partial = true;
    return true;
}
