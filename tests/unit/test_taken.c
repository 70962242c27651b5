/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples that mprof takes itself: counted, made a profile, and how alike those of a batch are. */
#include "unit.h"

#include <math.h>

#include <taken/taken.h>

#include "../../cli/sampler/taken/spread.h"
#include "self_link.h"

static void make_events(unsigned count)
{
}

/* What the next batch delivers. */
static struct taken_sample next[64];
static size_t next_count;
static enum gdbmi_state next_state;
static enum sampler_code next_code;
static unsigned closed;

static enum sampler_code batch(struct taken *t, enum gdbmi_state *state)
{
    for (size_t i = 0; i < next_count; i++)
        assert_true(taken_add(t, &next[i]));
    *state = next_state;
    return next_code;
}

static void close_fake(struct taken *t)
{
    closed++;
}

static const struct taken_ops fake = {.source = DECODE_HALT, .batch = batch, .close = close_fake};

struct reader {
    struct gdbmi_link link;
    struct symtab *symtab;
    struct taken *taken;
    struct profile profile;
    double now_s;
};

static void begin(struct reader *r)
{
    const struct sampler_taking how = {.share = 1};

    memset(r, 0, sizeof(*r));
    self_link_init(&r->link, 1);
    assert_int_equal(symtab_load(SYMBOL_FILES "/cortex-m3.elf", &r->symtab, NULL, 0), SYMTAB_OK);
    r->taken = taken_new(&fake, &r->link, r->symtab, &how);
    assert_non_null(r->taken);
    profile_init(&r->profile);
    next_count = 0;
    next_state = GDBMI_STATE_RUNNING;
    next_code = SAMPLER_OK;
    closed = 0;
    r->now_s = 100;
}

static void end(struct reader *r)
{
    taken_free(r->taken);
    assert_int_equal(closed, 1);
    profile_free(&r->profile);
    symtab_free(r->symtab);
}

static void put(enum taken_kind kind, uint64_t pc)
{
    next[next_count++] = (struct taken_sample){.kind = kind, .pc = pc};
}

static enum sampler_code poll(struct reader *r)
{
    enum gdbmi_state state;

    enum sampler_code code = taken_poll(r->taken, &r->profile, r->now_s++, &state);
    next_count = 0;
    return code;
}

static void test_counts(void **state)
{
    struct reader r;

    begin(&r);
    put(TAKEN_CODE, 0x1000);
    put(TAKEN_CODE, 0x1000);
    put(TAKEN_CODE, 0x2000);
    put(TAKEN_ASLEEP, 0);
    put(TAKEN_LOCKUP, 0);
    put(TAKEN_UNKNOWN, 0);
    put(TAKEN_HALTED, 0);
    assert_int_equal(poll(&r), SAMPLER_OK);
    const struct profile *p = &r.profile;
    assert_int_equal(p->source, DECODE_HALT);
    assert_string_equal(decode_source_name(p->source), "halt");
    assert_int_equal(p->attributed, 3);
    assert_int_equal(p->row_count, 2);
    assert_int_equal(p->heartbeat, 6);
    assert_int_equal(p->sleeping, 1);
    assert_int_equal(p->lockup, 1);
    assert_int_equal(p->dropped, 1);
    assert_int_equal(p->halted, 1);
    assert_int_equal(p->batches, 1);
    assert_true(p->from_s == 100 && p->recent_s == 0 && p->restarts == 0);
    put(TAKEN_CODE, 0x2000);
    put(TAKEN_ASLEEP, 0);
    put(TAKEN_UNKNOWN, 0);
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_true(p->recent_s == 1);
    assert_int_equal(p->recent, 1);
    assert_int_equal(p->events, 3);
    assert_int_equal(p->slept, 1);
    assert_int_equal(p->missed, 1);
    assert_int_equal(p->rows[0].recent, 0);
    assert_int_equal(p->rows[1].hits, 2);
    end(&r);
}

