/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the blocks of s_prof over a link. */
#include "table_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <profile/decode.h>

static bool resize(struct sampler_table *s, size_t size)
{
    uint8_t *bytes = realloc(s->bytes, size);

    if (!bytes)
        return false;
    s->bytes = bytes;
    s->size = size;
    return true;
}

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
    if (!resize(s, size)) {
        free(s);
        return NULL;
    }
    return s;
}

void sampler_table_free(struct sampler_table *sampler)
{
    if (!sampler)
        return;
    headerless_free(sampler->headerless);
    stream_free(&sampler->stream);
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
}

const char *sampler_table_text(const struct sampler_table *sampler)
{
    return sampler->text;
}

bool sampler_table_is_zero(const struct sampler_table *sampler)
{
    for (size_t i = 0; i < sampler->size; i++) {
        if (sampler->bytes[i] != 0)
            return false;
    }
    return true;
}

const struct decode_header *sampler_table_header(const struct sampler_table *sampler)
{
    return sampler->cores != 0 ? &sampler->headers[0] : NULL;
}

static bool has(const struct decode_header *h, enum decode_source source)
{
    return h->blocks[source].count != 0;
}

static enum decode_source total_source(const struct decode_header *h)
{
    static const enum decode_source order[] = {DECODE_TABLE, DECODE_HISTOGRAM, DECODE_CALLS,
                                               DECODE_ARCS};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        if (has(h, order[i]))
            return order[i];
    }
    return DECODE_STREAM;
}

static enum decode_source source_of(const struct sampler_table *s, const struct decode_header *h)
{
    if (s->kind >= SAMPLER_TABLE)
        return (enum decode_source)(s->kind - SAMPLER_TABLE);
    if (s->kind == SAMPLER_AUTO && has(h, DECODE_STREAM) && gdbmi_link_info(s->link)->live)
        return DECODE_STREAM;
    return total_source(h);
}

static enum sampler_code select_source(struct sampler_table *s, size_t core)
{
    static const char *const missing[DECODE_SOURCES] = {
        [DECODE_TABLE] = "table of samples; build it with MPROF_CNT",
        [DECODE_CALLS] = "table of calls; build it with MPROF_CALL_CNT and call hooks",
        [DECODE_ARCS] = "arcs; build it with MPROF_ARC_CNT and call hooks",
        [DECODE_STREAM] = "stream; build it with MPROF_STREAM_CNT",
        [DECODE_HISTOGRAM] = "histogram; build it with MPROF_HIST_CNT",
    };
    enum decode_source source = source_of(s, &s->headers[core]);

    if (decode_select(object_of(s, core), &s->headers[core], source))
        return SAMPLER_OK;
    snprintf(s->text, sizeof(s->text), "the firmware has no %s", missing[source]);
    return SAMPLER_ETABLE;
}

/* Is what was known of a core's blocks still so? */
static bool same_blocks(const struct decode_header *a, const struct decode_header *b)
{
    bool same = a->total_size == b->total_size && a->cores == b->cores;

    for (size_t i = 0; same && i < DECODE_SOURCES; i++)
        same = a->blocks[i].offset == b->blocks[i].offset &&
               a->blocks[i].count == b->blocks[i].count && a->blocks[i].size == b->blocks[i].size;
    return same;
}

static enum sampler_code judge(struct sampler_table *s, const struct decode_header *header,
                               enum decode_code decoded)
{
    switch (decoded) {
    case DECODE_OK:
        break;
    case DECODE_EBLANK:
        return SAMPLER_WAIT;
    case DECODE_ESHORT: /* a damaged size must not make us read, and halt, for seconds */
    case DECODE_EABI:
    case DECODE_EDAMAGED:
    case DECODE_EKIND:
        return SAMPLER_ETABLE;
    }
    if (header->addr_size != s->addr_size) {
        snprintf(s->text, sizeof(s->text), "its addresses have %u bytes, the ELF's %u",
                 header->addr_size, s->addr_size);
        return SAMPLER_ETABLE;
    }
    return SAMPLER_OK;
}

