/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All blocks of the stub at once, natively: calls, arcs, stream, trace, histogram, focus, filter,
 * and what the host asks for. */
#include "unit.h"

#include <mprof/mprof.h>

#define TEXT  ((uintptr_t)(MPROF_HIST_BASE))
#define OTHER (TEXT + 0x4000)

static unsigned sunk;

void sink(uintptr_t pc, uintptr_t lr, uint32_t exception);

void sink(uintptr_t pc, uintptr_t lr, uint32_t exception)
{
    assert_true(pc != 0 && lr <= 0x77 && exception <= MPROF_STREAM_LATE);
    sunk++;
}

static uintptr_t called_callee, called_caller;
static unsigned calls_sunk;

void on_call(uintptr_t callee, uintptr_t caller);

void on_call(uintptr_t callee, uintptr_t caller)
{
    called_callee = callee;
    called_caller = caller;
    calls_sunk++;
}

static void power_up(void)
{
    s_prof.header.magic = 0;
    mprof_init();
}

static uint32_t sum_of_rows(const mprof_row_t *rows, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += rows[i].hits;
    return sum;
}

static uint32_t sum_of_arcs(void)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < MPROF_ARC_CNT - s_prof.arcs_lead.free; i++)
        sum += s_prof.arcs[i].hits;
    return sum;
}

static uint32_t sum_of(const uint32_t *rest, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += rest[i];
    return sum;
}

/* Each table's counters say what became of its events. A hit adds MPROF_HITCNT_INC. */
static void assert_conserved(void)
{
    const struct mprof_header *header = &s_prof.header;

    assert_int_equal(sum_of_rows(s_prof.items, MPROF_CNT - s_prof.items_lead.free) +
                         sum_of(s_prof.items_rest, MPROF_CNT / 2),
                     MPROF_HITCNT_INC * (header->heartbeat - header->ignored - header->sleeping -
                                         header->other_side));
    assert_int_equal(sum_of_rows(s_prof.calls, MPROF_CALL_CNT - s_prof.calls_lead.free) +
                         sum_of(s_prof.calls_rest, MPROF_CALL_CNT / 2),
                     MPROF_HITCNT_INC * (s_prof.calls_lead.events - s_prof.calls_lead.ignored));
    assert_int_equal(sum_of_arcs() + sum_of(s_prof.arcs_rest, MPROF_ARC_CNT / 2),
                     MPROF_HITCNT_INC * (s_prof.arcs_lead.events - s_prof.arcs_lead.ignored));
}

static void test_directory(void **state)
{
    static const uint8_t kinds[] = {MPROF_KIND_ROWS,   MPROF_KIND_ROWS,   MPROF_KIND_ARC_ROWS,
                                    MPROF_KIND_STREAM, MPROF_KIND_TRACE,  MPROF_KIND_HISTOGRAM,
                                    MPROF_KIND_FOCUS,  MPROF_KIND_FILTER, MPROF_KIND_TRACED};

    memset(&s_prof, 0xa5, sizeof(s_prof));
    power_up();
    assert_int_equal(s_prof.header.block_count, sizeof(kinds));
    for (size_t i = 0; i < sizeof(kinds); i++) {
        const struct mprof_block *block = &s_prof.blocks[i];
        bool led = i >= 1 && i <= 6;

        assert_int_equal(block->kind, kinds[i]);
        assert_int_equal(block->flags & MPROF_BLOCK_LED, led ? MPROF_BLOCK_LED : 0);
        assert_int_equal(block->flags >> 8, i < 3 ? MPROF_HITCNT_INC : 0);
        assert_int_equal(block->offset % 8, 0);
        assert_true(block->offset + block->count * block->entry_size <= s_prof.header.total_size);
    }
    assert_int_equal(s_prof.stream_lead.head, MPROF_STREAM_VALID);
    assert_int_equal(s_prof.histogram_lead.base_low, (uint32_t)TEXT);
    assert_int_equal(s_prof.ignore[0].start, OTHER);
    assert_int_equal(s_prof.ignore[1].end, 0);
    assert_int_equal(s_prof.header.flags & MPROF_FLAG_SINK, MPROF_FLAG_SINK);
    assert_int_equal(s_prof.header.traced, 0);
    assert_conserved();
}

