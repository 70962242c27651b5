/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding locations of a snapshot by their addresses. */
#ifndef SNAPSHOT_INDEX_H
#define SNAPSHOT_INDEX_H

#include <snapshot/snapshot.h>

struct index_place {
    uint64_t addr;
    uint32_t location;
    bool folded;
};

struct snapshot_index {
    struct index_place *places; /* ordered; folded locations only where no other one is */
    size_t count;
    bool unplaced;                     /* a place is the location's number plus 1 */
    struct symtab_function *functions; /* of the snapshot, as names */
    struct symtab_function **owners;   /* for each place, NULL: none */
};

/* Works out where functions begin, and the index. false: no memory. */
bool index_build(struct snapshot *s);
void index_free(struct snapshot_index *index);

/* The address of a location in a profile. */
uint64_t index_place(const struct snapshot *s, uint32_t location);

#endif
