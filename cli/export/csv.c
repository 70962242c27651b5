/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples for spreadsheets and scripts: a line for each part of a sample and type. */
#include <inttypes.h>

#include <base/csv_cell.h>

#include <export/clean.h>
#include "formats.h"

static bool csv_begin(struct export *e)
{
    fputs("type,unit,value,function,file,line,address,size,stack\n", e->out);
    return true;
}

static void put_place(const struct export *e, const struct export_part *part)
{
    const struct export_frame *leaf = &part->frames[0];
    const struct export_function *owner = &e->table.functions[part->frames[part->owner].function];

    clean_csv(e->out, owner->named ? owner->name : "");
    putc(',', e->out);
    clean_csv(e->out, leaf->file);
    putc(',', e->out);
    if (leaf->line > 0)
        fprintf(e->out, "%" PRId64, leaf->line);
    if (snapshot_is_placed(part->source->snapshot))
        fprintf(e->out, ",0x%" PRIx64 ",%" PRIu64 ",", part->addr, part->size);
    else
        fputs(",,,", e->out);
}

static void put_stack(const struct export *e, const struct export_part *part)
{
    const struct export_function *root =
        &e->table.functions[part->frames[part->depth - 1].function];

    fputs(csv_begins_formula(root->name) ? "\"'" : "\"", e->out);
    for (size_t i = part->depth; i-- > 0;) {
        clean_line(e->out, e->table.functions[part->frames[i].function].name, ";\"");
        fputs(i ? ";" : "\"\n", e->out);
    }
}

static bool sample(struct export *e, const struct export_part *part)
{
    const struct snapshot *s = part->source->snapshot;

    for (size_t i = 0; i < s->type_count; i++) {
        if (part->values[i] == 0 || !(part->source->all || i == part->source->type))
            continue;
        clean_csv(e->out, s->types[i].name);
        putc(',', e->out);
        clean_csv(e->out, s->types[i].unit);
        fprintf(e->out, ",%" PRId64 ",", part->values[i]);
        put_place(e, part);
        put_stack(e, part);
    }
    return true;
}

const struct exporter_ops csv_ops = {.begin = csv_begin, .sample = sample};
