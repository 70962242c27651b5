/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header and the directory of s_prof: every field is taken by its offset and checked. */
#include <profile/decode.h>

#include <stdarg.h>
#include <stdio.h>

#include "cursor.h"

/* Bytes of the header in ABI 1.0; later ones only add to it. */
#define HEADER_SIZE_1_0 96

#define OFFSET_ALIGN 8

MPROF_STATIC_ASSERT(sizeof(struct mprof_rows_lead) == DECODE_LEAD_SIZE,
                    "the layout that readers know");
MPROF_STATIC_ASSERT(offsetof(struct mprof_header, generation) == DECODE_GENERATION_AT,
                    "the layout that readers know");

struct report {
    char *text;
    size_t capacity;
};

static enum decode_code refuse(const struct report *r, enum decode_code code, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

static enum decode_code refuse(const struct report *r, enum decode_code code, const char *format,
                               ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->text, r->capacity, format, args);
    va_end(args);
    return code;
}

static enum decode_code find_byte_order(struct cursor *c, const struct report *r)
{
    c->big_endian = false;
    if (cursor_take(c, 0, sizeof(uint32_t)) == MPROF_MAGIC)
        return DECODE_OK;
    c->big_endian = true;
    if (cursor_take(c, 0, sizeof(uint32_t)) == MPROF_MAGIC)
        return DECODE_OK;
    return refuse(r, DECODE_EBLANK, "its magic number is missing");
}

static void take_counters(const struct cursor *c, struct decode_header *h)
{
    uint64_t flags = TAKE(c, 0, mprof_header, flags);

    h->locked = flags & MPROF_FLAG_TICK_LOCKED;
    h->jittered = flags & MPROF_FLAG_JITTERED;
    h->fixed = h->abi_minor >= 1 && !h->locked && !h->jittered;
    h->small = flags & MPROF_FLAG_SMALL;
    h->sink = flags & MPROF_FLAG_SINK;
    h->threads = flags & MPROF_FLAG_THREADS;
    h->unused = flags & MPROF_FLAG_UNUSED;
    h->boot = TAKE32(c, 0, mprof_header, boot);
    h->generation = h->generation_after = TAKE32(c, 0, mprof_header, generation);
    h->sample_hz = TAKE32(c, 0, mprof_header, sample_hz);
    h->tick_hz = TAKE32(c, 0, mprof_header, tick_hz);
    h->iterations = h->abi_minor >= 4 ? TAKE32(c, 0, mprof_header, iterations) : 0;
}

_Static_assert(DECODE_FROZEN_BOOTS == MPROF_FROZEN_BOOTS / MPROF_FROZEN_BOOT, "all boots fit");

static struct decode_frozen take_frozen(const struct cursor *c, uint32_t enable)
{
    unsigned frozen = (unsigned)TAKE(c, 0, mprof_header, frozen);

    if ((enable & MPROF_ENABLE_UNFROZEN) || !(frozen & MPROF_FROZEN))
        return (struct decode_frozen){.is = false};
    return (struct decode_frozen){
        .is = true,
        .exception = frozen & MPROF_FROZEN_EXCEPTION,
        .boots = (frozen & MPROF_FROZEN_BOOTS) / MPROF_FROZEN_BOOT,
    };
}

/* What ABI 1.1 added. */
static void take_added(const struct cursor *c, size_t header_size, struct decode_header *h)
{
    h->cores = 1;
    if (h->abi_minor < 1 || header_size < sizeof(struct mprof_header))
        return;
    h->late = TAKE32(c, 0, mprof_header, late);
    h->sleeping = TAKE32(c, 0, mprof_header, sleeping);
    h->other_side = TAKE32(c, 0, mprof_header, other_side);
    h->enable = TAKE32(c, 0, mprof_header, enable);
    h->nonce_echo = TAKE32(c, 0, mprof_header, nonce_echo);
    h->reset_done = TAKE32(c, 0, mprof_header, reset_done);
    h->phase = TAKE32(c, 0, mprof_header, phase);
    h->focused = !(h->enable & MPROF_ENABLE_UNFOCUSED);
    h->filtered = !(h->enable & MPROF_ENABLE_UNFILTERED);
    h->traced = TAKE32(c, 0, mprof_header, traced);
    h->frozen = take_frozen(c, h->enable);
    h->core = (unsigned)TAKE(c, 0, mprof_header, core);
    h->cores = (unsigned)TAKE(c, 0, mprof_header, cores);
    h->cores += h->cores == 0;
}