static void test_calls_and_arcs(void **state)
{
    power_up();
    for (int i = 0; i < 5; i++)
        mprof_call(TEXT + 0x101, TEXT + 0x201);
    mprof_call(TEXT + 0x101, TEXT + 0x301);
    assert_int_equal(s_prof.calls_lead.events, 6);
    assert_int_equal(s_prof.arcs_lead.events, 6);
    assert_int_equal(s_prof.header.heartbeat, 0);
    assert_int_equal(s_prof.calls_lead.free, MPROF_CALL_CNT - 1);
    assert_int_equal(s_prof.calls[0].addr, TEXT + 0x100);
    assert_int_equal(s_prof.calls[0].hits, 6 * MPROF_HITCNT_INC);
    unsigned found = 0;

    for (size_t i = 0; i < MPROF_ARC_CNT - s_prof.arcs_lead.free; i++) {
        const mprof_arc_row_t *arc = &s_prof.arcs[i];

        assert_int_equal(arc->callee, TEXT + 0x100);
        assert_int_equal(arc->hits, (arc->caller / 0x100 % 16 == 2 ? 5 : 1) * MPROF_HITCNT_INC);
        found++;
    }
    assert_int_equal(found, 2);
    assert_conserved();
}

/* Many more than there are rows: each event is in its own row or in the rest of its callee. */
static void test_bounds_of_calls_and_arcs(void **state)
{
    static uint32_t called[977], arcs[977][13];

    power_up();
    for (uintptr_t i = 0; i < 20000; i++) {
        called[i * 40 % 977]++;
        arcs[i * 40 % 977][i % 13]++;
        mprof_call(TEXT + i * 40 % 977 * 8, TEXT + i % 13 * 4);
    }
    assert_int_equal(s_prof.calls_lead.free + s_prof.arcs_lead.free, 0);
    assert_int_equal(s_prof.calls_lead.spilled + s_prof.arcs_lead.spilled, 2);
    for (size_t i = 0; i < MPROF_CALL_CNT; i++) {
        const mprof_row_t *row = &s_prof.calls[i];
        uint32_t hits = called[(row->addr - TEXT) / 8] * MPROF_HITCNT_INC;
        uint32_t rest = s_prof.calls_rest[(row->addr >> MPROF_REST_SHIFT) % (MPROF_CALL_CNT / 2)];

        assert_in_range(hits, row->hits, row->stamp == 0 ? row->hits : row->hits + rest);
    }
    for (size_t i = 0; i < MPROF_ARC_CNT; i++) {
        const mprof_arc_row_t *arc = &s_prof.arcs[i];
        uint32_t hits = arcs[(arc->callee - TEXT) / 8][(arc->caller - TEXT) / 4] * MPROF_HITCNT_INC;
        uint32_t rest = s_prof.arcs_rest[(arc->callee >> MPROF_REST_SHIFT) % (MPROF_ARC_CNT / 2)];

        assert_in_range(hits, arc->hits, arc->stamp == 0 ? arc->hits : arc->hits + rest);
    }
    assert_conserved();
}

static void test_stream(void **state)
{
    power_up();
    for (uint32_t i = 0; i < MPROF_STREAM_CNT + 5; i++)
        mprof_sample_from_isr(TEXT + i, i % 0x77, i % 16);
    assert_int_equal(s_prof.stream_lead.head,
                     (MPROF_STREAM_CNT + 5) * MPROF_STREAM_STEP + MPROF_STREAM_VALID);
    for (uint32_t n = 5; n < MPROF_STREAM_CNT + 5; n++) {
        const mprof_record_t *record = &s_prof.stream[(n + 1) % MPROF_STREAM_CNT];
        uint32_t place = (n + 1) * MPROF_STREAM_STEP | MPROF_STREAM_VALID;

        assert_int_equal(record->tag, place | n % 16);
        assert_int_equal(record->pc, TEXT + n);
        assert_int_equal(record->lr, n % 0x77);
        assert_int_equal(record->time, place);
    }
    assert_conserved();
}

