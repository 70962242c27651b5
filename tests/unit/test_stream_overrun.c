/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream that the target runs over while it is read: what can be read is, and the rest is counted
 * as lost. The target is this process, which takes samples whenever the link is asked. */
#include "unit.h"

#include <mprof/mprof.h>
#include <sampler/table.h>

#include "self_link.h"

#define RING MPROF_STREAM_CNT

static uint32_t taken;

static void make_events(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        mprof_sample(0x1000 + 16 * (taken++ % 8));
}

struct reader {
    struct gdbmi_link link;
    struct sampler_table *sampler;
    struct profile profile;
    double now_s;
};

static void begin(struct reader *r)
{
    memset(r, 0, sizeof(*r));
    taken = 0;
    mprof_init();
    self_link_init(&r->link, sizeof(mprof_record_t));
    r->sampler = sampler_table_new(&r->link, (uintptr_t)&s_prof, sizeof(s_prof), sizeof(uintptr_t),
                                   SAMPLER_STREAM);
    assert_non_null(r->sampler);
    profile_init(&r->profile);
}

static void poll(struct reader *r)
{
    enum gdbmi_state state;

    r->now_s++;
    assert_int_equal(sampler_table_poll(r->sampler, &r->profile, r->now_s, &state), SAMPLER_OK);
}

static void end(struct reader *r)
{
    sampler_table_free(r->sampler);
    profile_free(&r->profile);
}

static uint64_t hits(const struct reader *r)
{
    return r->profile.attributed;
}

/* Samples that are in no row and not lost: those that came after the head was read. */
static int64_t missing(const struct reader *r)
{
    return (int64_t)taken - (int64_t)hits(r) - (int64_t)r->profile.dropped;
}

static void test_read_in_time(void **state)
{
    struct reader r;

    begin(&r);
    for (int i = 0; i < 20; i++) {
        poll(&r);
        make_events(RING);
    }
    poll(&r);
    assert_int_equal(hits(&r), 20 * RING);
    assert_int_equal(r.profile.dropped, 0);
    end(&r);
}

/* While the ring is read once, it is written twice. */
static void test_overrun(void **state)
{
    struct reader r;

    begin(&r);
    poll(&r);
    per_request = 4;
    per_16_records = 32;
    for (int i = 0; i < 10; i++)
        poll(&r);
    uint64_t before = hits(&r);
    for (int i = 0; i < 100; i++)
        poll(&r);
    print_message("of %u samples %ju were read\n", (unsigned)taken, (uintmax_t)hits(&r));
    assert_true(hits(&r) - before > 100 * 8);
    assert_in_range(missing(&r), 0, 2 * RING + 64);
    end(&r);
}

/* The samples come so fast that only a few are there still when the shortest request is answered.
 */
static void test_hardly_in_time(void **state)
{
    struct reader r;

    begin(&r);
    poll(&r);
    per_request = RING - 6;
    for (int i = 0; i < 100; i++)
        poll(&r);
    assert_true(hits(&r) > 50);
    end(&r);
}

static void test_never_in_time(void **state)
{
    struct reader r;

    begin(&r);
    poll(&r);
    per_request = 3 * RING;
    for (int i = 0; i < 20; i++)
        poll(&r);
    assert_int_equal(hits(&r), 0);
    assert_true(r.profile.dropped > 19 * 3 * RING);
    end(&r);
}

/* When the target is slower again, all of the ring is read again. */
static void test_recovers(void **state)
{
    struct reader r;

    begin(&r);
    poll(&r);
    per_request = 4;
    per_16_records = 32;
    for (int i = 0; i < 20; i++)
        poll(&r);
    per_request = per_16_records = 0;
    for (int i = 0; i < 10; i++) {
        make_events(RING);
        poll(&r);
    }
    uint64_t before = hits(&r);
    uint32_t lost = r.profile.dropped;
    make_events(RING);
    poll(&r);
    assert_int_equal(hits(&r) - before, RING);
    assert_int_equal(r.profile.dropped, lost);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_in_time),   cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_hardly_in_time), cmocka_unit_test(test_never_in_time),
        cmocka_unit_test(test_recovers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