/* Between two polls; a failed batch keeps what it has brought. */
static void test_drain(void **state)
{
    struct reader r;
    enum gdbmi_state seen;

    begin(&r);
    put(TAKEN_CODE, 0x1000);
    assert_int_equal(poll(&r), SAMPLER_OK);
    put(TAKEN_CODE, 0x1000);
    assert_int_equal(taken_drain(r.taken, &seen), SAMPLER_OK);
    assert_int_equal(r.profile.attributed, 1);
    next_code = SAMPLER_EREAD;
    assert_int_equal(poll(&r), SAMPLER_EREAD);
    assert_int_equal(r.profile.attributed, 1);
    next_code = SAMPLER_OK;
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_int_equal(r.profile.attributed, 3);
    assert_int_equal(r.profile.recent, 2);
    end(&r);
}

static void test_restart(void **state)
{
    struct reader r;

    begin(&r);
    put(TAKEN_CODE, 0x1000);
    assert_int_equal(poll(&r), SAMPLER_OK);
    r.link.resets++;
    put(TAKEN_CODE, 0x3000);
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_int_equal(r.profile.restarts, 1);
    assert_int_equal(r.profile.attributed, 1);
    assert_true(r.profile.rows[0].addr == 0x3000 && r.profile.from_s == 101);
    for (unsigned i = 0; i < 30; i++) { /* alike within a batch */
        for (unsigned k = 0; k < 10; k++)
            put(TAKEN_CODE, i % 2 ? 0x1000 : 0x3000);
        assert_int_equal(poll(&r), SAMPLER_OK);
    }
    assert_true(r.profile.spread > 5);
    r.link.resets++;
    put(TAKEN_CODE, 0x3000);
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_true(r.profile.spread == 1 && r.profile.task_spread == 1);
    profile_end(&r.profile); /* another ELF file */
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_int_equal(r.profile.restarts, 3);
    end(&r);
}

/* The interval with a halt has no rate. */
static void test_halted(void **state)
{
    struct reader r;

    begin(&r);
    assert_int_equal(poll(&r), SAMPLER_OK);
    next_state = GDBMI_STATE_HALTED;
    put(TAKEN_HALTED, 0);
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_true(r.profile.recent_s == 0);
    next_state = GDBMI_STATE_RUNNING;
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_true(r.profile.recent_s == 0);
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_true(r.profile.recent_s == 1);
    end(&r);
}

static void test_tasks_and_stacks(void **state)
{
    static const uint64_t callers[] = {0x2000, 0x3000}, deep[PROFILE_STACK_DEPTH + 5];
    struct reader r;

    begin(&r);
    r.taken->exceptions = true;
    next[0] = (struct taken_sample){
        .pc = 0x1000, .has_task = true, .task = 0x20000100, .stack = callers, .depth = 2};
    next[1] = next[0];
    next[2] = (struct taken_sample){.pc = 0x1000, .exception = 15, .has_task = true};
    next[3] = (struct taken_sample){.pc = 0x1000, .stack = deep, .depth = PROFILE_STACK_DEPTH + 5};
    next_count = 4;
    assert_int_equal(poll(&r), SAMPLER_OK);
    const struct profile *p = &r.profile;
    assert_true(p->exceptions);
    assert_int_equal(p->row_count, 3);
    assert_int_equal(p->rows[0].exception, PROFILE_TASK_FIRST);
    assert_int_equal(p->tasks->list[0].word, 0x20000100);
    assert_int_equal(p->rows[1].exception, 15);
    const struct profile_stacks *s = p->stacks;
    assert_int_equal(s->count, 2);
    assert_int_equal(s->list[0].hits, 2);
    assert_int_equal(s->list[0].depth, 3);
    assert_int_equal(s->list[0].context, PROFILE_TASK_FIRST);
    assert_true(s->addrs[0] == 0x1000 && s->addrs[1] == 0x2000 && s->addrs[2] == 0x3000);
    assert_true(!s->list[0].cut && s->list[1].cut);
    assert_int_equal(s->list[1].depth, PROFILE_STACK_DEPTH);
    assert_int_equal(s->cut, 1);
    end(&r);
}