/* What a reading was good for. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_AGAIN, /* the blocks are not where they were taken to be: read all of it */
};

/* false: a core has not called mprof_init() yet, and counts nothing. */
static enum sampler_code take_core(struct sampler_table *s, size_t core, bool *there,
                                   enum outcome *outcome)
{
    size_t at = core == 0 ? 0 : core * s->headers[0].total_size;
    struct decode_header header;
    size_t need;

    enum decode_code decoded =
        decode_header(s->bytes + at, s->size - at, &header, &need, s->text, sizeof(s->text));
    *there = decoded == DECODE_OK;
    if (decoded == DECODE_EBLANK && core != 0)
        return SAMPLER_OK;
    if (decoded == DECODE_OK && header.core != core) {
        snprintf(s->text, sizeof(s->text), "it is damaged: the object of core %zu says core %u",
                 core, header.core);
        return SAMPLER_ETABLE;
    }
    if (decoded == DECODE_ESHORT && core == 0 && need > s->size && !s->size_known) {
        *outcome = OUTCOME_AGAIN;
        return resize(s, need) ? SAMPLER_OK : SAMPLER_ENOMEM;
    }
    enum sampler_code code = judge(s, &header, decoded);
    if (code != SAMPLER_OK)
        return code;
    if (core >= s->cores || !s->there[core] || !same_blocks(&header, &s->headers[core]))
        *outcome = OUTCOME_AGAIN;
    s->headers[core] = header;
    return select_source(s, core);
}

/* Is there room for all cores' objects? Where only the header knows their size it is made. */
static enum sampler_code check_cores(struct sampler_table *s, enum outcome *outcome)
{
    size_t need = s->headers[0].cores * s->headers[0].total_size;

    if (need <= s->size)
        return SAMPLER_OK;
    if (s->size_known) {
        snprintf(s->text, sizeof(s->text), "its %zu bytes are too few for %u cores", s->size,
                 s->headers[0].cores);
        return SAMPLER_ETABLE;
    }
    *outcome = OUTCOME_AGAIN;
    return resize(s, need) ? SAMPLER_OK : SAMPLER_ENOMEM;
}

/* objects: those that are there, *count of them. */
static enum sampler_code take_cores(struct sampler_table *s, struct profile_object *objects,
                                    size_t *count, enum outcome *outcome)
{
    bool there;
    enum sampler_code code = take_core(s, 0, &there, outcome);

    *count = 0;
    if (code != SAMPLER_OK || !there)
        return code;
    code = check_cores(s, outcome);
    size_t cores = s->headers[0].cores;
    for (size_t core = 0; code == SAMPLER_OK && core < cores; core++) {
        if (core * s->headers[0].total_size >= s->size)
            break;
        if (core != 0)
            code = take_core(s, core, &there, outcome);
        s->there[core] = there;
        if (there)
            objects[(*count)++] =
                (struct profile_object){.bytes = object_of(s, core), .header = &s->headers[core]};
    }
    s->cores = code == SAMPLER_OK ? cores : 0;
    return code;
}

/* Gaps that cost less to read than a request of their own. */
#define GAP_MAX 256

/* Reads the first end bytes of a core's object: header, directory and what is close to them. */
static enum sampler_code read_header(struct sampler_table *s, size_t core, size_t end,
                                     enum gdbmi_state *state)
{
    size_t base = core * s->headers[0].total_size;
    enum gdbmi_code code;

    if (core == 0)
        code = gdbmi_link_poll(s->link, s->addr, s->bytes, end, state);
    else
        code = gdbmi_link_read(s->link, s->addr + base, s->bytes + base, end);
    return code == GDBMI_OK ? SAMPLER_OK : sampler_fail(s, code);
}

/* Rows that are read after those that were in use at the last poll, because they may be new. */
#define NEW_ROWS 4

/* Where what is to be read of a table ends: those in use, and the rest where there is one. */
static size_t rows_end(const struct decode_header *h)
{
    const struct decode_block *b = &h->blocks[h->source];

    return h->spilled ? b->rest + b->rest_count * sizeof(uint32_t)
                      : b->offset + h->items_in_use * b->size;
}

