/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a ring of calls that is not the stub's: its records say nothing of themselves, and how far
 * it was filled is known from a counter next to it. */
#include "table_private.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <profile/headerless.h>

/* Number of records after the counter that may be being written while the target runs. */
#define BEGUN_MAX 8

/* Fewer records say nothing about what they are. */
#define RECORDS_MIN 4

/* Bits of a time that are kept. */
#define WIDE_TIME (((uint64_t)1 << 48) - 1)

/* Records are numbered from 0 on; that of the counter's value is the next one. */
struct call_ring {
    const struct symtab *symtab;
    struct symtab_table table;
    struct symtab_counter counter;
    bool still;    /* nothing changes while it is read */
    bool known;    /* it was read before */
    bool runs_on;  /* the counter is the number of all calls */
    bool points;   /* it is a pointer to the next record */
    bool wraps;    /* it is an index that begins at 0 again; neither: not known yet */
    uint64_t next; /* number of the next record to take */
    uint64_t head; /* before the records were read */
    uint64_t seen; /* head at the reading before */
};

struct sampler_table *sampler_table_new_ring(struct gdbmi_link *link, const struct symtab *symtab,
                                             const struct symtab_table *table,
                                             const struct symtab_counter *counter, bool still,
                                             enum sampler_kind kind)
{
    if (table->count > DECODE_MAX_SIZE / table->stride)
        return NULL;
    struct sampler_table *s = calloc(1, sizeof(*s));
    struct call_ring *ring = calloc(1, sizeof(*ring));
    size_t size = (size_t)(table->count * table->stride);
    uint8_t *bytes = calloc(1, size);
    if (!s || !ring || !bytes) {
        free(s);
        free(ring);
        free(bytes);
        return NULL;
    }
    *ring =
        (struct call_ring){.symtab = symtab, .table = *table, .counter = *counter, .still = still};
    *s = (struct sampler_table){.link = link,
                                .addr = table->addr + table->offset,
                                .addr_size = symtab_elf(symtab)->addr_size,
                                .kind = kind,
                                .bytes = bytes,
                                .size = size,
                                .ring = ring};
    return s;
}

static uint64_t number_at(const struct call_ring *r, const uint8_t *bytes, unsigned size)
{
    bool big_endian = symtab_elf(r->symtab)->big_endian;
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value = value << 8 | bytes[big_endian ? i : size - 1 - i];
    return value;
}

static uint64_t member_at(const struct call_ring *r, const uint8_t *record,
                          const struct symtab_member *member)
{
    return number_at(r, record + member->offset, member->size);
}

static uint64_t counter_mask(const struct call_ring *r)
{
    return UINT64_MAX >> (64 - 8 * r->counter.size);
}

/* Where the record of a number is. */
static const uint8_t *record_of(const struct sampler_table *s, uint64_t number)
{
    const struct call_ring *r = s->ring;
    uint64_t index = (r->wraps ? number : number & counter_mask(r)) % r->table.count;

    return s->bytes + index * r->table.stride;
}

static bool is_written(const struct sampler_table *s, uint64_t number)
{
    return member_at(s->ring, record_of(s, number), &s->ring->table.callee) != 0;
}

/* A counter that points to the next record is an index, too. */
static enum sampler_code read_counter(struct sampler_table *s, uint64_t *value)
{
    struct call_ring *r = s->ring;
    uint8_t bytes[8];
    enum gdbmi_code code = gdbmi_link_read(s->link, r->counter.addr, bytes, r->counter.size);

    if (code != GDBMI_OK)
        return sampler_fail(s, code);
    *value = number_at(r, bytes, r->counter.size);
    uint64_t offset = *value - s->addr;
    bool points =
        r->counter.size == s->addr_size && offset <= s->size && offset % r->table.stride == 0;
    r->points |= points && !r->runs_on;
    r->wraps |= r->points;
    if (points && r->points)
        *value = offset / r->table.stride;
    return SAMPLER_OK;
}

/* Learns what the counter is. An index has written the last record before it began again; and so
 * has a counter of a few bits that has begun at 0 again: what came since then is not known. */
static void judge_counter(struct sampler_table *s, uint64_t value, uint64_t after, bool still)
{
    struct call_ring *r = s->ring;
    uint64_t count = r->table.count;

    if (value > count && !r->points) {
        r->next = r->wraps ? value : r->next;
        r->wraps = false;
        r->runs_on = true;
    } else if (!r->runs_on && after + (still ? 0 : BEGUN_MAX) < count && is_written(s, count - 1))
        r->wraps = true;
}

/* How far the counter has gone on from one value to another, modulo what it counts up to. */
static uint64_t distance(const struct call_ring *r, uint64_t from, uint64_t to)
{
    uint64_t count = r->table.count;

    return r->wraps ? (to % count + count - from % count) % count : (to - from) & counter_mask(r);
}

static bool begin_again(struct sampler_table *s, uint64_t value)
{
    const struct sampler_event begin = {.kind = SAMPLER_EVENT_BEGIN};
    struct call_ring *r = s->ring;
    uint64_t count = r->table.count;
    bool known = r->known, empty = r->wraps && !is_written(s, count - 1);

    r->known = true;
    r->head = r->wraps ? value % count + count : value;
    r->next = empty ? count : known || r->head < count ? 0 : r->head - count;
    return !known || trace_add_event(&s->trace, &begin);
}

/* The oldest record that is there if end is the next one. When a counter of a few bits begins at 0
 * again, the next record may not be the one after the last. */
