/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by halts: never more than a share of the time, at random, and what they say of the core.
 */
#include "unit.h"

#include <math.h>

#include <base/monotonic.h>
#include <taken/taken.h>

#include "fake_clock.h"
#include "link_ops.h"

/* A core that takes some time to halt. */
static struct gdbmi_link link;
static struct symtab *symtab;
static int halt_ms;
static bool runs;
static uint32_t psr;
static uint32_t pc;
static enum gdbmi_code refusal;

static enum gdbmi_code core_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    *state = runs ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED;
    return GDBMI_OK;
}

static enum gdbmi_code core_halt(struct gdbmi_link *base, bool *ours)
{
    *ours = true;
    runs = false;
    fake_clock_pass(halt_ms);
    return GDBMI_OK;
}

static enum gdbmi_code core_resume(struct gdbmi_link *base)
{
    runs = true;
    return GDBMI_OK;
}

static enum gdbmi_code core_registers(struct gdbmi_link *base, const struct link_registers *map,
                                      bool all, struct gdbmi_sample *sample)
{
    if (refusal != GDBMI_OK)
        return gdbmi_error_set(&base->error, refusal, "it does not say");
    link_registers_set(sample, map->pc, pc);
    link_registers_set(sample, (unsigned)map->psr, psr);
    return GDBMI_OK;
}

static const struct gdbmi_link_ops ops = {.state = core_state,
                                          .halt = core_halt,
                                          .resume = core_resume,
                                          .send_resume = core_resume,
                                          .registers = core_registers};

static struct taken *begin(double duty)
{
    const struct sampler_taking how = {.duty = duty, .share = 1};

    assert_int_equal(symtab_load(SYMBOL_FILES "/cortex-m3.elf", &symtab, NULL, 0), SYMTAB_OK);
    fake_clock_start();
    link = (struct gdbmi_link){.ops = NULL};
    link_init(&link, &ops, "test", "core", 0);
    snprintf(link.arch, sizeof(link.arch), "arm");
    link.allow_halt = link.info.live = true;
    halt_ms = 2;
    runs = true;
    psr = 0x01000000;
    pc = 0x101;
    refusal = GDBMI_OK;
    struct taken *t = taken_new(&taken_halt, &link, symtab, &how);
    assert_non_null(t);
    return t;
}

static void end(struct taken *t)
{
    taken_free(t);
    symtab_free(symtab);
    fake_clock_stop();
}

static double share(double since_s)
{
    return (double)link.halted_ns * 1e-9 / (monotonic_s() - since_s);
}

/* The clock has whole milliseconds. */
static void wait_for_sample(struct taken *t)
{
    double due_s = monotonic_s() + t->ops->pause_s(t);

    while (monotonic_s() < due_s)
        fake_clock_pass(1);
}

/* At the beginning of each halt the share is one that the halt does not take over the limit. */
static void check_share(double duty, const int *lengths_ms, size_t count, double least)
{
    struct taken *t = begin(duty);
    double since_s = monotonic_s(), shortest = 1e9, longest = 0;
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    halt_ms = lengths_ms[0];
    assert_int_equal(t->ops->probe(t), SAMPLER_OK);
    for (size_t i = 0; i < 2000; i++) {
        shortest = fmin(shortest, t->ops->pause_s(t));
        longest = fmax(longest, t->ops->pause_s(t));
        wait_for_sample(t);
        halt_ms = lengths_ms[i % count];
        uint64_t halts = link.halts;
        assert_int_equal(t->ops->batch(t, &state), SAMPLER_OK);
        assert_int_equal(link.halts, halts + 1);
        assert_int_equal(state, GDBMI_STATE_RUNNING);
        if (count == 1)
            assert_true(share(since_s) <= duty * 1.00001);
        wait_for_sample(t);
        assert_true(share(since_s) <= duty * 1.00001);
        assert_int_equal(t->ops->batch(t, &state), SAMPLER_OK);
    }
    assert_true(share(since_s) >= least * duty);
    double usual_s = lengths_ms[0] * 1e-3 * (1 / duty - 1);
    assert_true(longest >= 1.3 * usual_s);
    assert_true(shortest <= 0.8 * usual_s);
    assert_true(runs);
    end(t);
}

