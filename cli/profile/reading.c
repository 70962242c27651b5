/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that were read twice, and counts that went on between two readings. */
#include <profile/reading.h>

#include <string.h>

static size_t slot_of(const struct profile_hit *row)
{
    uint64_t key = (row->addr + 0x9e3779b97f4a7c15u * row->caller) * 0x9e3779b97f4a7c15u;

    return (size_t)(key >> 32) % READING_SLOTS;
}

void reading_take(struct reading *reading, const struct profile *profile)
{
    memset(reading->slots, 0, sizeof(reading->slots));
    reading->hits = 0;
    for (size_t i = 0; i < profile->row_count; i++) {
        reading->slots[slot_of(&profile->rows[i])] += profile->rows[i].hits;
        reading->hits += profile->rows[i].hits;
    }
}

bool reading_same(const struct reading *a, const struct reading *b)
{
    return a->time_ns == b->time_ns && a->duration_ns == b->duration_ns && a->hits == b->hits &&
           a->whole == b->whole && memcmp(a->slots, b->slots, sizeof(a->slots)) == 0;
}

bool reading_contains(const struct reading *in, const struct reading *part)
{
    bool timed = in->time_ns > 0 && part->time_ns > 0;

    bool differ = in->build[0] && part->build[0] && strcmp(in->build, part->build) != 0;

    if (!in->whole || differ || part->hits > in->hits || (timed && part->time_ns > in->time_ns))
        return false;
    for (size_t i = 0; i < READING_SLOTS; i++) {
        if (part->slots[i] > in->slots[i])
            return false;
    }
    return true;
}

struct thinning {
    const struct reading *const *all;
    struct reading_fate *fates;
    size_t count;
};

static bool is_again(const struct thinning *t, size_t index, size_t other)
{
    return other < index && reading_same(t->all[index], t->all[other]);
}

static bool holds_run(const struct thinning *t, size_t index, size_t other)
{
    return t->all[index]->whole && !t->all[other]->whole &&
           reading_contains(t->all[index], t->all[other]);
}

/* Of two that contain each other, the later one is taken. */
static bool is_part(const struct thinning *t, size_t index, size_t other)
{
    return reading_contains(t->all[other], t->all[index]) &&
           (index < other || !reading_contains(t->all[index], t->all[other]));
}

static void leave_out(struct thinning *t, enum reading_kin kin,
                      bool (*is)(const struct thinning *, size_t, size_t))
{
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->count && t->all[i] && t->fates[i].kin == READING_TAKEN; k++) {
            if (k != i && t->all[k] && t->fates[k].kin == READING_TAKEN && is(t, i, k))
                t->fates[i] = (struct reading_fate){.kin = kin, .other = k};
        }
    }
}

/* Left out for one that was left out later: what counts is who was taken in the end. */
static void follow(struct thinning *t)
{
    for (size_t i = 0; i < t->count; i++) {
        struct reading_fate *fate = &t->fates[i];
        while (fate->kin != READING_TAKEN && t->fates[fate->other].kin == fate->kin)
            fate->other = t->fates[fate->other].other;
    }
}

void reading_thin(const struct reading *const *all, size_t count, bool apart,
                  struct reading_fate *fates)
{
    struct thinning t = {.all = all, .fates = fates, .count = count};

    for (size_t i = 0; i < count; i++)
        fates[i] = (struct reading_fate){.kin = READING_TAKEN};
    leave_out(&t, READING_AGAIN, is_again);
    if (apart)
        leave_out(&t, READING_CONTAINS, holds_run);
    leave_out(&t, READING_PART, is_part);
    follow(&t);
}
