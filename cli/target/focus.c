/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The windows of a focus: where it is, and what it has counted. */
#include <target/focus.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/say.h>

#include <target/stub_request.h>

/* Whatever is wrong with a table that cannot be read, a poll says it. */
static bool read_focus(struct session *s, const struct profile_object **objects, size_t *count)
{
    return s->link && s->sampler && sampler_table_focus(s->sampler, objects, count) == SAMPLER_OK &&
           *count != 0;
}

bool focus_is_there(const struct session *session)
{
    return session->sampler && sampler_table_focus_block(session->sampler) != NULL;
}

void focus_free(struct focus *focus)
{
    struct focus *f = focus;

    for (size_t i = 0; i < f->count; i++) {
        free(f->windows[i].hits);
        free(f->windows[i].new_hits);
    }
    free(f->windows);
    profile_free(&f->profile);
    *f = (struct focus){.on = f->on};
}

static bool add_windows(struct focus *f, uint64_t start, uint64_t end)
{
    uint64_t size = f->entries * f->unit;

    start -= start % f->unit;
    for (uint64_t base = start; base < end; base += size) {
        struct focus_window *w = realloc(f->windows, (f->count + 1) * sizeof(*w));
        if (!w)
            return false;
        f->windows = w;
        w += f->count++;
        *w = (struct focus_window){.base = base, .end = end - base < size ? end : base + size};
        w->hits = calloc(f->entries, sizeof(*w->hits));
        w->new_hits = calloc(f->entries, sizeof(*w->new_hits));
        if (!w->hits || !w->new_hits)
            return false;
    }
    return true;
}

static bool is_pointed(const struct profile_object *objects, size_t count, uint64_t base)
{
    for (size_t i = 0; i < count; i++) {
        const struct decode_header *h = objects[i].header;
        if (!h->focused || decode_focus(objects[i].bytes, h).base != base)
            return false;
    }
    return true;
}

/* What a focus that is there already has counted is taken over. */
static int point(struct focus *f, struct session *s)
{
    uint64_t base = f->windows[f->current].base;

    struct control control = {.session = s};
    int status = stub_look_to_change(&control, "focus");

    if (status != STATUS_DONE)
        return status;
    f->on = true;
    return is_pointed(control.objects, control.count, base) ? STATUS_DONE
                                                            : stub_focus(&control, base, false);
}

int focus_begin(struct focus *focus, struct session *session, const struct annotation *annotation)
{
    const struct decode_block *block =
        focus_is_there(session) ? sampler_table_focus_block(session->sampler) : NULL;
    bool done = true;

    focus_free(focus);
    if (!block)
        return STATUS_DONE;
    focus->entries = block->count;
    focus->unit = block->block_size;
    focus->addr = annotation->parts[0].function->addr;
    for (size_t i = 0; done && i < annotation->part_count; i++) {
        const struct symtab_function *f = annotation->parts[i].function;
        done = add_windows(focus, f->addr, f->addr + (f->size ? f->size : focus->unit));
    }
    int status = done ? point(focus, session) : fail("out of memory");
    if (status != STATUS_DONE)
        focus_end(focus, session);
    return status;
}

/* Of all cores. false: the focus is not where it was pointed, or not on all of them. */
static bool take(struct focus *f, const struct profile_object *objects, size_t count)
{
    struct focus_window *w = &f->windows[f->current];

    memset(w->new_hits, 0, f->entries * sizeof(*w->new_hits));
    w->new_events = 0;
    if (!is_pointed(objects, count, w->base))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct decode_header *h = objects[i].header;
        if (h->blocks[DECODE_FOCUS].count != f->entries)
            return false;
        w->new_events += decode_focus(objects[i].bytes, h).events;
        for (size_t n = 0; n < f->entries; n++)
            w->new_hits[n] += decode_focus_hits(objects[i].bytes, h, w->base + n * f->unit);
    }
    return true;
}

static void keep_new(struct focus *f)
{
    struct focus_window *w = &f->windows[f->current];

    w->events += w->new_events;
    w->new_events = 0;
    for (size_t n = 0; n < f->entries; n++) {
        w->hits[n] += w->new_hits[n];
        w->new_hits[n] = 0;
    }
}

/* The counts of the target restarted, and so do ours. */
static void forget(struct focus *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct focus_window *w = &f->windows[i];
        w->events = w->new_events = 0;
        memset(w->hits, 0, f->entries * sizeof(*w->hits));
        memset(w->new_hits, 0, f->entries * sizeof(*w->new_hits));
    }
}