struct kind {
    const char *name;
    const char *entries; /* for messages */
    size_t size32, size64;
    size_t row32, row64; /* since ABI 1.2 */
    bool has_unit;
};

/* Before ABI 1.6, costs were without those of jumps. */
#define COST_LEAST offsetof(struct mprof_trace_cost, jump_from)

static const struct kind kinds[DECODE_SOURCES] = {
    [DECODE_TABLE] = {"table", "items", sizeof(struct mprof_item32), sizeof(struct mprof_item64),
                      sizeof(struct mprof_row32), sizeof(struct mprof_row64), true},
    [DECODE_CALLS] = {"calls", "items", sizeof(struct mprof_item32), sizeof(struct mprof_item64),
                      sizeof(struct mprof_row32), sizeof(struct mprof_row64), true},
    [DECODE_ARCS] = {"arcs", "arcs", sizeof(struct mprof_arc32), sizeof(struct mprof_arc64),
                     sizeof(struct mprof_arc_row32), sizeof(struct mprof_arc_row64), true},
    [DECODE_STREAM] = {"stream", "records", sizeof(struct mprof_record32),
                       sizeof(struct mprof_record64), 0, 0, true},
    [DECODE_HISTOGRAM] = {"histogram", "entries", sizeof(uint32_t), sizeof(uint32_t), 0, 0, true},
    [DECODE_FILTER] = {"filter", "ranges", sizeof(struct mprof_range32),
                       sizeof(struct mprof_range64), 0, 0, false},
    [DECODE_FOCUS] = {"focus", "entries", sizeof(uint32_t), sizeof(uint32_t), 0, 0, true},
    [DECODE_TRACED] = {"traced", "ranges", sizeof(struct mprof_range32),
                       sizeof(struct mprof_range64), 0, 0, false},
    [DECODE_TASKS] = {"tasks", "rows", sizeof(struct mprof_task32), sizeof(struct mprof_task64), 0,
                      0, true},
    [DECODE_COVERAGE] = {"coverage", "entries", sizeof(uint32_t), sizeof(uint32_t), 0, 0, false},
    [DECODE_COST] = {"cost", "costs", COST_LEAST, COST_LEAST, 0, 0, false},
    [DECODE_TRACE] = {"trace", "events", sizeof(struct mprof_event32), sizeof(struct mprof_event64),
                      0, 0, true},
};

const char *decode_source_name(enum decode_source source)
{
    static const char *const taken[] = {"pcsr", "halt"};

    return decode_is_taken(source) ? taken[source - DECODE_PCSR] : kinds[source].name;
}

enum decode_unit decode_source_unit(enum decode_source source)
{
    bool calls = source == DECODE_CALLS || source == DECODE_ARCS || source == DECODE_TRACE;

    return calls ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES;
}

