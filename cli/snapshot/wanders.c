/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How shares wander within the runs of a snapshot (docs/statistics.md, "Within one run"). */
#include "wanders.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "store.h"

/* Of many rows there are several comments. */
#define COMMENT_MAX 1800
#define ROW_MAX     (40 + WANDER_COSINES * 21)

/* Hits of one address; a cosine is at most sqrt(2) times as much. */
#define HITS_MAX ((int64_t)1 << 40)

static int print_row(const struct snapshot *s, const struct snapshot_wander *w, char *text)
{
    int len = sprintf(text, " %" PRIx64 ":%" PRId64, w->addr, w->hits);

    for (unsigned j = 0; j < s->cosines; j++)
        len += sprintf(text + len, ",%" PRId64, w->cosine[j]);
    return len;
}

static int print_key(const struct snapshot *s, uint32_t run, char *text)
{
    return run ? sprintf(text, "mprof " RUN_WANDERS_KEY "=%" PRIu32 " %u", run, s->cosines)
               : sprintf(text, "mprof " WANDERS_KEY "=%u", s->cosines);
}

bool wanders_each(const struct snapshot *s, void *context,
                  bool (*say)(void *context, const char *comment))
{
    char comment[COMMENT_MAX + ROW_MAX + 80];
    int len = 0;

    for (size_t i = 0; i < s->wander_count; i++) {
        const struct snapshot_wander *w = &s->wanders[i];
        if (len == 0)
            len = print_key(s, w->run, comment);
        len += print_row(s, w, comment + len);
        bool last = i + 1 == s->wander_count || s->wanders[i + 1].run != w->run;
        if (!last && len < COMMENT_MAX)
            continue;
        len = 0;
        if (!say(context, comment))
            return false;
    }
    return true;
}

/* A number from -most to most, and the character after it. */
static bool take_number(const char **at, int64_t most, int64_t *number)
{
    char *end;

    if ((**at < '0' || **at > '9') && **at != '-')
        return false;
    *number = strtoll(*at, &end, 10);
    if (end == *at || *number < -most || *number > most)
        return false;
    *at = end;
    return true;
}

static bool take_row(const char **at, unsigned cosines, struct snapshot_wander *w)
{
    char *end;

    w->addr = strtoull(*at, &end, 16);
    if (end == *at || *end != ':')
        return false;
    *at = end + 1;
    if (!take_number(at, HITS_MAX, &w->hits) || w->hits < 0)
        return false;
    for (unsigned j = 0; j < cosines; j++) {
        if (*(*at)++ != ',' || !take_number(at, 2 * w->hits + 1, &w->cosine[j]))
            return false;
    }
    return true;
}

/* Of parts that know different numbers of cosines, the sum knows the smaller one. */
static void join_cosines(struct snapshot *s, unsigned cosines)
{
    if (s->cosines == 0 || cosines < s->cosines)
        s->cosines = cosines;
}

bool wanders_add_other(struct snapshot *s, const struct snapshot_wander *wander, unsigned cosines)
{
    if (!GROW(s, wanders, wander_count, 1))
        return false;
    join_cosines(s, cosines);
    s->wanders[s->wander_count++] = *wander;
    return true;
}

bool wanders_add(struct snapshot *s, uint64_t addr, const struct wander *wander)
{
    struct snapshot_wander w = {.addr = addr, .hits = llround(wander->hits)};

    for (unsigned j = 0; j < WANDER_COSINES; j++)
        w.cosine[j] = llround(wander->cosine[j]);
    return wanders_add_other(s, &w, s->cosines);
}

static enum conditions_take take_rows(struct snapshot *s, uint32_t run, const char *value)
{
    int64_t cosines;

    if (!take_number(&value, WANDER_COSINES, &cosines) || cosines < WANDER_LEAST)
        return CONDITIONS_WRONG;
    while (*value == ' ') {
        struct snapshot_wander w = {.run = run};
        value++;
        if (!take_row(&value, (unsigned)cosines, &w) || s->wander_count >= SNAPSHOT_MAX_SAMPLES)
            return CONDITIONS_WRONG;
        if (!wanders_add_other(s, &w, (unsigned)cosines))
            return CONDITIONS_ENOMEM;
    }
    return *value == '\0' ? CONDITIONS_TAKEN : CONDITIONS_WRONG;
}

enum conditions_take wanders_take(struct snapshot *s, const char *value)
{
    return take_rows(s, 0, value);
}

enum conditions_take wanders_take_run(struct snapshot *s, const char *value)
{
    int64_t run;

    if (!take_number(&value, SNAPSHOT_RUNS_MAX, &run) || run < 1 || *value != ' ')
        return CONDITIONS_WRONG;
    return take_rows(s, (uint32_t)run, value + 1);
}

static int order_addr(const void *a, const void *b)
{
    const struct snapshot_wander *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

static int order_run(const void *a, const void *b)
{
    const struct snapshot_wander *x = a, *y = b;

    return x->run != y->run ? (x->run > y->run) - (x->run < y->run) : order_addr(a, b);
}

/* Sorts, and adds up those that are equal in that order. Returns how many are left. */
static size_t join(struct snapshot_wander *list, size_t count,
                   int (*order)(const void *, const void *))
{
    size_t kept = 0;

    if (count == 0)
        return 0;
    qsort(list, count, sizeof(*list), order);
    for (size_t i = 1; i < count; i++) {
        if (order(&list[kept], &list[i]) != 0) {
            list[++kept] = list[i];
            continue;
        }
        list[kept].hits += list[i].hits;
        for (unsigned j = 0; j < WANDER_COSINES; j++)
            list[kept].cosine[j] += list[i].cosine[j];
    }
    return kept + 1;
}

void wanders_finish(struct snapshot *s)
{
    s->wander_count = join(s->wanders, s->wander_count, order_run);
    /* What not all parts know is not known of the sum. */
    for (size_t i = 0; i < s->wander_count; i++)
        for (unsigned j = s->cosines; j < WANDER_COSINES; j++)
            s->wanders[i].cosine[j] = 0;
}

static struct wander_row row_of(const struct snapshot_wander *from)
{
    struct wander_row row = {.place = {.addr = from->addr}, .wander = {.hits = (double)from->hits}};

    for (unsigned j = 0; j < WANDER_COSINES; j++)
        row.wander.cosine[j] = (double)from->cosine[j];
    return row;
}

void wanders_profile(const struct snapshot *s, uint32_t run, struct profile *profile)
{
    struct snapshot_wander *list = malloc((s->wander_count + 1) * sizeof(*list));
    struct wander_row *rows = malloc((s->wander_count + 1) * sizeof(*rows));
    size_t count = 0;

    for (size_t i = 0; list && i < s->wander_count; i++)
        if (!run || s->wanders[i].run == run)
            list[count++] = s->wanders[i];
    if (list)
        count = join(list, count, order_addr);
    for (size_t i = 0; list && rows && i < count; i++)
        rows[i] = row_of(&list[i]);
    if (list && rows && count)
        profile->wander = (struct wander_list){.rows = rows, .count = count, .cosines = s->cosines};
    else
        free(rows);
    free(list);
}
