/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hits of the last minute, in pieces of about a second. */
#include <profile/recent_window.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <profile/complete.h>

#include "profile_private.h"

/* What lies between two intervals that follow each other. */
#define GAP_S 0.001

/* No piece that is put together is longer. */
#define LONGEST_S 1.1

/* A piece with more blocks than that is merged before its second is over. */
#define MERGE_MIN 4096

struct recent_window {
    struct window_piece *pieces; /* oldest first */
    size_t count, capacity;
    uint64_t numbers; /* given so far */
    double now_s;
    struct profile shape;             /* of the last update, without rows */
    bool known;                       /* there was one */
    struct recent_window *by_context; /* owned; that of profile.by_context; NULL: there was none */
};

struct recent_window *recent_window_new(void)
{
    return calloc(1, sizeof(struct recent_window));
}

static void drop_first(struct recent_window *window, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(window->pieces[i].hits);
        free(window->pieces[i].rest);
    }
    window->count -= count;
    if (window->count)
        memmove(window->pieces, window->pieces + count, window->count * sizeof(*window->pieces));
}

void recent_window_free(struct recent_window *window)
{
    if (!window)
        return;
    recent_window_free(window->by_context);
    drop_first(window, window->count);
    free(window->pieces);
    free(window);
}

static int order_hits(const void *a, const void *b)
{
    const struct window_hit *x = a, *y = b;
    int order = (x->addr > y->addr) - (x->addr < y->addr);

    if (order == 0)
        order = (x->caller > y->caller) - (x->caller < y->caller);
    return order ? order : (x->exception > y->exception) - (x->exception < y->exception);
}

/* Sorts, and makes one of those of a block; how many are left. */
static size_t merge_hits(struct window_hit *hits, size_t count)
{
    size_t kept = 0;

    if (count == 0)
        return 0;
    qsort(hits, count, sizeof(*hits), order_hits);
    for (size_t i = 1; i < count; i++) {
        if (order_hits(&hits[kept], &hits[i]) == 0)
            hits[kept].hits += hits[i].hits;
        else
            hits[++kept] = hits[i];
    }
    return kept + 1;
}

static void merge_piece(struct window_piece *piece)
{
    piece->count = piece->merged = merge_hits(piece->hits, piece->count);
}

/* It takes no more: what it needs no longer is given back. */
static void close_piece(struct window_piece *piece)
{
    merge_piece(piece);
    if (piece->count == 0)
        return;
    struct window_hit *hits = realloc(piece->hits, piece->count * sizeof(*hits));
    if (hits) {
        piece->hits = hits;
        piece->capacity = piece->count;
    }
}

static struct window_piece *new_piece(struct recent_window *window, double start_s)
{
    if (!VEC_ROOM(window->pieces, window->capacity, window->count, 1))
        return NULL;
    if (window->count)
        close_piece(&window->pieces[window->count - 1]);
    window->pieces[window->count] =
        (struct window_piece){.number = ++window->numbers, .start_s = start_s, .end_s = start_s};
    return &window->pieces[window->count++];
}

/* The last piece, if the interval follows it and ends in the same second, or a new one. */
static struct window_piece *piece_for(struct recent_window *window, double start_s, double end_s)
{
    struct window_piece *last = window->count ? &window->pieces[window->count - 1] : NULL;

    if (last && ceil(last->end_s) >= ceil(end_s) && fabs(last->end_s - start_s) <= GAP_S &&
        end_s - last->start_s <= LONGEST_S)
        return last;
    return new_piece(window, start_s);
}

static void add_counts(struct window_counts *to, const struct window_counts *more)
{
    to->events += more->events;
    to->dropped += more->dropped;
    to->ignored += more->ignored;
    to->displaced += more->displaced;
    to->late += more->late;
    to->sleeping += more->sleeping;
    to->other_side += more->other_side;
    to->iterations += more->iterations;
}

/* Counters wrap, and so does their difference. */
static struct window_counts counts_between(const struct profile *before, const struct profile *now)
{
    return (struct window_counts){
        .events = now->events,
        .dropped = now->rest.count ? now->missed : now->dropped - before->dropped,
        .ignored = now->ignored - before->ignored,
        .displaced = now->displaced - before->displaced,
        .late = now->late - before->late,
        .sleeping = now->sleeping - before->sleeping,
        .other_side = now->other_side - before->other_side,
        .iterations = now->iterations - before->iterations,
    };
}

