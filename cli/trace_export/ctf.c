/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of the Common Trace Format 1.8: metadata, and a stream for each track and one for what
 * belongs to none. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <trace_view/trace_arguments.h>

#include "bytes.h"
#include "ctf_metadata.h"
#include "formats.h"

#define PACKET_MAGIC 0xc1fc1fc1

/* Bytes of events after which a packet is written. */
#define PACKET_SIZE 65536

/* A track's stream, or at index 0 that of what belongs to no track. */
struct stream {
    struct bytes events; /* of the packet */
    int64_t first_ns, last_ns;
};

struct ctf {
    struct stream *streams; /* owned */
    size_t count, capacity;
    char *text; /* arguments; of open_memstream() */
    size_t len;
    FILE *file;                            /* to text */
    struct trace_argument_text *arguments; /* owned; to file */
};

static bool begin(struct trace_export *x)
{
    struct ctf *c = x->state;

    c->file = open_memstream(&c->text, &c->len);
    if (c->file)
        c->arguments = trace_argument_text_new(c->file);
    return c->arguments != NULL;
}

static const char *context_of(const struct trace_export *x, size_t stream)
{
    return stream == 0 ? "trace" : spans_track_at(x->spans, stream - 1)->name;
}

/* Writes the packet of a stream, which has events. */
static bool write_packet(struct trace_export *x, size_t stream)
{
    struct ctf *c = x->state;
    struct stream *s = &c->streams[stream];
    const char *context = context_of(x, stream);
    struct bytes packet = {.count = 0};
    size_t size = 4 + 4 + 4 * 8 + 4 + strlen(context) + 1 + s->events.count;
    char name[40];

    bytes_number(&packet, PACKET_MAGIC, 4);
    bytes_number(&packet, 0, 4); /* the only kind of stream */
    bytes_number(&packet, (uint64_t)s->first_ns, 8);
    bytes_number(&packet, (uint64_t)s->last_ns, 8);
    bytes_number(&packet, 8 * (uint64_t)size, 8); /* of the contents, in bits */
    bytes_number(&packet, 8 * (uint64_t)size, 8);
    bytes_number(&packet, stream == 0 ? 0 : spans_track_at(x->spans, stream - 1)->core, 4);
    bytes_string(&packet, context);
    bytes_add(&packet, s->events.bytes, s->events.count);
    packet.failed = packet.failed || s->events.failed;
    s->events.count = 0;
    snprintf(name, sizeof(name), "stream_%zu", stream);
    bool good = trace_export_append(x, name, &packet);
    free(packet.bytes);
    return good;
}

static bool make_streams(struct ctf *c, size_t count)
{
    if (c->count < count && !VEC_ROOM(c->streams, c->capacity, c->count, count - c->count))
        return false;
    for (; c->count < count; c->count++)
        c->streams[c->count] = (struct stream){.first_ns = 0};
    return true;
}

/* Begins an event. Returns where its members go, or NULL. Times of a stream do not go back. */
static struct bytes *put(struct trace_export *x, size_t stream, enum ctf_event event, int64_t ns)
{
    struct ctf *c = x->state;

    if (!make_streams(c, stream + 1))
        return NULL;
    struct stream *s = &c->streams[stream];
    if (s->events.count >= PACKET_SIZE && !write_packet(x, stream))
        return NULL;
    s->last_ns = ns > s->last_ns ? ns : s->last_ns;
    if (s->events.count == 0)
        s->first_ns = s->last_ns;
    bytes_number(&s->events, event, 1);
    bytes_number(&s->events, (uint64_t)s->last_ns, 8);
    return &s->events;
}

/* What an entry and an exit have both. */
static struct bytes *put_call(struct trace_export *x, const struct span *span, enum ctf_event event)
{
    struct bytes *to = put(x, span->track->index + 1, event, span->ns);

    if (!to)
        return NULL;
    bytes_number(to, span->function, 4);
    bytes_number(to, x->functions.functions[span->function].addr, 8);
    bytes_number(to, span->caller, 8);
    bytes_number(to, span->depth, 4);
    return to;
}

