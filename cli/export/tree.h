/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks that begin alike, as a tree. */
#ifndef EXPORT_TREE_H
#define EXPORT_TREE_H

#include "walk.h"

struct tree_node {
    uint32_t parent;   /* SNAPSHOT_NONE: a root */
    uint32_t function; /* number in the function table; of a root, that of the source */
    uint32_t source;   /* that of its root */
    uint32_t depth;    /* below the root, 0: it is one */
    uint64_t self;     /* hits that end here */
};

/* Zeroed is empty. A node's parent stands before it. */
struct tree {
    struct tree_node *nodes;
    size_t count, room;
    struct dedupe known;
};

/* The child of parent that is that function; made if it is not there. SNAPSHOT_NONE: no memory. */
uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t function);

/* Adds the part's value where its stack ends, below the root of its source. false: no memory. */
bool tree_add(struct tree *tree, const struct export *e, const struct export_part *part);

/* Functions from below the root to the node, at most max; returns how many there are. */
size_t tree_path(const struct tree *tree, uint32_t node, uint32_t *path, size_t max);

/* The longest of all paths. */
size_t tree_depth(const struct tree *tree);

void tree_free(struct tree *tree);

#endif
