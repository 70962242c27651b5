/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts of rows over the example firmware's ELF, and what the CPU was used for. */
#include <math.h>

#include "unit.h"

#include <ranking/context.h>
#include <ranking/usage.h>
#include <table/ranking_output.h>

#include "symbol_checks.h"

#define TIMER 24 /* External_Handler's exception, IRQ 8 */

static struct symtab *symtab;
static struct view_contexts *contexts;

static int setup(void **state)
{
    symtab = load("contexts.elf");
    contexts = view_contexts_new(symtab);
    return contexts ? 0 : -1;
}

static int teardown(void **state)
{
    view_contexts_free(contexts);
    symtab_free(symtab);
    return 0;
}

#define ROWS 8

/* What one second of contexts.elf brings; of each 30 come late in the interrupt. */
static struct profile second(struct profile_hit *rows, bool exceptions)
{
    const struct {
        const char *name;
        uint16_t exception;
        unsigned hits, late;
    } hits[ROWS] = {
        {"shared_work", 0, 200, 1},         {"shared_work", TIMER, 290, 30},
        {"External_Handler", TIMER, 10, 0}, {"task_work", 0, 240, 0},
        {"task_work", 15, 10, 0},           {"idle_task", 0, 200, 0},
        {"idle_task", TIMER, 20, 0},        {"main", 0, 10, 0},
    };
    struct profile p;

    profile_init(&p);
    p.source = exceptions ? DECODE_STREAM : DECODE_TABLE;
    p.exceptions = exceptions;
    p.rows = rows;
    p.row_count = p.used = ROWS;
    p.sample_hz = 1000;
    p.cores = 1;
    p.recent_s = 1;
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = (struct profile_hit){.addr = the(symtab, hits[i].name)->addr + 2,
                                       .hits = 10 * hits[i].hits,
                                       .recent = hits[i].hits,
                                       .late = exceptions ? hits[i].late : 0,
                                       .exception = exceptions ? hits[i].exception : 0,
                                       .stamp = 1};
        p.attributed += rows[i].hits;
        p.recent += rows[i].recent;
    }
    p.events = 980;
    p.heartbeat = 9800;
    return p;
}

static struct view_rows mark(const struct profile *p, enum view_by by,
                             const struct view_ignore *out)
{
    struct view_rows rows;

    assert_true(view_rows_build(p, symtab, by, out, &rows));
    view_contexts_mark(contexts, &rows);
    assert_true(rows.marked);
    return rows;
}

static const struct view_row *row_of(const struct view_rows *rows, const char *function)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].function && strcmp(rows->rows[i].function, function) == 0)
            return &rows->rows[i];
    fail_msg("there is no row of %s", function);
    return NULL;
}

static void in_sums(const struct view_rows *rows, uint64_t tasks, uint64_t interrupts,
                    uint64_t idle)
{
    assert_int_equal(rows->recent_in[VIEW_CONTEXT_TASK], tasks);
    assert_int_equal(rows->recent_in[VIEW_CONTEXT_INTERRUPT], interrupts);
    assert_int_equal(rows->recent_in[VIEW_CONTEXT_IDLE], idle);
    assert_int_equal(rows->in[VIEW_CONTEXT_TASK], 10 * tasks);
    assert_int_equal(rows->in[VIEW_CONTEXT_INTERRUPT], 10 * interrupts);
    assert_int_equal(rows->in[VIEW_CONTEXT_IDLE], 10 * idle);
}

/* The sums are the same whatever the rows are. */
static void test_functions(void **state)
{
    struct profile_hit hits[ROWS];
    const struct profile p = second(hits, true);

    struct view_rows rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    in_sums(&rows, 450, 330, 200);
    const struct view_row *shared = row_of(&rows, "shared_work");
    assert_int_equal(shared->context, VIEW_CONTEXT_TASK); /* it is called from both sides */
    assert_int_equal(shared->hits, 4900);
    assert_int_equal(shared->in_interrupt, 2900);
    assert_int_equal(shared->late, 31);
    assert_int_equal(row_of(&rows, "task_work")->context, VIEW_CONTEXT_TASK);
    assert_int_equal(row_of(&rows, "task_work")->in_interrupt, 100);
    assert_int_equal(row_of(&rows, "idle_task")->context, VIEW_CONTEXT_IDLE);
    assert_int_equal(row_of(&rows, "External_Handler")->context, VIEW_CONTEXT_INTERRUPT);
    view_rows_free(&rows);
    static const enum view_by others[] = {VIEW_BY_LINE, VIEW_BY_FILE, VIEW_BY_ADDRESS, VIEW_BY_ARC,
                                          VIEW_BY_CONTEXT};
    for (size_t i = 0; i < COUNT(others); i++) {
        rows = mark(&p, others[i], NULL);
        in_sums(&rows, 450, 330, 200);
        view_rows_free(&rows);
    }
}