static bool source_of(uint64_t kind, uint64_t unit, enum decode_source *source)
{
    switch (kind) {
    case MPROF_KIND_ITEMS:
    case MPROF_KIND_ROWS:
        *source = unit == MPROF_UNIT_CALLS ? DECODE_CALLS : DECODE_TABLE;
        return true;
    case MPROF_KIND_ARCS:
    case MPROF_KIND_ARC_ROWS:
        *source = DECODE_ARCS;
        return true;
    case MPROF_KIND_STREAM:
        *source = DECODE_STREAM;
        return true;
    case MPROF_KIND_HISTOGRAM:
        *source = DECODE_HISTOGRAM;
        return true;
    case MPROF_KIND_FILTER:
        *source = DECODE_FILTER;
        return true;
    case MPROF_KIND_FOCUS:
        *source = DECODE_FOCUS;
        return true;
    case MPROF_KIND_TRACED:
        *source = DECODE_TRACED;
        return true;
    case MPROF_KIND_COST:
        *source = DECODE_COST;
        return true;
    case MPROF_KIND_TRACE:
        *source = DECODE_TRACE;
        return true;
    case MPROF_KIND_TASKS:
        *source = DECODE_TASKS;
        return true;
    case MPROF_KIND_COVERAGE:
        *source = DECODE_COVERAGE;
        return true;
    default:
        return false;
    }
}

/* What belongs to the block, except its entries (docs/layout.md). */
static void place(struct decode_block *b)
{
    b->start = b->lead = b->offset - (b->led ? sizeof(struct mprof_counters) : 0);
    b->end = b->offset + b->count * b->size;
    if (!b->rows)
        return;
    b->start = b->lead = b->offset - sizeof(struct mprof_rows_lead);
    b->rest = b->end + b->size;
    b->rest_count = b->count / 2;
    b->region_size = b->block_size >> MPROF_REST_SHIFT ? b->block_size : 1u << MPROF_REST_SHIFT;
    b->end = b->rest + b->rest_count * sizeof(uint32_t) + b->count * sizeof(uint16_t);
}

/* Blocks do not share bytes. */
static enum decode_code check_apart(const struct decode_block *b, const char *entries,
                                    const struct decode_header *h, const struct report *r)
{
    for (int source = 0; source < DECODE_SOURCES; source++) {
        const struct decode_block *other = &h->blocks[source];
        if (other->count != 0 && b->start < other->end && other->start < b->end)
            return refuse(r, DECODE_EDAMAGED, "it is damaged: its %s at offset %zu overlap its %s",
                          entries, b->offset, kinds[source].name);
    }
    return DECODE_OK;
}

/* What a block takes in front of its entries. */
static size_t lead_size(const struct decode_block *b)
{
    if (b->rows)
        return sizeof(struct mprof_rows_lead);
    return b->led ? sizeof(struct mprof_counters) : 0;
}

static bool fits(const struct decode_block *b, const struct decode_header *h)
{
    size_t entry = b->size + (b->rows ? sizeof(uint16_t) + sizeof(uint32_t) / 2 : 0);

    return b->count != 0 && b->offset <= h->total_size && b->count <= h->total_size / entry &&
           b->offset >= h->directory_end + lead_size(b) &&
           b->count + b->rows <= (h->total_size - b->offset) / b->size;
}

static size_t smallest_size(const struct decode_block *b, const struct kind *kind,
                            const struct decode_header *h)
{
    if (b->rows)
        return h->addr_size == 4 ? kind->row32 : kind->row64;
    return h->addr_size == 4 ? kind->size32 : kind->size64;
}

static enum decode_code check_block(struct decode_block *b, const struct kind *kind,
                                    const struct decode_header *h, const struct report *r)
{
    size_t smallest = smallest_size(b, kind, h);
    if (b->size < smallest)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its %s have %zu bytes, not %zu",
                      kind->entries, b->size, smallest);
    if (b->offset % OFFSET_ALIGN != 0)
        return refuse(r, DECODE_EDAMAGED,
                      "it is damaged: its %s are at offset %zu, not a multiple of %d",
                      kind->entries, b->offset, OFFSET_ALIGN);
    bool fit = fits(b, h);
    if (fit)
        place(b);
    if (!fit || b->end > h->total_size)
        return refuse(r, DECODE_EDAMAGED,
                      "it is damaged: %zu %s at offset %zu do not fit in its %zu bytes", b->count,
                      kind->entries, b->offset, h->total_size);
    return check_apart(b, kind->entries, h, r);
}

