/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several snapshots to one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "conditions.h"
#include "contexts.h"
#include "lost.h"
#include "runs.h"
#include "wanders.h"

struct merger {
    struct builder b;
    const struct snapshot *from;
    uint32_t *mappings, *functions, *locations; /* what became of from's */
    uint32_t *types;                            /* the number in from of each type */
    uint32_t *frames;                           /* room for a sample's */
    struct snapshot_label *labels;
    int64_t *values;
    bool overflow;
    bool runs;      /* the snapshots are runs of the sum, or there is one */
    bool moves;     /* addresses in the one program of all */
    uint64_t start; /* where that program begins */
};

/* One program was loaded at another place in each run of a process: addresses in it are those of
 * the run where it was lowest. */
static uint64_t move(const struct merger *m, uint64_t addr)
{
    const struct snapshot_mapping *program = m->from->mappings;

    if (!m->moves || addr < program->start || addr > program->limit)
        return addr;
    return addr - program->start + m->start;
}

/* Whether all are of one program, of which each knows where it was: nothing else may be moved, or
 * the sum would depend on what was added up first. */
static bool is_one_program(const struct snapshot *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct snapshot_mapping *m = all[i]->mappings, *first = all[0]->mappings;
        if (!all[i]->ours || all[i]->mapping_count != 1 || m->build_id[0] == '\0' ||
            strcmp(m->build_id, first->build_id) != 0 || m->limit < m->start ||
            m->limit - m->start != first->limit - first->start)
            return false;
    }
    return true;
}

static uint64_t lowest_start(const struct snapshot *const *all, size_t count)
{
    uint64_t start = all[0]->mappings[0].start;

    for (size_t i = 1; i < count; i++) {
        if (all[i]->mappings[0].start < start)
            start = all[i]->mappings[0].start;
    }
    return start;
}

static uint32_t find_type(const struct snapshot *s, const struct snapshot_type *type)
{
    for (size_t i = 0; i < s->type_count; i++) {
        if (strcmp(s->types[i].name, type->name) == 0 && strcmp(s->types[i].unit, type->unit) == 0)
            return (uint32_t)i;
    }
    return SNAPSHOT_NONE;
}

static bool have_all(const struct snapshot *const *all, size_t count,
                     const struct snapshot_type *type)
{
    for (size_t i = 0; i < count; i++) {
        if (find_type(all[i], type) == SNAPSHOT_NONE)
            return false;
    }
    return true;
}

static int order_types(const void *a, const void *b)
{
    const struct snapshot_type *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : strcmp(x->unit, y->unit);
}

static bool same_types(const struct snapshot *a, const struct snapshot *b)
{
    bool same = a->type_count == b->type_count;

    for (size_t i = 0; same && i < a->type_count; i++)
        same = order_types(&a->types[i], &b->types[i]) == 0;
    return same;
}

/* Types that all have; in an order of their own where they are not the same in all. */
static bool take_types(struct merger *m, const struct snapshot *const *all, size_t count)
{
    struct snapshot *s = m->b.s;
    bool same = true;

    for (size_t i = 0; i < count; i++)
        same &= same_types(all[0], all[i]);
    for (size_t i = 0; i < all[0]->type_count; i++) {
        const struct snapshot_type *type = &all[0]->types[i];
        /* Of two of one name, the first one counts, as for everybody who asks for it by its name.
         */
        if (find_type(s, type) == SNAPSHOT_NONE && have_all(all, count, type) &&
            !build_type(s, store_string(s, type->name), store_string(s, type->unit)))
            return false;
    }
    if (!same && s->type_count)
        qsort(s->types, s->type_count, sizeof(*s->types), order_types);
    return true;
}

static bool map_mappings(struct merger *m)
{
    for (size_t i = 0; i < m->from->mapping_count; i++) {
        struct snapshot_mapping mapping = m->from->mappings[i];
        mapping.limit = move(m, mapping.limit);
        mapping.start = move(m, mapping.start);
        mapping.file = store_string(m->b.s, mapping.file);
        mapping.build_id = store_string(m->b.s, mapping.build_id);
        if (!mapping.file || !mapping.build_id)
            return false;
        m->mappings[i] = build_mapping(&m->b, &mapping);
        if (m->mappings[i] == SNAPSHOT_NONE)
            return false;
    }
    return true;
}

static bool map_functions(struct merger *m)
{
    for (size_t i = 0; i < m->from->function_count; i++) {
        struct snapshot_function f = m->from->functions[i];
        f.addr = move(m, f.addr);
        f.name = store_string(m->b.s, f.name);
        f.system_name = store_string(m->b.s, f.system_name);
        f.file = store_string(m->b.s, f.file);
        if (!f.name || !f.system_name || !f.file)
            return false;
        m->functions[i] = build_function(&m->b, &f);
        if (m->functions[i] == SNAPSHOT_NONE)
            return false;
    }
    return true;
}

