/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the blocks of s_prof over a link. */
#include "sent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <profile/decode.h>

struct sampler_table *sampler_table_new(struct gdbmi_link *link, uint64_t addr, uint64_t size,
                                        unsigned addr_size, enum sampler_kind kind)
{
    struct sampler_table *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    *s = (struct sampler_table){.link = link, .addr = addr, .addr_size = addr_size, .kind = kind};
    s->size_known = size >= DECODE_FIRST_READ && size <= DECODE_MAX_SIZE;
    if (!s->size_known)
        size = DECODE_FIRST_READ;
    if (!sampler_resize(s, size)) {
        free(s);
        return NULL;
    }
    return s;
}

void sampler_table_free(struct sampler_table *sampler)
{
    if (!sampler)
        return;
    taken_free(sampler->taken);
    headerless_free(sampler->headerless);
    free(sampler->ring);
    free(sampler->sent);
    stream_free(&sampler->stream);
    trace_free(&sampler->trace);
    free(sampler->bytes);
    free(sampler);
}

void sampler_table_has_exceptions(struct sampler_table *sampler)
{
    sampler->stream.drained.exceptions = true;
}

void sampler_table_relink(struct sampler_table *sampler, struct gdbmi_link *link)
{
    sampler->link = link;
    if (sampler->taken)
        taken_relink(sampler->taken, link);
}

const char *sampler_table_text(const struct sampler_table *sampler)
{
    return sampler->taken ? sampler->taken->text : sampler->text;
}

bool sampler_table_is_zero(const struct sampler_table *sampler)
{
    for (size_t i = 0; i < sampler->size; i++) {
        if (sampler->bytes[i] != 0)
            return false;
    }
    return !sampler->taken;
}

const struct decode_header *sampler_table_header(const struct sampler_table *sampler)
{
    return sampler->cores != 0 ? &sampler->headers[0] : NULL;
}

/* Where each read halts the target, one is better than several. */
static bool is_best_whole(const struct sampler_table *s)
{
    return s->cores == 0 || !gdbmi_link_info(s->link)->live;
}

/* Reads what a poll needs, and judges it. */
static enum sampler_code read_table(struct sampler_table *s, struct profile_object *objects,
                                    size_t *count, enum gdbmi_state *state)
{
    enum sampler_code code = sampler_learn(s, state);
    bool whole = is_best_whole(s);
    enum outcome outcome = OUTCOME_DONE;

    if (code == SAMPLER_OK)
        code = sampler_read_objects(s, whole, state);
    if (code == SAMPLER_OK)
        code = sampler_take_cores(s, objects, count, &outcome);
    /* A header that is read while mprof_init() clears it looks damaged once. A whole reading whose
     * size was right is not repeated only because it was the first one. */
    bool again = code == SAMPLER_ETABLE ||
                 (code == SAMPLER_OK && outcome == OUTCOME_AGAIN && (!whole || *count == 0));
    outcome = OUTCOME_DONE;
    if (again)
        code = sampler_read_objects(s, true, state);
    if (again && code == SAMPLER_OK)
        code = sampler_take_cores(s, objects, count, &outcome);
    return code == SAMPLER_OK ? sampler_fetch_generations(s) : code;
}

static enum sampler_code take_rings(struct sampler_table *s, size_t count)
{
    bool trace = s->headers[0].source == DECODE_TRACE;
    enum sampler_code code = SAMPLER_OK;

    trace_begin(&s->trace);
    for (size_t core = 0; code == SAMPLER_OK && core < s->cores && count != 0; core++) {
        if (s->there[core])
            code = trace ? trace_take(s, core) : stream_take(s, core);
    }
    return code;
}

/* Of samples; a table of calls is not counted by task. */
static enum sampler_code fetch_tasks(struct sampler_table *s)
{
    enum sampler_code code = SAMPLER_OK;
    bool samples = s->headers[0].unit == DECODE_UNIT_SAMPLES;

    for (size_t core = 0; samples && code == SAMPLER_OK && core < s->cores; core++)
        code = s->there[core] ? sampler_fetch_tasks(s, core) : SAMPLER_OK;
    return code;
}

