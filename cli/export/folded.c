/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks: a line for each, root;...;leaf and its hits. */
#include <inttypes.h>
#include <stdlib.h>

#include <export/clean.h>
#include "formats.h"
#include "tree.h"

/* Functions of one name are one here, wherever they were written. */
struct folded {
    struct tree tree;
    struct function_table names;
};

static uint32_t add_stack(struct export *e, const struct export_part *part)
{
    struct folded *f = e->state;
    uint32_t node = tree_child(&f->tree, SNAPSHOT_NONE, 0);

    for (size_t i = part->depth; node != SNAPSHOT_NONE && i-- > 0;) {
        const struct export_function name = {
            .name = e->table.functions[part->frames[i].function].name, .file = ""};
        uint32_t number = function_table_put(&f->names, &name);
        node = number == SNAPSHOT_NONE ? number : tree_child(&f->tree, node, number);
    }
    return node;
}

static bool sample(struct export *e, const struct export_part *part)
{
    struct folded *f = e->state;

    if (part->value == 0)
        return true;
    uint32_t node = add_stack(e, part);
    if (node == SNAPSHOT_NONE)
        return export_no_memory(e);
    f->tree.nodes[node].self += part->value;
    return true;
}

static bool end(struct export *e)
{
    const struct folded *f = e->state;
    const struct tree *tree = &f->tree;
    size_t most = tree_depth(tree);
    uint32_t *path = malloc((most + 1) * sizeof(*path));

    if (!path)
        return export_no_memory(e);
    for (uint32_t node = 0; node < tree->count && !export_is_stopped(e); node++) {
        if (tree->nodes[node].self == 0)
            continue;
        size_t depth = tree_path(tree, node, path, most);
        for (size_t i = 0; i < depth; i++) {
            fputs(i ? ";" : "", e->out);
            clean_line(e->out, f->names.functions[path[i]].name, ";");
        }
        fprintf(e->out, " %" PRIu64 "\n", tree->nodes[node].self);
    }
    free(path);
    return true;
}

static void clean(struct export *e)
{
    struct folded *f = e->state;

    tree_free(&f->tree);
    function_table_free(&f->names);
}

const struct exporter_ops folded_ops = {
    .state_size = sizeof(struct folded),
    .sample = sample,
    .end = end,
    .clean = clean,
};