static bool map_locations(struct merger *m)
{
    const struct snapshot *from = m->from;
    struct snapshot_line *lines = malloc((from->line_count + 1) * sizeof(*lines));
    bool done = lines != NULL;

    for (size_t i = 0; done && i < from->location_count; i++) {
        struct snapshot_location l = from->locations[i];
        if (l.mapping != SNAPSHOT_NONE)
            l.addr = move(m, l.addr);
        for (uint32_t n = 0; n < l.line_count; n++) {
            lines[n] = from->lines[l.first_line + n];
            if (lines[n].function != SNAPSHOT_NONE)
                lines[n].function = m->functions[lines[n].function];
        }
        if (l.mapping != SNAPSHOT_NONE)
            l.mapping = m->mappings[l.mapping];
        m->locations[i] = build_location(&m->b, &l, lines);
        done = m->locations[i] != SNAPSHOT_NONE;
    }
    free(lines);
    return done;
}

static bool add_sample(struct merger *m, size_t index)
{
    const struct snapshot *from = m->from;
    struct snapshot_sample one = from->samples[index], *sample = &one;

    if (!m->runs)
        one.run = 0;
    for (uint32_t i = 0; i < sample->depth; i++)
        m->frames[i] = m->locations[from->frames[sample->first_frame + i]];
    for (uint32_t i = 0; i < sample->label_count; i++) {
        struct snapshot_label label = from->labels[sample->first_label + i];
        label.key = store_string(m->b.s, label.key);
        label.text = store_string(m->b.s, label.text);
        label.unit = store_string(m->b.s, label.unit);
        if (!label.key || !label.text || !label.unit)
            return false;
        m->labels[i] = label;
    }
    for (size_t i = 0; i < m->b.s->type_count; i++)
        m->values[i] = from->values[index * from->type_count + m->types[i]];
    return build_sample(&m->b, sample, m->frames, m->labels, m->values, &m->overflow);
}

static bool map_types(struct merger *m)
{
    for (size_t i = 0; i < m->b.s->type_count; i++)
        m->types[i] = find_type(m->from, &m->b.s->types[i]);
    return true;
}

static bool make_room(struct merger *m)
{
    const struct snapshot *from = m->from;

    m->mappings = calloc(from->mapping_count + 1, sizeof(*m->mappings));
    m->functions = calloc(from->function_count + 1, sizeof(*m->functions));
    m->locations = calloc(from->location_count + 1, sizeof(*m->locations));
    m->types = calloc(m->b.s->type_count + 1, sizeof(*m->types));
    m->frames = calloc(from->frame_count + 1, sizeof(*m->frames));
    m->labels = calloc(from->label_count + 1, sizeof(*m->labels));
    m->values = calloc(m->b.s->type_count + 1, sizeof(*m->values));
    return m->mappings && m->functions && m->locations && m->types && m->frames && m->labels &&
           m->values;
}

static void free_room(struct merger *m)
{
    free(m->mappings);
    free(m->functions);
    free(m->locations);
    free(m->types);
    free(m->frames);
    free(m->labels);
    free(m->values);
}

static bool has_comment(const struct snapshot *s, const char *comment)
{
    for (size_t i = 0; i < s->comment_count; i++) {
        if (s->comments[i] == comment)
            return true;
    }
    return false;
}

static bool add_comments(struct merger *m)
{
    for (size_t i = 0; i < m->from->comment_count; i++) {
        const char *comment = store_string(m->b.s, m->from->comments[i]);
        if (!comment || (!has_comment(m->b.s, comment) && !build_comment(m->b.s, comment)))
            return false;
    }
    return true;
}

static bool add_wanders(struct merger *m)
{
    for (size_t i = 0; i < m->from->wander_count; i++) {
        struct snapshot_wander wander = m->from->wanders[i];
        wander.addr = move(m, wander.addr);
        wander.run = m->runs ? wander.run : 0;
        if (!wanders_add_other(m->b.s, &wander, m->from->cosines))
            return false;
    }
    return true;
}

static bool add_snapshot(struct merger *m)
{
    bool done = make_room(m) && map_types(m) && map_mappings(m) && map_functions(m) &&
                map_locations(m) && add_comments(m) && add_wanders(m);

    for (size_t i = 0; done && i < m->from->sample_count; i++)
        done = add_sample(m, i);
    free_room(m);
    return done;
}

