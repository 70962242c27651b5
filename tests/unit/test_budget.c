/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file may cost: limits, refills, stops; and what honest files do cost. */
#include "unit.h"

#include <budget/vec.h>
#include <dwarf/units.h>
#include <elf/image.h>

#include "load.h"

static bool wanted = true;
static unsigned asked;

static bool stop(void)
{
    asked++;
    return !wanted;
}

static void grows_with_the_file(void **state)
{
    struct budget b;

    budget_open(&b, 0, NULL);
    assert_true(b.work == BUDGET_WORK_MIN && b.bytes == BUDGET_BYTES_MIN);
    budget_open(&b, 1000, NULL);
    assert_true(b.work == BUDGET_WORK_MIN + 1000 * BUDGET_WORK_PER_BYTE);
    assert_true(b.bytes == BUDGET_BYTES_MIN + 1000 * BUDGET_BYTES_PER_BYTE);
    budget_open(&b, UINT64_MAX, NULL);
    assert_true(b.work == UINT64_MAX && b.bytes == UINT64_MAX);
}

static void ends_at_the_step(void **state)
{
    struct budget b;
    uint64_t done = 0;

    budget_open(&b, 0, NULL);
    while (budget_work(&b, 1))
        done++;
    assert_true(done == BUDGET_WORK_MIN - 1);
    assert_true(b.spent && !b.stopped);
    assert_false(budget_work(&b, 0));
    assert_false(budget_resume(&b)); /* it stays so */
    budget_open(&b, 0, NULL);
    assert_false(budget_work(&b, UINT64_MAX));
    assert_true(b.spent);
}

static void is_refilled(void **state)
{
    struct budget b;

    budget_open(&b, 0, NULL);
    assert_true(budget_work(&b, 10));
    assert_true(budget_resume(&b));
    assert_true(budget_used(&b) == 0);
    for (uint64_t i = 0; i < 10 * BUDGET_WORK_MIN / BUDGET_WORK_REFILL; i++) {
        assert_true(budget_work(&b, BUDGET_WORK_REFILL));
        assert_true(budget_resume(&b));
    }
    assert_true(budget_work(&b, BUDGET_WORK_MIN - 1));
    assert_true(budget_resume(&b));
    assert_true(budget_used(&b) == BUDGET_WORK_MIN - BUDGET_WORK_REFILL - 1);
}

/* What is read, dropped and read again costs no more than what questions may add. */
static void is_read_again(void **state)
{
    const uint64_t much = BUDGET_WORK_AGAIN + BUDGET_WORK_REFILL;
    struct budget b;

    budget_open(&b, 0, NULL);
    for (unsigned i = 0; i < 100; i++) {
        assert_true(budget_work(&b, much));
        budget_drop(&b, much);
        assert_true(budget_resume(&b));
        assert_true(budget_used(&b) == 0);
    }
    assert_true(budget_work(&b, BUDGET_WORK_MIN - 1)); /* it comes back little by little */
    budget_drop(&b, UINT64_MAX);
    assert_true(budget_resume(&b));
    assert_true(budget_used(&b) == BUDGET_WORK_MIN - 1 - much);
    assert_true(budget_resume(&b));
    assert_true(budget_resume(&b));
    assert_true(budget_used(&b) == 0);
    assert_true(budget_work(&b, 3 * BUDGET_WORK_REFILL)); /* and only once */
    assert_true(budget_resume(&b));
    assert_true(budget_used(&b) == 2 * BUDGET_WORK_REFILL);
    for (unsigned i = 0; i < 100 && !b.spent; i++) {
        (void)budget_resume(&b);
        (void)budget_work(&b, 2 * BUDGET_WORK_AGAIN - 1);
        budget_drop(&b, UINT64_MAX);
    }
    assert_true(b.spent);
}

static void stops(void **state)
{
    struct budget b;

    wanted = true;
    asked = 0;
    budget_open(&b, 0, stop);
    while (asked < 3)
        assert_true(budget_work(&b, 1));
    assert_true(budget_used(&b) <= 4 * BUDGET_ASK_EVERY);
    wanted = false;
    for (uint64_t i = 0; budget_work(&b, 1); i++)
        assert_true(i <= BUDGET_ASK_EVERY);
    assert_true(b.stopped && !b.spent);
    assert_false(budget_resume(&b));
    wanted = true;
    assert_true(budget_resume(&b));
    assert_true(budget_work(&b, 1));
}

static void counts_memory(void **state)
{
    struct budget b;
    struct budget_vec vec = {.budget = &b};
    uint64_t item = 1;

    budget_open(&b, 0, NULL);
    assert_true(budget_take(&b, BUDGET_BYTES_MIN));
    budget_give(&b, BUDGET_BYTES_MIN);
    for (unsigned i = 0; i < 1000; i++)
        assert_true(budget_vec_push(&vec, &item, sizeof(item)));
    assert_true(b.bytes == BUDGET_BYTES_MIN - vec.capacity * sizeof(item));
    budget_vec_free(&vec);
    assert_true(b.bytes == BUDGET_BYTES_MIN);
    assert_false(budget_take(&b, BUDGET_BYTES_MIN + 1));
    assert_true(b.spent && b.bytes == BUDGET_BYTES_MIN);
    assert_false(budget_vec_push(&vec, &item, sizeof(item)));
    budget_vec_free(&vec);
}

