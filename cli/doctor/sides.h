/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of functions on two sides, to compare their shares. */
#ifndef DOCTOR_SIDES_H
#define DOCTOR_SIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doctor/homogeneity.h>
#include <symbol/symtab.h>

struct doctor;

/* A difference that chance makes less often than this is one. */
#define SIDES_CHANCE 1e-6
/* Fewer hits than this of each side tell nothing. */
#define SIDES_MIN 200

/* The two sides. Initialise doctor and zero the rest; free with sides_free(). */
struct sides {
    struct doctor *doctor;
    const struct symtab_function **rows; /* owned, as are hits; NULL: code without a name */
    uint64_t *hits[2];                   /* of each row */
    size_t count, capacity, hits_capacity[2];

    uint64_t *before; /* owned; the stub's hits by row of its table, at sides_begin() */
    size_t before_count;
    unsigned restarts; /* of its profile then */
};

void sides_free(struct sides *sides);

/* Adds hits at addr to a side, except for those of the stub's own functions, which are never in its
 * own samples. */
void sides_add(struct sides *sides, unsigned side, uint64_t addr, uint64_t hits);

/* Reads the stub. sides_end() reads it again, and adds what it has counted since then to a side.
 * Both return false if it cannot be read or was restarted. */
bool sides_begin(struct sides *sides);
bool sides_end(struct sides *sides, unsigned side);

/* Returns the hits of a side, of all rows. */
uint64_t sides_sum(const struct sides *sides, unsigned side);

/* Whether both sides have hits enough to compare their shares. */
bool sides_are_enough(const struct sides *sides);

/* Compares the shares. */
struct homogeneity sides_compare(const struct sides *sides);

/* Returns the name of a row, and its share of a side in percent. */
const char *sides_name(const struct sides *sides, size_t row);
double sides_percent(const struct sides *sides, unsigned side, size_t row);

#endif
