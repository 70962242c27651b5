/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processed format of the Firefox Profiler: a thread for each track, whose samples are the
 * times between two events of its core, with the stack that ran. */
#include <inttypes.h>
#include <stdlib.h>

#include <base/vec.h>

#include "firefox.h"
#include "formats.h"

/* The track that runs on a core, and since when. */
struct core {
    size_t track; /* plus 1, 0: none */
    int64_t ns;
};

struct firefox {
    struct firefox_data data;
    struct core cores[TRACE_CORES];
    size_t *interrupted; /* owned; of each track: the one that it has interrupted, plus 1 */
    size_t count, capacity;
};

static bool make_tracks(struct firefox *f, size_t count)
{
    struct firefox_data *d = &f->data;

    if (count > f->count && (!VEC_ROOM(f->interrupted, f->capacity, f->count, count - f->count) ||
                             !VEC_ROOM(d->tracks, d->capacity, f->count, count - f->count)))
        return false;
    for (; f->count < count; f->count++) {
        f->interrupted[f->count] = 0;
        d->tracks[f->count] = (struct firefox_track){.sample_count = 0};
    }
    d->count = f->count;
    return true;
}

static bool add_sample(struct firefox_track *t, uint32_t node, int64_t ns, int64_t length)
{
    if (!VEC_ROOM(t->samples, t->sample_capacity, t->sample_count, 1))
        return false;
    t->samples[t->sample_count++] =
        (struct firefox_sample){.node = node, .ns = ns, .length = length};
    return true;
}

/* The time since the core's last event is that of the stack that ran. */
static bool take_time(struct firefox *f, const struct span_track *track, int64_t ns)
{
    struct core *core = &f->cores[track->core];
    const struct call_tree *tree = &f->data.tree;
    bool good = make_tracks(f, track->index + 1);

    if (good && core->track != 0 && core->track <= tree->tracks && ns > core->ns) {
        uint32_t node = tree->current[core->track - 1];
        if (tree->nodes[node].depth != 0)
            good = add_sample(&f->data.tracks[core->track - 1], node, core->ns, ns - core->ns);
    }
    core->ns = ns > core->ns ? ns : core->ns;
    f->data.last_ns = ns > f->data.last_ns ? ns : f->data.last_ns;
    return good;
}

static bool enter(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct firefox *f = x->state;
    struct core *core = &f->cores[span->track->core];
    size_t track = span->track->index + 1;

    if (!take_time(f, span->track, span->ns))
        return false;
    if (span->depth == 0 && core->track != track)
        f->interrupted[track - 1] = span->track->exception != 0 ? core->track : 0;
    core->track = track;
    return call_tree_enter(&f->data.tree, span) != CALL_TREE_NONE;
}

static bool leave(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct firefox *f = x->state;
    struct core *core = &f->cores[span->track->core];
    size_t track = span->track->index + 1;

    if (!take_time(f, span->track, span->ns))
        return false;
    (void)call_tree_leave(&f->data.tree, span);
    core->track = track;
    if (span->depth == 0 && f->interrupted[track - 1] != 0)
        core->track = f->interrupted[track - 1];
    return true;
}

static bool add_marker(struct firefox *f, const struct span_track *track,
                       struct firefox_marker marker)
{
    if (!make_tracks(f, track->index + 1))
        return false;
    struct firefox_track *t = &f->data.tracks[track->index];
    f->data.last_ns = marker.ns > f->data.last_ns ? marker.ns : f->data.last_ns;
    if (!VEC_ROOM(t->markers, t->marker_capacity, t->marker_count, 1))
        return false;
    t->markers[t->marker_count++] = marker;
    return true;
}

static bool mark(void *context, const struct span_track *track, const struct trace_event *event,
                 int64_t ns)
{
    struct trace_export *x = context;
    const struct firefox_marker marker = {.ns = ns,
                                          .id = trace_point_at(x->points, event->point)->callee,
                                          .value =
                                              event->argument_count != 0 ? event->arguments[0] : 0};

    return add_marker(x->state, track, marker);
}

static bool mark_sleep(void *context, const struct span_sleep *sleep)
{
    struct trace_export *x = context;
    const struct firefox_marker marker = {
        .ns = sleep->ns, .sleep = trace_export_sleep(sleep), .slept_s = sleep->seconds};

    return add_marker(x->state, sleep->track, marker);
}

static bool other(void *context, const struct trace_event *event, int64_t ns)
{
    struct trace_export *x = context;
    const struct span_track *track = spans_last_track(x->spans, event->core);
    const char *loss = trace_export_loss(event);

    return !track || !loss ||
           add_marker(x->state, track,
                      (struct firefox_marker){.ns = ns, .loss = loss, .value = event->count});
}

static bool end(struct trace_export *x)
{
    struct firefox *f = x->state;

    return make_tracks(f, spans_track_count(x->spans)) && firefox_put(x, &f->data);
}

static void clean(struct trace_export *x)
{
    struct firefox *f = x->state;

    for (size_t i = 0; i < f->count; i++) {
        free(f->data.tracks[i].samples);
        free(f->data.tracks[i].markers);
    }
    free(f->data.tracks);
    free(f->interrupted);
    call_tree_free(&f->data.tree);
}

const struct trace_export_ops firefox_trace_ops = {
    .name = "firefox",
    .state_size = sizeof(struct firefox),
    .walk = {.enter = enter, .leave = leave, .mark = mark, .sleep = mark_sleep, .other = other},
    .end = end,
    .clean = clean,
};
