/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of a function's blocks to its instructions and source lines. */
#include <ranking/annotate.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <profile/unsure.h>

#include "annotate_hits.h"
#include "unseen.h"

void annotate_note(struct annotation *a, const char *format, ...)
{
    va_list args;

    if (a->note_count == ANNOTATE_NOTES_MAX)
        return;
    va_start(args, format);
    vsnprintf(a->notes[a->note_count++], ANNOTATE_NOTE_SIZE, format, args);
    va_end(args);
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = (x->line.file != NULL) - (y->line.file != NULL);

    if (order == 0 && x->line.file && x->line.file != y->line.file)
        order = strcmp(x->line.file, y->line.file);
    if (order == 0)
        order = (x->line.line > y->line.line) - (x->line.line < y->line.line);
    return order ? order : (x->addr > y->addr) - (x->addr < y->addr);
}

static bool same_line(const struct annotate_line *line, const struct symtab_line *other)
{
    if (line->line != other->line || !line->file || !other->file)
        return line->line == other->line && !line->file && !other->file;
    return line->file == other->file || strcmp(line->file, other->file) == 0;
}

/* The places of a line follow each other. */
static bool add_line(struct annotation *a, const struct place *place)
{
    if (a->line_count && same_line(&a->lines[a->line_count - 1], &place->line))
        return true;
    if (!VEC_ROOM(a->lines, a->line_room, a->line_count, 1))
        return false;
    a->lines[a->line_count++] = (struct annotate_line){
        .file = place->line.file, .line = place->line.line, .addr = place->addr};
    return true;
}

static bool add_lines(struct builder *b)
{
    struct annotation *a = b->a;

    if (b->place_count)
        qsort(b->places, b->place_count, sizeof(*b->places), compare_places);
    for (size_t i = 0; i < b->place_count; i++) {
        struct place *place = &b->places[i];
        if (!add_line(a, place))
            return false;
        place->index = a->line_count - 1;
        if (place->step != NO_STEP)
            a->steps[place->step].line = place->index;
    }
    return true;
}

static bool same_frames(const struct symtab_inlined *a, const struct symtab_inlined *b,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i].call_line != b[i].call_line || a[i].line != b[i].line ||
            strcmp(a[i].name ? a[i].name : "", b[i].name ? b[i].name : "") != 0)
            return false;
    }
    return true;
}

static bool add_frames(struct annotation *a, const struct symbol_naming *names,
                       struct annotate_step *step)
{
    const struct annotate_step *before = a->step_count ? &a->steps[a->step_count - 1] : NULL;
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];

    if (names->find_inlined)
        step->frame_count =
            names->find_inlined(names->context, step->item->addr, frames, SYMTAB_INLINED_MAX);
    if (before && before->frame_count == step->frame_count &&
        (step->frame_count == 0 ||
         same_frames(frames, a->frames + before->first_frame, step->frame_count))) {
        step->first_frame = before->first_frame;
        return true;
    }
    step->first_frame = a->frame_count;
    if (!VEC_ROOM(a->frames, a->frame_room, a->frame_count, step->frame_count))
        return false;
    for (size_t i = 0; i < step->frame_count; i++)
        a->frames[a->frame_count++] = frames[i];
    return true;
}

static bool add_step(struct annotation *a, const struct symbol_naming *names, size_t part,
                     const struct listing_item *item)
{
    struct annotate_step step = {
        .item = item, .part = part, .line = NO_STEP, .block = ANNOTATE_NO_BLOCK};

    if (!add_frames(a, names, &step))
        return false;
    if (!VEC_ROOM(a->steps, a->step_room, a->step_count, 1))
        return false;
    a->steps[a->step_count++] = step;
    return true;
}

static bool add_steps(struct annotation *a, const struct symbol_naming *names)
{
    for (size_t part = 0; part < a->part_count; part++) {
        const struct listing *listing = &a->parts[part].listing;
        for (size_t i = 0; i < listing->count; i++) {
            if (!add_step(a, names, part, &listing->items[i]))
                return false;
        }
    }
    return true;
}

const struct source_file *annotate_source(const struct annotation *a, const char *name)
{
    for (size_t i = 0; name && i < a->source_count; i++) {
        if (strcmp(a->sources[i].name, name) == 0)
            return &a->sources[i].file;
    }
    return NULL;
}

static void note_source(struct annotation *a, const struct annotate_input *input,
                        const struct annotate_source *source)
{
    if (!source->file.path)
        annotate_note(a, "no source: cannot read %s; give its folder with --source DIR",
                      source->name);
    else if (input->built && source->file.modified > input->built)
        annotate_note(a, "%s is newer than the ELF file: its lines may have moved",
                      source->file.path);
}

/* Each file is read once. NULL: no memory. */
static const struct source_file *find_source(struct annotation *a,
                                             const struct annotate_input *input, const char *name)
{
    const struct source_file *known = annotate_source(a, name);

    if (known)
        return known;
    if (!VEC_ROOM(a->sources, a->source_room, a->source_count, 1))
        return NULL;
    struct annotate_source *last = &a->sources[a->source_count++];
    last->name = name;
    return source_read(name, input->folders, &last->file) ? &last->file : NULL;
}

static bool add_sources(struct annotation *a, const struct annotate_input *input)
{
    const struct source_file *file = NULL;

    for (size_t i = 0; i < a->line_count; i++) {
        struct annotate_line *line = &a->lines[i];
        if (!line->file)
            continue;
        bool same = i > 0 && a->lines[i - 1].file && strcmp(a->lines[i - 1].file, line->file) == 0;
        if (!same)
            file = find_source(a, input, line->file);
        if (!file)
            return false;
        line->text = source_line(file, line->line);
    }
    return true;
}

