/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the ring of function entries and exits while the target fills it. */
#include <sampler/trace.h>

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

#include "table_private.h"

void trace_free(struct trace *trace)
{
    free(trace->read);
    free(trace->events);
    *trace = (struct trace){.events = NULL};
}

void trace_begin(struct trace *trace)
{
    trace->settled = trace->latest;
}

static bool add_overwritten(struct trace *t, size_t core, uint32_t count)
{
    t->overwritten += count;
    return trace_add_lost(t, core, SAMPLER_EVENT_OVERWRITTEN, count);
}

static bool add_call(struct trace *t, size_t core, const struct decode_event *call)
{
    return trace_add_event(
        t,
        &(struct sampler_event){.kind = SAMPLER_EVENT_CALL, .core = (unsigned)core, .call = *call});
}

static bool is_same_run(const struct trace_place *place, const struct decode_trace *lead)
{
    return place->boot == lead->boot && (int32_t)(lead->head - place->lead.head) >= 0;
}

static bool counts_lost(const struct sampler_table *s, size_t core)
{
    return s->trace.from_start || s->trace.places[core].known;
}

/* An event that was interrupted leaves its record for later, but it may belong to a task that does
 * not run for long, while others record: it is waited for only once. In the ring of a thread nobody
 * else records, so that nothing is missing before the thread goes on, or the ring is half full. */
static bool may_wait(const struct sampler_table *s, size_t core, uint32_t number)
{
    const struct trace_place *place = &s->trace.places[core];
    bool alone = place->lead.threads && place->lead.sharing == 0;

    return place->waited != number ||
           (alone && place->lead.head - number < s->headers[core].item_count / 2);
}

/* One record. Sets *waits if it is not complete and may be at the next reading. */
static bool take_record(struct sampler_table *s, size_t core, uint32_t number, bool patient,
                        bool *waits)
{
    struct trace_place *place = &s->trace.places[core];
    struct decode_event call;

    switch (decode_trace_event(object_of(s, core), &s->headers[core], number, &call)) {
    case DECODE_RECORD_WHOLE:
        place->known = true;
        return add_call(&s->trace, core, &call);
    case DECODE_RECORD_LOST: /* at the beginning of the first reading, it is of before we came */
        return !counts_lost(s, core) || add_overwritten(&s->trace, core, 1);
    case DECODE_RECORD_COMING:
        break;
    }
    *waits = patient && may_wait(s, core, number);
    place->waited = number;
    return *waits || trace_add_lost(&s->trace, core, SAMPLER_EVENT_UNFINISHED, 1);
}

/* One record after the other, up to one that is waited for. */
static bool take_records(struct sampler_table *s, size_t core, bool patient)
{
    struct trace_place *place = &s->trace.places[core];
    bool waits = false;

    for (; (int32_t)(place->lead.head - place->next) >= 0; place->next++) {
        if (!take_record(s, core, place->next, patient, &waits))
            return false;
        if (waits)
            break;
    }
    place->waits = waits;
    return true;
}

/* Where to go on from. What the ring has run over is lost, what a reset has cleared is not. */
static bool find_next(struct sampler_table *s, size_t core)
{
    const struct decode_header *h = &s->headers[core];
    struct trace_place *place = &s->trace.places[core];
    uint32_t most = ring_most(&place->pace, h);
    uint32_t first = place->lead.first + 1;

    if ((int32_t)(place->lead.head - place->lead.first) < 0) { /* damaged, or read amid a reset */
        place->next = place->lead.head + 1;
        return true;
    }
    if (!place->known || (int32_t)(first - place->next) > 0)
        place->next = first;
    uint32_t begun = place->lead.head + 1 - place->next;
    if (begun <= most)
        return true;
    place->next = place->lead.head + 1 - most;
    return !counts_lost(s, core) || add_overwritten(&s->trace, core, begun - most);
}

static bool begin_run(struct sampler_table *s, size_t core)
{
    const struct sampler_event begin = {.kind = SAMPLER_EVENT_BEGIN, .core = (unsigned)core};

    struct trace_place *place = &s->trace.places[core];

    s->stream.drained.restarted |= place->known;
    *place = (struct trace_place){.latest = place->known ? place->latest : INT64_MIN};
    return trace_add_event(&s->trace, &begin);
}

/* Takes the lead over, and finds where to read on. */
static bool take_lead(struct sampler_table *s, size_t core)
{
    const struct decode_header *h = &s->headers[core];
    struct trace_place *place = &s->trace.places[core];
    struct decode_trace lead = decode_trace(object_of(s, core), h);

    if (!(place->known && is_same_run(place, &lead)) && !begin_run(s, core))
        return false;
    if (place->lead.first != lead.first || lead.lost < place->lost)
        place->lost = 0;
    place->lead = lead;
    place->boot = lead.boot;
    return find_next(s, core);
}

/* The target has restarted, and the header may be of before that: the next one is not. */
static bool is_halfway(const struct sampler_table *s, size_t core)
{
    const struct trace_place *place = &s->trace.places[core];
    const struct decode_trace lead = decode_trace(object_of(s, core), &s->headers[core]);

    return place->known && place->boot == lead.boot && (int32_t)(lead.head - place->lead.head) < 0;
}

/* What was read from the record after the last one on. Events that found the trace full came after
 * all records. */
static bool take_events(struct sampler_table *s, size_t core)
{
    struct trace_place *place = &s->trace.places[core];
    uint32_t full = place->lead.lost - place->lost;

    place->lost = place->lead.lost;
    return take_records(s, core, true) && trace_add_lost(&s->trace, core, SAMPLER_EVENT_FULL, full);
}

