/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, arcs, the histogram's entries, and the records of a stream and of a trace. */
#include <profile/decode.h>

#include "cursor.h"

static void take_item(const struct cursor *c, const struct decode_header *h, size_t at,
                      struct decode_item *item)
{
    if (h->addr_size == 4) {
        item->addr = TAKE(c, at, mprof_item32, addr);
        item->hits = TAKE32(c, at, mprof_item32, hits);
        item->inherited = TAKE32(c, at, mprof_item32, inherited);
        item->stamp = TAKE32(c, at, mprof_item32, stamp);
    } else {
        item->addr = TAKE(c, at, mprof_item64, addr);
        item->hits = TAKE32(c, at, mprof_item64, hits);
        item->inherited = TAKE32(c, at, mprof_item64, inherited);
        item->stamp = TAKE32(c, at, mprof_item64, stamp);
    }
}

static void take_arc(const struct cursor *c, const struct decode_header *h, size_t at,
                     struct decode_item *item)
{
    if (h->addr_size == 4) {
        item->addr = TAKE(c, at, mprof_arc32, callee);
        item->caller = TAKE(c, at, mprof_arc32, caller);
        item->hits = TAKE32(c, at, mprof_arc32, hits);
        item->stamp = TAKE32(c, at, mprof_arc32, stamp);
    } else {
        item->addr = TAKE(c, at, mprof_arc64, callee);
        item->caller = TAKE(c, at, mprof_arc64, caller);
        item->hits = TAKE32(c, at, mprof_arc64, hits);
        item->stamp = TAKE32(c, at, mprof_arc64, stamp);
    }
}

/* An entry never changes its address, so it proves itself. */
static void take_entry(const struct cursor *c, const struct decode_header *h, size_t index,
                       struct decode_item *item)
{
    size_t lead = h->item_offset - sizeof(struct mprof_histogram_lead);
    uint64_t base = TAKE(c, lead, mprof_histogram_lead, base_high) << 32 |
                    TAKE(c, lead, mprof_histogram_lead, base_low);

    item->addr = base + index * h->block_size;
    item->hits = (uint32_t)cursor_take(c, h->item_offset + index * h->item_size, sizeof(uint32_t));
    item->stamp = 1;
}

/* A row that is taken for good, see layout.h. */
static enum decode_row take_row(const struct cursor *c, const struct decode_header *h, size_t index,
                                struct decode_item *item)
{
    const struct decode_block *b = &h->blocks[h->source];
    size_t at = b->offset + index * b->size;
    size_t hits = (h->source == DECODE_ARCS ? 2 : 1) * h->addr_size;

    if (index >= h->items_in_use)
        return DECODE_ROW_EMPTY;
    item->addr = cursor_take(c, at, h->addr_size);
    if (h->source == DECODE_ARCS)
        item->caller = cursor_take(c, at + h->addr_size, h->addr_size);
    item->hits = (uint32_t)cursor_take(c, at + hits, sizeof(uint32_t)) / b->increment;
    uint32_t stamp =
        (uint32_t)cursor_take(c, at + hits + sizeof(uint32_t) + sizeof(uint16_t), sizeof(uint16_t));
    item->stamp = DECODE_STAMP_COMPLETE | stamp; /* 16 bits, and never 0 */
    item->complete = stamp == 0 && !b->decays;
    if (item->addr & 1)
        return DECODE_ROW_EMPTY;
    uint32_t ahead = (stamp - h->generation) & 0xffff, window = h->generation_after - h->generation;
    bool torn = window >= 0x8000 || (stamp != 0 && ahead != 0 && ahead <= window + 2);
    return torn ? DECODE_ROW_TORN : DECODE_ROW_FRESH;
}