static void test_histogram(void **state)
{
    power_up();
    mprof_sample(TEXT);
    mprof_sample(TEXT + MPROF_HIST_ERR - 1);
    mprof_sample(TEXT + MPROF_HIST_ERR * (MPROF_HIST_CNT - 1));
    mprof_sample(TEXT + MPROF_HIST_ERR * MPROF_HIST_CNT);
    mprof_sample(TEXT - 1);
    assert_int_equal(s_prof.histogram[0], 2);
    assert_int_equal(s_prof.histogram[MPROF_HIST_CNT - 1], 1);
    assert_int_equal(s_prof.histogram_lead.events, 5);
    assert_int_equal(s_prof.histogram_lead.outside, 2);
}

static uint32_t in_focus(uintptr_t addr)
{
    return s_prof.focus[addr / MPROF_FOCUS_ERR % MPROF_FOCUS_CNT];
}

/* As a host does it: the next event serves it. */
static void point(uintptr_t base)
{
    struct mprof_header *header = &s_prof.header;

    header->focus_low = (uint32_t)base;
    header->focus_high = (uint32_t)((uint64_t)base >> 32);
    header->focus_request++;
    header->enable &= ~(MPROF_ENABLE_UNFOCUSED | MPROF_ENABLE_CALM);
}

/* Not aligned to its size, so that entries wrap. */
#define SPOT (TEXT + 0x105)
#define SIZE (MPROF_FOCUS_CNT * MPROF_FOCUS_ERR)

static void test_focus(void **state)
{
    struct mprof_header *header = &s_prof.header;

    power_up();
    mprof_sample(SPOT);
    assert_int_equal(in_focus(SPOT), 0); /* off at first */
    point(SPOT);
    mprof_sample(SPOT + 1);
    assert_int_equal(s_prof.focus_lead.done, header->focus_request);
    assert_int_equal(s_prof.focus_lead.base_low, (uint32_t)SPOT);
    assert_int_equal(s_prof.focus_lead.began, 1);
    assert_int_equal(in_focus(SPOT + 1), 1); /* which served it */
    header->enable |= MPROF_ENABLE_CALM;
    mprof_sample(SPOT - 1);
    mprof_sample(SPOT);
    mprof_sample(SPOT + SIZE - 1);
    mprof_sample(SPOT + SIZE);
    mprof_sample_from_isr(SPOT, 0, MPROF_STREAM_LATE);
    assert_int_equal(in_focus(SPOT), 2);
    assert_int_equal(in_focus(SPOT + SIZE - 1), 1);
    assert_int_equal(sum_of(s_prof.focus, MPROF_FOCUS_CNT), 4);
    assert_int_equal(header->heartbeat, 7);
    assert_int_equal(header->late, 1);
    header->enable |= MPROF_ENABLE_UNFOCUSED;
    assert_int_equal(header->enable, MPROF_ENABLE_ALL);
    mprof_sample(SPOT);
    assert_int_equal(in_focus(SPOT), 2);
    assert_conserved();
}

/* With it, all else is as without; a switch that is off is off. */
static void test_focus_and_the_rest(void **state)
{
    struct mprof_header *header = &s_prof.header;

    power_up();
    point(OTHER + 0xf8);
    mprof_sample(TEXT);
    header->enable |= MPROF_ENABLE_CALM;
    mprof_sample(OTHER + 0xff); /* ignored */
    mprof_sample(OTHER + 0x100);
    mprof_call(TEXT, TEXT);
    assert_int_equal(sum_of(s_prof.focus, MPROF_FOCUS_CNT), 1);
    assert_int_equal(in_focus(OTHER + 0x100), 1);
    assert_int_equal(header->ignored, 1);
    assert_int_equal(s_prof.calls_lead.events, 1);
    mprof_stop();
    mprof_sample(OTHER + 0x100);
    mprof_start();
    header->enable &= ~MPROF_ENABLE_TIMER;
    mprof_sample(OTHER + 0x100);
    header->enable = (header->enable | MPROF_ENABLE_TIMER) & ~MPROF_ENABLE_ITEMS;
    assert_int_equal(in_focus(OTHER + 0x100), 1);
    mprof_sample(OTHER + 0x100); /* the focus is not the table */
    assert_int_equal(in_focus(OTHER + 0x100), 2);
    assert_conserved();
}

