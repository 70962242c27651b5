/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up calls by the calls that they were made in. */
#include "call_tree.h"

#include <math.h>
#include <stdlib.h>

#include <base/vec.h>

void call_tree_free(struct call_tree *tree)
{
    free(tree->nodes);
    free(tree->current);
    dedupe_free(&tree->known);
}

static bool is_same(const void *context, uint32_t a, uint32_t b)
{
    const struct call_tree *tree = context;
    const struct call_node *x = &tree->nodes[a], *y = &tree->nodes[b];

    return x->parent == y->parent && x->function == y->function;
}

static uint32_t child(struct call_tree *tree, uint32_t parent, uint32_t function)
{
    uint64_t hash = hash_number(hash_number(HASH_START, parent), function);
    uint32_t before;

    if (!VEC_ROOM(tree->nodes, tree->capacity, tree->count, 1))
        return CALL_TREE_NONE;
    tree->nodes[tree->count] = (struct call_node){
        .parent = parent,
        .function = function,
        .depth = parent == CALL_TREE_NONE ? 0 : tree->nodes[parent].depth + 1,
    };
    if (!dedupe_put(&tree->known, hash, (uint32_t)tree->count, is_same, tree, &before))
        return CALL_TREE_NONE;
    return before == DEDUPE_NONE ? (uint32_t)tree->count++ : before;
}

/* Makes the roots of tracks that are new. */
static bool take_tracks(struct call_tree *tree, size_t count)
{
    if (count > tree->tracks &&
        !VEC_ROOM(tree->current, tree->track_capacity, tree->tracks, count - tree->tracks))
        return false;
    for (; tree->tracks < count; tree->tracks++) {
        uint32_t root = child(tree, CALL_TREE_NONE, (uint32_t)tree->tracks);
        if (root == CALL_TREE_NONE)
            return false;
        tree->current[tree->tracks] = root;
    }
    return true;
}

uint32_t call_tree_enter(struct call_tree *tree, const struct span *span)
{
    size_t track = span->track->index;

    if (!take_tracks(tree, track + 1))
        return CALL_TREE_NONE;
    uint32_t node = child(tree, tree->current[track], span->function);
    if (node == CALL_TREE_NONE)
        return node;
    tree->nodes[node].calls++;
    return tree->current[track] = node;
}

uint32_t call_tree_leave(struct call_tree *tree, const struct span *span)
{
    uint32_t *current = &tree->current[span->track->index];
    struct call_node *node = &tree->nodes[*current];

    if (span->timed)
        node->self_ns += span->hz != 0 ? span->self * 1e9 / span->hz : span->self;
    return *current = node->parent;
}

void call_tree_path(const struct call_tree *tree, uint32_t node, uint32_t *path)
{
    for (uint32_t i = tree->nodes[node].depth; i-- > 0; node = tree->nodes[node].parent)
        path[i] = node;
}

size_t call_tree_depth(const struct call_tree *tree)
{
    size_t most = 0;

    for (size_t i = 0; i < tree->count; i++)
        most = tree->nodes[i].depth > most ? tree->nodes[i].depth : most;
    return most;
}

uint64_t call_node_self(const struct call_node *node)
{
    return (uint64_t)llround(fmax(0, node->self_ns));
}
