/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keeps hits from being lost: an option of the stub, and the RAM that it takes. */
#ifndef RANKING_REMEDY_H
#define RANKING_REMEDY_H

#include <profile/profile.h>
#include <symbol/symtab.h>

/* From this share of all events on lost hits are worth an advice: with fewer, no interval is wider
 * than a percentage point because of them. */
#define VIEW_LOST_MUCH 0.01

/* Size of an advice, bytes with the NUL. */
#define VIEW_REMEDY_TEXT 240

/* What is known of the target and its code. Zeroed memory: nothing. */
struct view_remedy {
    size_t count;       /* entries of the block that was read, of one core; 0: not known */
    unsigned cores;     /* at least 1, if count is known */
    unsigned addr_size; /* bytes of an address */
    bool histogram;     /* the firmware has a histogram, too */
    bool moves;         /* its code is at another address at each start, as in a PIE */
    const struct symtab_function
        *functions; /* of the ELF file, sorted; NULL: not known. Borrowed */
    size_t function_count;
};

/* Returns the share of events that were lost, 0 to 1. Of a table whose hits decay: 0, because those
 * that faded are among the lost ones. */
double view_lost_share(const struct profile *profile);

/* Writes one line: how much was lost, why, and what to build instead, with the smallest table that
 * probably is large enough. Returns false if less than VIEW_LOST_MUCH was lost. */
bool view_remedy(const struct view_remedy *known, const struct profile *profile,
                 char text[VIEW_REMEDY_TEXT]);

#endif