/* The same, of which all before read is there. */
static enum sampler_code fetch_rows(struct sampler_table *s, size_t base, size_t read,
                                    const struct decode_header *h)
{
    const struct decode_block *b = &h->blocks[h->source];
    size_t used_end = b->offset + h->items_in_use * b->size, to = rows_end(h);
    size_t from = read > b->offset ? read : b->offset;
    enum sampler_code code = SAMPLER_OK;

    if (h->spilled && b->rest > used_end + GAP_MAX) {
        if (from < used_end)
            code = sampler_fetch(s, base + from, used_end - from);
        from = from > b->rest ? from : b->rest;
    }
    if (code == SAMPLER_OK && from < to)
        code = sampler_fetch(s, base + from, to - from);
    return code;
}

/* Rows that are in use, and the rest where there is one, which comes after them. One request
 * does if at most NEW_ROWS are new since the last poll. */
static enum sampler_code read_rows(struct sampler_table *s, size_t core, enum gdbmi_state *state)
{
    struct decode_header h = s->headers[s->there[core] ? core : 0];
    const struct decode_block *b = &h.blocks[h.source];
    size_t base = core * s->headers[0].total_size;
    bool near = b->lead <= h.directory_end + GAP_MAX;
    bool all = h.spilled && h.items_in_use + GAP_MAX / b->size > b->count;
    size_t more = h.items_in_use + NEW_ROWS < b->count ? h.items_in_use + NEW_ROWS : b->count;
    size_t end = all ? rows_end(&h) : b->offset + more * b->size;
    enum sampler_code code = read_header(s, core, near ? end : h.directory_end, state);

    if (code == SAMPLER_OK && !near)
        code = sampler_fetch(s, base + b->lead, end - b->lead);
    if (code != SAMPLER_OK)
        return code;
    decode_lead(object_of(s, core), &h);
    return fetch_rows(s, base, end, &h);
}

/* The parts of a core's object that a poll needs: header and directory, then the block with what
 * leads it; of a stream only that. */
static enum sampler_code read_parts(struct sampler_table *s, size_t core, enum gdbmi_state *state)
{
    const struct decode_header *h = &s->headers[s->there[core] ? core : 0];
    const struct decode_block *b = &h->blocks[h->source];
    size_t base = core * s->headers[0].total_size;
    size_t end = h->source == DECODE_STREAM ? b->offset : b->end;
    size_t first = b->start <= h->directory_end + GAP_MAX ? end : h->directory_end;

    if (b->rows)
        return read_rows(s, core, state);
    enum sampler_code code = read_header(s, core, first, state);
    if (code != SAMPLER_OK || first == end)
        return code;
    return sampler_fetch(s, base + b->start, end - b->start);
}

static enum sampler_code read_objects(struct sampler_table *s, bool whole, enum gdbmi_state *state)
{
    enum sampler_code code = SAMPLER_OK;

    if (whole)
        return sampler_read(s, s->addr, state);
    for (size_t core = 0; code == SAMPLER_OK && core < s->cores; core++)
        code = read_parts(s, core, state);
    return code;
}

/* What tells rows that changed while they were read. Where a reading halts the target, none did. */
static enum sampler_code fetch_generation(struct sampler_table *s, size_t core)
{
    struct decode_header *h = &s->headers[core];
    size_t base = core * s->headers[0].total_size;
    uint8_t before[sizeof(uint32_t)];
    uint8_t *bytes = object_of(s, core) + DECODE_GENERATION_AT;

    if (!gdbmi_link_info(s->link)->live || !decode_is_changing(object_of(s, core), h))
        return SAMPLER_OK;
    memcpy(before, bytes, sizeof(before));
    enum sampler_code code = sampler_fetch(s, base + DECODE_GENERATION_AT, sizeof(before));
    if (code == SAMPLER_OK)
        h->generation_after = decode_generation(object_of(s, core), h);
    memcpy(bytes, before, sizeof(before));
    return code;
}