/* Tables count one after the other; each behind the first one has counters of its own. */
static bool is_second_table(enum decode_source source, const struct decode_header *h)
{
    return (source == DECODE_CALLS && h->blocks[DECODE_TABLE].count != 0) ||
           (source == DECODE_ARCS &&
            (h->blocks[DECODE_TABLE].count != 0 || h->blocks[DECODE_CALLS].count != 0));
}

/* What a block's unit is, that something must lead it, and that a ring is a power of two. */
static enum decode_code check_special(const struct decode_block *b, enum decode_source source,
                                      uint64_t unit, const struct decode_header *h,
                                      const struct report *r)
{
    if (kinds[source].has_unit && unit != (uint64_t)decode_source_unit(source))
        return refuse(r, DECODE_EDAMAGED, "it is damaged: the unit of its %s is %u",
                      kinds[source].entries, (unsigned)unit);
    if (is_second_table(source, h) && !b->led)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its %s have no header",
                      kinds[source].name);
    if ((source == DECODE_STREAM || source == DECODE_HISTOGRAM || source == DECODE_FOCUS ||
         source == DECODE_TRACE || source == DECODE_TASKS || source == DECODE_COVERAGE) &&
        !b->led)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its %s have no header",
                      kinds[source].entries);
    if (source == DECODE_STREAM && (b->count & (b->count - 1)) != 0)
        return refuse(r, DECODE_EDAMAGED,
                      "it is damaged: its ring has %zu records, not a power of two", b->count);
    if ((source == DECODE_FOCUS || source == DECODE_TRACE) && (b->count & (b->count - 1)) != 0)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its %s has %zu %s, not a power of two",
                      kinds[source].name, b->count, kinds[source].entries);
    if (source == DECODE_COVERAGE &&
        (b->fields == 0 || b->fields > 32 || 32 % b->fields != 0 || b->size != sizeof(uint32_t)))
        return refuse(r, DECODE_EDAMAGED,
                      "it is damaged: its coverage counts %u places in %zu bytes", b->fields,
                      b->size);
    if (b->rows && (b->count < 2 || (b->count & (b->count - 1)) != 0))
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its %s has %zu rows, not a power of two",
                      kinds[source].name, b->count);
    return DECODE_OK;
}

static enum decode_code take_block(const struct cursor *c, size_t at, struct decode_header *h,
                                   const struct report *r)
{
    uint64_t unit = TAKE(c, at, mprof_block, unit);
    uint64_t shift = TAKE(c, at, mprof_block, grain_shift);
    uint64_t flags = TAKE(c, at, mprof_block, flags);
    enum decode_source source;

    uint64_t number = TAKE(c, at, mprof_block, kind);
    if (number == 0)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: a block has kind 0");
    if (!source_of(number, unit, &source) || h->blocks[source].count != 0)
        return DECODE_OK;
    const struct kind *kind = &kinds[source];
    if (kind->has_unit && unit != MPROF_UNIT_SAMPLES && unit != MPROF_UNIT_CALLS)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: the unit of its %s is %u", kind->entries,
                      (unsigned)unit);
    if (shift > 16)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its %s cover 2^%u bytes", kind->entries,
                      (unsigned)shift);
    struct decode_block b = {
        .count = (size_t)TAKE(c, at, mprof_block, count),
        .size = (size_t)TAKE(c, at, mprof_block, entry_size),
        .offset = (size_t)TAKE(c, at, mprof_block, offset),
        .block_size = 1u << shift,
        .increment = (unsigned)(flags >> 8) + (flags >> 8 == 0),
        .decays = flags & MPROF_BLOCK_DECAYS,
        .led = flags & MPROF_BLOCK_LED,
        .one_clock = flags & MPROF_BLOCK_CLOCK,
        .wide = flags & MPROF_BLOCK_WIDE && h->addr_size == 8,
        .tasks = flags & MPROF_BLOCK_TASK,
        .results = flags & MPROF_BLOCK_RESULT,
        .fields = number == MPROF_KIND_COVERAGE ? (unsigned)TAKE(c, at, mprof_block, ways) : 0,
        .sharing = h->abi_minor >= 4 && source == DECODE_TRACE
                       ? (unsigned)TAKE(c, at, mprof_block, ways)
                       : 0,
        .rows = number == MPROF_KIND_ROWS || number == MPROF_KIND_ARC_ROWS,
    };
    enum decode_code code = check_block(&b, kind, h, r);
    if (code == DECODE_OK)
        code = check_special(&b, source, unit, h, r);
    if (code == DECODE_OK)
        h->blocks[source] = b;
    return code;
}