/* Neither a move nor a reset leaves a count that is not of its time. */
static void test_focus_moves(void **state)
{
    struct mprof_header *header = &s_prof.header;

    power_up();
    point(SPOT);
    mprof_sample(SPOT + 3);
    point(SPOT + SIZE);
    mprof_sample(SPOT);
    assert_int_equal(sum_of(s_prof.focus, MPROF_FOCUS_CNT), 0);
    mprof_sample(SPOT + SIZE + 3);
    assert_int_equal(in_focus(SPOT + SIZE + 3), 1);
    assert_int_equal(s_prof.focus_lead.began, 1);
    header->flags |= 0x4000; /* as while an event that this one interrupts clears it */
    point(SPOT);
    mprof_sample(SPOT);
    assert_int_equal(sum_of(s_prof.focus, MPROF_FOCUS_CNT), 1);
    assert_int_not_equal(s_prof.focus_lead.done, header->focus_request);
    header->flags &= (uint16_t)~0x4000;
    mprof_sample(SPOT);
    assert_int_equal(s_prof.focus_lead.done, header->focus_request);
    assert_int_equal(header->flags, MPROF_FLAG_SINK);
    header->reset_request++;
    mprof_sample(SPOT + 1);
    assert_int_equal(sum_of(s_prof.focus, MPROF_FOCUS_CNT), 1);
    assert_int_equal(s_prof.focus_lead.began, 0);
    assert_int_equal(header->heartbeat, 1);
    assert_conserved();
}

static void test_filter(void **state)
{
    power_up();
    mprof_sample(OTHER);
    mprof_sample(OTHER + 0xff);
    mprof_sample(OTHER + 0x100);
    mprof_call(OTHER, TEXT);
    s_prof.ignore[1].start = TEXT;
    s_prof.ignore[1].end = TEXT + 1;
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.heartbeat, 4);
    assert_int_equal(s_prof.header.ignored, 3);
    assert_int_equal(s_prof.calls_lead.ignored, 1);
    assert_int_equal(s_prof.arcs_lead.ignored, 1);
    mprof_exit(OTHER, TEXT);
    assert_int_equal(s_prof.trace_lead.head, 0);
    assert_int_equal(s_prof.stream_lead.head / MPROF_STREAM_STEP, 1);
    assert_conserved();
}

static void test_switches(void **state)
{
    struct mprof_header *header = &s_prof.header;

    power_up();
    header->enable &= ~MPROF_ENABLE_ITEMS;
    mprof_sample(TEXT);
    assert_int_equal(header->ignored, 1);
    assert_int_equal(s_prof.histogram[0], 1);
    header->enable = (header->enable | MPROF_ENABLE_ITEMS) & ~MPROF_ENABLE_STREAM;
    mprof_sample(TEXT);
    assert_int_equal(s_prof.stream_lead.head / MPROF_STREAM_STEP, 1);
    header->enable = (header->enable | MPROF_ENABLE_STREAM) & ~MPROF_ENABLE_CALLED;
    mprof_call(TEXT, TEXT);
    assert_int_equal(s_prof.calls_lead.ignored, 1);
    assert_int_equal(s_prof.arcs_lead.ignored, 0);
    header->enable = (header->enable | MPROF_ENABLE_CALLED) & ~MPROF_ENABLE_TIMER;
    mprof_sample(TEXT);
    assert_int_equal(header->heartbeat, 2);
    header->enable |= MPROF_ENABLE_TIMER;
    assert_int_equal(header->enable, MPROF_ENABLE_ALL);
    assert_conserved();
}

static void test_start_stop_sleep_phase(void **state)
{
    struct mprof_header *header = &s_prof.header;

    power_up();
    mprof_stop();
    mprof_sample(TEXT);
    assert_int_equal(header->heartbeat, 0);
    mprof_start();
    mprof_sleep_enter();
    mprof_sample(TEXT);
    mprof_sleep_exit(7);
    assert_int_equal(header->sleeping, 8);
    mprof_iteration();
    mprof_iteration();
    assert_int_equal(header->iterations, 2);
    mprof_phase(3);
    header->phase_only = 4;
    header->nonce = 99;
    header->enable &= ~MPROF_ENABLE_CALM;
    mprof_sample(TEXT);
    assert_int_equal(header->nonce_echo, 99);
    assert_int_equal(header->ignored, 1);
    header->enable |= MPROF_ENABLE_CALM;
    mprof_phase(4);
    mprof_sample(TEXT);
    assert_int_equal(header->ignored, 1);
    assert_int_equal(header->heartbeat, 10);
    assert_int_equal(header->enable, MPROF_ENABLE_ALL);
    assert_conserved();
}