static enum sampler_code update(struct sampler_table *s, const struct profile_object *objects,
                                size_t count, struct profile *profile, double now_s)
{
    struct stream *stream = &s->stream;

    if (s->headers[0].source == DECODE_COVERAGE) {
        snprintf(s->text, sizeof(s->text),
                 "it has only coverage, which counts no hits: use 'mprof coverage'");
        return SAMPLER_ETABLE;
    }
    if (!sampler_is_ring(&s->headers[0])) {
        enum sampler_code fetched = fetch_tasks(s);
        if (fetched != SAMPLER_OK)
            return fetched;
        return profile_update(profile, objects, count, now_s) ? SAMPLER_OK : SAMPLER_ENOMEM;
    }
    if (s->headers[0].source == DECODE_TRACE && s->kind != SAMPLER_TRACE) {
        snprintf(s->text, sizeof(s->text),
                 "it has only a trace, which counts nothing: use 'mprof "
                 "trace'");
        return SAMPLER_ETABLE;
    }
    enum sampler_code code = take_rings(s, count);
    if (code != SAMPLER_OK)
        return code;
    return profile_update_drained(profile, objects, count, &stream->drained, now_s)
               ? SAMPLER_OK
               : SAMPLER_ENOMEM;
}

enum sampler_code sampler_table_poll(struct sampler_table *sampler, struct profile *profile,
                                     double now_s, enum gdbmi_state *state)
{
    struct profile_object objects[DECODE_MAX_CORES];
    size_t count = 0;

    if (sampler->taken)
        return taken_poll(sampler->taken, profile, now_s, state);
    if (sampler->headerless)
        return headerless_poll(sampler, profile, now_s, state);
    if (sampler->ring)
        return call_ring_poll(sampler, profile, now_s, state);
    if (sampler->sent)
        return sent_poll(sampler, profile, now_s, state);
    enum sampler_code code = read_table(sampler, objects, &count, state);
    if (code != SAMPLER_OK)
        return code;
    sampler->text[0] = '\0';
    if (*state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    code = update(sampler, objects, count, profile, now_s);
    if (code == SAMPLER_OK && *state == GDBMI_STATE_HALTED)
        profile_pause(profile);
    return code;
}

/* The filters and where the focus is are not among the parts of a poll. */
static enum sampler_code fetch_requested(struct sampler_table *s, size_t core)
{
    const struct decode_block *filter = &s->headers[core].blocks[DECODE_FILTER];
    const struct decode_block *focus = &s->headers[core].blocks[DECODE_FOCUS];
    const struct decode_block *traced = &s->headers[core].blocks[DECODE_TRACED];
    size_t base = core * s->headers[0].total_size;
    enum sampler_code code = SAMPLER_OK;

    if (filter->count)
        code = sampler_fetch(s, base + filter->offset, filter->count * filter->size);
    if (code == SAMPLER_OK && traced->count)
        code = sampler_fetch(s, base + traced->offset, traced->count * traced->size);
    if (code == SAMPLER_OK && focus->count)
        code = sampler_fetch(s, base + focus->lead, DECODE_LEAD_SIZE);
    return code;
}

enum sampler_code sampler_table_look(struct sampler_table *sampler,
                                     const struct profile_object **objects, size_t *count)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    if (sampler->taken || sampler->headerless || sampler->ring) {
        char *text = sampler->taken ? sampler->taken->text : sampler->text;
        snprintf(text, sizeof(sampler->text), "%s",
                 sampler->taken ? "without a stub there is nothing to control"
                                : "a table without a header cannot be controlled");
        return SAMPLER_ETABLE;
    }
    enum sampler_code code = read_table(sampler, sampler->objects, count, &state);
    for (size_t core = 0; code == SAMPLER_OK && core < sampler->cores; core++)
        code = sampler->there[core] ? fetch_requested(sampler, core) : SAMPLER_OK;
    *objects = sampler->objects;
    return code;
}

