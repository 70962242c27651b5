/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What mprof_trace_send() sends, with bytes lost, doubled, damaged and cut off at every position:
 * each event is there once and as it was, or counted as lost. The target is this process. */
#include "unit.h"

#include <link_ops.h>
#include <mprof/mprof.h>
#include <sampler/trace.h>

#include "counted.h"

#define RING MPROF_TRACE_CNT
#define MOST 40000

/* What was sent. */
static struct bytes {
    uint8_t all[MOST];
    size_t len;
} line;
static uint32_t made;

static void put(char c)
{
    assert_true(line.len < MOST);
    line.all[line.len++] = (uint8_t)c;
}

/* Code near it is sent, too. */
#define CALLEE ((uintptr_t)put & ~(uintptr_t)1)

/* The caller is the number of the call. */
static void make_events(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        mprof_call(CALLEE, ++made);
}

static void restart_target(void)
{
    memset(&s_prof, 0, sizeof(s_prof));
    mprof_init();
    made = 0;
    line.len = 0;
}

/* Sends until there is nothing new. */
static void send_all(void)
{
    while (mprof_trace_send(put, 10) != 0)
        ;
}

/* Some hundred events, with two headers. The stub goes on in a run that it has begun to send. */
static void send_some(void)
{
    static uint32_t boot;

    restart_target();
    s_prof.header.boot = boot += 2; /* another run than those of the test before */
    for (unsigned i = 0; i < 60; i++) {
        make_events(5);
        assert_int_equal(mprof_trace_send(put, 100), 5);
    }
    assert_int_equal(mprof_trace_send(put, 100), 0);
}

struct reader {
    struct gdbmi_link link;
    const uint8_t *bytes;
    size_t len, at, piece;
    struct sampler_table *sampler;
    struct profile profile;
    uint32_t next, calls, runs, lost[SAMPLER_EVENT_BEGIN];
    uint64_t left_out;
    bool refused;
};

static enum gdbmi_code receive(struct gdbmi_link *link, void *bytes, size_t capacity,
                               int timeout_ms, size_t *len, bool *ended)
{
    struct reader *r = (struct reader *)link;
    size_t left = r->len - r->at;

    (void)timeout_ms;
    *len = r->piece < capacity ? r->piece : capacity;
    *len = left < *len ? left : *len;
    memcpy(bytes, r->bytes + r->at, *len);
    r->at += *len;
    *ended = *len == 0;
    return GDBMI_OK;
}

static const struct gdbmi_link_ops ops = {.receive = receive};

/* Each call is the next one, after those that were lost. */
static void take(struct reader *r, bool last)
{
    size_t count;
    const struct sampler_event *events = sampler_table_events(r->sampler, last, &count);

    assert_non_null(events);
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == SAMPLER_EVENT_CALL) {
            if (r->calls == 0 && r->runs == 1)
                r->next = (uint32_t)events[i].call.caller;
            assert_int_equal(events[i].call.callee, CALLEE);
            assert_int_equal(events[i].call.caller, r->next++);
            r->calls++;
        } else if (events[i].kind == SAMPLER_EVENT_BEGIN) {
            r->runs++;
            r->next = 1;
        } else {
            assert_true(events[i].count != 0);
            r->lost[events[i].kind] += events[i].count;
            r->next += events[i].count;
        }
    }
}

/* Reads these bytes to their end. */
static struct reader *read_bytes(const uint8_t *bytes, size_t len, size_t piece)
{
    static struct reader r;
    enum gdbmi_state state;

    r = (struct reader){.bytes = bytes, .len = len, .piece = piece};
    link_init(&r.link, &ops, "test", "", 0);
    r.sampler = sampler_table_new(&r.link, (uintptr_t)&s_prof, sizeof(s_prof), sizeof(uintptr_t),
                                  SAMPLER_TRACE);
    assert_non_null(r.sampler);
    assert_true(sampler_table_receive(r.sampler, NULL));
    profile_init(&r.profile);
    while (!r.refused && !sampler_table_has_ended(r.sampler, &r.left_out)) {
        enum sampler_code code = sampler_table_poll(r.sampler, &r.profile, 1, &state);
        r.refused = code == SAMPLER_ETABLE;
        assert_true(code == SAMPLER_OK || code == SAMPLER_WAIT || r.refused);
        take(&r, false);
    }
    take(&r, true);
    (void)sampler_table_has_ended(r.sampler, &r.left_out);
    sampler_table_free(r.sampler);
    profile_free(&r.profile);
    return &r;
}

static uint32_t losses(const struct reader *r)
{
    return r->lost[SAMPLER_EVENT_OVERWRITTEN] + r->lost[SAMPLER_EVENT_UNFINISHED];
}

