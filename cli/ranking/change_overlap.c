/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots that hold the same hits: a side takes them once (docs/statistics.md). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/path.h>
#include <ranking/change_set.h>

/* The snapshots of one side. */
struct overlaps {
    struct view_set *set;
    size_t *runs; /* their numbers, count of them */
    const struct fingerprint **fingerprints;
    struct overlap_verdict *verdicts;
    size_t count;
};

static void note(struct view_set *set, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct view_set *set, const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (set->overlap_note_count < VIEW_OVERLAP_NOTES)
        set->overlap_notes[set->overlap_note_count++] = string_pool_add(set->pool, text);
}

static const char *name_of(const struct view_set *set, size_t run)
{
    const char *name = string_pool_text(set->pool, set->runs[run].name);

    return name ? path_base_name(name) : "";
}

static void note_one(const struct overlaps *k, enum overlap overlap, size_t first, size_t more)
{
    const char *left = name_of(k->set, k->runs[first]);
    const char *kept = name_of(k->set, k->runs[k->verdicts[first].other]);
    char others[60] = "";

    if (more)
        snprintf(others, sizeof(others), " (and %zu more like this)", more);
    if (overlap == OVERLAP_SAME)
        note(k->set, "%s is the same snapshot as %s: used once%s", left, kept, others);
    else if (overlap == OVERLAP_PART)
        note(k->set,
             "%s is not used: its counts are also in %s%s; take separate runs with --duration or "
             "--reset",
             left, kept, others);
    else
        note(k->set, "%s is not used: it also has the counts of %s%s", left, kept, others);
}

static void note_left_out(const struct overlaps *k)
{
    static const enum overlap kinds[] = {OVERLAP_SAME, OVERLAP_PART, OVERLAP_CONTAINS};

    for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
        size_t first = SIZE_MAX, found = 0;
        for (size_t i = 0; i < k->count; i++) {
            if (k->verdicts[i].overlap != kinds[n])
                continue;
            first = found++ ? first : i;
        }
        if (found)
            note_one(k, kinds[n], first, found - 1);
    }
}

static void drop_overlapping(struct overlaps *k, enum view_side side)
{
    k->count = 0;
    for (size_t i = 0; i < k->set->run_count; i++) {
        if (k->set->runs[i].side != side)
            continue;
        k->fingerprints[k->count] = k->set->runs[i].fingerprint;
        k->runs[k->count++] = i;
    }
    fingerprint_drop_overlapping(k->fingerprints, k->count, true, k->verdicts);
    note_left_out(k);
    for (size_t i = 0; i < k->count; i++)
        k->set->runs[k->runs[i]].gone = k->verdicts[i].overlap != OVERLAP_NONE;
}

/* What one side has of the other is no change, and no chance either. */
static void note_shared(const struct overlaps *k, size_t base, size_t newer)
{
    const struct fingerprint *b = k->set->runs[base].fingerprint,
                             *n = k->set->runs[newer].fingerprint;

    if (!b || !n)
        return;
    if (fingerprint_same(b, n))
        note(k->set, "%s of base and %s of new are the same snapshot", name_of(k->set, base),
             name_of(k->set, newer));
    else if (fingerprint_contains(n, b))
        note(k->set,
             "%s of new also has the counts of %s of base; take separate runs with --duration or "
             "--reset",
             name_of(k->set, newer), name_of(k->set, base));
    else if (fingerprint_contains(b, n))
        note(k->set,
             "%s of base also has the counts of %s of new; take separate runs with --duration or "
             "--reset",
             name_of(k->set, base), name_of(k->set, newer));
}

static bool is_taken(const struct view_set *set, size_t run, enum view_side side)
{
    return set->runs[run].side == side && !set->runs[run].gone;
}

static void compare_sides(const struct overlaps *k)
{
    const struct view_set *set = k->set;
    size_t before = set->overlap_note_count;

    for (size_t b = 0; b < set->run_count; b++) {
        for (size_t n = 0; n < set->run_count && set->overlap_note_count == before; n++) {
            if (is_taken(set, b, VIEW_BASE) && is_taken(set, n, VIEW_NEW))
                note_shared(k, b, n);
        }
    }
}

bool change_overlap(struct view_set *set)
{
    size_t count = set->run_count + 1;
    struct overlaps k = {.set = set,
                         .runs = calloc(count, sizeof(*k.runs)),
                         .fingerprints = calloc(count, sizeof(*k.fingerprints)),
                         .verdicts = calloc(count, sizeof(*k.verdicts))};
    bool done = k.runs && k.fingerprints && k.verdicts;

    set->overlap_note_count = 0;
    if (done) {
        drop_overlapping(&k, VIEW_BASE);
        drop_overlapping(&k, VIEW_NEW);
        compare_sides(&k);
        change_drop(set);
    }
    free(k.runs);
    free(k.fingerprints);
    free(k.verdicts);
    return done && !string_pool_failed(set->pool);
}
