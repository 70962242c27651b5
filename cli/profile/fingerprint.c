/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that were read twice, and counts that went on between two readings. */
#include <profile/fingerprint.h>

#include <string.h>

static size_t slot_of(const struct profile_hit *row)
{
    uint64_t key = (row->addr + 0x9e3779b97f4a7c15u * row->caller) * 0x9e3779b97f4a7c15u;

    return (size_t)(key >> 32) % FINGERPRINT_SLOTS;
}

void fingerprint_take(struct fingerprint *fingerprint, const struct profile *profile)
{
    memset(fingerprint->slots, 0, sizeof(fingerprint->slots));
    fingerprint->hits = 0;
    for (size_t i = 0; i < profile->row_count; i++) {
        fingerprint->slots[slot_of(&profile->rows[i])] += profile->rows[i].hits;
        fingerprint->hits += profile->rows[i].hits;
    }
}

bool fingerprint_same(const struct fingerprint *a, const struct fingerprint *b)
{
    return a->time_ns == b->time_ns && a->duration_ns == b->duration_ns && a->hits == b->hits &&
           a->whole == b->whole && a->bias == b->bias &&
           memcmp(a->slots, b->slots, sizeof(a->slots)) == 0;
}

bool fingerprint_contains(const struct fingerprint *in, const struct fingerprint *part)
{
    bool timed = in->time_ns > 0 && part->time_ns > 0;
    bool differ = in->bias != part->bias ||
                  (in->build[0] && part->build[0] && strcmp(in->build, part->build) != 0);

    if (!in->whole || differ || part->hits > in->hits || (timed && part->time_ns > in->time_ns))
        return false;
    for (size_t i = 0; i < FINGERPRINT_SLOTS; i++) {
        if (part->slots[i] > in->slots[i])
            return false;
    }
    return true;
}

struct dropping {
    const struct fingerprint *const *all;
    struct overlap_verdict *verdicts;
    size_t count;
};

static bool is_again(const struct dropping *t, size_t index, size_t other)
{
    return other < index && fingerprint_same(t->all[index], t->all[other]);
}

static bool holds_run(const struct dropping *t, size_t index, size_t other)
{
    return t->all[index]->whole && !t->all[other]->whole &&
           fingerprint_contains(t->all[index], t->all[other]);
}

/* Of two that contain each other, the later one is taken. */
static bool is_part(const struct dropping *t, size_t index, size_t other)
{
    return fingerprint_contains(t->all[other], t->all[index]) &&
           (index < other || !fingerprint_contains(t->all[index], t->all[other]));
}

static void leave_out(struct dropping *t, enum overlap overlap,
                      bool (*is)(const struct dropping *, size_t, size_t))
{
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->count && t->all[i] && t->verdicts[i].overlap == OVERLAP_NONE;
             k++) {
            if (k != i && t->all[k] && t->verdicts[k].overlap == OVERLAP_NONE && is(t, i, k))
                t->verdicts[i] = (struct overlap_verdict){.overlap = overlap, .other = k};
        }
    }
}

/* Left out for one that was left out later: what counts is who was taken in the end. */
static void follow(struct dropping *t)
{
    for (size_t i = 0; i < t->count; i++) {
        struct overlap_verdict *verdict = &t->verdicts[i];
        while (verdict->overlap != OVERLAP_NONE &&
               t->verdicts[verdict->other].overlap == verdict->overlap)
            verdict->other = t->verdicts[verdict->other].other;
    }
}

void fingerprint_drop_overlapping(const struct fingerprint *const *all, size_t count, bool apart,
                                  struct overlap_verdict *verdicts)
{
    struct dropping t = {.all = all, .verdicts = verdicts, .count = count};

    for (size_t i = 0; i < count; i++)
        verdicts[i] = (struct overlap_verdict){.overlap = OVERLAP_NONE};
    leave_out(&t, OVERLAP_SAME, is_again);
    if (apart)
        leave_out(&t, OVERLAP_CONTAINS, holds_run);
    leave_out(&t, OVERLAP_PART, is_part);
    follow(&t);
}