static uint64_t address_of(const struct symtab *symtab, const char *name)
{
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].addr;
    fail_msg("there is no %s", name);
    return 0;
}

/* Where the core does not say what it handles, a handler of the vector table is no task's. */
static void test_handlers(void **state)
{
    struct reader r;

    for (int told = 0; told < 2; told++) {
        begin(&r);
        r.taken->exceptions = told;
        for (size_t i = 0; i < 2; i++)
            next[next_count++] = (struct taken_sample){
                .pc = address_of(r.symtab, i ? "main" : "SysTick_Handler") + 2,
                .has_task = true,
                .task = 0x20000100};
        assert_int_equal(poll(&r), SAMPLER_OK);
        assert_int_equal(r.profile.row_count, 2);
        assert_int_equal(r.profile.rows[0].exception, told ? PROFILE_TASK_FIRST : 15);
        assert_int_equal(r.profile.rows[1].exception, PROFILE_TASK_FIRST);
        end(&r);
    }
}

/* The word is in the target's order, and there are tasks before the first one was met. */
static void test_task_word(void **state)
{
    static const unsigned char bytes[] = {0x20, 0x01, 0x00, 0x20};
    struct reader r;

    begin(&r);
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_null(r.profile.tasks);
    r.taken->how.task_size = 4;
    assert_int_equal(taken_task(r.taken, bytes), 0x20000120);
    assert_int_equal(poll(&r), SAMPLER_OK);
    assert_non_null(r.profile.tasks);
    assert_int_equal(r.profile.tasks->count, 0);
    end(&r);
}

static void test_stacks_grow(void **state)
{
    struct profile_stacks *stacks = NULL, *copy;

    for (uint64_t turn = 0; turn < 2; turn++) {
        for (uint64_t i = 0; i < 1000; i++) {
            const uint64_t addrs[] = {i, i / 2, 7};
            assert_true(profile_stacks_add(&stacks, addrs, 3, 0, i % 2));
        }
    }
    assert_int_equal(stacks->count, 1000);
    assert_true(profile_stacks_copy(stacks, &copy));
    profile_stacks_free(stacks);
    for (uint64_t i = 0; i < 1000; i++) {
        const uint64_t addrs[] = {i, i / 2, 7};
        assert_int_equal(copy->list[i].hits, 2);
        assert_true(profile_stacks_add(&copy, addrs, 3, 0, i % 2));
        assert_int_equal(copy->list[i].hits, 3);
    }
    assert_int_equal(copy->count, 1000);
    profile_stacks_free(copy);
    assert_true(profile_stacks_copy(NULL, &copy));
    assert_null(copy);
}

/* batches of size samples each; all of one are of the same function if alike. */
static double factor(unsigned batches, unsigned size, bool alike)
{
    struct taken_spread *s = spread_new();
    uint32_t random = 1;

    for (unsigned b = 0; b < batches; b++) {
        for (unsigned i = 0; i < size; i++) {
            if (i == 0 || !alike)
                random = random * 1664525 + 1013904223;
            assert_true(spread_add(s, 100 * (random >> 30)));
        }
        spread_end_batch(s);
    }
    double result = spread_factor(s);
    spread_free(s);
    return result;
}

static void test_spread(void **state)
{
    double independent = factor(2000, 10, false), same = factor(2000, 10, true);

    assert_true(independent >= 1 && independent < 1.15);
    assert_true(same > 9.3 && same < 10.7);
    assert_true(factor(2000, 1, true) < 1.15);
    assert_true(factor(5, 100, false) == 100); /* too few batches to say */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),           cmocka_unit_test(test_drain),
        cmocka_unit_test(test_restart),          cmocka_unit_test(test_halted),
        cmocka_unit_test(test_tasks_and_stacks), cmocka_unit_test(test_stacks_grow),
        cmocka_unit_test(test_handlers),         cmocka_unit_test(test_task_word),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