/* A sample in the handler and one that it has interrupted count once, though each has three rows.
 */
static void test_stacks(void **state)
{
    struct profile_hit hits[ROWS];
    struct profile p = second(hits, true);
    const uint64_t addrs[] = {the(symtab, "External_Handler")->addr, the(symtab, "task_work")->addr,
                              the(symtab, "idle_task")->addr};

    for (size_t i = 0; i < 2; i++)
        assert_true(profile_stacks_add(&p.stacks, addrs + i, 3 - i, 0, false));
    struct view_rows rows = mark(&p, VIEW_BY_TOTAL, NULL);
    assert_true(rows.stacks);
    assert_true(rows.count > 2);
    in_sums(&rows, 450, 330, 200);
    view_rows_free(&rows);
    profile_stacks_free(p.stacks);
}

static void test_by_context(void **state)
{
    struct profile_hit hits[ROWS];
    const struct profile p = second(hits, true);

    struct view_rows rows = mark(&p, VIEW_BY_CONTEXT, NULL);
    assert_int_equal(rows.count, 3);
    const struct view_row *timer = row_of(&rows, "External_Handler (IRQ 8)");
    assert_int_equal(timer->hits, 3200);
    assert_int_equal(timer->exception, TIMER);
    assert_int_equal(timer->context, VIEW_CONTEXT_INTERRUPT);
    assert_int_equal(timer->addr, the(symtab, "External_Handler")->addr);
    assert_non_null(timer->file);
    assert_true(fabs(timer->share.value - 3200.0 / 9800) < 1e-9);
    assert_true(timer->share.low < timer->share.value && timer->share.high > timer->share.value);
    assert_true(fabs(timer->rate - 320) < 1e-9);
    assert_int_equal(timer->late, 30);
    assert_int_equal(row_of(&rows, "SysTick_Handler (SysTick)")->hits, 100);
    assert_int_equal(row_of(&rows, "thread")->hits, 6500);
    assert_int_equal(row_of(&rows, "thread")->context, VIEW_CONTEXT_TASK);
    view_rows_free(&rows);
}

/* Without numbers of exceptions: a function that a handler calls is a task's. */
static void test_a_table(void **state)
{
    struct profile_hit hits[ROWS];
    const struct profile p = second(hits, false);

    struct view_rows rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    in_sums(&rows, 750, 10, 220);
    assert_int_equal(row_of(&rows, "shared_work")->context, VIEW_CONTEXT_TASK);
    assert_int_equal(row_of(&rows, "External_Handler")->context, VIEW_CONTEXT_INTERRUPT);
    view_rows_free(&rows);
    rows = mark(&p, VIEW_BY_CONTEXT, NULL);
    assert_int_equal(rows.count, 2);
    assert_int_equal(row_of(&rows, "thread")->hits, 9700);
    assert_true(fabs(row_of(&rows, "thread")->share.value - 0.97 / 0.98) < 1e-9);
    /* The handler of all 32 external interrupts: for which one is not known. */
    assert_int_equal(row_of(&rows, "External_Handler")->hits, 100);
    in_sums(&rows, 750, 10, 220);
    view_rows_free(&rows);
}

/* By line, of a block in which the handler begins: its lines have no hits that are certain. */
static void test_lines_of_a_shared_block(void **state)
{
    const uint64_t start = the(symtab, "External_Handler")->addr;
    struct profile_hit hit = {.hits = 40, .stamp = 1};
    struct profile p = {.source = DECODE_TABLE, .rows = &hit, .row_count = 1, .attributed = 40};
    size_t lines = 0;

    p.block_size = 64; /* there is code of another function before it */
    hit.addr = start - start % 64;
    assert_true(symtab_find(symtab, hit.addr) != symtab_find(symtab, start));
    struct view_rows rows = mark(&p, VIEW_BY_LINE, NULL);
    for (size_t i = 0; i < rows.count; i++) {
        const struct view_row *row = &rows.rows[i];
        if (row->block || !row->function || strcmp(row->function, "External_Handler") != 0)
            continue;
        assert_int_equal(row->hits, 0);
        assert_int_equal(row->context, VIEW_CONTEXT_INTERRUPT);
        lines++;
    }
    assert_true(lines > 0);
    view_rows_free(&rows);
}

