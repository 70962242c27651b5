/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drains the stub's ring of raw samples while the target fills it. */
#include "table_private.h"

void stream_free(struct stream *stream)
{
    tally_free(&stream->drained.tally);
}

static void begin_anew(struct sampler_table *s)
{
    struct stream *stream = &s->stream;

    stream_free(stream);
    *stream = (struct stream){.drained.restarted = true};
}

/* A target that started again, or was reset, has other samples under the same numbers. */
static bool is_same_run(const struct stream_place *place, const struct decode_header *h,
                        uint32_t head)
{
    return (int32_t)(head - place->head) >= 0 && place->boot == h->boot &&
           place->reset_done == h->reset_done && (int32_t)(h->heartbeat - place->heartbeat) >= 0;
}

/* Fetches the records from place on, count of them, which may go around the end of the ring. */
static enum sampler_code fetch(struct sampler_table *s, size_t core, uint32_t place, size_t count)
{
    const struct decode_header *h = &s->headers[core];
    size_t base = core * s->headers[0].total_size + h->item_offset;
    size_t index = decode_stream_index(place, h);
    size_t straight = h->item_count - index < count ? h->item_count - index : count;
    enum sampler_code code = sampler_fetch(s, base + index * h->item_size, straight * h->item_size);

    if (code == SAMPLER_OK && straight < count)
        code = sampler_fetch(s, base, (count - straight) * h->item_size);
    return code;
}

/* One record after the other, up to one that is not written yet: that one is the next time's. What
 * was there before we came is taken too; a ring that was not filled once begins with records that
 * nobody wrote, which are not waited for. */
static enum sampler_code take_records(struct sampler_table *s, size_t core, uint32_t head)
{
    struct stream_place *place = &s->stream.places[core];
    bool blank = !place->known;

    for (; place->tail != head; place->tail = decode_stream_next(place->tail, 1)) {
        struct decode_sample sample;
        enum decode_record record =
            decode_stream_record(object_of(s, core), &s->headers[core], place->tail, &sample);
        if (record == DECODE_RECORD_COMING && !blank)
            break;
        if (record == DECODE_RECORD_LOST)
            s->stream.drained.lost++;
        if (record != DECODE_RECORD_WHOLE)
            continue;
        blank = false;
        if (!tally_add(&s->stream.drained.tally, sample.pc, 1))
            return SAMPLER_ENOMEM;
    }
    return SAMPLER_OK;
}

/* Where to go on from; what the ring has run over is lost. */
static void find_tail(struct sampler_table *s, size_t core, uint32_t head)
{
    const struct decode_header *h = &s->headers[core];
    struct stream_place *place = &s->stream.places[core];
    uint32_t oldest = decode_stream_next(head, (uint32_t)-h->item_count);

    if (!place->known) {
        place->tail = oldest;
    } else if (decode_stream_distance(head, place->tail) > h->item_count) {
        s->stream.drained.lost += decode_stream_distance(oldest, place->tail);
        place->tail = oldest;
    }
}

/* Where nothing else counts samples, the head does. */
static bool is_alone(const struct decode_header *h)
{
    for (int source = 0; source < DECODE_SOURCES; source++) {
        if (source != DECODE_STREAM && source != DECODE_FILTER && h->blocks[source].count != 0)
            return false;
    }
    return true;
}

enum sampler_code stream_take(struct sampler_table *sampler, size_t core)
{
    struct sampler_table *s = sampler;
    const struct decode_header *h = &s->headers[core];
    uint32_t head = decode_stream_head(object_of(s, core), h);
    enum sampler_code code = SAMPLER_OK;

    if (s->stream.places[core].known && !is_same_run(&s->stream.places[core], h, head))
        begin_anew(s);
    struct stream_place *place = &s->stream.places[core];
    find_tail(s, core, head);
    uint32_t count = decode_stream_distance(head, place->tail);
    if (count != 0 && gdbmi_link_info(s->link)->live)
        code = fetch(s, core, place->tail, count);
    if (code == SAMPLER_OK)
        code = take_records(s, core, head);
    if (is_alone(h))
        s->stream.drained.begun += decode_stream_distance(head, place->known ? place->head : head);
    place->known = true;
    place->head = head;
    place->boot = h->boot;
    place->heartbeat = h->heartbeat;
    place->reset_done = h->reset_done;
    return code;
}
