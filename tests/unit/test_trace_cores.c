/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of several cores with one clock, which come in one order although the cores are read one
 * after the other while they record. */
#include "unit.h"

#include <mprof/mprof.h>
#include <sampler/trace.h>

#include "self_link.h"

uint32_t test_core, test_time;

static uint32_t made;
static uint32_t chance;
static void (*at_request)(void);

/* The caller is the number of the call. */
static void call_on(uint32_t core)
{
    test_core = core;
    test_time++;
    mprof_call(0x1001, ++made);
}

static void make_events(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        chance = chance * 1664525u + 1013904223u;
        call_on(chance >> 30);
    }
    if (at_request)
        at_request();
}

struct reader {
    struct gdbmi_link link;
    struct sampler_table *sampler;
    struct profile profile;
    double now_s;
    uint32_t seen, missed, lost;
};

static void begin(struct reader *r)
{
    memset(r, 0, sizeof(*r));
    made = 0;
    chance = 1;
    at_request = NULL;
    test_time = 0xffffff00u; /* wraps soon */
    memset(s_prof, 0, sizeof(s_prof));
    for (test_core = 0; test_core < MPROF_CORES; test_core++)
        mprof_init();
    self_link_init(&r->link, sizeof(mprof_event_t));
    r->sampler = sampler_table_new(&r->link, (uintptr_t)s_prof, sizeof(s_prof), sizeof(uintptr_t),
                                   SAMPLER_TRACE);
    assert_non_null(r->sampler);
    profile_init(&r->profile);
}

/* Each call is the next one, but for those that are lost. */
static void take(struct reader *r, bool last)
{
    size_t count;
    const struct sampler_event *events = sampler_table_events(r->sampler, last, &count);

    assert_non_null(events);
    for (size_t i = 0; i < count; i++) {
        r->lost += events[i].count;
        if (events[i].kind != SAMPLER_EVENT_CALL)
            continue;
        assert_true(events[i].call.caller > r->seen);
        r->missed += (uint32_t)events[i].call.caller - r->seen - 1;
        r->seen = (uint32_t)events[i].call.caller;
    }
}

static void poll(struct reader *r)
{
    enum gdbmi_state state;

    r->now_s++;
    assert_int_equal(sampler_table_poll(r->sampler, &r->profile, r->now_s, &state), SAMPLER_OK);
    take(r, false);
}

static void end(struct reader *r)
{
    per_request = per_16_records = 0;
    at_request = NULL;
    assert_int_equal(sampler_table_poll(r->sampler, &r->profile, r->now_s + 1,
                                        &(enum gdbmi_state){GDBMI_STATE_RUNNING}),
                     SAMPLER_OK);
    take(r, true);
    assert_int_equal(r->seen, made);
    assert_int_equal(r->lost, r->missed);
    sampler_table_free(r->sampler);
    profile_free(&r->profile);
}

static void test_one_order(void **state)
{
    for (unsigned rate = 1; rate < 20; rate++) {
        struct reader r;
        begin(&r);
        poll(&r);
        per_request = rate;
        for (int i = 0; i < 50; i++) {
            poll(&r);
            assert_int_equal(sampler_table_drain(r.sampler), SAMPLER_OK);
            take(&r, false);
        }
        assert_true(r.seen != 0);
        end(&r);
        assert_int_equal(r.lost, 0);
    }
}

static uint32_t hidden_tag;

/* After core 0 was read: an event of it that is interrupted, and one of core 1, which is read yet.
 */
static void interrupt_between(void)
{
    at_request = NULL;
    call_on(0);
    volatile mprof_event_t *record = &s_prof[0].trace[s_prof[0].trace_lead.head % MPROF_TRACE_CNT];
    hidden_tag = record->tag;
    record->tag = 0;
    call_on(1);
}

static unsigned requests;

static void count_requests(void)
{
    if (++requests == 3)
        interrupt_between();
}

/* Events of other cores that are later than a record that is not complete wait for it. */
static void test_waits_for_interrupted(void **state)
{
    unsigned waited = 0;

    for (unsigned at = 0; at < 12; at++) { /* whichever request it comes after */
        struct reader r;
        begin(&r);
        call_on(0);
        call_on(1);
        poll(&r);
        poll(&r);
        requests = 2 - at;
        hidden_tag = 0;
        at_request = count_requests;
        poll(&r);
        poll(&r);
        at_request = NULL;
        if (hidden_tag != 0)
            s_prof[0].trace[hidden_tag >> MPROF_TRACE_SHIFT].tag = hidden_tag;
        else
            call_on(0);
        poll(&r);
        call_on(2);
        poll(&r);
        end(&r);
        assert_true(r.lost <= 1);
        waited += hidden_tag != 0 && r.lost == 0;
    }
    assert_true(waited > 3);
}

/* An event of core 0 is interrupted by others of it, as many between two readings as given, and is
 * finished after ten readings or never. Returns how many events are lost. */
static uint32_t lost_if_interrupted(uint16_t flags, uint8_t ways, unsigned between, bool finished)
{
    struct reader r;

    begin(&r);
    s_prof[0].header.flags |= flags;
    for (unsigned i = 0; i < MPROF_BLOCKS; i++) {
        if (s_prof[0].blocks[i].kind == MPROF_KIND_TRACE)
            s_prof[0].blocks[i].ways = ways;
    }
    poll(&r);
    call_on(0);
    volatile mprof_event_t *record = &s_prof[0].trace[s_prof[0].trace_lead.head % MPROF_TRACE_CNT];
    uint32_t tag = record->tag;
    record->tag = 0;
    for (unsigned i = 0; i < 10; i++) {
        for (unsigned j = 0; j < between; j++)
            call_on(0);
        call_on(1);
        poll(&r);
    }
    if (finished)
        record->tag = tag;
    poll(&r);
    end(&r);
    return r.lost;
}