/* All of them, in whatever pieces they come. */
static void test_whole(void **state)
{
    static const size_t pieces[] = {1, 7, 1000, MOST};

    (void)state;
    send_some();
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        const struct reader *r = read_bytes(line.all, line.len, pieces[i]);
        assert_int_equal(r->calls, made);
        assert_int_equal(losses(r), 0);
        assert_int_equal(r->left_out, 0);
        assert_int_equal(r->runs, 1);
    }
}

/* take() has found each event that is missing between two that came among the losses. Of others
 * bytes are left out: of before the first header, and of what is cut off. most: records of a frame,
 * and of one that the damage joins to it. */
static void check(const struct reader *r, uint32_t most)
{
    assert_true(r->next <= made + 1);
    assert_true(r->calls + losses(r) == made || r->left_out != 0);
    assert_true(losses(r) <= most);
    assert_int_equal(r->lost[SAMPLER_EVENT_UNFINISHED], 0);
    assert_true(r->calls + losses(r) + 260 >= made);
}

static void test_damaged(void **state)
{
    static struct bytes other;

    (void)state;
    send_some();
    for (size_t at = 0; at < line.len; at += sanitized(5)) {
        other = line;
        other.all[at] ^= (uint8_t)(1U << at % 8);
        check(read_bytes(other.all, other.len, MOST), 8);
    }
}

static void test_missing_and_doubled_bytes(void **state)
{
    static struct bytes other;

    (void)state;
    send_some();
    for (size_t at = 0; at < line.len; at += sanitized(5)) {
        other = line;
        memmove(other.all + at, other.all + at + 1, --other.len - at);
        check(read_bytes(other.all, other.len, MOST), 8);
        other = line;
        memmove(other.all + at + 1, other.all + at, other.len++ - at);
        check(read_bytes(other.all, other.len, MOST), 8);
    }
}

/* The end is cut off, or the beginning: a reader that comes in the middle. */
static void test_cut(void **state)
{
    uint32_t calls = 0;

    (void)state;
    send_some();
    for (size_t at = 0; at < line.len; at += sanitized(5)) {
        const struct reader *r = read_bytes(line.all, at, MOST);
        assert_true(r->calls >= calls && losses(r) == 0);
        calls = r->calls;
        r = read_bytes(line.all + at, line.len - at, MOST);
        assert_true(r->refused || (r->calls <= made && losses(r) == 0 && r->next == made + 1));
        assert_true(r->calls == made || r->left_out != 0 ||
                    (line.all[at + 2] == MPROF_FRAME_HEADER && r->calls < made));
    }
}

static size_t frame_len(size_t at)
{
    assert_int_equal(line.all[at], MPROF_FRAME_SYNC & 255);
    return 10 + 4 * (size_t)line.all[at + 5];
}

/* A frame that is missing is counted to the event, one that comes twice or late changes nothing. */
static void test_frames(void **state)
{
    static struct bytes other;
    uint32_t all_lost = 0;

    (void)state;
    send_some();
    for (size_t at = 0, len; at < line.len; at += len) {
        bool is_header = line.all[at + 2] == MPROF_FRAME_HEADER;
        len = frame_len(at);
        bool is_last = at + len == line.len;
        other = line;
        memmove(other.all + at, other.all + at + len, other.len - at - len);
        other.len -= len;
        const struct reader *r = read_bytes(other.all, other.len, MOST);
        if (at == 0)
            assert_true(r->left_out != 0 && losses(r) == 0 && r->next == made + 1);
        else if (is_header)
            assert_true(r->calls == made && losses(r) == 0);
        else
            assert_true(is_last ? r->calls < made : r->calls + losses(r) == made);
        all_lost += at == 0 ? 0 : losses(r);
        other = line;
        memmove(other.all + at + len, other.all + at, other.len - at);
        other.len += len;
        r = read_bytes(other.all, other.len, MOST);
        assert_true(r->calls == made && losses(r) == 0 && r->left_out == 0);
    }
    assert_true(all_lost > made / 2);
}

/* The second run's first header is lost: its records are not taken for the first run's. */
static void test_restart(void **state)
{
    static struct bytes other;

    (void)state;
    send_some();
    uint32_t first_run = made, second_begin = (uint32_t)line.len;
    mprof_init();
    made = 0;
    for (unsigned i = 0; i < 60; i++) {
        make_events(5);
        assert_int_equal(mprof_trace_send(put, 100), 5);
    }
    const struct reader *r = read_bytes(line.all, line.len, 100);
    assert_int_equal(r->calls, first_run + made);
    assert_int_equal(r->runs, 2);
    assert_int_equal(losses(r), 0);
    size_t len = frame_len(second_begin);
    other = line;
    memmove(other.all + second_begin, other.all + second_begin + len,
            other.len - second_begin - len);
    other.len -= len;
    r = read_bytes(other.all, other.len, 100);
    assert_true(r->runs == 2 && losses(r) > 200);
    assert_int_equal(r->calls + losses(r), first_run + made);
}