static void note_rest(struct annotation *a, const struct annotate_input *input)
{
    bool known = a->line_count == 0;
    char doubt[PROFILE_DOUBT_TEXT];

    for (size_t i = 0; i < a->source_count; i++)
        note_source(a, input, &a->sources[i]);
    for (size_t i = 0; i < a->line_count; i++)
        known |= a->lines[i].file != NULL;
    if (!known)
        annotate_note(a, "no lines: no debug information for this function (compile it with -g)");
    if (profile_doubt(input->profile, doubt) != PROFILE_SURE)
        annotate_note(a, "%s", doubt);
    if (a->hits == 0)
        annotate_note(a, "no hits in this function");
}

/* What the last build worked out of a profile, and not of the files. */
static void forget(struct annotation *a)
{
    a->line_count = a->block_count = 0;
    a->hits = a->inherited = a->least = a->most = 0;
    for (size_t i = 0; i < a->part_count; i++)
        a->parts[i].hits = 0;
    for (size_t i = 0; i < a->step_count; i++)
        a->steps[i].block = ANNOTATE_NO_BLOCK;
}

static void reset(struct annotation *a, const struct annotate_input *input)
{
    const struct symbol_naming *names = input->names;

    if (!a->built)
        a->kept_notes = a->note_count;
    a->note_count = a->kept_notes;
    forget(a);
    a->block_size = input->profile->block_size;
    a->addr_size = input->addr_size;
    a->unit = input->unit;
    a->attributed = input->profile->attributed;
    if (names->find_start && a->part_count)
        (void)names->find_start(names->context, a->parts[0].function, &a->start);
}

/* Adds what a ranking by function says of a part. A part without hits has no row in it. */
static void add_part(const struct view_rows *rows, const struct symtab_function *f,
                     struct stats_count *count, struct wander *wander)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct view_row *row = &rows->rows[i];
        if (!row->function || row->addr != f->addr)
            continue;
        count->least += row->least;
        count->most += row->most;
        count->unseen.least += row->unseen.least;
        count->unseen.most += row->unseen.most;
        count->unseen.likely += row->unseen.likely;
        wander_add(wander, &row->wander, 1);
        return;
    }
    count->unseen.most += unseen_of_code(rows->profile, f->addr, f->size);
}

/* The function's share of the hits of all, as a ranking has it. */
static bool share_in_all(struct annotation *a, const struct annotate_input *input)
{
    const struct profile *p = input->profile;
    const struct stats_whole whole = view_whole(p, a->attributed);
    struct stats_count count = {.hits = a->hits, .inherited = a->inherited};
    struct wander wander = {.hits = 0};
    struct view_rows rows;

    if (!view_rows_build_named(p, input->names, VIEW_BY_FUNCTION, NULL, &rows))
        return false;
    for (size_t i = 0; i < a->part_count; i++)
        add_part(&rows, a->parts[i].function, &count, &wander);
    count.spread = wander_spread(&wander, &rows.wander, rows.cosines);
    view_rows_free(&rows);
    if (count.unseen.most > whole.dropped) /* parts may share a region */
        count.unseen.most = whole.dropped;
    a->unseen = count.unseen;
    a->share = stats_share_of(&count, &whole);
    a->whole = whole;
    a->no_intervals = !profile_has_intervals(p);
    if (a->no_intervals)
        a->share.low = a->share.high = -1;
    return true;
}

static bool build(struct annotation *a, const struct annotate_input *input)
{
    struct builder b = {.a = a, .input = input};

    reset(a, input);
    b.taken = calloc(input->profile->wander.count + 1, sizeof(*b.taken));
    bool done = b.taken && (a->built || add_steps(a, input->names)) && annotate_give(&b) &&
                share_in_all(a, input);
    done = done && add_lines(&b) && annotate_bound(&b) && add_sources(a, input);
    free(b.places);
    free(b.taken);
    a->built = done;
    if (done)
        note_rest(a, input);
    return done;
}

/* Lines and steps get the hits of the focus, and the function keeps what it has. */
static bool refine(struct annotation *a, const struct annotate_input *input)
{
    struct annotate_input finer = *input;
    const struct annotation before = *a;

    finer.profile = input->focus;
    if (!build(a, &finer))
        return false;
    a->hits = before.hits;
    a->inherited = before.inherited;
    a->unseen = before.unseen;
    a->attributed = before.attributed;
    a->share = before.share;
    for (size_t i = 0; i < a->part_count; i++)
        a->parts[i].hits = before.parts[i].hits;
    return true;
}

bool annotate_build(struct annotation *annotation, const struct annotate_input *input)
{
    bool done = build(annotation, input) && (!input->focus || refine(annotation, input));

    if (done && input->focus_text && input->focus_text[0])
        annotate_note(annotation, "%s", input->focus_text);
    return done;
}

void annotate_free(struct annotation *a)
{
    for (size_t i = 0; i < a->part_count; i++)
        listing_free(&a->parts[i].listing);
    for (size_t i = 0; i < a->source_count; i++)
        source_free(&a->sources[i].file);
    free(a->sources);
    free(a->steps);
    free(a->blocks);
    free(a->lines);
    free(a->frames);
    *a = (struct annotation){.steps = NULL};
}