static void test_one_context(void **state)
{
    struct profile_hit hits[ROWS];
    const struct profile p = second(hits, true);
    struct view_ignore only = {.some_contexts = true, .contexts = {[TIMER] = true}};

    struct view_rows rows = mark(&p, VIEW_BY_FUNCTION, &only);
    assert_int_equal(rows.count, 3);
    assert_int_equal(rows.attributed, 3200);
    assert_int_equal(rows.ignored, 6600);
    assert_int_equal(row_of(&rows, "shared_work")->hits, 2900);
    assert_true(fabs(row_of(&rows, "shared_work")->share.value - 2900.0 / 3200) < 1e-9);
    assert_true(fabs(row_of(&rows, "shared_work")->recent_share - 2900.0 / 3200) < 1e-9);
    view_rows_free(&rows);
}

static void test_idle_is_told(void **state)
{
    struct profile_hit hits[ROWS];
    const struct profile p = second(hits, true);
    struct view_ignore idle = {.count = 0};
    char text[200];

    assert_true(view_ignore_parse("task_*", &idle, text, sizeof(text)));
    view_contexts_set_idle(contexts, &idle);
    struct view_rows rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    in_sums(&rows, 210, 330, 440);
    view_rows_free(&rows);
    view_contexts_set_idle(contexts, NULL);
}

/* Names alone: of a snapshot, of RISC-V, where no table says what a handler is. */
static void test_names(void **state)
{
    static const struct {
        const char *name;
        enum view_context context;
    } known[] = {
        {"vApplicationIdleHook", VIEW_CONTEXT_IDLE},
        {"prvIdleTask", VIEW_CONTEXT_IDLE},
        {"arch_cpu_idle", VIEW_CONTEXT_IDLE},
        {"rt_thread_idle_entry", VIEW_CONTEXT_IDLE},
        {"os_idle_demon", VIEW_CONTEXT_IDLE},
        {"_tx_thread_schedule", VIEW_CONTEXT_IDLE},
        {"is_idle", VIEW_CONTEXT_TASK},
        {"idle_count_update", VIEW_CONTEXT_TASK},
        {"TIM2_IRQHandler", VIEW_CONTEXT_INTERRUPT},
        {"SysTick_Handler", VIEW_CONTEXT_INTERRUPT},
        {"trap_entry", VIEW_CONTEXT_INTERRUPT},
        {"Reset_Handler", VIEW_CONTEXT_TASK},
        {"command_handler", VIEW_CONTEXT_TASK},
    };
    struct view_contexts *c = view_contexts_new(NULL);
    struct profile p;

    profile_init(&p);
    for (size_t i = 0; i < COUNT(known); i++) {
        struct view_row row = {.function = known[i].name, .hits = 5};
        struct view_rows rows = {.rows = &row, .count = 1, .profile = &p};
        view_contexts_mark(c, &rows);
        if (row.context != known[i].context)
            fail_msg("%s is taken for %s", known[i].name, view_context_name(row.context));
    }
    view_contexts_free(c);
}

static void test_machines_without_vectors(void **state)
{
    static const struct {
        const char *file, *function;
        enum view_context context;
    } known[] = {
        {"rv32.elf", "mprof_mtimer_entry", VIEW_CONTEXT_INTERRUPT},
        {"x86-64", "my_isr", VIEW_CONTEXT_TASK}, /* handlers of signals are not known */
    };
    struct profile p;

    profile_init(&p);
    for (size_t i = 0; i < 2; i++) {
        struct symtab *t = load(known[i].file);
        struct view_contexts *c = view_contexts_new(t);
        struct view_row row = {.function = known[i].function, .hits = 5, .addr = 4};
        struct view_rows rows = {.rows = &row, .count = 1, .profile = &p};
        view_contexts_mark(c, &rows);
        assert_int_equal(row.context, known[i].context);
        view_contexts_free(c);
        symtab_free(t);
    }
}

static void is_used(const struct profile *p, double tasks, double interrupts, double idle,
                    double unknown)
{
    struct view_rows rows = mark(p, VIEW_BY_FUNCTION, NULL);
    struct view_usage u;

    view_usage_make(p, &rows, &u);
    view_rows_free(&rows);
    if (fabs(u.tasks - tasks) > 1e-9 || fabs(u.interrupts - interrupts) > 1e-9 ||
        fabs(u.idle - idle) > 1e-9 || fabs(u.unknown - unknown) > 1e-9)
        fail_msg("%g %g %g %g", u.tasks, u.interrupts, u.idle, u.unknown);
}

