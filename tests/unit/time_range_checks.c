/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A target that is polled once a second, and the time range over these polls. */
#include "time_range_checks.h"

#include "unit.h"

#define ROWS 3

struct second_look second_look;

static const uint64_t row_addr[ROWS] = {0x100, 0x200, 0x300};
static char fake_link[1];

enum sampler_code sampler_table_look(struct sampler_table *sampler,
                                     const struct profile_object **objects, size_t *count)
{
    static struct profile_object object;

    second_look.count++;
    object.header = &second_look.header;
    *objects = &object;
    *count = 1;
    return second_look.code;
}

enum gdbmi_code gdbmi_link_state(struct gdbmi_link *link, enum gdbmi_state *state)
{
    *state = second_look.state;
    return GDBMI_OK;
}

void start_target(struct target *t, bool restart_on_resume)
{
    memset(t, 0, sizeof(*t));
    profile_init(&t->watch.profile);
    t->watch.session.link = (struct gdbmi_link *)(void *)fake_link;
    t->watch.session.sampler = (struct sampler_table *)(void *)fake_link;
    time_range_init(&t->range, restart_on_resume);
    restart(t, 1);
    t->now_s = 100;
    second_look = (struct second_look){.code = SAMPLER_OK, .state = HALTED};
}

void free_target(struct target *t)
{
    time_range_free(&t->range);
    profile_free(&t->watch.profile);
}

void count_hits(struct target *t, uint32_t a, uint32_t b, uint32_t c)
{
    fake_counts_add(&t->counts, (const uint32_t[ROWS]){a, b, c});
}

void restart(struct target *t, uint32_t boot)
{
    fake_counts_start(&t->counts, 4, row_addr, ROWS, boot);
}

void poll_late(struct target *t, enum gdbmi_state state, uint32_t late)
{
    const struct decode_header header = fake_counts_header(&t->counts);
    const struct profile_object object = {.bytes = t->counts.table.bytes, .header = &header};

    t->now_s += 1;
    if (state == HALTED)
        profile_pause(&t->watch.profile);
    assert_true(profile_update(&t->watch.profile, &object, 1, t->now_s));
    if (state == HALTED)
        profile_pause(&t->watch.profile);
    t->watch.state = state;
    t->watch.fresh = true;
    second_look.header = header;
    second_look.header.heartbeat += late;
    time_range_look(&t->watch);
    assert_true(time_range_update(&t->range, &t->watch));
}

void poll_as(struct target *t, enum gdbmi_state state)
{
    poll_late(t, state, 0);
}

const struct profile *shown(const struct target *t)
{
    return time_range_profile(&t->range, &t->watch);
}

/* What was made of a profile may have its rows in another order, and none without hits. */
uint64_t hits_at(const struct profile *p, uint64_t addr)
{
    uint64_t hits = 0;

    for (size_t i = 0; i < p->row_count; i++)
        hits += p->rows[i].addr == addr ? p->rows[i].hits : 0;
    return hits;
}

void assert_hits(const struct target *t, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t hits[ROWS] = {a, b, c};
    const struct profile *p = shown(t);

    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(hits_at(p, row_addr[i]), hits[i]);
    assert_int_equal(p->attributed, a + b + c);
}
