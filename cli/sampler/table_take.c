/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges what was read of s_prof: its headers, and where its blocks are. */
#include "table_private.h"

#include <stdio.h>
#include <stdlib.h>

#include <profile/decode.h>

bool sampler_resize(struct sampler_table *s, size_t size)
{
    uint8_t *bytes = realloc(s->bytes, size);

    if (!bytes)
        return false;
    s->bytes = bytes;
    s->size = size;
    return true;
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
    if (!has(h, DECODE_STREAM) && has(h, DECODE_TRACE))
        return DECODE_TRACE;
    return has(h, DECODE_STREAM) || !has(h, DECODE_COVERAGE) ? DECODE_STREAM : DECODE_COVERAGE;
}

static enum decode_source source_of(const struct sampler_table *s, const struct decode_header *h)
{
    if (s->kind == SAMPLER_TRACE)
        return DECODE_TRACE;
    if (s->kind >= SAMPLER_TABLE)
        return (enum decode_source)(s->kind - SAMPLER_TABLE);
    if (s->kind == SAMPLER_AUTO && has(h, DECODE_STREAM) && gdbmi_link_info(s->link)->live)
        return DECODE_STREAM;
    return total_source(h);
}

enum sampler_code sampler_select(struct sampler_table *sampler, size_t core)
{
    struct sampler_table *s = sampler;
    static const char *const missing[DECODE_SOURCES] = {
        [DECODE_TABLE] = "table of samples; build it with MPROF_CNT",
        [DECODE_CALLS] = "table of calls; build it with MPROF_CALL_CNT and call hooks",
        [DECODE_ARCS] = "arcs; build it with MPROF_ARC_CNT and call hooks",
        [DECODE_STREAM] = "stream; build it with MPROF_STREAM_CNT",
        [DECODE_HISTOGRAM] = "histogram; build it with MPROF_HIST_CNT",
        [DECODE_TRACE] = "trace; build it with MPROF_TRACE_CNT and call hooks",
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

/* They are elements of one array. */
static bool is_like_first(const struct sampler_table *s, size_t core)
{
    const struct decode_header *first = &s->headers[0], *h = &s->headers[core];

    return h->source == first->source && h->item_count == first->item_count &&
           h->item_size == first->item_size;
}

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
        return sampler_resize(s, need) ? SAMPLER_OK : SAMPLER_ENOMEM;
    }
    enum sampler_code code = judge(s, &header, decoded);
    if (code != SAMPLER_OK)
        return code;
    if (core >= s->cores || !s->there[core] || !same_blocks(&header, &s->headers[core]))
        *outcome = OUTCOME_AGAIN;
    s->headers[core] = header;
    code = sampler_select(s, core);
    if (code != SAMPLER_OK || is_like_first(s, core))
        return code;
    snprintf(s->text, sizeof(s->text), "it is damaged: the blocks of its cores differ");
    return SAMPLER_ETABLE;
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
    return sampler_resize(s, need) ? SAMPLER_OK : SAMPLER_ENOMEM;
}

enum sampler_code sampler_take_cores(struct sampler_table *s, struct profile_object *objects,
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
