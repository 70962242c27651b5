/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one walk over snapshots that every format is made by. */
#include "walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/vec.h>
#include <profile/divide.h>

#include <export/clean.h>

/* A run of steps of a block that have the same function, calls and file. */
struct piece {
    uint64_t addr, size;
    uint32_t location; /* of the first step; SNAPSHOT_NONE: of nothing that is known */
    uint32_t steps;
    bool named;
    bool several; /* it has several lines */
};

struct walk {
    struct export *e;
    const struct export_source *source;
    const struct snapshot *s;
    bool (*give)(struct export *e, const struct export_part *part);
    uint32_t
        *numbers; /* in the function table, of the snapshot's functions; SNAPSHOT_NONE: not yet */
    struct piece *pieces;
    size_t piece_count;
    uint64_t total; /* steps of all pieces */
    bool shared;    /* lines share the block: nothing tells which of them was hit */
    struct export_frame *frames;
    size_t depth, room;
    int64_t *values;
    uint64_t sum;
};

bool export_fail(struct export *e, enum export_code code, const char *format, ...)
{
    va_list args;

    e->code = code;
    va_start(args, format);
    vsnprintf(e->text, e->capacity, format, args);
    va_end(args);
    return false;
}

bool export_no_memory(struct export *e)
{
    return export_fail(e, EXPORT_ENOMEM, "out of memory");
}

/* The name of a place that has none: its address, or else the program that it is in. */
static uint32_t number_unnamed(struct walk *w, uint32_t location, uint64_t addr)
{
    uint32_t mapping =
        location == SNAPSHOT_NONE ? SNAPSHOT_NONE : w->s->locations[location].mapping;
    const char *file = mapping == SNAPSHOT_NONE ? "" : w->s->mappings[mapping].file;

    if (location != SNAPSHOT_NONE && snapshot_is_placed(w->s))
        return function_table_put_unnamed(&w->e->table, "0x%" PRIx64, addr);
    if (file[0])
        return function_table_put_unnamed(&w->e->table, "[%s]", path_base_name(file));
    return function_table_put_unnamed(&w->e->table, "[not known]");
}

static uint32_t number_of(struct walk *w, uint32_t function)
{
    const struct snapshot_function *f = &w->s->functions[function];

    if (w->numbers[function] == SNAPSHOT_NONE) {
        const struct export_function entry = {
            .name = f->name, .file = f->file, .line = f->start_line, .named = true};
        w->numbers[function] = function_table_put(&w->e->table, &entry);
    }
    return w->numbers[function];
}

/* Code of another file inside its function is two frames in the file, and one function. */
static bool is_alias(const struct walk *w, const struct snapshot_line *lines, uint32_t count)
{
    const struct snapshot_function *f = w->s->functions;

    if (!w->s->ours || count < 2 || lines[0].function == SNAPSHOT_NONE ||
        lines[1].function == SNAPSHOT_NONE || lines[1].line != 0)
        return false;
    return strcmp(f[lines[0].function].name, f[lines[1].function].name) == 0;
}

static bool add_frame(struct walk *w, const struct export_frame *frame)
{
    if (frame->function == SNAPSHOT_NONE)
        return export_no_memory(w->e);
    w->frames[w->depth++] = *frame;
    return true;
}

static bool add_line(struct walk *w, uint32_t location, uint64_t addr, uint32_t index)
{
    const struct snapshot_location *l = &w->s->locations[location];
    const struct snapshot_line *line = &w->s->lines[l->first_line + index];
    const struct snapshot_function *f =
        line->function == SNAPSHOT_NONE ? NULL : &w->s->functions[line->function];
    bool named = f && f->name[0];
    bool alias = index == 0 && is_alias(w, line, l->line_count);
    struct export_frame frame = {
        .file = f ? f->file : "",
        .line = line->line > 0 ? line->line : 0,
        .addr = addr,
        .inlined = index + 1 < l->line_count,
    };

    if (index == 1 && is_alias(w, line - 1, l->line_count)) /* it was the one before */
        return true;
    if (alias) {
        frame.function = number_of(w, line[1].function);
        frame.inlined = l->line_count > 2;
    } else {
        frame.function = named ? number_of(w, line->function) : number_unnamed(w, location, addr);
    }
    return add_frame(w, &frame);
}