/* Start-up code clears the RAM at a restart, so boot is 1 in each run. The second run may have sent
 * less than the first one, and its first header may be lost. */
static void test_restart_with_same_boot(void **state)
{
    static struct bytes twice;

    (void)state;
    send_some();
    twice = line;
    memcpy(twice.all + line.len, line.all, line.len);
    for (size_t len = line.len; len > line.len / 3; len -= 100) {
        const struct reader *r = read_bytes(twice.all, line.len + len, 100);
        assert_int_equal(r->runs, 2);
        assert_int_equal(losses(r), 0);
        assert_true(len == line.len ? r->calls == 2 * made : r->calls > made + len / 40);
    }
    size_t len = frame_len(0);
    memcpy(twice.all + line.len, line.all + len, line.len - len);
    const struct reader *r = read_bytes(twice.all, 2 * line.len - len, 100);
    assert_int_equal(r->runs, 2);
    assert_int_equal(r->calls + losses(r), 2 * made);
    assert_true(r->calls > made);
}

/* What the ring has overwritten before it was sent. */
static void test_overwritten(void **state)
{
    (void)state;
    send_some();
    make_events(3 * RING);
    send_all();
    const struct reader *r = read_bytes(line.all, line.len, 100);
    assert_int_equal(losses(r), 2 * RING);
    assert_int_equal(r->calls + losses(r), made);
}

/* A record that is not complete is waited for once. */
static void test_unfinished(void **state)
{
    (void)state;
    send_some();
    make_events(3);
    uint32_t tag = s_prof.trace[(made - 1) % RING].tag;
    s_prof.trace[(made - 1) % RING].tag = 0;
    assert_int_equal(mprof_trace_send(put, 100), 1);
    s_prof.trace[(made - 1) % RING].tag = tag;
    assert_int_equal(mprof_trace_send(put, 100), 2);
    make_events(3);
    s_prof.trace[(made - 1) % RING].tag = 0;
    assert_int_equal(mprof_trace_send(put, 100), 1);
    assert_int_equal(mprof_trace_send(put, 100), 1);
    const struct reader *r = read_bytes(line.all, line.len, 100);
    assert_int_equal(r->calls, made - 1);
    assert_int_equal(losses(r), 1);
}

/* Of events that find the trace full, at least 16 of 17 are told if no records are to be sent, by
 * few headers. */
static void test_full(void **state)
{
    static struct bytes before;
    uint32_t lost = 0;

    (void)state;
    send_some();
    before = line;
    s_prof.header.enable &= ~MPROF_ENABLE_OVERWRITE;
    while (lost < 3000) {
        make_events(1);
        lost++;
        send_all();
        const struct reader *r = read_bytes(line.all + before.len, line.len - before.len, MOST);
        assert_int_equal(losses(r), 0);
        uint32_t told = r->lost[SAMPLER_EVENT_FULL];
        assert_true(told <= lost && lost - told <= told / 16);
    }
    assert_true(line.len - before.len < 120 * frame_len(0));
}

/* While records are to be sent, these are told when they have doubled; a cleared trace is no loss.
 */
static void test_full_and_busy(void **state)
{
    (void)state;
    send_some();
    make_events(RING / 2);
    s_prof.header.enable &= ~MPROF_ENABLE_OVERWRITE;
    make_events(100);
    assert_int_equal(mprof_trace_send(put, 1), 1);
    size_t len = line.len;
    make_events(99);
    assert_int_equal(mprof_trace_send(put, 1), 1);
    size_t without = line.len - len;
    make_events(1);
    assert_int_equal(mprof_trace_send(put, 1), 1);
    assert_int_equal(line.len, len + 2 * without + frame_len(0));
    send_all();
    s_prof.header.enable |= MPROF_ENABLE_OVERWRITE;
    make_events(4);
    s_prof.trace_lead.first = s_prof.trace_lead.head;
    make_events(5);
    assert_int_equal(mprof_trace_send(put, 100), 5);
}

/* It sends at most what it may. */
static void test_most(void **state)
{
    (void)state;
    send_some();
    make_events(20);
    assert_int_equal(mprof_trace_send(put, 0), 0);
    assert_int_equal(mprof_trace_send(put, 7), 7);
    assert_int_equal(mprof_trace_send(put, 1), 1);
    send_all();
    assert_int_equal(read_bytes(line.all, line.len, 3)->calls, made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_missing_and_doubled_bytes),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_restart_with_same_boot),
        cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_full_and_busy),
        cmocka_unit_test(test_most),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