/* Where tasks share a ring, the one that was interrupted may not run for long. */
static void test_waits_for_thread(void **state)
{
    const uint16_t threads = MPROF_FLAG_THREADS;

    assert_int_equal(lost_if_interrupted(threads, 0, 0, true), 0);
    assert_int_equal(lost_if_interrupted(threads, 0, 12, true), 0);
    assert_int_equal(lost_if_interrupted(threads, 0, 13, true), 1); /* more than half of the ring */
    assert_int_equal(lost_if_interrupted(threads, 0, 1, false), 1);
    assert_int_equal(lost_if_interrupted(threads, 1, 1, true), 1);
    assert_int_equal(lost_if_interrupted(0, 0, 1, true), 1);
}

static uint8_t sent[32768];
static size_t sent_len, received;

static void put(char c)
{
    assert_true(sent_len < sizeof(sent));
    sent[sent_len++] = (uint8_t)c;
}

static enum gdbmi_code receive(struct gdbmi_link *link, void *bytes, size_t capacity,
                               int timeout_ms, size_t *len, bool *ended)
{
    (void)link, (void)timeout_ms;
    *len = sent_len - received < capacity ? sent_len - received : capacity;
    memcpy(bytes, sent + received, *len);
    received += *len;
    *ended = *len == 0;
    return GDBMI_OK;
}

/* Code of the function that was called is sent, too. */
static void call_put_on(uint32_t core)
{
    test_core = core;
    test_time++;
    mprof_call((uintptr_t)put & ~(uintptr_t)1, ++made);
}

/* One call sends the records of all cores. Each core's come in their order. */
static void test_sent(void **unused)
{
    static const struct gdbmi_link_ops ops = {.receive = receive};
    struct reader r;
    uint32_t latest[MPROF_CORES] = {0}, calls = 0;
    uint64_t left_out;
    size_t count;
    enum gdbmi_state state;

    (void)unused;
    begin(&r);
    sampler_table_free(r.sampler);
    for (unsigned i = 0; i < 20; i++) {
        for (unsigned j = 0; j < 30; j++) {
            chance = chance * 1664525u + 1013904223u;
            call_put_on(chance >> 30);
        }
        while (mprof_trace_send(put, 7) != 0)
            ;
    }
    memset(&r.link, 0, sizeof(r.link));
    link_init(&r.link, &ops, "test", "", 0);
    r.sampler = sampler_table_new(&r.link, (uintptr_t)s_prof, sizeof(s_prof), sizeof(uintptr_t),
                                  SAMPLER_TRACE);
    assert_true(sampler_table_receive(r.sampler, NULL));
    while (!sampler_table_has_ended(r.sampler, &left_out))
        assert_int_equal(sampler_table_poll(r.sampler, &r.profile, 1, &state), SAMPLER_OK);
    const struct sampler_event *events = sampler_table_events(r.sampler, true, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(events[i].kind == SAMPLER_EVENT_CALL || events[i].kind == SAMPLER_EVENT_BEGIN);
        if (events[i].kind == SAMPLER_EVENT_BEGIN)
            continue;
        assert_true(events[i].call.caller > latest[events[i].core]);
        latest[events[i].core] = (uint32_t)events[i].call.caller;
        calls++;
    }
    for (unsigned core = 0; core < MPROF_CORES; core++)
        assert_true(latest[core] != 0);
    assert_int_equal(calls, made);
    assert_int_equal(left_out, 0);
    sampler_table_free(r.sampler);
    profile_free(&r.profile);
}

/* How many frames of records each core has sent. */
static void count_frames(uint32_t counts[MPROF_CORES])
{
    for (size_t at = 0; at < sent_len; at += 10 + 4 * (size_t)sent[at + 5])
        counts[sent[at + 3]] += sent[at + 2] == MPROF_FRAME_RECORDS;
}

/* One core always has more records than a call may send. The other cores' are sent all the same. */
static void test_sent_in_turn(void **unused)
{
    struct reader r;

    (void)unused;
    for (uint32_t busy = 0; busy < MPROF_CORES; busy++) {
        uint32_t counts[MPROF_CORES] = {0};
        begin(&r);
        sampler_table_free(r.sampler);
        profile_free(&r.profile);
        for (unsigned core = 0; core < MPROF_CORES; core++)
            s_prof[core].header.boot = 10 + busy; /* another run than the one that was sent last */
        for (unsigned i = 0; i < 40; i++) {
            for (unsigned j = 0; j < 16; j++)
                call_put_on(j < MPROF_CORES ? j : busy);
            sent_len = 0;
            assert_int_equal(mprof_trace_send(put, 4), 4);
            count_frames(counts);
        }
        for (unsigned core = 0; core < MPROF_CORES; core++)
            assert_true(counts[core] >= 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_order),        cmocka_unit_test(test_waits_for_interrupted),
        cmocka_unit_test(test_waits_for_thread), cmocka_unit_test(test_sent),
        cmocka_unit_test(test_sent_in_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
