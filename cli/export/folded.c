/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks: a line for each, root;...;leaf and its hits. */
#include <inttypes.h>
#include <stdlib.h>

#include "clean.h"
#include "formats.h"
#include "tree.h"

static bool sample(struct export *e, const struct export_part *part)
{
    return part->value == 0 || tree_add(e->state, e, part) || export_no_memory(e);
}

static bool end(struct export *e)
{
    const struct tree *tree = e->state;
    size_t most = tree_depth(tree);
    uint32_t *path = malloc((most + 1) * sizeof(*path));

    if (!path)
        return export_no_memory(e);
    for (uint32_t node = 0; node < tree->count; node++) {
        if (tree->nodes[node].self == 0)
            continue;
        size_t depth = tree_path(tree, node, path, most);
        for (size_t i = 0; i < depth; i++) {
            fputs(i ? ";" : "", e->out);
            clean_line(e->out, e->book.functions[path[i]].name, ";");
        }
        fprintf(e->out, " %" PRIu64 "\n", tree->nodes[node].self);
    }
    free(path);
    return true;
}

static void clean(struct export *e)
{
    tree_free(e->state);
}

const struct exporter_ops folded_ops = {
    .state_size = sizeof(struct tree),
    .sample = sample,
    .end = end,
    .clean = clean,
};
