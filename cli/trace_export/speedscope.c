/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speedscope's own format, by its published schema: a profile of the type "evented" for each track.
 */
#include <inttypes.h>
#include <stdlib.h>

#include <base/vec.h>
#include <export/clean.h>

#include "formats.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/* A call begins or ends. */
struct step {
    int64_t ns;
    uint32_t function;
    bool ends;
};

struct steps {
    struct step *steps; /* owned */
    size_t count, capacity;
};

struct speedscope {
    struct steps *tracks; /* owned */
    size_t count, capacity;
};

static bool add(struct trace_export *x, const struct span *span, bool ends)
{
    struct speedscope *s = x->state;
    size_t track = span->track->index;

    if (track >= s->count && !VEC_ROOM(s->tracks, s->capacity, s->count, track + 1 - s->count))
        return false;
    for (; s->count <= track; s->count++)
        s->tracks[s->count] = (struct steps){.count = 0};
    struct steps *to = &s->tracks[track];
    if (!VEC_ROOM(to->steps, to->capacity, to->count, 1))
        return false;
    to->steps[to->count++] =
        (struct step){.ns = span->ns, .function = span->function, .ends = ends};
    return true;
}

static bool enter(void *context, const struct span *span)
{
    return add(context, span, false);
}

static bool leave(void *context, const struct span *span)
{
    return add(context, span, true);
}

static void put_frames(const struct trace_export *x)
{
    char buffer[TRACE_EXPORT_ADDRESS];

    for (uint32_t i = 0; i < x->functions.count; i++) {
        const struct trace_function *f = &x->functions.functions[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", x->out);
        clean_json(x->out, trace_export_name(x, i, buffer));
        if (f->file[0]) {
            fputs(",\"file\":", x->out);
            clean_json(x->out, f->file);
        }
        if (f->file[0] && f->line != 0)
            fprintf(x->out, ",\"line\":%u", f->line);
        putc('}', x->out);
    }
}

static void put_profile(const struct trace_export *x, size_t track, bool first)
{
    const struct speedscope *s = x->state;
    const struct steps *from = &s->tracks[track];

    fprintf(x->out, "%s{\"type\":\"evented\",\"name\":", first ? "\n" : ",\n");
    clean_json(x->out, spans_track_at(x->spans, track)->name);
    fprintf(x->out,
            ",\"unit\":\"%s\",\"startValue\":%" PRId64 ",\"endValue\":%" PRId64 ",\"events\":[",
            x->source.seconds ? "nanoseconds" : "none", from->steps[0].ns,
            from->steps[from->count - 1].ns);
    for (size_t i = 0; i < from->count && !trace_export_is_stopped(x); i++)
        fprintf(x->out, "%s{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}",
                i ? ",\n" : "\n", from->steps[i].ends ? 'C' : 'O', from->steps[i].function,
                from->steps[i].ns);
    fputs("]}", x->out);
}

static bool end(struct trace_export *x)
{
    const struct speedscope *s = x->state;
    bool first = true;

    fputs("{\"$schema\":\"" SCHEMA "\",\"exporter\":\"mprof\",\"name\":", x->out);
    clean_json(x->out, x->source.title);
    fputs(",\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[", x->out);
    put_frames(x);
    fputs("]},\n\"profiles\":[", x->out);
    for (size_t track = 0; track < s->count; track++) {
        if (s->tracks[track].count == 0)
            continue;
        put_profile(x, track, first);
        first = false;
    }
    fputs("]}\n", x->out);
    return true;
}

static void clean(struct trace_export *x)
{
    struct speedscope *s = x->state;

    for (size_t i = 0; i < s->count; i++)
        free(s->tracks[i].steps);
    free(s->tracks);
}

const struct trace_export_ops speedscope_trace_ops = {
    .name = "speedscope",
    .state_size = sizeof(struct speedscope),
    .walk = {.enter = enter, .leave = leave},
    .end = end,
    .clean = clean,
};
