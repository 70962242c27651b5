/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that were made by the same calls, as a tree with the track of each as its root. */
#ifndef TRACE_EXPORT_CALL_TREE_H
#define TRACE_EXPORT_CALL_TREE_H

#include "walk.h"

#define CALL_TREE_NONE UINT32_MAX

struct call_node {
    uint32_t parent;   /* CALL_TREE_NONE: this is the root of a track */
    uint32_t function; /* of a root: index of the track */
    uint32_t depth;    /* below the root, 0: it is one */
    uint64_t calls;
    double self_ns; /* of those that returned */
};

/* Zeroed is empty. A node's parent stands before it. */
struct call_tree {
    struct call_node *nodes; /* owned */
    size_t count, capacity;
    struct dedupe known;
    uint32_t *current; /* owned; of each track: the node of its last call that has not ended */
    size_t tracks, track_capacity;
};

void call_tree_free(struct call_tree *tree);

/* Return the node that is the track's current one from then on, or CALL_TREE_NONE if memory runs
 * out. Call them for each begin and end of a call. */
uint32_t call_tree_enter(struct call_tree *tree, const struct span *span);
uint32_t call_tree_leave(struct call_tree *tree, const struct span *span);

/* Writes the nodes from below the root to a node, depth of them. */
void call_tree_path(const struct call_tree *tree, uint32_t node, uint32_t *path);

/* Returns the largest depth of all nodes. */
size_t call_tree_depth(const struct call_tree *tree);

/* Returns the self time of a node in nanoseconds, at least 0. */
uint64_t call_node_self(const struct call_node *node);

#endif