static void test_share(void **state)
{
    check_share(0.05, (const int[]){2}, 1, 0.7);
    check_share(0.5, (const int[]){4}, 1, 0.7);
    check_share(0.05, (const int[]){2, 2, 2, 2, 2, 2, 2, 2, 2, 600}, 10, 0.4);
}

/* A refresh of the screen between two samples does not take one; nor does a long silence allow
 * many. */
static void test_early_polls(void **state)
{
    struct taken *t = begin(0.01);
    enum gdbmi_state found = GDBMI_STATE_UNKNOWN;

    halt_ms = 20;
    assert_int_equal(t->ops->probe(t), SAMPLER_OK);
    assert_true(t->ops->pause_s(t) > 1);
    for (int i = 0; i < 50; i++) {
        fake_clock_pass(10);
        assert_int_equal(t->ops->batch(t, &found), SAMPLER_OK);
        assert_int_equal(found, GDBMI_STATE_RUNNING);
    }
    assert_int_equal(link.halts, 1);
    fake_clock_pass(1000 * 1000);
    assert_int_equal(t->ops->batch(t, &found), SAMPLER_OK);
    assert_int_equal(link.halts, 2);
    assert_true(t->ops->pause_s(t) > 0.9);
    end(t);
}

/* The exception is that of xPSR. */
static void test_what_is_seen(void **state)
{
    struct taken *t = begin(1);
    enum gdbmi_state found = GDBMI_STATE_UNKNOWN;
    struct profile profile;

    profile_init(&profile);
    assert_int_equal(t->ops->probe(t), SAMPLER_OK);
    psr = 0x2100000f;
    pc = 0x200;
    wait_for_sample(t);
    assert_int_equal(t->ops->batch(t, &found), SAMPLER_OK);
    psr = 0x21000003;
    pc = 0xfffffffe;
    wait_for_sample(t);
    assert_int_equal(t->ops->batch(t, &found), SAMPLER_OK);
    runs = false;
    wait_for_sample(t);
    assert_int_equal(t->ops->batch(t, &found), SAMPLER_OK);
    assert_int_equal(found, GDBMI_STATE_HALTED);
    assert_false(runs);
    assert_true(t->ops->pause_s(t) >= 0.1);
    assert_int_equal(t->lockup, 1);
    assert_int_equal(t->halted, 1);
    assert_true(t->exceptions);
    assert_int_equal(t->tally.count, 1);
    assert_int_equal(t->tally.entries[0].addr, 0x200);
    assert_int_equal(t->tally.entries[0].exception, 15);
    profile_free(&profile);
    end(t);
}

/* An AArch64 or RISC-V core has no xPSR. */
static void test_without_exceptions(void **state)
{
    struct taken *t = begin(1);
    enum gdbmi_state found = GDBMI_STATE_UNKNOWN;

    assert_int_equal(t->ops->probe(t), SAMPLER_OK);
    end(t);
    t = begin(1);
    psr = 0;
    assert_int_equal(t->ops->probe(t), SAMPLER_OK);
    wait_for_sample(t);
    assert_int_equal(t->ops->batch(t, &found), SAMPLER_OK);
    assert_false(t->exceptions);
    assert_int_equal(t->tally.entries[0].addr, 0x100);
    end(t);
}

static void check_probe(struct taken *t, enum sampler_code code, const char *part)
{
    assert_int_equal(t->ops->probe(t), code);
    if (!strstr(t->text, part))
        fail_msg("%s", t->text);
    assert_null(strchr(t->text, '\n'));
    end(t);
}

static void test_refusals(void **state)
{
    struct taken *t = begin(0.05);

    link.allow_halt = false;
    check_probe(t, SAMPLER_ETABLE, "--allow-halt allows it for 5% of the time");
    assert_int_equal(link.halts, 0);
    t = begin(0.05);
    link.no_sample = "it is a process";
    check_probe(t, SAMPLER_ETABLE, "core: it is a process");
    t = begin(0.05);
    refusal = GDBMI_ETARGET;
    check_probe(t, SAMPLER_EREAD, "it does not say");
    assert_true(runs);
    t = begin(0.05);
    refusal = GDBMI_ECLOSED;
    check_probe(t, SAMPLER_ELINK, "it does not say");
    t = begin(0.05);
    runs = false;
    check_probe(t, SAMPLER_WAIT, "");
    assert_false(runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share),        cmocka_unit_test(test_early_polls),
        cmocka_unit_test(test_what_is_seen), cmocka_unit_test(test_without_exceptions),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
