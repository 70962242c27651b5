/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace that the target fills while it is read: each event is there once, or counted as lost. The
 * target is this process, which is called whenever the link is asked. */
#include "unit.h"

#include <mprof/mprof.h>
#include <sampler/trace.h>

#include "self_link.h"

#define RING MPROF_TRACE_CNT

static uint32_t made;

/* The caller is the number of the call. */
static void make_events(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        mprof_call(0x1001, ++made);
}

struct reader {
    struct gdbmi_link link;
    struct sampler_table *sampler;
    struct profile profile;
    double now_s;
    uint32_t next; /* number of the next call */
    uint32_t calls, runs, lost[SAMPLER_EVENT_BEGIN];
};

static void begin(struct reader *r)
{
    memset(r, 0, sizeof(*r));
    made = 0;
    r->next = 1;
    memset(&s_prof, 0, sizeof(s_prof));
    mprof_init();
    self_link_init(&r->link, sizeof(mprof_event_t));
    r->sampler = sampler_table_new(&r->link, (uintptr_t)&s_prof, sizeof(s_prof), sizeof(uintptr_t),
                                   SAMPLER_TRACE);
    assert_non_null(r->sampler);
    profile_init(&r->profile);
}

/* Each call is the next one, after those that were lost. */
static void take(struct reader *r, bool last)
{
    size_t count;
    const struct sampler_event *events = sampler_table_events(r->sampler, last, &count);

    assert_non_null(events);
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == SAMPLER_EVENT_CALL) {
            assert_int_equal(events[i].call.callee, 0x1000);
            assert_int_equal(events[i].call.caller, r->next++);
            r->calls++;
        } else if (events[i].kind == SAMPLER_EVENT_BEGIN) {
            r->runs++;
        } else {
            assert_true(events[i].count != 0);
            r->lost[events[i].kind] += events[i].count;
            r->next += events[i].count;
        }
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
    sampler_table_free(r->sampler);
    profile_free(&r->profile);
}

static void test_read_in_time(void **state)
{
    struct reader r;

    begin(&r);
    for (int i = 0; i < 20; i++) {
        make_events(RING);
        poll(&r);
        make_events(RING / 2);
        assert_int_equal(sampler_table_drain(r.sampler), SAMPLER_OK);
        take(&r, false);
    }
    assert_int_equal(r.calls, made);
    end(&r);
}

/* From the oldest record that is there; those before are not lost. */
static void test_what_was_before(void **state)
{
    struct reader r;

    begin(&r);
    make_events(RING + 10);
    r.next = 11;
    poll(&r);
    assert_int_equal(r.calls, RING);
    assert_int_equal(r.lost[SAMPLER_EVENT_OVERWRITTEN], 0);
    end(&r);
}

/* If it was there from the start, they are. */
static void test_from_start(void **state)
{
    struct reader r;

    begin(&r);
    sampler_table_from_start(r.sampler);
    make_events(RING + 10);
    poll(&r);
    assert_int_equal(r.calls, RING);
    assert_int_equal(r.lost[SAMPLER_EVENT_OVERWRITTEN], 10);
    end(&r);
}

/* While the ring is read once, it is written more than once, and wherever the head is. */
static void test_overrun(void **state)
{
    struct reader r;

    for (unsigned rate = 1; rate < 40; rate++) {
        begin(&r);
        poll(&r);
        per_request = rate % 7;
        per_16_records = rate;
        for (int i = 0; i < 100; i++) {
            make_events(rate);
            poll(&r);
        }
        per_request = per_16_records = 0;
        poll(&r);
        poll(&r);
        assert_int_equal(r.calls + r.lost[SAMPLER_EVENT_OVERWRITTEN], made);
        assert_true(r.calls >= made / 20);
        end(&r);
    }
}

/* As a thread leaves it that was interrupted. */
static mprof_event_t interrupted(uint32_t number)
{
    mprof_event_t before = s_prof.trace[number % RING];

    s_prof.trace[number % RING].tag = 0;
    return before;
}

static void test_unfinished(void **state)
{
    struct reader r;

    begin(&r);
    make_events(10);
    mprof_event_t third = interrupted(3);
    poll(&r);
    assert_int_equal(r.calls, 2);
    s_prof.trace[3] = third;
    poll(&r);
    assert_int_equal(r.calls, 10);
    make_events(10);
    interrupted(13);
    poll(&r);
    assert_int_equal(r.calls, 12);
    poll(&r);
    assert_int_equal(r.calls, 19);
    assert_int_equal(r.lost[SAMPLER_EVENT_UNFINISHED], 1);
    make_events(10);
    interrupted(23);
    interrupted(24);
    poll(&r);
    take(&r, true);
    assert_int_equal(r.calls, 27);
    assert_int_equal(r.lost[SAMPLER_EVENT_UNFINISHED], 3);
    end(&r);
}

