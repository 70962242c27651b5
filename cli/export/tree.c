/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks that begin alike, as a tree. */
#include "tree.h"

#include <stdlib.h>

#include <base/vec.h>

static bool same(const void *context, uint32_t a, uint32_t b)
{
    const struct tree *tree = context;

    return tree->nodes[a].parent == tree->nodes[b].parent &&
           tree->nodes[a].function == tree->nodes[b].function;
}

uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t function)
{
    uint64_t hash = hash_number(hash_number(HASH_START, parent), function);
    uint32_t before;

    if (tree->count >= SNAPSHOT_NONE || !VEC_ROOM(tree->nodes, tree->room, tree->count, 1))
        return SNAPSHOT_NONE;
    bool root = parent == SNAPSHOT_NONE;
    tree->nodes[tree->count] =
        (struct tree_node){.parent = parent,
                           .function = function,
                           .source = root ? function : tree->nodes[parent].source,
                           .depth = root ? 0 : tree->nodes[parent].depth + 1};
    if (!dedupe_put(&tree->known, hash, (uint32_t)tree->count, same, tree, &before))
        return SNAPSHOT_NONE;
    return before == DEDUPE_NONE ? (uint32_t)tree->count++ : before;
}

bool tree_add(struct tree *tree, const struct export *e, const struct export_part *part)
{
    uint32_t node = tree_child(tree, SNAPSHOT_NONE, (uint32_t)(part->source - e->sources));

    for (size_t i = part->depth; node != SNAPSHOT_NONE && i-- > 0;)
        node = tree_child(tree, node, part->frames[i].function);
    if (node == SNAPSHOT_NONE)
        return false;
    tree->nodes[node].self += part->value;
    return true;
}

size_t tree_path(const struct tree *tree, uint32_t node, uint32_t *path, size_t max)
{
    size_t depth = tree->nodes[node].depth;

    for (size_t i = depth; i-- > 0; node = tree->nodes[node].parent) {
        if (i < max)
            path[i] = tree->nodes[node].function;
    }
    return depth;
}

size_t tree_depth(const struct tree *tree)
{
    size_t deepest = 0;

    for (size_t i = 0; i < tree->count; i++)
        deepest = tree->nodes[i].depth > deepest ? tree->nodes[i].depth : deepest;
    return deepest;
}

void tree_free(struct tree *tree)
{
    free(tree->nodes);
    dedupe_free(&tree->known);
    *tree = (struct tree){.count = 0};
}