/* Texts of the first one, which the others are then added to. */
static bool take_first(struct snapshot *s, const struct snapshot *first)
{
    struct snapshot_conditions *c = &s->conditions;
    const char *empty = c->tool;

    *c = first->conditions;
    c->tool = c->elf = c->identity = c->target = c->arch = empty;
    c->link = c->server = c->address = c->sampler = empty;
    s->ours = first->ours;
    s->time_ns = first->time_ns;
    s->duration_ns = first->duration_ns;
    s->end_ns = snapshot_end_ns(first);
    s->period = first->period;
    s->period_type.name = store_string(s, first->period_type.name);
    s->period_type.unit = store_string(s, first->period_type.unit);
    s->default_type = store_string(s, first->default_type);
    s->drop_frames = store_string(s, first->drop_frames);
    s->keep_frames = store_string(s, first->keep_frames);
    struct snapshot texts = *first; /* its numbers are there already */
    texts.conditions.dropped = texts.conditions.ignored = texts.conditions.displaced = 0;
    texts.conditions.late = texts.conditions.sleeping = texts.conditions.other_side = 0;
    texts.conditions.iterations = 0;
    texts.conditions.events = texts.conditions.halts = texts.conditions.halted_ns = 0;
    texts.conditions.runs = texts.conditions.batches = 0;
    return s->period_type.name && s->period_type.unit && s->default_type && s->drop_frames &&
           s->keep_frames && conditions_add(s, &texts);
}

/* Not known, where they differ. */
static void same_text(const char **to, const char *from, const char *empty)
{
    if (strcmp(*to, from) != 0)
        *to = empty;
}

static bool take_other(struct snapshot *s, const struct snapshot *from)
{
    const char *empty = store_string(s, "");

    /* The time of all, if it is known of all. */
    s->time_ns = s->time_ns == 0 || from->time_ns == 0 ? 0
                 : from->time_ns < s->time_ns          ? from->time_ns
                                                       : s->time_ns;
    int64_t end_ns = snapshot_end_ns(from);
    s->end_ns = s->end_ns == 0 || end_ns == 0 ? 0 : end_ns > s->end_ns ? end_ns : s->end_ns;
    if (s->duration_ns == 0 || from->duration_ns == 0 ||
        __builtin_add_overflow(s->duration_ns, from->duration_ns, &s->duration_ns))
        s->duration_ns = 0;
    if (s->period != from->period)
        s->period = 0;
    same_text(&s->period_type.name, from->period_type.name, empty);
    same_text(&s->period_type.unit, from->period_type.unit, empty);
    same_text(&s->default_type, from->default_type, empty);
    same_text(&s->drop_frames, from->drop_frames, empty);
    same_text(&s->keep_frames, from->keep_frames, empty);
    return conditions_add(s, from);
}

static int order_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* After the samples of all are there. */
static bool add_lost(struct merger *m, const struct snapshot *const *all, size_t count)
{
    struct snapshot *s = m->b.s;
    uint64_t dropped = s->conditions.dropped;

    if (count == 1)
        return profile_rest_copy(&all[0]->rest, &s->rest) && (!m->runs || runs_copy(s, all[0]));
    s->conditions.dropped = 0; /* as of those that were added */
    for (size_t i = 0; i < count; i++) {
        bool moved = m->moves && all[i]->mappings[0].start != m->start;
        if (!lost_add(s, all[i], moved, !m->runs))
            return false;
        s->conditions.dropped += all[i]->conditions.dropped;
    }
    s->conditions.dropped = dropped;
    return true;
}

static bool add_all(struct merger *m, const struct snapshot *const *all, size_t count)
{
    m->moves = is_one_program(all, count);
    m->start = m->moves ? lowest_start(all, count) : 0;
    if (!take_first(m->b.s, all[0]))
        return false;
    for (size_t i = 0; i < count; i++) {
        m->from = all[i];
        if (!add_snapshot(m) || (i != 0 && !take_other(m->b.s, all[i])))
            return false;
    }
    if (!add_lost(m, all, count) || !contexts_sum(m->b.s, all, count, m->runs))
        return false;
    if (m->b.s->comment_count)
        qsort(m->b.s->comments, m->b.s->comment_count, sizeof(*m->b.s->comments), order_texts);
    wanders_finish(m->b.s);
    return build_finish(&m->b);
}

static const char *build_of(const struct snapshot *s)
{
    return s->mapping_count ? s->mappings[0].build_id : "";
}