enum decode_row decode_item(const uint8_t *bytes, const struct decode_header *header, size_t index,
                            struct decode_item *item)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    size_t at = header->item_offset + index * header->item_size;

    *item = (struct decode_item){.addr = 0};
    if (header->source == DECODE_HISTOGRAM) {
        take_entry(&c, header, index, item);
        return DECODE_ROW_FRESH;
    }
    if (header->blocks[header->source].rows)
        return take_row(&c, header, index, item);
    if (header->source == DECODE_ARCS)
        take_arc(&c, header, at, item);
    else
        take_item(&c, header, at, item);
    if (item->stamp == 0)
        return DECODE_ROW_EMPTY;
    item->hits /= header->blocks[header->source].increment;
    item->inherited /= header->blocks[header->source].increment;
    uint32_t ahead = item->stamp - header->generation;
    return ahead != 0 && ahead <= MPROF_STAMP_AHEAD ? DECODE_ROW_TORN : DECODE_ROW_FRESH;
}

/* A row that changed while it was read has a stamp that is ahead, and so has one that is 2^15
 * changes old. If a table counts calls, more than 2^15 rows can change during one read. */
bool decode_is_changing(const uint8_t *bytes, const struct decode_header *header)
{
    bool fast = header->unit == DECODE_UNIT_CALLS;

    for (size_t i = 0; header->blocks[header->source].rows && i < header->items_in_use; i++) {
        struct decode_item item;
        decode_item(bytes, header, i, &item);
        uint32_t ahead = (item.stamp - header->generation) & 0xffff;
        if (item.stamp != DECODE_STAMP_COMPLETE && ahead != 0 && (fast || ahead < 0x8000))
            return true;
    }
    return false;
}

uint32_t decode_rest(const uint8_t *bytes, const struct decode_header *header, size_t index)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    const struct decode_block *b = &header->blocks[header->source];

    if (!header->spilled)
        return 0;
    return (uint32_t)cursor_take(&c, b->rest + index * sizeof(uint32_t), sizeof(uint32_t)) /
           b->increment;
}

static void range_at(const uint8_t *bytes, const struct decode_header *header,
                     const struct decode_block *b, size_t index, uint64_t *start, uint64_t *end)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    size_t at = b->offset + index * b->size;
    bool narrow = header->addr_size == 4;

    *start = narrow ? TAKE(&c, at, mprof_range32, start) : TAKE(&c, at, mprof_range64, start);
    *end = narrow ? TAKE(&c, at, mprof_range32, end) : TAKE(&c, at, mprof_range64, end);
}

bool decode_range(const uint8_t *bytes, const struct decode_header *header, size_t index,
                  uint64_t *start, uint64_t *end)
{
    range_at(bytes, header, &header->blocks[DECODE_FILTER], index, start, end);
    return *end != 0;
}

bool decode_traced(const uint8_t *bytes, const struct decode_header *header, size_t index,
                   uint64_t *start, uint64_t *end)
{
    const struct decode_block *b = &header->blocks[DECODE_TRACED];
    size_t first = header->traced & MPROF_TRACED_FIRST;
    uint64_t last = header->addr_size == 4 ? UINT32_MAX : UINT64_MAX;

    if (!header->filtered || first >= b->count || index >= b->count - first)
        return false;
    range_at(bytes, header, b, first + index, start, end);
    return *end != last;
}

struct decode_focus decode_focus(const uint8_t *bytes, const struct decode_header *header)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    size_t lead = header->blocks[DECODE_FOCUS].lead;

    return (struct decode_focus){
        .base = TAKE(&c, lead, mprof_focus_lead, base_high) << 32 |
                TAKE(&c, lead, mprof_focus_lead, base_low),
        .events =
            TAKE32(&c, 0, mprof_header, heartbeat) - TAKE32(&c, lead, mprof_focus_lead, began),
        .done = TAKE32(&c, lead, mprof_focus_lead, done),
    };
}

uint32_t decode_focus_hits(const uint8_t *bytes, const struct decode_header *header, uint64_t addr)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    const struct decode_block *b = &header->blocks[DECODE_FOCUS];
    size_t index = (size_t)(addr / b->block_size % b->count);

    return (uint32_t)cursor_take(&c, b->offset + index * b->size, sizeof(uint32_t));
}

#define PLACE_MASK (~(MPROF_STREAM_EXCEPTION | MPROF_STREAM_LATE))