static void test_usage(void **state)
{
    struct profile_hit hits[ROWS];
    struct profile p = second(hits, true);

    is_used(&p, 0.45, 0.33, 0.2, 0.02); /* 20 of 1000 did not come */
    p.recent_s = 2;                     /* halted, masked, asleep: nobody knows */
    is_used(&p, 0.225, 0.165, 0.1, 0.51);
    p.slept = 500; /* of them it is known now */
    is_used(&p, 0.225, 0.165, 0.35, 0.26);
    p.slept = 0;
    p.recent_s = 0.49; /* the host was late: what came is all there was */
    is_used(&p, 450.0 / 980, 330.0 / 980, 200.0 / 980, 0);
    p.events = 1000; /* 20 were dropped */
    is_used(&p, 0.45, 0.33, 0.2, 0.02);
    p.recent_s = 1;
    p.cores = 2;
    is_used(&p, 0.225, 0.165, 0.1, 0.51);
    p.cores = 1;
    p.sample_hz = 0; /* of the samples */
    p.events = 980;
    is_used(&p, 450.0 / 980, 330.0 / 980, 200.0 / 980, 0);
    p.recent_s = 0; /* no interval */
    is_used(&p, -1, -1, -1, -1);
    p.recent_s = 1;
    p.locked = true;
    is_used(&p, 780.0 / 980, -1, 200.0 / 980, 0);
    p.locked = false;
    p.unit = DECODE_UNIT_CALLS;
    is_used(&p, -1, -1, -1, -1);
}

static void test_usage_in_all(void **state)
{
    struct profile_hit hits[ROWS];
    struct profile p = second(hits, true);
    struct view_usage u;

    p.heartbeat = 10000;
    p.sleeping = 150;
    struct view_rows rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    view_usage_make(&p, &rows, &u);
    assert_true(fabs(u.total_tasks - 0.45) < 1e-9);
    assert_true(fabs(u.total_interrupts - 0.33) < 1e-9);
    assert_true(fabs(u.total_idle - 0.215) < 1e-9);
    assert_true(fabs(u.total_unknown - 0.005) < 1e-9);
    assert_true(u.wall && !u.callees && !u.locked);
    p.heartbeat = 20; /* has wrapped */
    view_usage_make(&p, &rows, &u);
    assert_true(fabs(u.total_tasks - 4500.0 / 9950) < 1e-9);
    assert_true(fabs(u.total_unknown) < 1e-9);
    p.sample_hz = 0;
    view_usage_make(&p, &rows, &u);
    assert_false(u.wall);
    rows.marked = false;
    view_usage_make(&p, &rows, &u);
    assert_true(u.tasks < 0 && u.total_tasks < 0);
    view_rows_free(&rows);

    p = second(hits, false);
    rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    view_usage_make(&p, &rows, &u);
    assert_true(u.callees);
    view_rows_free(&rows);
    profile_init(&p);
    rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    view_usage_make(&p, &rows, &u);
    assert_true(u.tasks < 0 && u.total_tasks < 0 && u.total_unknown < 0);
    view_rows_free(&rows);
}

/* When the counts began is known: of all the time since then, as each row is of the interval's. */
static void test_usage_of_time(void **state)
{
    struct profile_hit hits[ROWS];
    struct profile p = second(hits, true);
    struct view_usage u;
    double cpu = 0;

    p.heartbeat = 123456; /* since the target's reset */
    p.updated_s = 102;
    struct view_rows rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    view_usage_make(&p, &rows, &u);
    assert_false(u.total_wall);
    view_rows_free(&rows);
    p.from_s = 92;
    p.recent_s = 2;
    rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    view_usage_make(&p, &rows, &u);
    assert_true(u.total_wall);
    assert_true(fabs(u.total_tasks - 0.45) < 1e-9);
    assert_true(fabs(u.total_unknown - 0.02) < 1e-9);
    for (size_t i = 0; i < rows.count; i++) {
        cpu += rows.rows[i].cpu;
        assert_true(fabs(rows.rows[i].mean - (double)rows.rows[i].hits / 10) < 1e-9);
        assert_true(fabs(rows.rows[i].cpu - (double)rows.rows[i].recent / 2000) < 1e-9);
    }
    assert_true(fabs(cpu - (1 - u.unknown)) < 1e-9);
    view_rows_free(&rows);
    p.recent_s = 0;
    rows = mark(&p, VIEW_BY_FUNCTION, NULL);
    assert_true(rows.rows[0].cpu < 0);
    view_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_by_context),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_a_table),
        cmocka_unit_test(test_lines_of_a_shared_block),
        cmocka_unit_test(test_one_context),
        cmocka_unit_test(test_idle_is_told),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_machines_without_vectors),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_usage_in_all),
        cmocka_unit_test(test_usage_of_time),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