static void test_reset(void **state)
{
    struct mprof_header *header = &s_prof.header;

    power_up();
    for (uintptr_t i = 0; i < 5000; i++) {
        mprof_sample(TEXT + i * 40 % 977 * 8);
        mprof_call(TEXT + i * 40 % 977 * 8, TEXT + i % 13 * 4);
    }
    uint32_t generation = header->generation;
    uint32_t head = s_prof.stream_lead.head;

    header->reset_request = 5;
    header->enable &= ~MPROF_ENABLE_CALM;
    mprof_sample(TEXT);
    assert_int_equal(header->reset_done, 5);
    assert_int_equal(header->heartbeat, 1);
    assert_int_equal(s_prof.calls_lead.events + s_prof.arcs_lead.events, 0);
    assert_int_equal(s_prof.calls_lead.free, MPROF_CALL_CNT);
    assert_int_equal(s_prof.arcs_lead.free, MPROF_ARC_CNT);
    assert_int_equal(s_prof.items_lead.free, MPROF_CNT - 1);
    assert_int_equal(sum_of_rows(s_prof.items, MPROF_CNT - s_prof.items_lead.free),
                     MPROF_HITCNT_INC);
    assert_int_equal(s_prof.histogram_lead.events, 1);
    assert_int_equal(header->generation, generation + 0x10000);
    assert_int_equal(s_prof.stream_lead.head, head + MPROF_STREAM_STEP);
    assert_int_equal(header->boot, 1);
    assert_int_equal(header->flags, MPROF_FLAG_SINK);
    mprof_sample(TEXT);
    assert_int_equal(header->heartbeat, 2);
    assert_conserved();
}

/* An event that is on its way to a row is counted later: its number stays. */
static void test_reset_with_events_under_way(void **state)
{
    power_up();
    mprof_sample(TEXT);
    s_prof.header.heartbeat += 2;
    s_prof.header.reset_request = 1;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.heartbeat, 3);
    /* One that is writing a row keeps the reset waiting, in whatever table. */
    uintptr_t *const written[] = {&s_prof.items[0].addr, &s_prof.calls[0].addr,
                                  &s_prof.arcs[0].callee};

    mprof_call(TEXT, TEXT);
    for (uint32_t i = 0; i < COUNT(written); i++) {
        s_prof.header.reset_request = 2 + i;
        *written[i] += 1;
        mprof_sample(TEXT + 0x40);
        assert_int_equal(s_prof.header.reset_done, 1 + i);
        *written[i] -= 1;
        mprof_sample(TEXT + 0x40);
        assert_int_equal(s_prof.header.reset_done, 2 + i);
        mprof_call(TEXT, TEXT);
    }
}

static void test_sink(void **state)
{
    s_prof.header.magic = 0;
    sunk = 0;
    mprof_sample(TEXT);
    assert_int_equal(sunk, 0);
    mprof_init();
    mprof_sample_from_isr(TEXT, 0x77, 3);
    assert_int_equal(sunk, 1);
}

/* What a host writes, for the list that begins at first. */
static void choose(uint32_t first, uintptr_t start, uintptr_t end)
{
    s_prof.traced[first].start = start;
    s_prof.traced[first].end = end;
    s_prof.traced[first + 1].start = OTHER + 0x200;
    s_prof.traced[first + 1].end = OTHER + 0x210;
    s_prof.traced[first + 2].start = s_prof.traced[first + 2].end = UINTPTR_MAX;
    s_prof.header.traced = (s_prof.header.traced & ~MPROF_TRACED_FIRST) + MPROF_TRACED_STEP + first;
}

/* Without what continues the time. */
static uintptr_t address_of(const mprof_event_t *event)
{
    return event->callee & (((uintptr_t)1 << MPROF_TRACE_WIDE_SHIFT) - 1);
}