uint32_t decode_stream_head(const uint8_t *bytes, const struct decode_header *header)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    size_t lead = header->item_offset - sizeof(struct mprof_stream_lead);

    return TAKE32(&c, lead, mprof_stream_lead, head) & PLACE_MASK;
}

uint32_t decode_stream_next(uint32_t place, uint32_t records)
{
    return place + records * MPROF_STREAM_STEP;
}

uint32_t decode_stream_distance(uint32_t later, uint32_t earlier)
{
    return (later - earlier) / MPROF_STREAM_STEP;
}

size_t decode_stream_index(uint32_t place, const struct decode_header *header)
{
    return decode_stream_next(place, 1) / MPROF_STREAM_STEP % header->item_count;
}

enum decode_record decode_stream_record(const uint8_t *bytes, const struct decode_header *header,
                                        uint32_t place, struct decode_sample *sample)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    size_t at = header->item_offset + decode_stream_index(place, header) * header->item_size;
    bool narrow = header->addr_size == 4;
    uint32_t tag =
        narrow ? TAKE32(&c, at, mprof_record32, tag) : TAKE32(&c, at, mprof_record64, tag);
    uint32_t written = tag & PLACE_MASK;
    uint32_t right = decode_stream_next(place, 1);

    if (!(tag & MPROF_STREAM_VALID) || (int32_t)(written - right) < 0)
        return DECODE_RECORD_COMING;
    if (written != right)
        return DECODE_RECORD_LOST;
    sample->pc = narrow ? TAKE(&c, at, mprof_record32, pc) : TAKE(&c, at, mprof_record64, pc);
    sample->lr = narrow ? TAKE(&c, at, mprof_record32, lr) : TAKE(&c, at, mprof_record64, lr);
    sample->time =
        narrow ? TAKE32(&c, at, mprof_record32, time) : TAKE32(&c, at, mprof_record64, time);
    sample->exception = tag & MPROF_STREAM_EXCEPTION;
    sample->in_task = header->blocks[DECODE_TASKS].count != 0 &&
                      (sample->exception == 0 || sample->exception >= MPROF_STREAM_TASKS);
    sample->task_row = DECODE_NO_TASK;
    if (sample->in_task) {
        if (sample->exception != 0 && sample->exception != MPROF_STREAM_EXCEPTION)
            sample->task_row = sample->exception - MPROF_STREAM_TASKS;
        sample->exception = 0;
    }
    sample->late = tag & MPROF_STREAM_LATE;
    return DECODE_RECORD_WHOLE;
}

bool decode_task(const uint8_t *bytes, const struct decode_header *header, size_t index,
                 struct decode_task *task)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    const struct decode_block *b = &header->blocks[DECODE_TASKS];
    size_t at = b->offset + index * b->size;
    uint32_t exception = TAKE32(&c, at, mprof_task32, exception);

    if (exception > MPROF_STREAM_EXCEPTION)
        return false;
    *task = (struct decode_task){
        .exception = exception,
        .hits = TAKE32(&c, at, mprof_task32, hits),
        .task = header->addr_size == 4 ? TAKE(&c, at, mprof_task32, task)
                                       : TAKE(&c, at, mprof_task64, task),
    };
    return true;
}

uint32_t decode_tasks_lost(const uint8_t *bytes, const struct decode_header *header)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};

    return TAKE32(&c, header->blocks[DECODE_TASKS].lead, mprof_tasks_lead, lost);
}

