/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that the files say, as one JSON object (docs/export.md). */
#include <inttypes.h>
#include <stdlib.h>

#include <base/vec.h>

#include "about.h"
#include <export/clean.h>
#include "formats.h"

struct json {
    struct frames {
        struct export_frame *frames;
        size_t count, room;
        struct dedupe known;
    } frames;
    size_t begun; /* sources whose part was opened */
    bool some;    /* a sample of the last one was written */
};

static bool same(const void *context, uint32_t a, uint32_t b)
{
    const struct frames *all = context;
    const struct export_frame *f = &all->frames[a], *g = &all->frames[b];

    return f->function == g->function && f->line == g->line && f->addr == g->addr &&
           f->inlined == g->inlined && f->file == g->file;
}

/* Its number; SNAPSHOT_NONE: no memory. Texts of one snapshot are equal where they are the same. */
static uint32_t put_frame(struct frames *all, const struct export_frame *frame)
{
    uint64_t hash = hash_number(hash_number(HASH_START, frame->function), (uint64_t)frame->line);
    uint32_t before;

    hash = hash_number(hash_number(hash, frame->addr), frame->inlined);
    if (!VEC_ROOM(all->frames, all->room, all->count, 1))
        return SNAPSHOT_NONE;
    all->frames[all->count] = *frame;
    if (!dedupe_put(&all->known, hash, (uint32_t)all->count, same, all, &before))
        return SNAPSHOT_NONE;
    return before == DEDUPE_NONE ? (uint32_t)all->count++ : before;
}

static bool json_begin(struct export *e)
{
    fputs("{\"format\":\"mprof export\",\"version\":1,\"title\":", e->out);
    clean_json(e->out, e->title);
    fputs(",\n\"profiles\":[", e->out);
    return true;
}

static void put_types(const struct export *e, const struct export_source *source)
{
    const char *between = "";

    fputs(",\"types\":[", e->out);
    for (size_t i = 0; i < source->snapshot->type_count; i++) {
        if (!source->all && i != source->type)
            continue;
        fprintf(e->out, "%s{\"name\":", between);
        clean_json(e->out, source->snapshot->types[i].name);
        fputs(",\"unit\":", e->out);
        clean_json(e->out, source->snapshot->types[i].unit);
        putc('}', e->out);
        between = ",";
    }
    putc(']', e->out);
}

/* Opens the next source's part, and closes the one before. */
static void open_source(struct export *e)
{
    struct json *j = e->state;
    const struct export_source *source = &e->sources[j->begun];
    const struct snapshot *s = source->snapshot;

    fputs(j->begun ? "]},\n{" : "\n{", e->out);
    about_json(e->out, s);
    put_types(e, source);
    fprintf(e->out, ",\"ranked\":%" PRIu32 ",\n\"samples\":[", source->all ? source->type : 0);
    j->begun++;
    j->some = false;
}

static void open_up_to(struct export *e, size_t count)
{
    struct json *j = e->state;

    while (j->begun < count)
        open_source(e);
}

static void put_values(const struct export *e, const struct export_part *part)
{
    const char *between = "";

    fputs("{\"values\":[", e->out);
    for (size_t i = 0; i < part->source->snapshot->type_count; i++) {
        if (!part->source->all && i != part->source->type)
            continue;
        fprintf(e->out, "%s%" PRId64, between, part->values[i]);
        between = ",";
    }
    putc(']', e->out);
    if (snapshot_is_placed(part->source->snapshot))
        fprintf(e->out, ",\"address\":\"0x%" PRIx64 "\",\"size\":%" PRIu64, part->addr, part->size);
}

static void put_labels(const struct export *e, const struct export_part *part)
{
    const struct snapshot *s = part->source->snapshot;
    const struct snapshot_sample *sample = &s->samples[part->sample];

    for (uint32_t i = 0; i < sample->label_count; i++) {
        const struct snapshot_label *label = &s->labels[sample->first_label + i];
        fputs(i ? ",{\"key\":" : ",\"labels\":[{\"key\":", e->out);
        clean_json(e->out, label->key);
        fputs(",\"value\":", e->out);
        if (label->text[0])
            clean_json(e->out, label->text);
        else
            fprintf(e->out, "%" PRId64, label->number);
        fputs(",\"unit\":", e->out);
        clean_json(e->out, label->unit);
        fputs(i + 1 == sample->label_count ? "}]" : "}", e->out);
    }
}

static bool sample(struct export *e, const struct export_part *part)
{
    struct json *j = e->state;

    if (!part->source->all && part->value == 0)
        return true;
    open_up_to(e, (size_t)(part->source - e->sources) + 1);
    fputs(j->some ? ",\n" : "\n", e->out);
    j->some = true;
    put_values(e, part);
    put_labels(e, part);
    fputs(",\"stack\":[", e->out);
    for (size_t i = 0; i < part->depth; i++) {
        uint32_t number = put_frame(&j->frames, &part->frames[i]);
        if (number == SNAPSHOT_NONE)
            return export_no_memory(e);
        fprintf(e->out, "%s%" PRIu32, i ? "," : "", number);
    }
    fprintf(e->out, "],\"owner\":%zu}", part->owner);
    return true;
}

static void put_line(FILE *out, const char *key, int64_t line)
{
    if (line > 0)
        fprintf(out, ",\"%s\":%" PRId64, key, line);
    else
        fprintf(out, ",\"%s\":null", key);
}

static void put_frames(const struct export *e)
{
    const struct json *j = e->state;

    for (size_t i = 0; i < j->frames.count; i++) {
        const struct export_frame *frame = &j->frames.frames[i];
        const struct export_function *f = &e->table.functions[frame->function];
        fputs(i ? ",\n{\"function\":" : "\n{\"function\":", e->out);
        clean_json(e->out, f->named ? f->name : "");
        fputs(",\"name\":", e->out);
        clean_json(e->out, f->name);
        fputs(",\"file\":", e->out);
        clean_json(e->out, frame->file);
        put_line(e->out, "line", frame->line);
        put_line(e->out, "start_line", f->line);
        fprintf(e->out, ",\"inlined\":%s}", frame->inlined ? "true" : "false");
    }
}

static bool end(struct export *e)
{
    open_up_to(e, e->source_count);
    fputs("]}],\n\"frames\":[", e->out);
    put_frames(e);
    fputs("]}\n", e->out);
    return true;
}

static void clean(struct export *e)
{
    struct json *j = e->state;

    free(j->frames.frames);
    dedupe_free(&j->frames.known);
}

const struct exporter_ops json_ops = {
    .state_size = sizeof(struct json),
    .begin = json_begin,
    .sample = sample,
    .end = end,
    .clean = clean,
};