enum sampler_code sampler_table_coverage(struct sampler_table *sampler,
                                         const struct profile_object **objects, size_t *count)
{
    enum sampler_code code = sampler_table_look(sampler, objects, count);

    for (size_t core = 0; code == SAMPLER_OK && core < sampler->cores; core++) {
        const struct decode_block *b = &sampler->headers[core].blocks[DECODE_COVERAGE];
        if (sampler->there[core] && b->count != 0)
            code = sampler_fetch(sampler, core * sampler->headers[0].total_size + b->start,
                                 b->end - b->start);
    }
    return code;
}

/* With the header, whose heartbeat its events are counted by. Where a reading halts the target,
 * the last poll has read all of it. */
static enum sampler_code fetch_focus(struct sampler_table *s, size_t core)
{
    const struct decode_block *b = &s->headers[core].blocks[DECODE_FOCUS];
    size_t base = core * s->headers[0].total_size;

    if (b->count == 0 || !gdbmi_link_info(s->link)->live)
        return SAMPLER_OK;
    enum sampler_code code = sampler_fetch(s, base, s->headers[core].directory_end);
    return code == SAMPLER_OK ? sampler_fetch(s, base + b->start, b->end - b->start) : code;
}

const struct decode_block *sampler_table_focus_block(const struct sampler_table *sampler)
{
    const struct decode_block *b = &sampler->headers[0].blocks[DECODE_FOCUS];

    return !sampler->headerless && sampler->cores != 0 && b->count != 0 ? b : NULL;
}

enum sampler_code sampler_table_focus(struct sampler_table *sampler,
                                      const struct profile_object **objects, size_t *count)
{
    enum sampler_code code = sampler->cores ? SAMPLER_OK : SAMPLER_WAIT;
    enum outcome outcome = OUTCOME_DONE;

    for (size_t core = 0; code == SAMPLER_OK && core < sampler->cores; core++)
        code = sampler->there[core] ? fetch_focus(sampler, core) : SAMPLER_OK;
    if (code == SAMPLER_OK)
        code = sampler_take_cores(sampler, sampler->objects, count, &outcome);
    *objects = sampler->objects;
    return code == SAMPLER_OK && outcome == OUTCOME_AGAIN ? SAMPLER_WAIT : code;
}

enum sampler_code sampler_table_write(struct sampler_table *sampler, unsigned core,
                                      const struct control_write *writes, size_t count)
{
    uint64_t addr = sampler->addr + core * sampler->headers[0].total_size;

    for (size_t i = 0; i < count; i++) {
        enum gdbmi_code code = gdbmi_link_write(sampler->link, addr + writes[i].offset,
                                                writes[i].bytes, writes[i].len);
        if (code != GDBMI_OK)
            return sampler_fail(sampler, code);
    }
    return SAMPLER_OK;
}

enum sampler_code sampler_table_drain(struct sampler_table *sampler)
{
    struct profile_object objects[DECODE_MAX_CORES];
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    size_t count = 0;

    if (sampler->taken)
        return taken_drain(sampler->taken, &state);
    if (sampler_table_drain_s(sampler) <= 0)
        return SAMPLER_OK;
    if (sampler->ring)
        return call_ring_drain(sampler);
    enum sampler_code code = read_table(sampler, objects, &count, &state);
    return code == SAMPLER_OK ? take_rings(sampler, count) : code;
}

/* A trace, whose rate is not known, as often as the link allows. */
#define TRACE_DRAIN_S 0.01

/* Half a ring. */
double sampler_table_drain_s(const struct sampler_table *sampler)
{
    const struct decode_header *h = &sampler->headers[0];

    if (sampler->taken)
        return sampler->taken->ops->pause_s(sampler->taken);
    if (sampler->ring && gdbmi_link_info(sampler->link)->live)
        return TRACE_DRAIN_S;
    if (sampler->headerless || sampler->sent || sampler->cores == 0 || !sampler_is_ring(h) ||
        !gdbmi_link_info(sampler->link)->live)
        return 0;
    if (h->source == DECODE_TRACE)
        return TRACE_DRAIN_S;
    return (double)h->item_count / 2 / (h->sample_hz ? h->sample_hz : 1000);
}