struct decode_trace decode_trace(const uint8_t *bytes, const struct decode_header *header)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    size_t lead = header->blocks[DECODE_TRACE].lead;
    uint32_t hz = TAKE32(&c, lead, mprof_trace_lead, time_hz);
    bool timed = hz != MPROF_TRACE_NO_TIME;
    const struct decode_block *cost = &header->blocks[DECODE_COST];
    size_t at = cost->offset;
    bool jumps = cost->count && cost->size >= sizeof(struct mprof_trace_cost) &&
                 TAKE32(&c, at, mprof_trace_cost, call) != 0;

    return (struct decode_trace){
        .head = TAKE32(&c, lead, mprof_trace_lead, head),
        .first = TAKE32(&c, lead, mprof_trace_lead, first),
        .lost = TAKE32(&c, lead, mprof_trace_lead, lost),
        .hz = timed ? hz : 0,
        .timed = timed,
        .inside = cost->count ? TAKE32(&c, at, mprof_trace_cost, inside) : 0,
        .call = cost->count ? TAKE32(&c, at, mprof_trace_cost, call) : 0,
        .instruction = cost->count ? TAKE32(&c, at, mprof_trace_cost, instruction) : 0,
        .unhooked = cost->count ? TAKE32(&c, at, mprof_trace_cost, unhooked) : 0,
        .jump_from = jumps ? TAKE32(&c, at, mprof_trace_cost, jump_from) : 0,
        .jump_to = jumps ? TAKE32(&c, at, mprof_trace_cost, jump_to) : 0,
        .jump = jumps ? TAKE32(&c, at, mprof_trace_cost, jump) : 0,
        .tasks = header->blocks[DECODE_TRACE].tasks,
        .results = header->blocks[DECODE_TRACE].results,
        .filtered = header->filtered,
        .traced = header->traced,
        .one_clock = timed && header->blocks[DECODE_TRACE].one_clock,
        .threads = header->threads,
        .sharing = header->blocks[DECODE_TRACE].sharing,
        .boot = header->boot - header->frozen.boots,
        .frozen = header->frozen,
    };
}

size_t decode_trace_index(uint32_t number, const struct decode_header *header)
{
    return number % header->blocks[DECODE_TRACE].count;
}

/* A tag has as many bits of the number as there is room for. */
static enum decode_record judge_tag(uint32_t tag, uint32_t number)
{
    int32_t ahead =
        (int32_t)((tag >> MPROF_TRACE_SHIFT << MPROF_TRACE_SHIFT) - (number << MPROF_TRACE_SHIFT));

    if (!(tag & MPROF_TRACE_VALID) || ahead < 0)
        return DECODE_RECORD_COMING;
    return ahead == 0 ? DECODE_RECORD_WHOLE : DECODE_RECORD_LOST;
}

/* Registers that a result is in. */
#define RESULT_WORDS 2

/* The words behind caller: the task, and arguments or the result. */
static void take_words(const struct cursor *c, const struct decode_header *h, size_t at, size_t end,
                       bool words, struct decode_event *event)
{
    bool results = h->blocks[DECODE_TRACE].results;
    unsigned most = !event->exit ? DECODE_ARGUMENTS : results ? RESULT_WORDS : 0;
    size_t len = h->addr_size;

    if (h->blocks[DECODE_TRACE].tasks && at + len <= end) {
        event->task = cursor_take(c, at, len);
        at += len;
    }
    for (; words && at + len <= end && event->argument_count < most; at += len)
        event->arguments[event->argument_count++] = cursor_take(c, at, len);
}

static void take_sleep(struct decode_event *event)
{
    bool asleep = (event->callee & MPROF_SLEEP_WHAT) == MPROF_SLEEP_ASLEEP;

    event->sleep = asleep ? DECODE_ASLEEP : DECODE_AWAKE;
    event->callee /= MPROF_SLEEP_RATE;
    event->caller &= UINT32_MAX;
}

/* Whether it is an exit by a jump; then sets *callee to the address in the function. */
static bool take_jump(uint32_t tag, uint64_t *callee)
{
    uint64_t what = *callee & MPROF_SLEEP_WHAT;

    if ((tag & MPROF_TRACE_SLEEP) != MPROF_TRACE_SLEEP ||
        (what != MPROF_TRACE_JUMP && what != MPROF_TRACE_JUMP_2))
        return false;
    *callee = what == MPROF_TRACE_JUMP ? *callee - MPROF_TRACE_JUMP : *callee + 2;
    return true;
}