static void test_stops_when_full(void **state)
{
    struct reader r;

    begin(&r);
    s_prof.header.enable &= ~MPROF_ENABLE_OVERWRITE;
    make_events(RING + 100);
    mprof_exit(0x1001, ++made);
    poll(&r);
    assert_int_equal(r.calls, RING);
    assert_int_equal(r.lost[SAMPLER_EVENT_FULL], 101);
    make_events(5);
    poll(&r);
    assert_int_equal(r.lost[SAMPLER_EVENT_FULL], 106);
    s_prof.header.reset_request = 1;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    make_events(RING + 1);
    poll(&r);
    assert_int_equal(r.calls, 2 * RING);
    assert_int_equal(r.lost[SAMPLER_EVENT_FULL], 107);
    end(&r);
}

/* What a reset clears is not lost. */
static void test_reset(void **state)
{
    struct reader r;

    begin(&r);
    make_events(10);
    poll(&r);
    make_events(5);
    s_prof.header.reset_request = 1;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    make_events(3);
    r.next = 16;
    poll(&r);
    assert_int_equal(r.calls, 13);
    end(&r);
}

static void test_restart(void **state)
{
    struct reader r;

    begin(&r);
    make_events(10);
    poll(&r);
    mprof_init();
    make_events(20);
    r.next = 11;
    poll(&r);
    assert_int_equal(r.calls, 30);
    assert_int_equal(r.runs, 2);
    assert_int_equal(r.profile.restarts, 1);
    end(&r);
}

/* The header was read before mprof_init(), and the lead after it: nothing is taken twice. */
static void test_restart_halfway(void **state)
{
    struct reader r;

    begin(&r);
    make_events(10);
    poll(&r);
    uint32_t before = s_prof.header.boot;
    mprof_init();
    uint32_t after = s_prof.header.boot;
    make_events(3);
    s_prof.header.boot = before;
    poll(&r);
    assert_int_equal(r.calls, 10);
    s_prof.header.boot = after;
    poll(&r);
    poll(&r);
    assert_int_equal(r.calls, 13);
    end(&r);
}

/* A lead that was read amid a reset, or is damaged. */
static void test_no_losses_from_nowhere(void **state)
{
    struct reader r;

    begin(&r);
    s_prof.header.enable &= ~MPROF_ENABLE_OVERWRITE;
    make_events(RING + 100);
    poll(&r);
    s_prof.trace_lead.lost = 0;
    poll(&r);
    assert_int_equal(r.lost[SAMPLER_EVENT_FULL], 100);
    s_prof.trace_lead.first = s_prof.trace_lead.head + 5;
    poll(&r);
    assert_int_equal(r.lost[SAMPLER_EVENT_OVERWRITTEN], 0);
    assert_int_equal(r.calls, RING);
    end(&r);
}

static struct decode_frozen frozen_of(const struct reader *r)
{
    return sampler_table_trace(r->sampler, 0).frozen;
}

/* A fault comes between two readings, and two resets, and more faults: each event of before is read
 * once, and none is recorded until the trace is thawed. */
static void test_frozen(void **state)
{
    struct reader r;

    begin(&r);
    make_events(10);
    poll(&r);
    assert_false(frozen_of(&r).is);
    make_events(10);
    mprof_trace_freeze();
    mprof_call(0x1001, 1);
    mprof_init();
    mprof_call(0x1001, 1);
    mprof_trace_freeze();
    mprof_trace_enable();
    mprof_init();
    mprof_exit(0x1001, 1);
    poll(&r);
    assert_int_equal(r.calls, 20);
    assert_true(frozen_of(&r).is);
    assert_int_equal(frozen_of(&r).boots, 2);
    for (unsigned i = 0; i < DECODE_FROZEN_BOOTS; i++)
        mprof_init();
    mprof_trace_thaw();
    poll(&r);
    assert_false(frozen_of(&r).is);
    assert_int_equal(r.runs, 2);
    make_events(5);
    poll(&r);
    assert_int_equal(r.calls, 25);
    mprof_init();
    assert_int_equal(s_prof.trace_lead.head, 0);
    end(&r);
}

/* Without a reset of the core there is no other run. */
static void test_thawed(void **state)
{
    struct reader r;

    begin(&r);
    make_events(10);
    mprof_trace_freeze();
    poll(&r);
    assert_true(frozen_of(&r).is);
    s_prof.header.reset_request = 1;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    make_events(3);
    poll(&r);
    assert_int_equal(r.calls, 13);
    assert_int_equal(r.runs, 1);
    assert_false(frozen_of(&r).is);
    end(&r);
}