/* Why two do not go together; NULL: they do. */
static const char *difference(const struct snapshot *a, const struct snapshot *b)
{
    if (a->ours != b->ours)
        return "only one of them was made by mprof";
    if (!a->ours)
        return NULL;
    if (a->conditions.block_size != b->conditions.block_size)
        return "their block sizes differ (mprof diff compares them)";
    if (build_of(a)[0] && build_of(b)[0] && strcmp(build_of(a), build_of(b)) != 0)
        return "they are of different builds (mprof diff compares them)";
    return NULL;
}

static enum snapshot_code check(const struct snapshot *const *all, const char *const *names,
                                size_t count, char *text, size_t capacity)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t n = 0; n < i; n++) {
            const char *why = difference(all[n], all[i]);
            if (why)
                return snapshot_say(text, capacity, SNAPSHOT_EMIX, "cannot add up %s and %s: %s",
                                    names[n], names[i], why);
        }
    }
    return SNAPSHOT_OK;
}

static enum snapshot_code mix(struct merger *m, const struct snapshot *const *all,
                              const char *const *names, size_t count, char *text, size_t capacity)
{
    if (!m->b.s || !take_types(m, all, count))
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "out of memory");
    if (m->b.s->type_count == 0)
        return snapshot_say(text, capacity, SNAPSHOT_EMIX,
                            "cannot add up %s and %s: they count different things", names[0],
                            names[count - 1]);
    if (add_all(m, all, count))
        return SNAPSHOT_OK;
    return m->overflow ? snapshot_say(text, capacity, SNAPSHOT_EMIX,
                                      "cannot add up %s and %s: the sums are too large", names[0],
                                      names[count - 1])
                       : snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "out of memory");
}

static enum snapshot_code merge(const struct snapshot *const *snapshots, const char *const *names,
                                size_t count, bool runs, struct snapshot **merged, char *text,
                                size_t capacity)
{
    struct merger m = {.b = {.by_address = snapshots[0]->ours}, .runs = runs};

    enum snapshot_code code = check(snapshots, names, count, text, capacity);
    if (code != SNAPSHOT_OK)
        return code;
    m.b.s = snapshot_new();
    code = mix(&m, snapshots, names, count, text, capacity);
    if (code == SNAPSHOT_OK) {
        *merged = m.b.s;
        return SNAPSHOT_OK;
    }
    build_free(&m.b);
    snapshot_free(m.b.s);
    return code;
}

enum snapshot_code snapshot_merge(const struct snapshot *const *snapshots, const char *const *names,
                                  size_t count, struct snapshot **merged, char *text,
                                  size_t capacity)
{
    return merge(snapshots, names, count, count == 1, merged, text, capacity);
}

enum snapshot_code snapshot_forget_runs(struct snapshot **snapshot, char *text, size_t capacity)
{
    const struct snapshot *all[] = {*snapshot};
    const char *names[] = {"the runs"};
    struct snapshot *sum = NULL;
    enum snapshot_code code =
        all[0]->run_count ? merge(all, names, 1, false, &sum, text, capacity) : SNAPSHOT_OK;

    if (sum) {
        snapshot_free(*snapshot);
        *snapshot = sum;
    }
    return code;
}

/* A run as the sum keeps it. */
static bool add_run(struct snapshot *s, const struct snapshot *from, uint32_t number)
{
    const struct snapshot_conditions *c = &from->conditions;
    struct snapshot_run run = {.time_ns = from->time_ns,
                               .duration_ns = from->duration_ns,
                               .dropped = c->dropped,
                               .ignored = c->ignored,
                               .sleeping = c->sleeping,
                               .events = c->events,
                               .iterations = c->iterations};

    return contexts_add_run(s, from, number) && profile_rest_copy(&from->rest, &run.rest) &&
           runs_add(s, &run);
}

enum snapshot_code snapshot_join(struct snapshot *const *snapshots, size_t count,
                                 struct snapshot **joined, char *text, size_t capacity)
{
    const struct snapshot *all[SNAPSHOT_RUNS_MAX] = {NULL};
    const char *names[SNAPSHOT_RUNS_MAX] = {NULL};

    for (size_t i = 0; i < count; i++) {
        all[i] = snapshots[i];
        names[i] = "the runs";
        for (size_t k = 0; k < snapshots[i]->sample_count; k++)
            snapshots[i]->samples[k].run = (uint32_t)i + 1;
        for (size_t k = 0; k < snapshots[i]->wander_count; k++)
            snapshots[i]->wanders[k].run = (uint32_t)i + 1;
    }
    enum snapshot_code code = merge(all, names, count, true, joined, text, capacity);
    for (size_t i = 0; code == SNAPSHOT_OK && i < count; i++) {
        if (add_run(*joined, snapshots[i], (uint32_t)i + 1))
            continue;
        snapshot_free(*joined);
        *joined = NULL;
        code = snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "out of memory");
    }
    return code;
}
