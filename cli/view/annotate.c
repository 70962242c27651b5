/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of a function's blocks to its instructions and source lines. */
#include <view/annotate.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <view/rows.h>

#define NO_LINE SIZE_MAX

/* Instructions are looked at every two bytes of a block, as in rows.c. */
#define STEP 2

/* A ranking of one block in which our parts stand under a name of their own. */
struct parts_naming {
    const struct symbol_naming *names;
    const struct annotation *a;
    struct symtab_function unit; /* what find() gives */
};

/* Its address tells a part's row from one of a function of the same name. */
static const char part_name[] = "part";

void annotate_note(struct annotation *a, const char *format, ...)
{
    va_list args;

    if (a->note_count == ANNOTATE_NOTES_MAX)
        return;
    va_start(args, format);
    vsnprintf(a->notes[a->note_count++], ANNOTATE_NOTE_SIZE, format, args);
    va_end(args);
}

/* A row of a growing array; NULL: no memory. */
static void *grow(void *items, size_t count, size_t size)
{
    if (count & (count - 1))
        return items;
    return realloc(items, (count ? 2 * count : 1) * size);
}

static bool same_line(const struct symtab_line *a, const struct symtab_line *b)
{
    if (a->line != b->line || !a->file || !b->file)
        return a->line == b->line && !a->file && !b->file;
    return a->file == b->file || strcmp(a->file, b->file) == 0;
}

static struct annotate_part *part_at(struct annotation *a, const struct symbol_naming *names,
                                     uint64_t addr)
{
    const struct symtab_function *function = names->find(names->context, addr);

    for (size_t i = 0; function && i < a->part_count; i++) {
        if (a->parts[i].function.addr == function->addr)
            return &a->parts[i];
    }
    return NULL;
}

static const struct symtab_function *find_part(void *context, uint64_t addr)
{
    struct parts_naming *n = context;
    const struct symtab_function *function = n->names->find(n->names->context, addr);

    for (size_t i = 0; function && i < n->a->part_count; i++) {
        if (n->a->parts[i].function.addr == function->addr) {
            n->unit = (struct symtab_function){
                .addr = function->addr, .size = function->size, .name = part_name};
            return &n->unit;
        }
    }
    return function;
}

/* Where a function begins is not asked for. */
static bool find_no_start(void *context, const struct symtab_function *function,
                          struct symtab_line *line)
{
    (void)context, (void)function, (void)line;
    return false;
}

static struct stats_share share_of(const struct profile *p, uint64_t hits, uint64_t inherited,
                                   uint64_t all)
{
    bool sampled = p->unit == DECODE_UNIT_SAMPLES;
    struct stats_share share = sampled ? stats_row_share(hits, inherited, all, p->dropped)
                                       : stats_exact_share(hits, inherited, all, p->dropped);

    if (p->locked)
        share.low = share.high = -1;
    return share;
}

/* Lines are kept by file and line: those of one line have one row. */
struct place {
    struct symtab_line line;
    uint64_t addr, hits, inherited;
    bool shared;
    size_t step; /* that it is of; or NO_LINE */
};

/* What the hits are given to. */
struct builder {
    struct annotation *a;
    const struct annotate_input *input;
    struct place *places;
    size_t place_count;
};

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

static bool add_line(struct annotation *a, const struct place *place)
{
    struct annotate_line *last = a->line_count ? &a->lines[a->line_count - 1] : NULL;
    const struct symtab_line name = {.file = last ? last->file : NULL,
                                     .line = last ? last->line : 0};

    if (!last || !same_line(&name, &place->line)) {
        struct annotate_line *lines = grow(a->lines, a->line_count, sizeof(*lines));
        if (!lines)
            return false;
        a->lines = lines;
        last = &lines[a->line_count++];
        *last = (struct annotate_line){
            .file = place->line.file, .line = place->line.line, .addr = place->addr};
    }
    last->hits += place->hits;
    last->inherited += place->inherited;
    last->shared |= place->shared;
    return true;
}

static bool add_lines(struct annotation *a, const struct profile *p, struct place *places,
                      size_t count)
{
    if (count)
        qsort(places, count, sizeof(*places), compare_places);
    for (size_t i = 0; i < count; i++) {
        if (!add_line(a, &places[i]))
            return false;
        if (places[i].step != NO_LINE)
            a->steps[places[i].step].line = a->line_count - 1;
    }
    for (size_t i = 0; i < a->line_count; i++) {
        struct annotate_line *line = &a->lines[i];
        line->share = share_of(p, line->hits, line->inherited, a->hits);
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
        same_frames(frames, a->frames + before->first_frame, step->frame_count)) {
        step->first_frame = before->first_frame;
        return true;
    }
    step->first_frame = a->frame_count;
    for (size_t i = 0; i < step->frame_count; i++) {
        struct symtab_inlined *grown = grow(a->frames, a->frame_count, sizeof(*grown));
        if (!grown)
            return false;
        a->frames = grown;
        a->frames[a->frame_count++] = frames[i];
    }
    return true;
}