/* The frames of what stands at addr; SNAPSHOT_NONE: nothing is known of it. */
static bool add_location(struct walk *w, uint32_t location, uint64_t addr)
{
    uint32_t count = location == SNAPSHOT_NONE ? 0 : w->s->locations[location].line_count;

    if (!VEC_ROOM(w->frames, w->room, w->depth, (size_t)count + 1))
        return export_no_memory(w->e);
    if (count == 0) {
        const struct export_frame unnamed = {
            .function = number_unnamed(w, location, addr), .file = "", .addr = addr};
        return add_frame(w, &unnamed);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!add_line(w, location, addr, i))
            return false;
    }
    return true;
}

/* Whether two places differ in the innermost line at most. */
static bool is_same_code(const struct walk *w, uint32_t a, uint32_t b)
{
    if (a == SNAPSHOT_NONE || b == SNAPSHOT_NONE)
        return a == b;
    const struct snapshot_location *x = &w->s->locations[a], *y = &w->s->locations[b];
    const struct snapshot_line *of_x = &w->s->lines[x->first_line];
    const struct snapshot_line *of_y = &w->s->lines[y->first_line];
    bool same = x->line_count == y->line_count && x->mapping == y->mapping;

    for (uint32_t i = 0; same && i < x->line_count; i++)
        same = of_x[i].function == of_y[i].function && (i == 0 || of_x[i].line == of_y[i].line);
    return same && x->line_count > 0;
}

static void add_steps(struct walk *w, uint64_t addr, uint64_t size, uint32_t location)
{
    struct piece *last = w->piece_count ? &w->pieces[w->piece_count - 1] : NULL;
    uint32_t steps = (uint32_t)((size + DIVIDE_STEP - 1) / DIVIDE_STEP);

    w->total += steps;
    if (last && (last->location == location || is_same_code(w, last->location, location))) {
        last->several |= last->location != location;
        last->size += size;
        last->steps += steps;
        return;
    }
    w->pieces[w->piece_count++] = (struct piece){
        .addr = addr,
        .size = size,
        .location = location,
        .steps = steps,
        .named = location != SNAPSHOT_NONE && snapshot_owner(w->s, location) != SNAPSHOT_NONE,
    };
}

/* Bytes without a function are padding where others of the block have one. */
static void drop_unnamed(struct walk *w)
{
    size_t kept = 0;

    w->total = 0;
    for (size_t i = 0; i < w->piece_count; i++) {
        if (!w->pieces[i].named)
            continue;
        w->total += w->pieces[i].steps;
        w->pieces[kept++] = w->pieces[i];
    }
    w->piece_count = kept;
}

static void one_piece(struct walk *w, uint64_t addr, uint64_t size, uint32_t location)
{
    w->piece_count = w->total = 1;
    w->shared = false;
    w->pieces[0] = (struct piece){.addr = addr, .size = size, .location = location, .steps = 1};
}

/* Next to sampled blocks, calls are by their exact addresses (gmon.out). */
static uint64_t block_size_of(const struct walk *w, size_t sample)
{
    uint32_t samples = snapshot_choose_type(w->s, "samples", false);
    bool exact = w->s->type_count > 1 && samples != SNAPSHOT_NONE &&
                 w->s->values[sample * w->s->type_count + samples] == 0;

    return exact ? 1 : w->s->conditions.block_size;
}

static void divide_block(struct walk *w, uint32_t leaf, uint64_t block_size)
{
    uint64_t addr = w->s->locations[leaf].addr;
    bool named = false;

    w->piece_count = w->total = 0;
    for (uint64_t at = 0, size; at < block_size; at += size) {
        size = DIVIDE_STEP * divide_steps(snapshot_same(w->s, addr + at), at, block_size);
        size = size < block_size - at ? size : block_size - at;
        add_steps(w, addr + at, size, snapshot_find_location(w->s, addr + at));
        named |= w->pieces[w->piece_count - 1].named;
    }
    if (named)
        drop_unnamed(w);
    else
        one_piece(w, addr, block_size, leaf);
    w->shared = w->piece_count > 1 || w->pieces[0].several;
}

/* What the sample's leaf is divided into. */
static void divide(struct walk *w, size_t sample)
{
    const struct snapshot_sample *from = &w->s->samples[sample];

    if (from->depth == 0) {
        one_piece(w, 0, 0, SNAPSHOT_NONE);
        return;
    }
    uint32_t leaf = w->s->frames[from->first_frame];
    if (w->s->ours)
        divide_block(w, leaf, block_size_of(w, sample));
    else
        one_piece(w, w->s->locations[leaf].addr, 1, leaf);
}