/* What rows say of themselves. */
static void take_rows_lead(const struct cursor *c, struct decode_header *h)
{
    const struct decode_block *b = &h->blocks[h->source];
    uint32_t left = TAKE32(c, b->lead, mprof_rows_lead, free);

    h->items_in_use = left <= b->count ? b->count - left : b->count;
    h->spilled = TAKE32(c, b->lead, mprof_rows_lead, spilled) != 0;
    h->displaced = h->dropped = 0;
    if (b->led) {
        h->heartbeat = TAKE32(c, b->lead, mprof_rows_lead, events);
        h->ignored = TAKE32(c, b->lead, mprof_rows_lead, ignored);
    }
}

static void add_up_rest(const struct cursor *c, struct decode_header *h)
{
    for (size_t i = 0; i < h->blocks[h->source].rest_count; i++)
        h->dropped += decode_rest(c->bytes, h, i);
}

/* Counters that lead a block are that block's; the others share the header's. */
static void take_lead(const struct cursor *c, struct decode_header *h)
{
    const struct decode_block *b = &h->blocks[h->source];
    size_t lead = b->lead;

    h->items_in_use = b->count;
    h->spilled = false;
    h->heartbeat = TAKE32(c, 0, mprof_header, heartbeat);
    h->dropped = TAKE32(c, 0, mprof_header, dropped);
    h->ignored = TAKE32(c, 0, mprof_header, ignored);
    h->displaced = TAKE32(c, 0, mprof_header, iterations);
    if (b->rows)
        take_rows_lead(c, h);
    if (b->rows || !b->led || h->source == DECODE_STREAM || h->source == DECODE_TRACE ||
        h->source == DECODE_COVERAGE)
        return;
    h->heartbeat = TAKE32(c, lead, mprof_counters, events);
    h->dropped = TAKE32(c, lead, mprof_counters, dropped);
    if (h->source == DECODE_HISTOGRAM) {
        h->displaced = 0;
        return;
    }
    h->displaced = TAKE32(c, lead, mprof_counters, displaced);
    h->ignored = TAKE32(c, lead, mprof_counters, ignored);
}

bool decode_select(const uint8_t *bytes, struct decode_header *header, enum decode_source source)
{
    const struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    const struct decode_block *b = &header->blocks[source];

    if (b->count == 0)
        return false;
    header->source = source;
    header->unit = decode_source_unit(source);
    header->block_size = b->block_size;
    header->item_count = b->count;
    header->item_size = b->size;
    header->item_offset = b->offset;
    take_lead(&c, header);
    add_up_rest(&c, header);
    return true;
}

uint32_t decode_generation(const uint8_t *bytes, const struct decode_header *header)
{
    const struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};

    return TAKE32(&c, 0, mprof_header, generation);
}

void decode_lead(const uint8_t *bytes, struct decode_header *header)
{
    const struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};

    take_lead(&c, header);
}

static enum decode_code take_directory(const struct cursor *c, size_t directory, size_t count,
                                       struct decode_header *h, const struct report *r)
{
    for (size_t i = 0; i < count; i++) {
        enum decode_code code = take_block(c, directory + i * sizeof(struct mprof_block), h, r);
        if (code != DECODE_OK)
            return code;
    }
    return DECODE_OK;
}