static void take_rows(struct window_piece *piece, const struct profile *p)
{
    for (size_t i = 0; i < p->row_count; i++) {
        const struct profile_hit *row = &p->rows[i];
        if (row->recent == 0)
            continue;
        piece->hits[piece->count++] = (struct window_hit){.addr = row->addr,
                                                          .caller = row->caller,
                                                          .exception = row->exception,
                                                          .hits = row->recent};
        piece->total += row->recent;
    }
    if (piece->count > MERGE_MIN && piece->count > 2 * piece->merged)
        merge_piece(piece);
}

static bool take_rest(struct window_piece *piece, const struct profile_rest *rest)
{
    for (size_t i = 0; i < rest->count; i++) {
        if (rest->recent[i] == 0)
            continue;
        if (!piece->rest)
            piece->rest = calloc(rest->count, sizeof(*piece->rest));
        if (!piece->rest)
            return false;
        piece->rest[i] += rest->recent[i];
    }
    return true;
}

static bool take_interval(struct recent_window *window, const struct profile *p)
{
    struct window_counts counts = counts_between(&window->shape, p);
    struct window_piece *piece = piece_for(window, p->updated_s - p->recent_s, p->updated_s);
    size_t count = 0;

    if (!piece)
        return false;
    for (size_t i = 0; i < p->row_count; i++)
        count += p->rows[i].recent != 0;
    if (!VEC_ROOM(piece->hits, piece->capacity, piece->count, count) || !take_rest(piece, &p->rest))
        return false;
    take_rows(piece, p);
    add_counts(&piece->counts, &counts);
    piece->end_s = p->updated_s;
    piece->version++;
    return true;
}

static void drop_old(struct recent_window *window)
{
    size_t old = 0;

    while (old < window->count &&
           window->pieces[old].end_s <= window->now_s - RECENT_WINDOW_SECONDS - 1)
        old++;
    drop_first(window, old);
}

static bool same_shape(const struct profile *a, const struct profile *b)
{
    return a->source == b->source && a->unit == b->unit && a->block_size == b->block_size &&
           a->headerless == b->headerless && a->cores == b->cores && a->restarts == b->restarts &&
           a->rest.count == b->rest.count;
}

const struct recent_window *recent_window_by_context(const struct recent_window *window)
{
    return window->by_context;
}

static bool add_context(struct recent_window *window, const struct profile *context)
{
    if (!context)
        return true;
    if (!window->by_context)
        window->by_context = recent_window_new();
    return window->by_context && recent_window_add(window->by_context, context);
}

bool recent_window_add(struct recent_window *window, const struct profile *profile)
{
    bool done = add_context(window, profile->by_context);

    if (window->known && same_shape(&window->shape, profile)) {
        if (profile->updated_s <= window->now_s)
            return done;
        if (profile->recent_s > 0)
            done = take_interval(window, profile) && done;
    } else {
        drop_first(window, window->count);
    }
    window->shape = *profile;
    window->shape.rows = NULL;
    window->shape.tasks = NULL;
    window->shape.by_context = NULL;
    window->shape.stacks = NULL;
    window->shape.rest.counts = window->shape.rest.recent = NULL;
    window->shape.slices = NULL;
    window->shape.wander = (struct wander_list){.count = 0};
    window->known = true;
    window->now_s = profile->updated_s;
    drop_old(window);
    return done;
}

const struct window_piece *recent_window_pieces(const struct recent_window *window, size_t *count)
{
    *count = window->count;
    return window->pieces;
}

double recent_window_now_s(const struct recent_window *window)
{
    return window->now_s;
}

/* The first piece of those that are mostly in the last seconds. */
static size_t first_since(const struct recent_window *window, double since_s)
{
    size_t first = window->count ? window->count - 1 : 0;

    while (first > 0) {
        const struct window_piece *before = &window->pieces[first - 1];
        if ((before->start_s + before->end_s) / 2 < since_s)
            break;
        first--;
    }
    return first;
}

static struct window_hit *hits_from(const struct recent_window *window, size_t first, size_t *count)
{
    size_t all = 0;

    for (size_t i = first; i < window->count; i++)
        all += window->pieces[i].count;
    struct window_hit *hits = malloc((all + 1) * sizeof(*hits));
    if (!hits)
        return NULL;
    all = 0;
    for (size_t i = first; i < window->count; i++) {
        const struct window_piece *piece = &window->pieces[i];
        if (piece->count)
            memcpy(hits + all, piece->hits, piece->count * sizeof(*hits));
        all += piece->count;
    }
    *count = merge_hits(hits, all);
    return hits;
}