static enum sampler_code fetch_generations(struct sampler_table *s)
{
    enum sampler_code code = SAMPLER_OK;

    for (size_t core = 0; code == SAMPLER_OK && core < s->cores; core++)
        code = s->there[core] ? fetch_generation(s, core) : SAMPLER_OK;
    return code;
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
    bool whole = is_best_whole(s);
    enum outcome outcome = OUTCOME_DONE;
    enum sampler_code code = read_objects(s, whole, state);

    if (code == SAMPLER_OK)
        code = take_cores(s, objects, count, &outcome);
    /* A header that is read while mprof_init() clears it looks damaged once. A whole reading whose
     * size was right is not repeated only because it was the first one. */
    bool again = code == SAMPLER_ETABLE ||
                 (code == SAMPLER_OK && outcome == OUTCOME_AGAIN && (!whole || *count == 0));
    outcome = OUTCOME_DONE;
    if (again)
        code = read_objects(s, true, state);
    if (again && code == SAMPLER_OK)
        code = take_cores(s, objects, count, &outcome);
    return code == SAMPLER_OK ? fetch_generations(s) : code;
}

static enum sampler_code take_streams(struct sampler_table *s, size_t count)
{
    enum sampler_code code = SAMPLER_OK;

    for (size_t core = 0; code == SAMPLER_OK && core < s->cores && count != 0; core++)
        code = s->there[core] ? stream_take(s, core) : SAMPLER_OK;
    return code;
}

static enum sampler_code update(struct sampler_table *s, const struct profile_object *objects,
                                size_t count, struct profile *profile, double now_s)
{
    struct stream *stream = &s->stream;

    if (s->headers[0].source != DECODE_STREAM)
        return profile_update(profile, objects, count, now_s) ? SAMPLER_OK : SAMPLER_ENOMEM;
    enum sampler_code code = take_streams(s, count);
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

    if (sampler->headerless)
        return headerless_poll(sampler, profile, now_s, state);
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

/* The filter and where the focus is are not among the parts of a poll. */
static enum sampler_code fetch_requested(struct sampler_table *s, size_t core)
{
    const struct decode_block *filter = &s->headers[core].blocks[DECODE_FILTER];
    const struct decode_block *focus = &s->headers[core].blocks[DECODE_FOCUS];
    size_t base = core * s->headers[0].total_size;
    enum sampler_code code = SAMPLER_OK;

    if (filter->count)
        code = sampler_fetch(s, base + filter->offset, filter->count * filter->size);
    if (code == SAMPLER_OK && focus->count)
        code = sampler_fetch(s, base + focus->lead, DECODE_LEAD_SIZE);
    return code;
}

enum sampler_code sampler_table_look(struct sampler_table *sampler,
                                     const struct profile_object **objects, size_t *count)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    if (sampler->headerless) {
        snprintf(sampler->text, sizeof(sampler->text),
                 "a table without a header cannot be controlled");
        return SAMPLER_ETABLE;
    }
    enum sampler_code code = read_table(sampler, sampler->objects, count, &state);
    for (size_t core = 0; code == SAMPLER_OK && core < sampler->cores; core++)
        code = sampler->there[core] ? fetch_requested(sampler, core) : SAMPLER_OK;
    *objects = sampler->objects;
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
        code = take_cores(sampler, sampler->objects, count, &outcome);
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

    if (sampler_table_drain_s(sampler) <= 0)
        return SAMPLER_OK;
    enum sampler_code code = read_table(sampler, objects, &count, &state);
    return code == SAMPLER_OK ? take_streams(sampler, count) : code;
}

/* Half a ring. */
double sampler_table_drain_s(const struct sampler_table *sampler)
{
    const struct decode_header *h = &sampler->headers[0];

    if (sampler->headerless || sampler->cores == 0 || h->source != DECODE_STREAM ||
        !gdbmi_link_info(sampler->link)->live)
        return 0;
    return (double)h->item_count / 2 / (h->sample_hz ? h->sample_hz : 1000);
}
