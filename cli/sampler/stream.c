/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drains the stub's ring of raw samples while the target fills it. */
#include "table_private.h"

/* Records after which a place comes again. */
#define LAP 0x200000u

void stream_free(struct stream *stream)
{
    tally_free(&stream->drained.tally);
    profile_tasks_free(stream->drained.tasks);
    stream->drained.tasks = NULL;
}

static void begin_anew(struct sampler_table *s)
{
    struct stream *stream = &s->stream;

    bool exceptions = stream->drained.exceptions;

    stream_free(stream);
    *stream = (struct stream){.drained.restarted = true, .drained.exceptions = exceptions};
}

/* Where nothing else counts samples, the head does. */
static bool is_alone(const struct decode_header *h)
{
    for (int source = 0; source < DECODE_SOURCES; source++) {
        if (source != DECODE_STREAM && source != DECODE_FILTER && source != DECODE_FOCUS &&
            source != DECODE_TRACE && source != DECODE_TRACED && source != DECODE_TASKS &&
            source != DECODE_COVERAGE && source != DECODE_COST && h->blocks[source].count != 0)
            return false;
    }
    return true;
}

/* A target that started again, or was reset, has other samples under the same numbers. */
static bool is_same_run(const struct stream_place *place, const struct decode_header *h,
                        uint32_t head)
{
    bool forward = !is_alone(h) || (int32_t)(head - place->head) >= 0;

    return forward && place->boot == h->boot && place->reset_done == h->reset_done &&
           (int32_t)(h->heartbeat - place->heartbeat) >= 0;
}

/* The number of what a sample interrupted (profile/tasks.h). The task's row is there before the
 * record is complete. */
static unsigned context_of(struct sampler_table *s, size_t core, const struct decode_sample *sample)
{
    const struct decode_header *h = &s->headers[core];
    struct decode_task task;

    if (!sample->in_task)
        return sample->exception;
    if (sample->task_row >= h->blocks[DECODE_TASKS].count ||
        !decode_task(object_of(s, core), h, sample->task_row, &task))
        return PROFILE_OTHERS;
    return profile_tasks_number(&s->stream.drained.tasks, task.task);
}

/* A number is proof that the core has them; none is not. */
static bool take_sample(struct sampler_table *s, size_t core, const struct decode_sample *sample)
{
    struct profile_drained *drained = &s->stream.drained;

    drained->exceptions |= sample->exception != 0;
    return tally_add(&drained->tally, sample->pc, (uint16_t)context_of(s, core, sample),
                     sample->late);
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
        if (!take_sample(s, core, &sample))
            return SAMPLER_ENOMEM;
    }
    return SAMPLER_OK;
}

/* Events of the header that came to the stream. */
static uint32_t samples_of(const struct decode_header *h)
{
    return h->heartbeat - h->ignored - h->sleeping - h->other_side;
}

/* Records begun since the last look. A head comes round after 2^21 of them; where the header counts
 * samples too, that tells how often. */
static uint32_t begun_since(const struct stream_place *place, const struct decode_header *h,
                            uint32_t head)
{
    uint32_t begun = decode_stream_distance(head, place->tail);
    uint32_t events = samples_of(h) - place->samples;

    while (!is_alone(h) && events >= LAP && begun <= events - LAP)
        begun += LAP;
    return begun;
}

/* Where to go on from; what the ring has run over is lost. */
static void find_tail(struct sampler_table *s, size_t core, uint32_t head)
{
    const struct decode_header *h = &s->headers[core];
    struct stream_place *place = &s->stream.places[core];
    uint32_t most = ring_most(&place->pace, h);

    if (!place->known) {
        place->tail = decode_stream_next(head, (uint32_t)-h->item_count);
    } else if (begun_since(place, h, head) > most) {
        s->stream.drained.lost += begun_since(place, h, head) - most;
        place->tail = decode_stream_next(head, -most);
    }
}

enum sampler_code stream_take(struct sampler_table *sampler, size_t core)
{
    struct sampler_table *s = sampler;
    const struct decode_header *h = &s->headers[core];
    bool live = gdbmi_link_info(s->link)->live;
    enum sampler_code code = SAMPLER_OK;

    if (!s->stream.places[core].known && live) /* the first reading was of all, and slow */
        code = ring_fetch_lead(s, core);
    if (code != SAMPLER_OK)
        return code;
    uint32_t head = decode_stream_head(object_of(s, core), h);
    if (s->stream.places[core].known && !is_same_run(&s->stream.places[core], h, head))
        begin_anew(s);
    struct stream_place *place = &s->stream.places[core];
    find_tail(s, core, head);
    uint32_t count = decode_stream_distance(head, place->tail);
    uint32_t lost = s->stream.drained.lost;
    if (count != 0 && live)
        code = ring_fetch(s, core, decode_stream_index(place->tail, h), count);
    if (code == SAMPLER_OK)
        code = sampler_fetch_tasks(s, core);
    if (code == SAMPLER_OK)
        code = take_records(s, core, head);
    if (code == SAMPLER_OK && live && place->known)
        ring_adapt(&place->pace, h, count, s->stream.drained.lost - lost);
    s->stream.drained.alone = is_alone(h);
    if (is_alone(h))
        s->stream.drained.begun += decode_stream_distance(head, place->known ? place->head : head);
    place->known = true;
    place->head = head;
    place->boot = h->boot;
    place->heartbeat = h->heartbeat;
    place->samples = samples_of(h);
    place->reset_done = h->reset_done;
    return code;
}
