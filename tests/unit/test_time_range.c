/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks, resumes and the last seconds, over readings of a table that the test makes up. */
#include <math.h>

#include <target/time_range.h> /* cmocka has a macro fail() */

#include "unit.h"

#include "fake_table.h"

#define ROWS     3
#define FLAGS_AT 102 /* of the block */
#define DECAYS   2u
#define RUNNING  GDBMI_STATE_RUNNING
#define HALTED   GDBMI_STATE_HALTED

/* What a second look finds: it fails, or a header. */
static enum sampler_code look_code;
static struct decode_header look_header;
static enum gdbmi_state state_now;
static unsigned looks;

enum sampler_code sampler_table_look(struct sampler_table *sampler,
                                     const struct profile_object **objects, size_t *count)
{
    static struct profile_object object;

    looks++;
    object.header = &look_header;
    *objects = &object;
    *count = 1;
    return look_code;
}

enum gdbmi_code gdbmi_link_state(struct gdbmi_link *link, enum gdbmi_state *state)
{
    *state = state_now;
    return GDBMI_OK;
}

struct target {
    struct watch watch;
    struct time_range range;
    struct fake_table table;
    uint32_t hits[ROWS];
    uint32_t heartbeat;
    double now_s;
};

static char fake_link[1];

static void begin(struct target *t, bool restart_on_resume)
{
    memset(t, 0, sizeof(*t));
    profile_init(&t->watch.profile);
    t->watch.session.link = (struct gdbmi_link *)(void *)fake_link;
    t->watch.session.sampler = (struct sampler_table *)(void *)fake_link;
    time_range_init(&t->range, restart_on_resume);
    fake_init(&t->table, false, 4, ROWS);
    t->now_s = 100;
    look_code = SAMPLER_OK;
    state_now = HALTED;
    looks = 0;
}

static void end(struct target *t)
{
    time_range_free(&t->range);
    profile_free(&t->watch.profile);
}

/* The target has counted so many more in each row. */
static void count(struct target *t, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t more[ROWS] = {a, b, c};

    for (size_t i = 0; i < ROWS; i++) {
        t->hits[i] += more[i];
        t->heartbeat += more[i];
        if (t->hits[i])
            fake_item(&t->table, i, 0x100 * (i + 1), t->hits[i], 0, (uint32_t)i + 1);
    }
    fake_heartbeat(&t->table, t->heartbeat);
    fake_generation(&t->table, ROWS);
}

static void restart(struct target *t, uint32_t boot)
{
    fake_init(&t->table, false, 4, ROWS);
    fake_boot(&t->table, boot);
    memset(t->hits, 0, sizeof(t->hits));
    t->heartbeat = 0;
}

/* A poll, a second after the one before; so many events come before the second look. */
static void poll_late(struct target *t, enum gdbmi_state state, uint32_t late)
{
    struct decode_header header;
    size_t need;
    char text[120];

    t->now_s += 1;
    assert_int_equal(
        decode_header(t->table.bytes, fake_total(&t->table), &header, &need, text, sizeof(text)),
        DECODE_OK);
    const struct profile_object object = {.bytes = t->table.bytes, .header = &header};
    if (state == HALTED)
        profile_pause(&t->watch.profile);
    assert_true(profile_update(&t->watch.profile, &object, 1, t->now_s));
    if (state == HALTED)
        profile_pause(&t->watch.profile);
    t->watch.state = state;
    t->watch.fresh = true;
    look_header = header;
    look_header.heartbeat += late;
    assert_true(time_range_update(&t->range, &t->watch));
}

static void poll_as(struct target *t, enum gdbmi_state state)
{
    poll_late(t, state, 0);
}

static const struct profile *shown(const struct target *t)
{
    return time_range_profile(&t->range, &t->watch);
}

/* What was made of a profile may have its rows in another order, and none without hits. */
static uint64_t hits_at(const struct profile *p, uint64_t addr)
{
    uint64_t hits = 0;

    for (size_t i = 0; i < p->row_count; i++)
        hits += p->rows[i].addr == addr ? p->rows[i].hits : 0;
    return hits;
}

static void assert_hits(const struct target *t, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t hits[ROWS] = {a, b, c};
    const struct profile *p = shown(t);

    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(hits_at(p, 0x100 * (i + 1)), hits[i]);
    assert_int_equal(p->attributed, a + b + c);
}