static uint32_t at_most_32_bits(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static struct profile_hit *rows_of(const struct window_hit *hits, size_t count)
{
    struct profile_hit *rows = calloc(count + 1, sizeof(*rows));

    for (size_t i = 0; rows && i < count; i++)
        rows[i] = (struct profile_hit){.addr = hits[i].addr,
                                       .caller = hits[i].caller,
                                       .exception = hits[i].exception,
                                       .hits = hits[i].hits,
                                       .recent = at_most_32_bits(hits[i].hits),
                                       .stamp = 1};
    return rows;
}

/* What the pieces from the first one on say, except their hits. */
static void set_counters(const struct recent_window *window, size_t first, struct profile *p)
{
    struct window_counts all = {.events = 0};

    p->recent_s = 0;
    for (size_t i = first; i < window->count; i++) {
        add_counts(&all, &window->pieces[i].counts);
        p->recent_s += window->pieces[i].end_s - window->pieces[i].start_s;
    }
    p->events = p->heartbeat = all.events;
    p->dropped = p->missed = all.dropped;
    p->ignored = all.ignored;
    p->displaced = all.displaced;
    p->late = all.late;
    p->lateness = false; /* of rows nothing is known */
    p->sleeping = p->slept = all.sleeping;
    p->other_side = all.other_side;
    p->iterations = all.iterations;
    p->from_s = window->count ? window->pieces[first].start_s : p->updated_s;
}

/* The rest of the pieces from the first one on. */
static bool rest_from(const struct recent_window *window, size_t first, struct profile_rest *rest)
{
    const struct profile_rest *shape = &window->shape.rest;

    if (!profile_rest_init(rest, shape->count, shape->region_size))
        return false;
    for (size_t i = first; i < window->count; i++) {
        const uint64_t *counts = window->pieces[i].rest;
        for (size_t n = 0; counts && n < rest->count; n++) {
            rest->counts[n] += counts[n];
            rest->recent[n] += counts[n];
        }
    }
    return true;
}

/* Of these rows, those whose address has a complete row now. false: no memory. */
static bool mark_complete(struct profile_hit *rows, size_t count, const struct profile *now)
{
    struct profile_complete list;

    if (!profile_complete_list(now, &list))
        return false;
    for (size_t i = 0; i < count && now->source != DECODE_ARCS; i++)
        rows[i].complete = profile_complete_within(&list, rows[i].addr, rows[i].addr + 1);
    profile_complete_free(&list);
    return true;
}

static bool take_contexts(const struct recent_window *window, const struct profile *now,
                          unsigned seconds, struct profile *p)
{
    if (!profile_tasks_copy(now->tasks, &p->tasks))
        return false;
    if (!window->by_context || !now->by_context)
        return true;
    struct profile *context = malloc(sizeof(*context));
    if (!context || !recent_window_profile(window->by_context, now->by_context, seconds, context)) {
        free(context);
        return false;
    }
    p->by_context = context;
    return true;
}

static struct wander_place place_of(const struct window_hit *hit)
{
    return (struct wander_place){
        .addr = hit->addr, .caller = hit->caller, .exception = hit->exception};
}

/* Each piece is a slice. */
static void wander_from(const struct recent_window *window, size_t first, struct wander_list *out)
{
    struct slices *slices = window->shape.decays ? NULL : slices_new();
    bool done = slices != NULL;

    *out = (struct wander_list){.count = 0};
    for (size_t i = first; done && i < window->count; i++) {
        const struct window_piece *piece = &window->pieces[i];
        for (size_t n = 0; done && n < piece->count; n++) {
            const struct window_hit *hit = &piece->hits[n];
            done = slices_add(slices, place_of(hit), hit->hits);
        }
        if (piece->count)
            slices_end_poll(slices);
    }
    if (done)
        slices_wander(slices, out);
    slices_free(slices);
}

bool recent_window_profile(const struct recent_window *window, const struct profile *now,
                           unsigned seconds, struct profile *out)
{
    size_t first = first_since(window, window->now_s - seconds), count = 0;
    struct window_hit *hits = hits_from(window, first, &count);
    struct profile_hit *rows = hits ? rows_of(hits, count) : NULL;
    struct profile p = *now;

    free(hits);
    if (!rows)
        return false;
    p.rows = rows;
    p.row_count = count;
    p.rest = (struct profile_rest){.count = 0};
    p.tasks = NULL;
    p.by_context = NULL;
    p.slices = NULL;
    wander_from(window, first, &p.wander);
    p.stacks = NULL;
    if (!mark_complete(rows, count, now) || !rest_from(window, first, &p.rest) ||
        !take_contexts(window, now, seconds, &p)) {
        profile_free(&p);
        return false;
    }
    p.capacity = 0;
    set_counters(window, first, &p);
    profile_add_up(&p);
    *out = p;
    return true;
}
