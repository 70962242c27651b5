/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of a pprof profile has an id. */
#ifndef SNAPSHOT_IDS_H
#define SNAPSHOT_IDS_H

#include <snapshot/snapshot.h>

/* Zeroed is empty. Nothing is kept as long as the ids are 1, 2, 3, ... */
struct ids {
    struct id_pair {
        uint64_t id;
        uint32_t index;
    } * pairs;
    size_t count, room;
    bool sparse;
};

/* The next part has this id. false: no memory. */
bool ids_add(struct ids *ids, uint64_t id);
/* All are there: a part whose id is another one's, too, or SNAPSHOT_NONE. */
uint32_t ids_close(struct ids *ids);
/* The number of the part, from 0, once they are closed; SNAPSHOT_NONE: no part has that id. */
uint32_t ids_find(const struct ids *ids, uint64_t id);
void ids_free(struct ids *ids);

#endif