static enum decode_code select_any(const uint8_t *bytes, struct decode_header *h, size_t blocks,
                                   const struct report *r)
{
    static const enum decode_source order[] = {DECODE_TABLE,     DECODE_CALLS,  DECODE_ARCS,
                                               DECODE_HISTOGRAM, DECODE_STREAM, DECODE_TRACE,
                                               DECODE_COVERAGE};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        if (decode_select(bytes, h, order[i]))
            return DECODE_OK;
    }
    return refuse(r, DECODE_EKIND, "it has no table of counts among its %zu blocks", blocks);
}

static enum decode_code check_sizes(const struct cursor *c, size_t len, struct decode_header *h,
                                    size_t *need, const struct report *r)
{
    size_t header_size = (size_t)TAKE(c, 0, mprof_header, header_size);
    size_t blocks = (size_t)TAKE(c, 0, mprof_header, block_count);

    h->directory_end = header_size + blocks * sizeof(struct mprof_block);
    h->addr_size = (unsigned)TAKE(c, 0, mprof_header, addr_size);
    h->total_size = (size_t)TAKE(c, 0, mprof_header, total_size);
    if (h->addr_size != 4 && h->addr_size != 8)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its addresses have %u bytes",
                      h->addr_size);
    if (header_size < HEADER_SIZE_1_0)
        return refuse(r, DECODE_EDAMAGED,
                      "it is damaged: its header has %zu bytes, not at least %zu", header_size,
                      (size_t)HEADER_SIZE_1_0);
    if (h->total_size < h->directory_end || h->total_size > DECODE_MAX_SIZE)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: its total size is %zu bytes",
                      h->total_size);
    *need = h->total_size;
    if (len < h->directory_end)
        return refuse(r, DECODE_ESHORT, "it is cut short: only %zu of its %zu bytes", len,
                      h->total_size);
    take_added(c, header_size, h);
    if (h->cores > DECODE_MAX_CORES || h->core >= h->cores)
        return refuse(r, DECODE_EDAMAGED, "it is damaged: core %u of %u cores", h->core, h->cores);
    return take_directory(c, header_size, blocks, h, r);
}

enum decode_code decode_header(const uint8_t *bytes, size_t len, struct decode_header *header,
                               size_t *need, char *text, size_t capacity)
{
    struct cursor c = {.bytes = bytes};
    struct report r = {.text = text, .capacity = capacity};
    struct decode_header h = {0};

    *need = 0;
    if (len < HEADER_SIZE_1_0)
        return refuse(&r, DECODE_ESHORT, "it is cut short: only %zu bytes of its header", len);
    enum decode_code code = find_byte_order(&c, &r);
    if (code != DECODE_OK)
        return code;
    h.big_endian = c.big_endian;
    h.abi_major = (unsigned)TAKE(&c, 0, mprof_header, abi_major);
    h.abi_minor = (unsigned)TAKE(&c, 0, mprof_header, abi_minor);
    if (h.abi_major != MPROF_ABI_MAJOR)
        return refuse(&r, DECODE_EABI,
                      "its layout is version %u.%u, this mprof reads version %u: use a matching "
                      "mprof and target-stub",
                      h.abi_major, h.abi_minor, MPROF_ABI_MAJOR);
    take_counters(&c, &h);
    code = check_sizes(&c, len, &h, need, &r);
    if (code == DECODE_OK && len < h.total_size)
        code = refuse(&r, DECODE_ESHORT, "it is cut short: only %zu of its %zu bytes", len,
                      h.total_size);
    h.focused = h.focused && h.blocks[DECODE_FOCUS].count != 0;
    h.filtered = h.filtered && h.blocks[DECODE_TRACED].count != 0;
    if (code == DECODE_OK)
        code = select_any(bytes, &h, (size_t)TAKE(&c, 0, mprof_header, block_count), &r);
    if (code == DECODE_OK)
        *header = h;
    return code;
}