static uint64_t oldest_of(const struct call_ring *r, uint64_t end)
{
    uint64_t mask = counter_mask(r), count = r->table.count;
    uint64_t oldest = end > count ? end - count : 0, turn = end & ~mask;
    bool jumps = !r->wraps && (mask % count + 1) % count != 0;

    return jumps && turn > oldest ? turn : oldest;
}

/* Where to take records from. What was overwritten before the first reading is not lost. */
static bool find_place(struct sampler_table *s, uint64_t value, uint64_t after, bool still)
{
    struct call_ring *r = s->ring;
    uint64_t gone = distance(r, r->next, value);
    bool first = !r->known;

    if (first || (!r->wraps && gone > counter_mask(r) / 2)) {
        if (!begin_again(s, value))
            return false;
    } else {
        r->head = r->next + gone;
    }
    uint64_t oldest = oldest_of(r, r->head + distance(r, value, after) + !still);
    if (oldest <= r->next)
        return true;
    uint64_t lost = oldest - r->next;
    r->next = oldest;
    return (first && !s->trace.from_start) ||
           trace_add_lost(&s->trace, 0, SAMPLER_EVENT_OVERWRITTEN,
                          lost < UINT32_MAX ? (uint32_t)lost : UINT32_MAX);
}

static struct decode_event decode_record(const struct sampler_table *s, const uint8_t *record)
{
    const struct call_ring *r = s->ring;
    const struct symtab_table *t = &r->table;
    uint64_t mask = symtab_elf(r->symtab)->machine == EM_ARM ? ~(uint64_t)1 : ~(uint64_t)0;
    struct decode_event e = {.callee = member_at(r, record, &t->callee) & mask,
                             .caller = member_at(r, record, &t->caller) & mask,
                             .wide = t->time.size == 8,
                             .argument_count = t->argument_count};

    if (t->time.size != 0)
        e.time = member_at(r, record, &t->time) & (e.wide ? WIDE_TIME : UINT32_MAX);
    for (unsigned i = 0; i < t->argument_count; i++)
        e.arguments[i] = member_at(r, record, &t->arguments[i]);
    return e;
}

bool call_ring_take(struct sampler_table *s, bool last)
{
    struct call_ring *r = s->ring;
    uint64_t end = r->head - (!last && r->head > r->next && r->head != r->seen);

    for (; r->next < end; r->next++) {
        struct sampler_event event = {.kind = SAMPLER_EVENT_CALL};
        bool whole = is_written(s, r->next);
        if (whole)
            event.call = decode_record(s, record_of(s, r->next));
        if (!(whole ? trace_add_event(&s->trace, &event)
                    : trace_add_lost(&s->trace, 0, SAMPLER_EVENT_UNFINISHED, 1)))
            return false;
    }
    r->seen = r->head;
    return true;
}

/* There is no magic: records whose functions are code are what a ring of this firmware has. */
static bool judge(struct sampler_table *s)
{
    const struct call_ring *r = s->ring;
    uint64_t count = 0, strange = 0, one = 0;

    for (uint64_t i = 0; i < r->table.count; i++) {
        uint64_t callee = member_at(r, s->bytes + i * r->table.stride, &r->table.callee);
        count += callee != 0;
        if (callee != 0 && !symtab_is_code(r->symtab, callee)) {
            one = callee;
            strange++;
        }
    }
    if (count < RECORDS_MIN || 4 * strange <= 3 * count)
        return true;
    snprintf(s->text, sizeof(s->text),
             "%" PRIu64 " of its %" PRIu64
             " records have functions without code in the ELF, like 0x%" PRIx64,
             strange, count, one);
    return false;
}

/* Nothing that the target writes meanwhile is taken for what was there before. */
static enum sampler_code read_ring(struct sampler_table *s, enum gdbmi_state *state)
{
    struct call_ring *r = s->ring;
    uint64_t value, after;
    enum sampler_code code = read_counter(s, &value);

    if (code == SAMPLER_OK)
        code = sampler_read(s, s->addr, state);
    if (code == SAMPLER_OK)
        code = read_counter(s, &after);
    if (code != SAMPLER_OK)
        return code;
    if (!judge(s)) /* a dump will not change */
        return r->still ? SAMPLER_ETABLE : SAMPLER_WAIT;
    bool still = r->still || (*state == GDBMI_STATE_HALTED && value == after);
    judge_counter(s, value, after, still);
    if (!find_place(s, value, after, still) || !call_ring_take(s, still))
        return SAMPLER_ENOMEM;
    s->trace.places[0].lead = (struct decode_trace){.head = (uint32_t)(r->head != 0),
                                                    .timed = r->table.time.size != 0,
                                                    .foreign = true,
                                                    .uncounted = r->wraps};
    return SAMPLER_OK;
}

enum sampler_code call_ring_drain(struct sampler_table *sampler)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    return read_ring(sampler, &state);
}

enum sampler_code call_ring_poll(struct sampler_table *sampler, struct profile *profile,
                                 double now_s, enum gdbmi_state *state)
{
    const struct headerless_shape shape = {.unit = DECODE_UNIT_CALLS, .block_size = 1};
    const struct headerless_rows none = {.count = 0};

    if (sampler->kind != SAMPLER_TRACE) {
        snprintf(sampler->text, sizeof(sampler->text),
                 "it is a ring of calls, which counts nothing: use 'mprof trace'");
        return SAMPLER_ETABLE;
    }
    enum sampler_code code = read_ring(sampler, state);
    if (code != SAMPLER_OK)
        return code;
    sampler->text[0] = '\0';
    if (!profile_update_headerless(profile, &shape, &none, now_s))
        return SAMPLER_ENOMEM;
    profile->cores = 1;
    return SAMPLER_OK;
}
