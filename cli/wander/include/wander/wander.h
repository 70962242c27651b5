/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much shares wander within one run (docs/statistics.md, "Within one run"). */
#ifndef WANDER_WANDER_H
#define WANDER_WANDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Coefficients that are kept of each row, at most. */
#define WANDER_COSINES 8
/* With fewer, there are none. */
#define WANDER_LEAST 4

/*
 * Hits of a row over the time of a run. Time is measured in hits of all rows, from 0 to 1:
 *
 *     cosine[j - 1] = sqrt(2) * sum over all hits of cos(pi * j * time),  j = 1 ... WANDER_COSINES
 *
 * All members add up: those of a function are the sums of those of its addresses.
 */
struct wander {
    double hits; /* between the first and the last poll; the row may have more */
    double cosine[WANDER_COSINES];
};

/* Whose hits they are; members as in struct profile_hit. */
struct wander_place {
    uint64_t addr, caller;
    uint16_t exception;
};

/* The wander of the hits at one place. */
struct wander_row {
    struct wander_place place;
    struct wander wander;
};

/* The wander of a profile. All 0: there were too few polls, so that only counting is known. */
struct wander_list {
    struct wander_row *rows; /* count of them, owned; in the order of their places */
    size_t count;
    unsigned cosines; /* how many coefficients are known; the others are 0 */
};

/* Frees the rows; the list is empty then. */
void wander_list_free(struct wander_list *list);

/* Copies a list. Without memory the copy is empty, so that intervals are of counting only. */
void wander_list_copy(const struct wander_list *list, struct wander_list *copy);

/* Orders places by addr, then caller, then exception: < 0, 0, > 0, as strcmp() does. */
int wander_place_compare(const struct wander_place *a, const struct wander_place *b);

/* Returns the row of a place, which belongs to the list; NULL: nothing is known of it. */
const struct wander_row *wander_list_find(const struct wander_list *list,
                                          struct wander_place place);

/* Returns the wander of a place, which belongs to the list; NULL: nothing is known of it, or it was
 * taken before. taken are list->count flags, all false at first: several rows of a profile may have
 * one place (those of several cores), and its wander counts once. */
const struct wander *wander_list_take(const struct wander_list *list, struct wander_place place,
                                      bool *taken);

/* Adds part (0 to 1) of another wander. */
void wander_add(struct wander *to, const struct wander *from, double part);

/*
 * Returns by how much the variance of a share has to be larger than that of counting, so that its
 * 95 % interval (as wide as that of a normal distribution) is the wider one of counting's and that
 * of cosines coefficients, or of the first four if it wanders slowly; at least 1. all is the sum
 * over all rows. It is 1 if cosines is 0 or the row has few hits.
 */
double wander_spread(const struct wander *row, const struct wander *all, unsigned cosines);

/* Returns what an interval covers, a constant: "counting only", "counting and batches" if spread
 * (variance over that of independent samples) is more than 1, or "counting and polls" if cosines
 * coefficients are known. */
const char *wander_intervals(unsigned cosines, double spread);

/* The slices of a run: the hits of each place from poll to poll. Neighbours are added up so that
 * there are never more than 32. Of more than 65,536 places nothing is kept. */
struct slices;

/* Creates slices without hits, which the caller frees. Returns NULL if memory runs out. */
struct slices *slices_new(void);
/* Frees slices. NULL is allowed. */
void slices_free(struct slices *slices);

/* Begins a run: forgets all hits. NULL is allowed. */
void slices_clear(struct slices *slices);

/* Adds hits at a place to the present slice. Returns false if memory runs out or
 * there are too many places; the slices are of no use then, until slices_clear(). */
bool slices_add(struct slices *slices, struct wander_place place, uint64_t hits)
    __attribute__((warn_unused_result));

/* Ends a poll, so that the next hits are of a new slice or, if slices are longer, of the same one.
 * Polls without hits do not count. */
void slices_end_poll(struct slices *slices);

/* Works out the wander. It is empty if there were fewer than 8 slices, or memory ran out. */
void slices_wander(const struct slices *slices, struct wander_list *out);

#endif