static void ask_all(struct symtab *t)
{
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    struct symtab_table table;
    struct symtab_line line;
    char text[400];
    size_t count;
    const struct symtab_function *f = symtab_functions(t, &count);

    assert_true(count > 3);
    for (size_t i = 0; i < count; i++)
        for (uint64_t at = 0; at < f[i].size; at += 2) {
            (void)symtab_find_line(t, f[i].addr + at, &line);
            (void)symtab_find_inlined(t, f[i].addr + at, frames, SYMTAB_INLINED_MAX);
        }
    (void)symtab_find_table(t, "no_such_table", &table, text, sizeof(text));
}

/* Far from the limits, and the same each time. */
static void honest_files(void **state)
{
    static const char *const names[] = {"native.elf", "packed.elf", "native.so", "arm.elf"};
    char path[512], text[600];

    for (size_t n = 0; n < 3 + (size_t)SYMBOL_ARM; n++) {
        uint64_t before = 0;
        for (unsigned turn = 0; turn < 2; turn++) {
            struct symtab *t;
            snprintf(path, sizeof(path), "%s/%s", SYMBOL_FILES, names[n]);
            assert_int_equal(symtab_load_by(path, turn ? SIZE_MAX : 0, &t, text, sizeof(text)),
                             SYMTAB_OK);
            const struct budget *symbols = &symtab_budgets(t)->symbols;
            assert_true(budget_used(symbols) < symbols->work_max / 100);
            assert_true(turn == 0 || budget_used(symbols) == before);
            before = budget_used(symbols);
            ask_all(t);
            const struct budget *debug = &symtab_budgets(t)->debug;
            assert_true(budget_used(debug) < debug->work_max / 100);
            assert_true(debug->bytes > BUDGET_BYTES_MIN / 2);
            assert_false(symtab_trouble(t, text, sizeof(text)));
            symtab_free(t);
        }
    }
}

/* Who is stopped gets no answer, and the whole one once it may go on. */
static void stopped_and_resumed(void **state)
{
    struct symtab *t;
    struct symtab_line line;
    char text[600];
    uint64_t addr;
    size_t count;

    wanted = true;
    assert_int_equal(symtab_load_until(SYMBOL_FILES "/native.elf", stop, &t, text, sizeof(text)),
                     SYMTAB_OK);
    const struct symtab_function *f = symtab_functions(t, &count);
    addr = f[0].addr;
    for (size_t i = 0; i < count && !symtab_find_line(t, addr, &line); i++)
        addr = f[i].addr;
    assert_true(symtab_find_line(t, addr, &line));
    symtab_free(t);
    assert_int_equal(symtab_load_until(SYMBOL_FILES "/native.elf", stop, &t, text, sizeof(text)),
                     SYMTAB_OK);
    wanted = false;
    assert_false(symtab_find_line(t, addr, &line));
    assert_false(symtab_trouble(t, text, sizeof(text)));
    wanted = true;
    assert_true(symtab_find_line(t, addr, &line));
    symtab_free(t);
}

static struct units *open_units(struct debug *debug, uint64_t steps)
{
    struct budget *budget = &debug_image(debug)->budgets->debug;

    wanted = true;
    assert_true(budget_resume(budget));
    budget->work += budget->credit - steps;
    budget->credit = steps; /* then stop is asked */
    wanted = false;
    return units_open(debug);
}

/* However often and wherever it is stopped, the whole costs what it costs at once. */
static void stopped_many_times(void **state)
{
    static const char path[] = SYMBOL_FILES "/packed.elf";
    char text[600];
    const struct complaint complaint = {.path = path, .text = text, .capacity = sizeof(text)};
    struct image once, often;
    struct units *units = NULL;
    uint64_t steps = 1;

    wanted = true;
    assert_int_equal(image_open(&once, SIZE_MAX, NULL, &complaint), SYMTAB_OK);
    assert_int_equal(image_open(&often, SIZE_MAX, stop, &complaint), SYMTAB_OK);
    struct debug *once_debug = debug_new(&once);
    struct debug *often_debug = debug_new(&often);
    assert_non_null(once_debug);
    assert_non_null(often_debug);
    const struct budget *budget = &often.budgets->debug;
    struct units *expected = open_units(once_debug, 1);
    assert_non_null(expected);
    for (; (units = open_units(often_debug, steps)) == NULL; steps++)
        assert_true(budget->stopped && !budget->spent);
    assert_true(steps > 100);
    assert_int_equal(units->count, expected->count);
    assert_true(budget->bytes == once.budgets->debug.bytes);
    assert_true(budget_used(budget) <= budget_used(&once.budgets->debug));
    units_free(expected);
    units_free(units);
    assert_true(once.budgets->debug.bytes == budget->bytes);
    debug_free(once_debug);
    debug_free(often_debug);
    image_close(&once);
    image_close(&often);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_with_the_file),
        cmocka_unit_test(ends_at_the_step),
        cmocka_unit_test(is_refilled),
        cmocka_unit_test(is_read_again),
        cmocka_unit_test(stops),
        cmocka_unit_test(counts_memory),
        cmocka_unit_test(honest_files),
        cmocka_unit_test(stopped_and_resumed),
        cmocka_unit_test(stopped_many_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