/* The tag is the last word of a record. */
enum decode_record decode_trace_event(const uint8_t *bytes, const struct decode_header *header,
                                      uint32_t number, struct decode_event *event)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    const struct decode_block *b = &header->blocks[DECODE_TRACE];
    size_t at = b->offset + decode_trace_index(number, header) * b->size;
    bool narrow = header->addr_size == 4;
    size_t tag_at = at + b->size - sizeof(uint32_t),
           time_at = narrow ? at : tag_at - sizeof(uint32_t);
    size_t words_at =
        at + (narrow ? offsetof(struct mprof_event32, tag) : offsetof(struct mprof_event64, time));
    uint32_t tag = (uint32_t)cursor_take(&c, tag_at, sizeof(tag));
    enum decode_record record = judge_tag(tag, number);

    if (record != DECODE_RECORD_WHOLE)
        return record;
    uint64_t callee =
        narrow ? TAKE(&c, at, mprof_event32, callee) : TAKE(&c, at, mprof_event64, callee);
    uint64_t time = cursor_take(&c, time_at, sizeof(uint32_t));
    if (b->wide) {
        time |= callee >> MPROF_TRACE_WIDE_SHIFT << 32;
        callee &= ((uint64_t)1 << MPROF_TRACE_WIDE_SHIFT) - 1;
    }
    bool jump = take_jump(tag, &callee);
    bool mark = (tag & MPROF_TRACE_MARK) && !jump;
    *event = (struct decode_event){
        .callee = mark ? callee : callee & ~(uint64_t)MPROF_TRACE_EXIT,
        .caller =
            narrow ? TAKE(&c, at, mprof_event32, caller) : TAKE(&c, at, mprof_event64, caller),
        .time = time,
        .wide = b->wide,
        .exception = tag & MPROF_TRACE_EXCEPTION,
        .exit = jump || (!mark && callee & MPROF_TRACE_EXIT),
        .jump = jump,
        .mark = mark,
    };
    if (mark && (tag & MPROF_TRACE_ARGUMENTS))
        take_sleep(event);
    take_words(&c, header, words_at, narrow ? tag_at : time_at,
               !mark && !jump && (tag & MPROF_TRACE_ARGUMENTS), event);
    return record;
}

int64_t decode_clock_ticks(struct decode_clock *clock, const struct decode_event *event)
{
    unsigned unused = event->wide ? 16 : 32; /* bits, of which the time has none */
    uint64_t distance = event->time - clock->last;

    if (clock->begun)
        clock->ticks += (int64_t)(distance << unused) / ((int64_t)1 << unused);
    clock->begun = true;
    clock->last = event->time;
    return clock->ticks;
}

bool decode_tail(const uint8_t bytes[DECODE_TAIL_SIZE], uint64_t *address, uint64_t *entry)
{
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        struct cursor c = {.bytes = bytes, .big_endian = big_endian};
        if (TAKE32(&c, 0, mprof_tail, magic) != MPROF_TAIL_MAGIC ||
            TAKE32(&c, 0, mprof_tail, size) != DECODE_TAIL_SIZE)
            continue;
        *address = TAKE(&c, 0, mprof_tail, address);
        *entry = TAKE(&c, 0, mprof_tail, entry);
        return *entry != 0;
    }
    return false;
}

struct decode_coverage decode_coverage(const uint8_t *bytes, const struct decode_header *header)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    const struct decode_block *b = &header->blocks[DECODE_COVERAGE];

    return (struct decode_coverage){
        .base = TAKE(&c, b->lead, mprof_coverage_lead, base_high) << 32 |
                TAKE(&c, b->lead, mprof_coverage_lead, base_low),
        .places = b->count * b->fields,
        .outside = TAKE32(&c, b->lead, mprof_coverage_lead, outside),
        .full = UINT32_MAX >> (32 - 32 / b->fields),
    };
}

uint64_t decode_coverage_count(const uint8_t *bytes, const struct decode_header *header,
                               size_t place)
{
    struct cursor c = {.bytes = bytes, .big_endian = header->big_endian};
    const struct decode_block *b = &header->blocks[DECODE_COVERAGE];
    uint64_t entry = cursor_take(&c, b->offset + place / b->fields * b->size, sizeof(uint32_t));
    unsigned bits = 32 / b->fields;

    return entry >> (place % b->fields * bits) & UINT32_MAX >> (32 - bits);
}
