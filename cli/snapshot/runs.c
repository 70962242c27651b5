/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of one snapshot. */
#include "runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/number.h>

#include "lost.h"
#include "store.h"

/* What a comment says of a run, in its order. */
#define NUMBERS 7

bool runs_each(const struct snapshot *s, void *context,
               bool (*say)(void *context, const char *comment))
{
    char comment[300], key[40];

    for (size_t i = 0; i < s->run_count; i++) {
        const struct snapshot_run *run = &s->runs[i];
        snprintf(comment, sizeof(comment),
                 "mprof " RUN_KEY "=%zu %" PRId64 " %" PRId64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                 " %" PRIu64 " %" PRIu64,
                 i + 1, run->time_ns, run->duration_ns, run->dropped, run->ignored, run->sleeping,
                 run->events, run->iterations);
        snprintf(key, sizeof(key), RUN_LOST_KEY "=%zu ", i + 1);
        if (!say(context, comment) || !lost_each(&run->rest, key, context, say))
            return false;
    }
    return true;
}

static bool take_number(const char **at, uint64_t *number)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    *number = strtoull(*at, &end, 10);
    *at = end + (*end == ' ');
    return *number <= INT64_MAX && (*end == ' ' || *end == '\0');
}

bool runs_add(struct snapshot *s, const struct snapshot_run *run)
{
    if (s->run_count == SNAPSHOT_RUNS_MAX || !GROW(s, runs, run_count, 1))
        return false;
    s->runs[s->run_count++] = *run;
    return true;
}

enum conditions_take runs_take(struct snapshot *s, const char *value)
{
    uint64_t index, n[NUMBERS];

    if (!take_number(&value, &index) || index != s->run_count + 1 || index > SNAPSHOT_RUNS_MAX)
        return CONDITIONS_WRONG;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (!take_number(&value, &n[i]))
            return CONDITIONS_WRONG;
    }
    const struct snapshot_run run = {.time_ns = (int64_t)n[0],
                                     .duration_ns = (int64_t)n[1],
                                     .dropped = n[2],
                                     .ignored = n[3],
                                     .sleeping = n[4],
                                     .events = n[5],
                                     .iterations = n[6]};
    return runs_add(s, &run) ? CONDITIONS_TAKEN : CONDITIONS_ENOMEM;
}

enum conditions_take runs_take_lost(struct snapshot *s, const char *value)
{
    uint64_t index;

    if (!take_number(&value, &index) || index == 0 || index > s->run_count)
        return CONDITIONS_WRONG;
    return lost_take(&s->runs[index - 1].rest, value);
}

bool runs_copy(struct snapshot *s, const struct snapshot *from)
{
    for (size_t i = 0; i < from->run_count; i++) {
        struct snapshot_run run = from->runs[i];
        run.rest = (struct profile_rest){.counts = NULL};
        if (!profile_rest_copy(&from->runs[i].rest, &run.rest) || !runs_add(s, &run))
            return false;
    }
    return true;
}

void runs_free(struct snapshot *s)
{
    for (size_t i = 0; i < s->run_count; i++)
        profile_rest_free(&s->runs[i].rest);
    free(s->runs);
}
