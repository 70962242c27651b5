/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of a snapshot's parts: by what they are, not by how they came. */
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "index.h"

/* An item and where it is to be found. */
struct ref {
    const struct snapshot *s;
    uint32_t item;
};

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int order_mapping(const void *a, const void *b)
{
    const struct ref *x = a, *y = b;
    const struct snapshot_mapping *m = &x->s->mappings[x->item], *n = &y->s->mappings[y->item];
    int order = ORDER(m->start, n->start);

    order = order ? order : ORDER(m->limit, n->limit);
    order = order ? order : ORDER(m->offset, n->offset);
    order = order ? order : strcmp(m->file, n->file);
    return order ? order : strcmp(m->build_id, n->build_id);
}

static int order_function(const void *a, const void *b)
{
    const struct ref *x = a, *y = b;
    const struct snapshot_function *f = &x->s->functions[x->item], *g = &y->s->functions[y->item];
    int order = strcmp(f->name, g->name);

    order = order ? order : strcmp(f->file, g->file);
    order = order ? order : ORDER(f->start_line, g->start_line);
    order = order ? order : strcmp(f->system_name, g->system_name);
    return order ? order : ORDER(f->addr, g->addr);
}

static int order_lines(const struct snapshot *s, const struct snapshot_location *l,
                       const struct snapshot_location *m)
{
    int order = ORDER(l->line_count, m->line_count);

    for (uint32_t i = 0; order == 0 && i < l->line_count; i++) {
        const struct snapshot_line *p = &s->lines[l->first_line + i];
        const struct snapshot_line *q = &s->lines[m->first_line + i];
        order = ORDER(p->function, q->function);
        order = order ? order : ORDER(p->line, q->line);
        order = order ? order : ORDER(p->column, q->column);
    }
    return order;
}

static int order_location(const void *a, const void *b)
{
    const struct ref *x = a, *y = b;
    const struct snapshot_location *l = &x->s->locations[x->item], *m = &y->s->locations[y->item];
    int order = ORDER(l->mapping, m->mapping);

    order = order ? order : ORDER(l->addr, m->addr);
    order = order ? order : ORDER(l->folded, m->folded);
    return order ? order : order_lines(x->s, l, m);
}

static int order_label(const void *a, const void *b)
{
    const struct snapshot_label *l = a, *m = b;
    int order = strcmp(l->key, m->key);

    order = order ? order : strcmp(l->text, m->text);
    order = order ? order : ORDER(l->number, m->number);
    return order ? order : strcmp(l->unit, m->unit);
}

static int order_sample(const void *a, const void *b)
{
    const struct ref *x = a, *y = b;
    const struct snapshot *s = x->s;
    const struct snapshot_sample *p = &s->samples[x->item], *q = &s->samples[y->item];
    int order = 0;

    for (uint32_t i = 0; order == 0 && i < p->depth && i < q->depth; i++)
        order = ORDER(s->frames[p->first_frame + i], s->frames[q->first_frame + i]);
    order = order ? order : ORDER(p->depth, q->depth);
    order = order ? order : ORDER(p->run, q->run);
    order = order ? order : ORDER(p->label_count, q->label_count);
    for (uint32_t i = 0; order == 0 && i < p->label_count; i++)
        order = order_label(&s->labels[p->first_label + i], &s->labels[q->first_label + i]);
    return order;
}

/* Sorts count items of size bytes and says where each went; *to is to be freed. */
static bool arrange(const struct snapshot *s, void *items, size_t count, size_t size,
                    int (*order)(const void *, const void *), uint32_t **to)
{
    struct ref *refs = malloc((count + 1) * sizeof(*refs));
    uint8_t *copy = malloc(count * size + 1);

    *to = malloc((count + 1) * sizeof(**to));
    bool done = refs && copy && *to;
    for (size_t i = 0; done && i < count; i++)
        refs[i] = (struct ref){.s = s, .item = (uint32_t)i};
    if (done && count) {
        qsort(refs, count, sizeof(*refs), order);
        memcpy(copy, items, count * size);
    }
    for (size_t i = 0; done && i < count; i++) {
        memcpy((uint8_t *)items + i * size, copy + refs[i].item * size, size);
        (*to)[refs[i].item] = (uint32_t)i;
    }
    free(refs);
    free(copy);
    return done;
}

static bool arrange_mappings(struct snapshot *s)
{
    uint32_t *to;
    bool done = arrange(s, s->mappings, s->mapping_count, sizeof(*s->mappings), order_mapping, &to);

    for (size_t i = 0; done && i < s->location_count; i++) {
        if (s->locations[i].mapping != SNAPSHOT_NONE)
            s->locations[i].mapping = to[s->locations[i].mapping];
    }
    free(to);
    return done;
}

static bool arrange_functions(struct snapshot *s)
{
    uint32_t *to;
    bool done =
        arrange(s, s->functions, s->function_count, sizeof(*s->functions), order_function, &to);

    for (size_t i = 0; done && i < s->line_count; i++) {
        if (s->lines[i].function != SNAPSHOT_NONE)
            s->lines[i].function = to[s->lines[i].function];
    }
    free(to);
    return done;
}

static bool arrange_locations(struct snapshot *s)
{
    uint32_t *to;
    bool done =
        arrange(s, s->locations, s->location_count, sizeof(*s->locations), order_location, &to);

    for (size_t i = 0; done && i < s->frame_count; i++)
        s->frames[i] = to[s->frames[i]];
    free(to);
    return done;
}

static bool arrange_samples(struct snapshot *s)
{
    size_t size = s->type_count * sizeof(*s->values);
    int64_t *values = malloc(s->sample_count * size + 1);
    uint32_t *to = NULL;
    bool done =
        values && arrange(s, s->samples, s->sample_count, sizeof(*s->samples), order_sample, &to);

    for (size_t i = 0; done && i < s->sample_count; i++)
        memcpy(values + to[i] * s->type_count, s->values + i * s->type_count, size);
    if (done && s->sample_count)
        memcpy(s->values, values, s->sample_count * size);
    free(values);
    free(to);
    return done;
}

bool build_finish(struct builder *b)
{
    struct snapshot *s = b->s;

    build_free(b);
    /* Places first: functions are told apart by them, too. */
    if (!index_build(s) || !arrange_mappings(s) || !arrange_functions(s) || !arrange_locations(s) ||
        !arrange_samples(s))
        return false;
    return index_build(s);
}
