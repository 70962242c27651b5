/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the parts of s_prof that a poll needs. */
#include "table_private.h"

#include <string.h>

#include <profile/decode.h>

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

    if (h->spilled && b->rest > used_end + gdbmi_link_gap(s->link)) {
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
    size_t gap = gdbmi_link_gap(s->link);
    bool near = b->lead <= h.directory_end + gap;
    bool all = h.spilled && h.items_in_use + gap / b->size > b->count;
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

/* Where a block begins, and before it what the hooks of a trace cost. */
static size_t start_of(const struct decode_header *h)
{
    const struct decode_block *b = &h->blocks[h->source], *cost = &h->blocks[DECODE_COST];

    return h->source == DECODE_TRACE && cost->count && cost->end == b->start ? cost->start
                                                                             : b->start;
}

/* The parts of a core's object that a poll needs: header and directory, then the block with what
 * leads it; of a ring only that. */
static enum sampler_code read_parts(struct sampler_table *s, size_t core, enum gdbmi_state *state)
{
    const struct decode_header *h = &s->headers[s->there[core] ? core : 0];
    const struct decode_block *b = &h->blocks[h->source];
    size_t base = core * s->headers[0].total_size;
    size_t end = sampler_is_ring(h) ? b->offset : b->end;
    size_t start = start_of(h);
    size_t first = start <= h->directory_end + gdbmi_link_gap(s->link) ? end : h->directory_end;

    if (b->rows)
        return read_rows(s, core, state);
    enum sampler_code code = read_header(s, core, first, state);
    if (code != SAMPLER_OK || first == end)
        return code;
    return sampler_fetch(s, base + start, end - start);
}

enum sampler_code sampler_read_objects(struct sampler_table *s, bool whole, enum gdbmi_state *state)
{
    enum sampler_code code = SAMPLER_OK;

    if (whole)
        return sampler_read(s, s->addr, state);
    for (size_t core = 0; code == SAMPLER_OK && core < s->cores; core++)
        code = read_parts(s, core, state);
    return code;
}

/* Where a reading halts the target, the poll has read all of it. */
enum sampler_code sampler_fetch_tasks(struct sampler_table *s, size_t core)
{
    const struct decode_block *b = &s->headers[core].blocks[DECODE_TASKS];
    size_t base = core * s->headers[0].total_size;

    if (b->count == 0 || !gdbmi_link_info(s->link)->live)
        return SAMPLER_OK;
    return sampler_fetch(s, base + b->start, b->end - b->start);
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

enum sampler_code sampler_fetch_generations(struct sampler_table *s)
{
    enum sampler_code code = SAMPLER_OK;

    for (size_t core = 0; code == SAMPLER_OK && core < s->cores; core++)
        code = s->there[core] ? fetch_generation(s, core) : SAMPLER_OK;
    return code;
}