static void test_mark(void **state)
{
    struct target t;

    begin(&t, false);
    assert_false(time_range_mark(&t.range, &t.watch)); /* nothing was read */
    count(&t, 5, 7, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_string_equal(time_range_name(&t.range), "since reset");
    assert_true(time_range_mark(&t.range, &t.watch));
    assert_hits(&t, 0, 0, 0);
    assert_true(shown(&t)->recent_s <= 0);
    count(&t, 1, 2, 3);
    poll_as(&t, RUNNING);
    assert_hits(&t, 1, 2, 3);
    count(&t, 10, 20, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 11, 22, 3);
    /* The last interval is that of the polls. */
    assert_int_equal(shown(&t)->recent, 30);
    assert_int_equal(shown(&t)->rows[1].recent, 20);
    assert_int_equal(shown(&t)->events, 30);
    assert_true(fabs(shown(&t)->recent_s - 1) < 1e-9);
    assert_true(fabs(shown(&t)->from_s - 101) < 1e-9);
    assert_int_equal(strlen(time_range_name(&t.range)), strlen("since 14:03:07"));
    assert_null(time_range_said(&t.range));
    time_range_clear(&t.range);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_string_equal(time_range_name(&t.range), "since reset");
    end(&t);
}

/* A count that wraps, one that decay takes away. */
static void test_counts_that_fall(void **state)
{
    struct target t;

    begin(&t, false);
    fake_put(&t.table, FLAGS_AT, 2, DECAYS);
    count(&t, 0xfffffff0, 50, 8);
    poll_as(&t, RUNNING);
    assert_true(time_range_mark(&t.range, &t.watch));
    count(&t, 0x20, 0, 1);
    t.hits[1] = 30;
    count(&t, 0, 0, 0);
    poll_as(&t, RUNNING);
    assert_int_equal(t.watch.profile.restarts, 0);
    assert_hits(&t, 0x20, 0, 1);
    assert_int_equal(shown(&t)->rows[1].lost, 20);
    end(&t);
}

/* What runs between the resume and the poll that sees it is not lost. */
static void test_resume(void **state)
{
    struct target t;

    begin(&t, true);
    count(&t, 100, 0, 0);
    poll_as(&t, RUNNING);
    assert_string_equal(time_range_name(&t.range), "since reset");
    count(&t, 10, 1, 0);
    poll_as(&t, HALTED);
    poll_as(&t, HALTED);
    assert_hits(&t, 110, 1, 0); /* up to the first halt */
    count(&t, 0, 4, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 4, 0);
    assert_string_equal(time_range_name(&t.range), "since resume");
    count(&t, 0, 3, 2);
    poll_as(&t, HALTED);
    poll_as(&t, HALTED);
    assert_hits(&t, 0, 7, 2);
    count(&t, 1, 0, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 1, 0, 0);
    assert_int_equal(looks, 2); /* one a halt */
    end(&t);
}

/* It was let go and stopped again, and no poll met it running. */
static void test_resume_between_polls(void **state)
{
    struct target t;

    begin(&t, true);
    count(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    count(&t, 2, 3, 4);
    poll_as(&t, HALTED);
    assert_hits(&t, 2, 3, 4);
    count(&t, 1, 0, 0);
    poll_as(&t, HALTED);
    poll_as(&t, HALTED);
    assert_hits(&t, 1, 0, 0);
    /* From there it runs on. */
    count(&t, 0, 6, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 6, 0);
    end(&t);
}

/* It was let go after the link had said that it stands still, and before it was read: these hits
 * came after the resume, whatever it does by then. */
static void test_resume_amid_a_poll(void **state)
{
    struct target t;

    for (int then_halted = 0; then_halted < 2; then_halted++) {
        begin(&t, true);
        count(&t, 100, 0, 0);
        poll_as(&t, HALTED);
        count(&t, 1, 0, 0);
        poll_late(&t, HALTED, 2);
        assert_hits(&t, 1, 0, 0);
        count(&t, 5, 0, 0);
        poll_as(&t, then_halted ? HALTED : RUNNING);
        assert_hits(&t, 6, 0, 0);
        poll_as(&t, HALTED);
        count(&t, 0, 1, 0);
        poll_as(&t, RUNNING);
        assert_hits(&t, 0, 1, 0);
        end(&t);
    }
}

/* A table that cannot be looked at: the link tells, as well as it can. */
static void test_resume_without_a_look(void **state)
{
    struct target t;

    begin(&t, true);
    look_code = SAMPLER_ETABLE;
    count(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    count(&t, 1, 0, 0);
    state_now = RUNNING;
    poll_as(&t, HALTED);
    count(&t, 5, 0, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 6, 0, 0);
    end(&t);
}

static void test_resume_not_asked_for(void **state)
{
    struct target t;

    begin(&t, false);
    count(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    count(&t, 1, 0, 0);
    poll_as(&t, HALTED);
    count(&t, 1, 0, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    /* Asked for while it stands still. */
    poll_as(&t, HALTED);
    time_range_set_restart(&t.range, true);
    assert_true(time_range_restarts(&t.range));
    count(&t, 0, 9, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 9, 0);
    end(&t);
}

/* The mark falls with the counts that it stood in. */
static void test_restart(void **state)
{
    struct target t;

    begin(&t, false);
    count(&t, 100, 0, 0);
    poll_as(&t, RUNNING);
    assert_true(time_range_mark(&t.range, &t.watch));
    restart(&t, 2);
    count(&t, 500, 1, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_non_null(time_range_said(&t.range));
    assert_non_null(strstr(time_range_said(&t.range), "fell"));
    assert_string_equal(time_range_name(&t.range), "since reset");
    poll_as(&t, RUNNING);
    assert_null(time_range_said(&t.range)); /* once */
    end(&t);
}

/* Halted, reset and let go: what stood in the table before is no base. */
static void test_restart_while_halted(void **state)
{
    struct target t;

    begin(&t, true);
    count(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    restart(&t, 2);
    count(&t, 7, 0, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_hits(&t, 7, 0, 0);
    end(&t);
}

/* The reading that met the start itself has the old boot number, and is no second restart. */
static void test_restart_seen_twice(void **state)
{
    struct target t;

    begin(&t, false);
    count(&t, 100, 0, 0);
    poll_as(&t, RUNNING);
    restart(&t, 1);
    count(&t, 1, 0, 0);
    poll_as(&t, RUNNING);
    assert_true(time_range_mark(&t.range, &t.watch));
    restart(&t, 2);
    count(&t, 3, 0, 0);
    poll_as(&t, RUNNING);
    assert_int_equal(t.watch.profile.restarts, 1);
    assert_hits(&t, 3, 0, 0);
    end(&t);
}

static void test_last_seconds(void **state)
{
    struct target t;

    begin(&t, false);
    count(&t, 1000, 0, 0);
    poll_as(&t, RUNNING);
    time_range_toggle_recent(&t.range);
    for (unsigned i = 0; i < 4; i++) {
        count(&t, 1, 0, 0);
        poll_as(&t, RUNNING);
    }
    assert_hits(&t, 4, 0, 0);
    assert_string_equal(time_range_name(&t.range), "last 4 s");
    for (unsigned i = 0; i < 20; i++) {
        count(&t, 0, 2, 0);
        poll_as(&t, RUNNING);
    }
    assert_hits(&t, 0, 20, 0);
    assert_string_equal(time_range_name(&t.range), "last 10 s");
    assert_true(fabs(shown(&t)->from_s - (t.now_s - 10)) < 1e-9);
    time_range_toggle_recent(&t.range);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    time_range_toggle_recent(&t.range); /* there at once, without a poll */
    assert_hits(&t, 0, 20, 0);
    restart(&t, 2);
    count(&t, 0, 0, 5);
    poll_as(&t, RUNNING);
    count(&t, 0, 0, 6);
    poll_as(&t, RUNNING);
    assert_true(shown(&t)->attributed <= 11);
    assert_int_equal(hits_at(shown(&t), 0x200), 0);
    end(&t);
}

/* Nothing is read while the server is lost, and it may run meanwhile. */
static void test_lost(void **state)
{
    struct target t;

    begin(&t, true);
    count(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    t.watch.fresh = false;
    t.watch.state = GDBMI_STATE_UNKNOWN;
    assert_true(time_range_update(&t.range, &t.watch));
    count(&t, 0, 8, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 8, 0);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mark),
        cmocka_unit_test(test_counts_that_fall),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resume_between_polls),
        cmocka_unit_test(test_resume_amid_a_poll),
        cmocka_unit_test(test_resume_without_a_look),
        cmocka_unit_test(test_resume_not_asked_for),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_restart_while_halted),
        cmocka_unit_test(test_restart_seen_twice),
        cmocka_unit_test(test_last_seconds),
        cmocka_unit_test(test_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