static bool enter(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct ctf *c = x->state;
    struct bytes *to = put_call(x, span, CTF_ENTRY);

    if (!to)
        return false;
    rewind(c->file);
    if (!trace_argument_text_put(c->arguments, false, x->points, x->recording, span->event) ||
        putc('\0', c->file) == EOF || fflush(c->file) != 0)
        return false;
    bytes_string(to, c->text);
    return !to->failed;
}

static bool leave(void *context, const struct span *span)
{
    struct bytes *to = put_call(context, span, CTF_EXIT);
    int64_t duration = span->timed ? span_ns(span->duration, span->hz) : -1;

    if (!to)
        return false;
    bytes_number(to, (uint64_t)duration, 8);
    bytes_number(to, span->end, 1);
    return !to->failed;
}

static bool mark(void *context, const struct span_track *track, const struct trace_event *event,
                 int64_t ns)
{
    struct trace_export *x = context;
    struct bytes *to = put(x, track->index + 1, CTF_MARK, ns);

    if (!to)
        return false;
    bytes_number(to, trace_point_at(x->points, event->point)->callee, 8);
    bytes_number(to, event->argument_count != 0 ? event->arguments[0] : 0, 8);
    return !to->failed;
}

static bool mark_sleep(void *context, const struct span_sleep *sleep)
{
    bool asleep = sleep->what == TRACE_ASLEEP;
    struct bytes *to =
        put(context, sleep->track->index + 1, asleep ? CTF_ASLEEP : CTF_AWAKE, sleep->ns);

    if (!to)
        return false;
    bytes_number(to, sleep->event->core, 4);
    if (!asleep)
        bytes_number(to, (uint64_t)trace_export_slept_ns(sleep), 8);
    return !to->failed;
}

/* It goes to the track that ran last on the core, if there was one and it belongs to a core. */
static bool put_other(struct trace_export *x, enum ctf_event kind, const struct trace_event *event,
                      const char *text, int64_t ns)
{
    const struct span_track *track = spans_last_track(x->spans, event->core);
    bool of_core = track && (kind == CTF_LOST || kind == CTF_RESTART);
    struct bytes *to = put(x, of_core ? track->index + 1 : 0, kind, ns);

    if (!to)
        return false;
    bytes_number(to, event->core, 4);
    bytes_number(to, event->count, 8);
    bytes_string(to, text);
    return !to->failed;
}

static bool other(void *context, const struct trace_event *event, int64_t ns)
{
    struct trace_export *x = context;
    const char *loss = trace_export_loss(event);

    if (loss)
        return put_other(x, CTF_LOST, event, loss, ns);
    if (event->kind == TRACE_RESTART)
        return put_other(x, CTF_RESTART, event, "", ns);
    if (event->kind == TRACE_DAMAGED)
        return put_other(x, CTF_DAMAGED, event, "", ns);
    return event->kind != TRACE_RUN || put_other(x, CTF_RECORDING, event, x->recording->elf, ns);
}

static bool end(struct trace_export *x)
{
    const struct ctf *c = x->state;
    FILE *file = trace_export_file(x, "metadata", "w");

    if (!file)
        return false;
    ctf_metadata_put(x, file);
    bool good = trace_export_close(x, "metadata", file);
    for (size_t i = 0; i < c->count && good; i++)
        good = c->streams[i].events.count == 0 || write_packet(x, i);
    return good;
}

static void clean(struct trace_export *x)
{
    struct ctf *c = x->state;

    for (size_t i = 0; i < c->count; i++)
        free(c->streams[i].events.bytes);
    free(c->streams);
    trace_argument_text_free(c->arguments);
    if (c->file)
        fclose(c->file);
    free(c->text);
}

const struct trace_export_ops ctf_trace_ops = {
    .name = "ctf",
    .state_size = sizeof(struct ctf),
    .instants = true,
    .walk = {.enter = enter, .leave = leave, .mark = mark, .sleep = mark_sleep, .other = other},
    .begin = begin,
    .end = end,
    .clean = clean,
};