/* Which of the leaf's frames a row counts. */
static size_t owner_of(const struct walk *w)
{
    size_t owner = 0;

    while (w->s->ours && owner + 1 < w->depth && w->frames[owner].inlined)
        owner++;
    return owner;
}

static int64_t part_of(const struct walk *w, int64_t value, uint64_t before, uint64_t steps)
{
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    uint64_t part = divide_portion(magnitude, before, steps, w->total);

    return value < 0 ? (int64_t)-part : (int64_t)part;
}

/* false: nothing of any type is left for the piece. */
static bool take_values(struct walk *w, size_t sample, const struct piece *piece, uint64_t before)
{
    const int64_t *values = &w->s->values[sample * w->s->type_count];
    bool any = false;

    for (size_t i = 0; i < w->s->type_count; i++) {
        w->values[i] = part_of(w, values[i], before, piece->steps);
        any |= w->values[i] != 0;
    }
    return any;
}

static bool take_stack(struct walk *w, const struct snapshot_sample *sample,
                       const struct piece *piece, size_t *owner)
{
    w->depth = 0;
    if (!add_location(w, piece->location, piece->addr))
        return false;
    if (w->shared)
        w->frames[0].line = 0;
    *owner = owner_of(w);
    for (uint32_t i = 1; i < sample->depth; i++) {
        uint32_t caller = w->s->frames[sample->first_frame + i];
        if (!add_location(w, caller, w->s->locations[caller].addr))
            return false;
    }
    return true;
}

static bool give_piece(struct walk *w, size_t sample, const struct piece *piece, uint64_t before)
{
    size_t owner;

    if (!take_values(w, sample, piece, before))
        return true;
    if (!take_stack(w, &w->s->samples[sample], piece, &owner))
        return false;
    uint64_t value = (uint64_t)w->values[w->source->type];
    uint64_t inherited =
        divide_portion(w->s->samples[sample].inherited, before, piece->steps, w->total);
    const struct export_part part = {
        .source = w->source,
        .sample = sample,
        .frames = w->frames,
        .depth = w->depth,
        .owner = owner,
        .values = w->values,
        .value = value,
        .inherited = inherited,
        .addr = piece->addr,
        .size = piece->size,
    };
    return w->give(w->e, &part);
}

static bool check_value(struct walk *w, size_t sample)
{
    int64_t value = w->s->values[sample * w->s->type_count + w->source->type];
    const char *name = source_type(w->source)->name;

    if (value < 0)
        return export_fail(w->e, EXPORT_EFORMAT,
                           "sample %zu: negative %s: this is a difference, not a profile", sample,
                           name);
    if (w->sum > (uint64_t)INT64_MAX - (uint64_t)value)
        return export_fail(w->e, EXPORT_EFORMAT, "sample %zu: its %s are too large to add up",
                           sample, name);
    w->sum += (uint64_t)value;
    return true;
}

static bool walk_samples(struct walk *w)
{
    for (size_t i = 0; i < w->s->sample_count; i++) {
        uint64_t before = 0;
        if (!check_value(w, i))
            return false;
        divide(w, i);
        for (size_t p = 0; p < w->piece_count; p++) {
            if (export_is_stopped(w->e))
                return export_fail(w->e, EXPORT_ESTOPPED, "stopped");
            if (!give_piece(w, i, &w->pieces[p], before))
                return false;
            before += w->pieces[p].steps;
        }
    }
    return true;
}

static bool walk_source(struct walk *w)
{
    size_t steps = w->s->conditions.block_size / DIVIDE_STEP + 2;

    w->numbers = malloc((w->s->function_count + 1) * sizeof(*w->numbers));
    w->pieces = malloc(steps * sizeof(*w->pieces));
    w->values = malloc((w->s->type_count + 1) * sizeof(*w->values));
    if (!w->numbers || !w->pieces || !w->values)
        return export_no_memory(w->e);
    for (size_t i = 0; i < w->s->function_count; i++)
        w->numbers[i] = SNAPSHOT_NONE;
    return walk_samples(w);
}

bool export_walk(struct export *e, bool (*sample)(struct export *e, const struct export_part *part))
{
    bool done = true;

    for (size_t i = 0; done && i < e->source_count; i++) {
        struct walk w = {
            .e = e, .source = &e->sources[i], .s = e->sources[i].snapshot, .give = sample};
        done = walk_source(&w);
        free(w.numbers);
        free(w.pieces);
        free(w.values);
        free(w.frames);
    }
    return done;
}