static bool add_step(struct annotation *a, const struct symbol_naming *names, size_t part,
                     const struct listing_item *item)
{
    struct annotate_step step = {.item = item, .part = part, .line = NO_LINE};

    if (!add_frames(a, names, &step))
        return false;
    struct annotate_step *steps = grow(a->steps, a->step_count, sizeof(*steps));
    if (!steps)
        return false;
    a->steps = steps;
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

/* One of those that share a block, behind those of weight before. */
struct portion {
    uint64_t before, weight, all;
};

/* Rounded so that all portions add up. */
static uint64_t portion_of(const struct portion *p, uint64_t hits)
{
    uint64_t half = p->all / 2;

    return (hits * (p->before + p->weight) + half) / p->all - (hits * p->before + half) / p->all;
}

/* The steps of a part that begin from first on and before end: program counters are where
 * instructions begin. Where there is none, the one whose bytes hold first. Data is none. */
static size_t steps_of(const struct annotation *a, const struct annotate_part *part, uint64_t first,
                       uint64_t end, size_t *from)
{
    size_t low = 0, high = part->listing.count, base = 0;

    for (const struct annotate_part *p = a->parts; p < part; p++)
        base += p->listing.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (part->listing.items[middle].addr < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < part->listing.count && part->listing.items[high].addr < end;)
        high++;
    if (low == high && low > 0) {
        const struct listing_item *item = &part->listing.items[low - 1];
        low -= first - item->addr < item->size;
    }
    *from = base + low;
    return high - low;
}

static uint64_t weight_of(const struct annotate_step *step, bool any_code)
{
    return any_code && step->item->data ? 0 : step->item->size;
}

static void give_steps(struct annotation *a, size_t from, size_t count, const struct view_row *row)
{
    struct portion p = {.all = 0};
    bool any_code = false;

    for (size_t i = from; i < from + count; i++)
        any_code |= !a->steps[i].item->data;
    for (size_t i = from; i < from + count; i++)
        p.all += weight_of(&a->steps[i], any_code);
    for (size_t i = from; i < from + count; i++) {
        struct annotate_step *s = &a->steps[i];
        p.weight = weight_of(s, any_code);
        if (p.weight == 0)
            continue;
        s->hits += portion_of(&p, row->hits);
        s->inherited += portion_of(&p, row->inherited);
        s->shared |= row->split || p.weight != p.all;
        p.before += p.weight;
    }
}

static struct place *add_place(struct builder *b, uint64_t addr)
{
    const struct symbol_naming *names = b->input->names;
    struct place *places = grow(b->places, b->place_count, sizeof(*places));

    if (!places)
        return NULL;
    b->places = places;
    places += b->place_count++;
    *places = (struct place){.addr = addr, .step = NO_LINE};
    if (names->find_line)
        (void)names->find_line(names->context, addr, &places->line);
    return places;
}

/* Without instructions: to the lines, by their bytes. */
static bool give_lines(struct builder *b, struct annotate_part *part, const struct profile_hit *hit,
                       const struct view_row *row)
{
    struct portion p = {.weight = 1};
    uint64_t end = hit->addr + b->input->profile->grain;

    size_t first = b->place_count;
    bool mixed = row->split;

    for (uint64_t at = hit->addr; at < end; at += STEP)
        p.all += part_at(b->a, b->input->names, at) == part;
    for (uint64_t at = hit->addr; at < end; at += STEP) {
        if (part_at(b->a, b->input->names, at) != part)
            continue;
        struct place *place = add_place(b, at);
        if (!place)
            return false;
        place->hits = portion_of(&p, row->hits);
        place->inherited = portion_of(&p, row->inherited);
        mixed |= !same_line(&place->line, &b->places[first].line);
        p.before++;
    }
    for (size_t i = first; i < b->place_count; i++)
        b->places[i].shared = mixed;
    return true;
}

static bool give_row(struct builder *b, const struct profile_hit *hit, const struct view_row *row)
{
    struct annotation *a = b->a;
    struct annotate_part *part = a->parts;
    size_t from;

    while (part->function.addr != row->addr)
        part++;
    part->hits += row->hits;
    a->hits += row->hits;
    a->inherited += row->inherited;
    size_t count = steps_of(a, part, hit->addr, hit->addr + b->input->profile->grain, &from);
    if (count == 0)
        return give_lines(b, part, hit, row);
    give_steps(a, from, count, row);
    return true;
}

static bool touches(struct builder *b, const struct profile_hit *hit)
{
    for (uint64_t at = 0; at < b->input->profile->grain; at += STEP) {
        if (part_at(b->a, b->input->names, hit->addr + at))
            return true;
    }
    return false;
}

/* What a ranking by function gives our parts of this block. */
static bool give_block(struct builder *b, struct profile_hit hit)
{
    struct parts_naming parts = {.names = b->input->names, .a = b->a};
    const struct symbol_naming naming = {
        .context = &parts, .find = find_part, .find_start = find_no_start};
    struct profile one = *b->input->profile;
    struct view_rows rows;
    bool done = true;

    one.rows = &hit;
    one.row_count = 1;
    if (!view_rows_build_named(&one, &naming, VIEW_BY_FUNCTION, NULL, &rows))
        return false;
    for (size_t i = 0; done && i < rows.count; i++) {
        if (rows.rows[i].function == part_name)
            done = give_row(b, &hit, &rows.rows[i]);
    }
    view_rows_free(&rows);
    return done;
}

static bool give_hits(struct builder *b)
{
    const struct profile *p = b->input->profile;

    for (size_t i = 0; b->input->names->find && i < p->row_count; i++) {
        if (p->rows[i].hits && touches(b, &p->rows[i]) && !give_block(b, p->rows[i]))
            return false;
    }
    for (size_t i = 0; i < b->a->step_count; i++) {
        struct annotate_step *s = &b->a->steps[i];
        struct place *place = add_place(b, s->item->addr);
        if (!place)
            return false;
        s->share = share_of(p, s->hits, s->inherited, b->a->hits);
        place->hits = s->hits;
        place->inherited = s->inherited;
        place->shared = s->shared;
        place->step = i;
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
        annotate_note(a, "no source: %s is not there, or cannot be read (--source DIR looks there)",
                      source->name);
    else if (input->built && source->file.modified > input->built)
        annotate_note(a, "%s was changed after the ELF file was built: its lines may have moved",
                      source->file.path);
}

static bool add_sources(struct annotation *a, const struct annotate_input *input)
{
    for (size_t i = 0; i < a->line_count; i++) {
        struct annotate_line *line = &a->lines[i];
        if (line->file &&
            (i == 0 || !a->lines[i - 1].file || strcmp(a->lines[i - 1].file, line->file) != 0)) {
            struct annotate_source *sources = grow(a->sources, a->source_count, sizeof(*sources));
            if (!sources)
                return false;
            a->sources = sources;
            struct annotate_source *last = &sources[a->source_count++];
            last->name = line->file;
            if (!source_read(line->file, input->folders, &last->file))
                return false;
            note_source(a, input, last);
        }
        if (line->file)
            line->text = source_line(&a->sources[a->source_count - 1].file, line->line);
    }
    return true;
}

static void note_rest(struct annotation *a, const struct annotate_input *input)
{
    bool known = a->line_count == 0;

    for (size_t i = 0; i < a->line_count; i++)
        known |= a->lines[i].file != NULL;
    if (!known)
        annotate_note(a, "no lines: the debug information has none of this function (compile it "
                         "with -g)");
    if (input->profile->locked)
        annotate_note(a, "LOCKED TO THE FIRMWARE'S TICK: shares mislead, and have no intervals");
    if (a->hits == 0)
        annotate_note(a, "no hits in this function");
}

bool annotate_build(struct annotation *a, const struct annotate_input *input)
{
    const struct symbol_naming *names = input->names;
    struct builder b = {.a = a, .input = input};

    a->grain = input->profile->grain;
    a->addr_size = input->addr_size;
    a->unit = input->unit;
    a->attributed = input->profile->attributed;
    if (names->find_start && a->part_count)
        (void)names->find_start(names->context, &a->parts[0].function, &a->start);
    bool done = add_steps(a, names) && give_hits(&b);
    a->share = share_of(input->profile, a->hits, a->inherited, a->attributed);
    done = done && add_lines(a, input->profile, b.places, b.place_count) && add_sources(a, input);
    free(b.places);
    if (done)
        note_rest(a, input);
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
    free(a->lines);
    free(a->frames);
    *a = (struct annotation){.steps = NULL};
}