/* Only the trace leaves them out. */
static void test_traced(void **state)
{
    struct mprof_header *header = &s_prof.header;
    uint32_t *head = &s_prof.trace_lead.head;

    power_up();
    choose(0, TEXT + 0x100, TEXT + 0x110);
    mprof_call(TEXT, OTHER);
    assert_int_equal(*head, 1);
    header->enable &= ~MPROF_ENABLE_UNFILTERED;
    mprof_call(TEXT, OTHER);
    mprof_call(TEXT + 0xfe, OTHER);
    mprof_call(TEXT + 0x110, OTHER);
    mprof_exit(TEXT + 0x110, OTHER);
    mprof_call(OTHER + 0x210, OTHER);
    assert_int_equal(*head, 1);
    mprof_call(TEXT + 0x100, OTHER);
    mprof_exit(TEXT + 0x10e, OTHER);
    mprof_call(OTHER + 0x200, OTHER);
    assert_int_equal(*head, 4);
    assert_int_equal(address_of(&s_prof.trace[2]), TEXT + 0x100);
    assert_int_equal(address_of(&s_prof.trace[3]), (TEXT + 0x10e) | MPROF_TRACE_EXIT);
    assert_int_equal(s_prof.calls_lead.events, 7);
    assert_int_equal(s_prof.calls_lead.ignored, 0);
    choose(MPROF_TRACED_ENTRIES / 2, TEXT, TEXT + 2);
    mprof_call(TEXT + 0x100, OTHER);
    assert_int_equal(*head, 4);
    mprof_call(TEXT, OTHER);
    assert_int_equal(*head, 5);
    header->enable |= MPROF_ENABLE_UNFILTERED;
    mprof_call(TEXT + 0x100, OTHER);
    assert_int_equal(*head, 6);
    assert_conserved();
}

static void test_call_sink(void **state)
{
    power_up();
    calls_sunk = 0;
    mprof_call(TEXT + 0x10, TEXT + 0x20);
    assert_int_equal(calls_sunk, 1);
    assert_int_equal(called_callee, TEXT + 0x10);
    assert_int_equal(called_caller, TEXT + 0x20);
    s_prof.header.enable &= ~MPROF_ENABLE_CALLED & ~MPROF_ENABLE_ARCS & ~MPROF_ENABLE_TRACE;
    mprof_call(TEXT + 0x10, TEXT + 0x20);
    assert_int_equal(calls_sunk, 2);
    assert_int_equal(s_prof.calls_lead.ignored, 1);
    assert_int_equal(s_prof.trace_lead.head, 1);
    s_prof.header.enable = MPROF_ENABLE_ALL & ~MPROF_ENABLE_SINK;
    mprof_call(TEXT + 0x10, TEXT + 0x20);
    assert_int_equal(calls_sunk, 2);
    assert_int_equal(s_prof.trace_lead.head, 2);
    s_prof.header.enable = MPROF_ENABLE_ALL & ~MPROF_ENABLE_CALLS;
    mprof_call(TEXT + 0x10, TEXT + 0x20);
    assert_int_equal(calls_sunk, 2);
}

static char printed[8192];

static void put_char(char c)
{
    size_t len = strlen(printed);

    assert_true(len + 1 < sizeof(printed));
    printed[len] = c;
}

static void test_print(void **state)
{
    memset(printed, 0, sizeof(printed));
    power_up();
    for (int i = 0; i < 9; i++)
        mprof_sample(TEXT);
    mprof_sample(TEXT + 0x40);
    mprof_print(put_char);
    assert_string_equal(printed, "0000000000010000        27  90.0 %\r\n"
                                 "0000000000010040         3  10.0 %\r\n");
    memset(printed, 0, sizeof(printed));
    power_up();
    mprof_sample(TEXT);
    mprof_print(put_char);
    assert_string_equal(printed, "0000000000010000         3 100.0 %\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directory),
        cmocka_unit_test(test_calls_and_arcs),
        cmocka_unit_test(test_bounds_of_calls_and_arcs),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_focus_and_the_rest),
        cmocka_unit_test(test_focus_moves),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_start_stop_sleep_phase),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_reset_with_events_under_way),
        cmocka_unit_test(test_sink),
        cmocka_unit_test(test_traced),
        cmocka_unit_test(test_call_sink),
        cmocka_unit_test(test_print),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