void focus_update(struct focus *focus, struct session *session, const struct profile *profile)
{
    const struct profile_object *objects;
    size_t count;

    if (focus->count == 0 || !read_focus(session, &objects, &count))
        return;
    bool restarted = focus->restarts != profile->restarts;

    focus->restarts = profile->restarts;
    if (restarted)
        forget(focus);
    bool there = take(focus, objects, count);
    struct focus_window *w = &focus->windows[focus->current];
    if (there && (focus->count == 1 || w->new_events == 0))
        return;
    if (there) {
        keep_new(focus);
        focus->current = (focus->current + 1) % focus->count;
    }
    if (point(focus, session) != STATUS_DONE)
        focus_end(focus, session);
}

static uint64_t events_of(const struct focus_window *w)
{
    return w->events + w->new_events;
}

static uint64_t fewest_events(const struct focus *f)
{
    uint64_t fewest = UINT64_MAX;

    for (size_t i = 0; i < f->count; i++)
        fewest = events_of(&f->windows[i]) < fewest ? events_of(&f->windows[i]) : fewest;
    return fewest;
}

static void add_rows(struct profile *p, const struct focus *f, const struct focus_window *w,
                     double scale)
{
    for (uint64_t addr = w->base; addr < w->end; addr += f->unit) {
        size_t n = (size_t)((addr - w->base) / f->unit);
        uint64_t hits = (uint64_t)((double)(w->hits[n] + w->new_hits[n]) * scale + 0.5);
        if (hits == 0)
            continue;
        p->rows[p->row_count++] =
            (struct profile_hit){.addr = addr, .hits = hits, .stamp = 1, .complete = true};
        p->attributed += hits;
    }
}

const struct profile *focus_profile(struct focus *focus, const struct profile *profile)
{
    struct profile *p = &focus->profile;
    uint64_t fewest = fewest_events(focus);

    profile_free(p);
    if (focus->count == 0 || fewest == 0)
        return NULL;
    profile_init(p);
    p->rows = calloc(focus->count * focus->entries, sizeof(*p->rows));
    if (!p->rows)
        return NULL;
    p->source = DECODE_HISTOGRAM;
    p->unit = DECODE_UNIT_SAMPLES;
    p->block_size = focus->unit;
    p->locked = profile->locked;
    p->cores = profile->cores;
    for (size_t i = 0; i < focus->count; i++) {
        const struct focus_window *w = &focus->windows[i];
        add_rows(p, focus, w, (double)fewest / (double)events_of(w));
    }
    p->used = p->row_count;
    return focus_counted(focus);
}

const struct profile *focus_counted(const struct focus *focus)
{
    return focus->profile.attributed ? &focus->profile : NULL;
}

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size);

    return copy ? memcpy(copy, bytes, size) : NULL;
}

bool focus_copy(const struct focus *focus, const struct profile *profile, struct focus *copy)
{
    struct focus f = *focus;
    bool done = true;

    profile_init(&f.profile);
    f.windows = calloc(f.count ? f.count : 1, sizeof(*f.windows));
    if (!f.windows)
        return false;
    for (size_t i = 0; i < f.count; i++) {
        struct focus_window *w = &f.windows[i];
        *w = focus->windows[i];
        w->hits = copy_of(w->hits, f.entries * sizeof(*w->hits));
        w->new_hits = copy_of(w->new_hits, f.entries * sizeof(*w->new_hits));
        done = done && w->hits && w->new_hits;
    }
    if (!done) {
        focus_free(&f);
        return false;
    }
    (void)focus_profile(&f, profile);
    *copy = f;
    return true;
}

void focus_text(const struct focus *focus, uint64_t addr, char text[FOCUS_TEXT])
{
    uint64_t hits = focus->profile.attributed;
    size_t counted = 0;

    text[0] = '\0';
    if (focus->count == 0 || focus->addr != addr)
        return;
    for (size_t i = 0; i < focus->count; i++)
        counted += events_of(&focus->windows[i]) != 0;
    if (counted < focus->count && focus->count > 1)
        snprintf(text, FOCUS_TEXT, "focus: %zu of %zu parts of the function counted so far",
                 counted, focus->count);
    else if (hits == 0)
        snprintf(text, FOCUS_TEXT, "focus: no samples in this function yet");
    else if (focus->count == 1)
        snprintf(text, FOCUS_TEXT, "focus: lines are exact, from %" PRIu64 " samples", hits);
    else
        snprintf(text, FOCUS_TEXT,
                 "focus: lines are exact, from %" PRIu64
                 " samples; %zu parts of the function take turns",
                 hits, focus->count);
}

void focus_end(struct focus *focus, struct session *session)
{
    const struct profile_object *objects;
    size_t count;

    if (focus->on && read_focus(session, &objects, &count)) {
        for (size_t i = 0; i < count; i++) {
            const struct decode_header *h = objects[i].header;
            struct control_write w = control_focus_switch(h, false);
            if (!control_focus_stays(decode_focus(objects[i].bytes, h).done))
                (void)!sampler_table_write(session->sampler, h->core, &w, 1);
        }
    }
    focus->on = false;
    focus_free(focus);
}