enum sampler_code trace_take(struct sampler_table *sampler, size_t core)
{
    struct sampler_table *s = sampler;
    struct trace_place *place = &s->trace.places[core];
    const struct decode_header *h = &s->headers[core];
    bool live = gdbmi_link_info(s->link)->live;
    enum sampler_code code = SAMPLER_OK;

    if (!place->known && live) /* the first reading was of all, and slow */
        code = ring_fetch_lead(s, core);
    if (code != SAMPLER_OK)
        return code;
    if (is_halfway(s, core))
        return begin_run(s, core) ? SAMPLER_OK : SAMPLER_ENOMEM;
    if (!take_lead(s, core))
        return SAMPLER_ENOMEM;
    uint32_t count = place->lead.head + 1 - place->next;
    uint32_t overwritten = s->trace.overwritten;
    if (count != 0 && live)
        code = ring_fetch(s, core, decode_trace_index(place->next, h), count);
    if (code != SAMPLER_OK)
        place->lead.head = place->next - 1; /* what was not read is the next reading's */
    else if (!take_events(s, core))
        code = SAMPLER_ENOMEM;
    if (code == SAMPLER_OK && live && place->known)
        ring_adapt(&place->pace, h, count, s->trace.overwritten - overwritten);
    place->known = true;
    return code;
}

/* Frames come in order. Of a header, count is 0: if an earlier record than the one that is due
 * comes next, start-up code has cleared boot, and it is the same again after a restart. */
static bool goes_back(const struct trace_place *place, const struct decode_trace *lead,
                      uint32_t number, uint32_t count)
{
    return count == 0 && (int32_t)(number - place->next) < 0 &&
           (int32_t)(lead->first + 1 - place->next) < 0;
}

enum sampler_code trace_take_sent(struct sampler_table *sampler, size_t core, uint32_t number,
                                  uint32_t count)
{
    struct sampler_table *s = sampler;
    struct trace_place *place = &s->trace.places[core];
    struct decode_trace lead = decode_trace(object_of(s, core), &s->headers[core]);
    bool was_known = place->known;
    bool restarted =
        !was_known || place->boot != lead.boot || goes_back(place, &lead, number, count);
    uint32_t begin = was_known ? lead.first + 1 : number;

    if (restarted && !begin_run(s, core))
        return SAMPLER_ENOMEM;
    if (restarted || place->lead.first != lead.first || lead.lost < place->lost)
        place->lost = 0;
    if (restarted || (int32_t)(lead.first + 1 - place->next) > 0)
        place->next = begin;
    place->boot = lead.boot;
    place->known = true;
    lead.head = place->next - 1;
    if ((int32_t)(number + count - place->next) > 0)
        lead.head = number + count - 1;
    place->lead = lead;
    if ((int32_t)(number - place->next) > 0) {
        if (!add_overwritten(&s->trace, core, number - place->next))
            return SAMPLER_ENOMEM;
        place->next = number;
    }
    uint32_t full = lead.lost - place->lost;
    place->lost = lead.lost;
    return take_records(s, core, false) && trace_add_lost(&s->trace, core, SAMPLER_EVENT_FULL, full)
               ? SAMPLER_OK
               : SAMPLER_ENOMEM;
}

static int by_time(const void *a, const void *b)
{
    const struct trace_read *one = a, *other = b;

    if (one->ticks != other->ticks)
        return one->ticks < other->ticks ? -1 : 1;
    return one->number < other->number ? -1 : 1;
}

/* Puts what was read into one order, and returns how many events of it no other core will add
 * anything to. */
static size_t settle(const struct sampler_table *s, struct trace *t, bool last)
{
    int64_t settled = last ? INT64_MAX : t->settled;
    size_t count = t->read_count;

    /* Nobody knows what of another core is still to be sent. */
    if (s->cores < 2 || count == 0 || s->sent || !t->places[0].lead.one_clock)
        return count;
    for (size_t core = 0; !last && core < s->cores; core++) {
        const struct trace_place *place = &t->places[core];
        if (place->waits && place->latest < settled)
            settled = place->latest;
    }
    qsort(t->read, count, sizeof(*t->read), by_time);
    while (count > 0 && t->read[count - 1].ticks > settled)
        count--;
    return count;
}

const struct sampler_event *sampler_table_events(struct sampler_table *sampler, bool last,
                                                 size_t *count)
{
    struct trace *t = &sampler->trace;

    for (size_t core = 0; last && core < sampler->cores; core++) {
        if (sampler->there[core] && t->places[core].known && !take_records(sampler, core, false))
            return NULL;
    }
    if (last && sampler->ring && !call_ring_take(sampler, true))
        return NULL;
    size_t settled = settle(sampler, t, last);
    if (!VEC_ROOM(t->events, t->capacity, 0, settled + 1))
        return NULL;
    for (size_t i = 0; i < settled; i++)
        t->events[i] = t->read[i].event;
    t->read_count -= settled;
    if (settled != 0 && t->read_count != 0)
        memmove(t->read, t->read + settled, t->read_count * sizeof(*t->read));
    *count = settled;
    return t->events;
}

void sampler_table_from_start(struct sampler_table *sampler)
{
    sampler->trace.from_start = true;
}

struct decode_trace sampler_table_trace(const struct sampler_table *sampler, unsigned core)
{
    return sampler->trace.places[core].lead;
}