static void test_frozen_boots(void **state)
{
    struct reader r;

    begin(&r);
    make_events(1);
    mprof_trace_freeze();
    for (unsigned i = 0; i <= DECODE_FROZEN_BOOTS; i++)
        mprof_init();
    poll(&r);
    assert_int_equal(r.calls, 1);
    assert_int_equal(frozen_of(&r).boots, DECODE_FROZEN_BOOTS);
    end(&r);
}

/* Whether mprof_init() has taken what RAM held for a frozen trace. */
static bool keeps(void)
{
    mprof_init();
    bool kept = s_prof.header.frozen != 0;

    assert_int_equal(s_prof.trace_lead.head, kept ? 10 : 0);
    assert_int_equal(!(s_prof.header.enable & MPROF_ENABLE_UNFROZEN), kept);
    return kept;
}

/* RAM at power-up is taken for a trace only if all that describes one is there, to the bit. What
 * the run before counted does not matter. */
static void test_power_up(void **state)
{
    static struct mprof_prof before;
    const size_t end_of = offsetof(struct mprof_header, boot), blocks = sizeof(s_prof.blocks),
                 frozen_at = offsetof(struct mprof_header, frozen),
                 enable_at = offsetof(struct mprof_header, enable);
    struct reader r;
    unsigned kept = 0;

    begin(&r);
    make_events(10);
    mprof_trace_freeze();
    before = s_prof;
    assert_true(keeps());
    for (size_t at = 0; at < sizeof(struct mprof_header) + blocks; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            s_prof = before;
            ((uint8_t *)&s_prof)[at] ^= (uint8_t)(1U << bit);
            bool kept_it = keeps();
            bool flags = at == offsetof(struct mprof_header, flags) ||
                         at == offsetof(struct mprof_header, flags) + 1;
            if ((at < end_of && !flags) || at >= sizeof(struct mprof_header) || at == enable_at)
                assert_false(kept_it);
            else if (at != frozen_at + 1 && at != enable_at + 3)
                assert_true(kept_it);
            kept += kept_it;
        }
    }
    assert_int_equal(kept, 8 * (sizeof(struct mprof_header) - end_of + 2 - 1) - 2);
    end(&r);
}

static void test_switches(void **state)
{
    struct reader r;
    struct decode_event event;
    struct decode_header header;
    size_t need;
    char text[200];

    begin(&r);
    s_prof.header.enable &= ~MPROF_ENABLE_TRACE;
    mprof_call(0x1001, 1);
    mprof_exit(0x1001, 1);
    s_prof.header.enable |= MPROF_ENABLE_TRACE;
    mprof_stop();
    mprof_call(0x1001, 1);
    mprof_start();
    assert_int_equal(s_prof.trace_lead.head, 0);
    mprof_exit(0x1003, 7);
    const uint8_t *bytes = (const uint8_t *)&s_prof;
    assert_int_equal(decode_header(bytes, sizeof(s_prof), &header, &need, text, sizeof(text)),
                     DECODE_OK);
    assert_int_equal(decode_trace_event(bytes, &header, 1, &event), DECODE_RECORD_WHOLE);
    assert_true(event.exit && event.callee == 0x1002 && event.caller == 7);
    end(&r);
}

/* What counts nothing has no ranking. */
static void test_no_counts(void **state)
{
    struct reader r;
    enum gdbmi_state running;

    begin(&r);
    sampler_table_free(r.sampler);
    r.sampler = sampler_table_new(&r.link, (uintptr_t)&s_prof, sizeof(s_prof), sizeof(uintptr_t),
                                  SAMPLER_AUTO);
    assert_int_equal(sampler_table_poll(r.sampler, &r.profile, 1, &running), SAMPLER_ETABLE);
    assert_non_null(strstr(sampler_table_text(r.sampler), "use 'mprof trace'"));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_in_time),    cmocka_unit_test(test_what_was_before),
        cmocka_unit_test(test_from_start),      cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_unfinished),      cmocka_unit_test(test_reset),
        cmocka_unit_test(test_stops_when_full), cmocka_unit_test(test_restart),
        cmocka_unit_test(test_switches),        cmocka_unit_test(test_no_counts),
        cmocka_unit_test(test_restart_halfway), cmocka_unit_test(test_no_losses_from_nowhere),
        cmocka_unit_test(test_frozen),          cmocka_unit_test(test_thawed),
        cmocka_unit_test(test_frozen_boots),    cmocka_unit_test(test_power_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
