/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speedscope's own format, by its published schema: profiles of the type "sampled". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <export/clean.h>
#include "formats.h"
#include "tree.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

static bool sample(struct export *e, const struct export_part *part)
{
    return part->value == 0 || tree_add(e->state, e, part) || export_no_memory(e);
}

static void put_frames(const struct export *e)
{
    for (size_t i = 0; i < e->table.count; i++) {
        const struct export_function *f = &e->table.functions[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", e->out);
        clean_json(e->out, f->name);
        if (f->file[0]) {
            fputs(",\"file\":", e->out);
            clean_json(e->out, f->file);
        }
        if (f->file[0] && f->line > 0)
            fprintf(e->out, ",\"line\":%" PRId64, f->line);
        putc('}', e->out);
    }
}

/* Units that the schema has; what is only counted has none. */
static const char *unit_of(const struct snapshot_type *type)
{
    static const char *const units[] = {"nanoseconds", "microseconds", "milliseconds", "seconds",
                                        "bytes"};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(type->unit, units[i]) == 0)
            return units[i];
    }
    return "none";
}

/* Whether hits of the source end there. */
static bool is_of(const struct tree *tree, uint32_t node, uint32_t source)
{
    return tree->nodes[node].self != 0 && tree->nodes[node].source == source;
}

static void put_stacks(const struct export *e, uint32_t source, uint32_t *path, size_t most)
{
    const struct tree *tree = e->state;
    const char *between = "";

    for (uint32_t node = 0; node < tree->count && !export_is_stopped(e); node++) {
        if (!is_of(tree, node, source))
            continue;
        size_t depth = tree_path(tree, node, path, most);
        fprintf(e->out, "%s[", between);
        for (size_t i = 0; i < depth; i++)
            fprintf(e->out, "%s%" PRIu32, i ? "," : "", path[i]);
        fputs("]", e->out);
        between = ",\n";
    }
}

static uint64_t put_weights(const struct export *e, uint32_t source)
{
    const struct tree *tree = e->state;
    const char *between = "";
    uint64_t sum = 0;

    for (uint32_t node = 0; node < tree->count && !export_is_stopped(e); node++) {
        if (!is_of(tree, node, source))
            continue;
        fprintf(e->out, "%s%" PRIu64, between, tree->nodes[node].self);
        sum += tree->nodes[node].self;
        between = ",";
    }
    return sum;
}

static void put_profile(const struct export *e, uint32_t source, uint32_t *path, size_t most)
{
    const struct snapshot_type *type = source_type(&e->sources[source]);

    fprintf(e->out, "%s{\"type\":\"sampled\",\"name\":", source ? ",\n" : "\n");
    clean_json(e->out, type->name[0] ? type->name : "hits");
    fprintf(e->out, ",\"unit\":\"%s\",\"startValue\":0,\"samples\":[", unit_of(type));
    put_stacks(e, source, path, most);
    fputs("],\n\"weights\":[", e->out);
    uint64_t sum = put_weights(e, source);
    fprintf(e->out, "],\"endValue\":%" PRIu64 "}", sum);
}

static bool end(struct export *e)
{
    size_t most = tree_depth(e->state);
    uint32_t *path = malloc((most + 1) * sizeof(*path));

    if (!path)
        return export_no_memory(e);
    fputs("{\"$schema\":\"" SCHEMA "\",\"exporter\":\"mprof\",\"name\":", e->out);
    clean_json(e->out, e->title);
    fputs(",\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[", e->out);
    put_frames(e);
    fputs("]},\n\"profiles\":[", e->out);
    for (uint32_t i = 0; i < e->source_count; i++)
        put_profile(e, i, path, most);
    fputs("]}\n", e->out);
    free(path);
    return true;
}

static void clean(struct export *e)
{
    tree_free(e->state);
}

const struct exporter_ops speedscope_ops = {
    .state_size = sizeof(struct tree),
    .sample = sample,
    .end = end,
    .clean = clean,
};
