/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits of tasks and exceptions in a snapshot. */
#define _GNU_SOURCE /* memmem */

#include "unit.h"

#include "snapshot_checks.h"

static const struct snapshot_context contexts[] = {
    {.hits = 15, .number = 15, .name = "SysTick_Handler (SysTick)"},
    {.hits = 1353, .number = PROFILE_TASK_FIRST, .name = "task blink"},
    {.hits = 40, .number = PROFILE_TASK_FIRST, .name = "task 0x20000100"},
    {.hits = 7, .number = PROFILE_OTHERS, .name = "other tasks and exceptions"},
};

static struct snapshot *make(const struct snapshot_context *list, size_t count)
{
    struct profile p = checks_profile(3, 16, false);
    const struct symbol_naming names = checks_naming();
    const struct snapshot_about about = {.contexts = list, .context_count = count};
    struct snapshot *s;
    char text[200];

    assert_int_equal(snapshot_make(&p, &names, &about, &s, text, sizeof(text)), SNAPSHOT_OK);
    profile_free(&p);
    return s;
}

/* Returns the hits of a context; 0: there is none. */
static uint64_t hits_of(const struct snapshot *s, const char *name)
{
    for (size_t i = 0; i < s->context_count; i++)
        if (strcmp(s->contexts[i].name, name) == 0)
            return s->contexts[i].hits;
    return 0;
}

static void test_round_trip(void **state)
{
    struct snapshot *s = make(contexts, COUNT(contexts));
    struct snapshot *copy = checks_copy(s);
    struct profile p = checks_back(copy, "samples");

    assert_int_equal(copy->context_count, COUNT(contexts));
    assert_int_equal(copy->comment_count, 0);
    for (size_t i = 0; i < COUNT(contexts); i++) {
        assert_int_equal(copy->contexts[i].hits, contexts[i].hits);
        assert_int_equal(copy->contexts[i].number, contexts[i].number);
        assert_string_equal(copy->contexts[i].name, contexts[i].name);
    }
    assert_int_equal(p.by_context->row_count, COUNT(contexts));
    assert_int_equal(p.by_context->attributed, 15 + 1353 + 40 + 7);
    assert_int_equal(p.by_context->rows[0].exception, 15);
    assert_int_equal(p.by_context->rows[1].exception, PROFILE_TASK_FIRST);
    assert_int_equal(p.by_context->rows[2].exception, PROFILE_TASK_FIRST + 1);
    assert_int_equal(p.by_context->rows[3].exception, PROFILE_OTHERS);
    assert_string_equal(profile_tasks_find(p.tasks, PROFILE_TASK_FIRST)->name, "blink");
    assert_string_equal(profile_tasks_find(p.tasks, PROFILE_TASK_FIRST + 1)->name, "0x20000100");
    assert_string_equal(profile_tasks_find(p.tasks, 15)->name, "SysTick_Handler (SysTick)");
    profile_free(&p);
    snapshot_free(copy);
    snapshot_free(s);
}

static void test_sum(void **state)
{
    static const struct snapshot_context more[] = {
        {.hits = 9, .number = PROFILE_TASK_FIRST, .name = "task net"},
        {.hits = 7, .number = PROFILE_TASK_FIRST, .name = "task blink"},
    };
    struct snapshot *all[] = {make(contexts, COUNT(contexts)), make(more, COUNT(more)),
                              make(NULL, 0)};
    const struct snapshot *const *parts = (const struct snapshot *const *)all;
    static const char *const names[] = {"a", "b", "c"};
    struct snapshot *sum;
    char text[200];

    assert_int_equal(snapshot_merge(parts, names, 2, &sum, text, sizeof(text)), SNAPSHOT_OK);
    assert_int_equal(sum->context_count, COUNT(contexts) + 1);
    assert_int_equal(hits_of(sum, "task blink"), 1360);
    assert_int_equal(hits_of(sum, "task net"), 9);
    assert_int_equal(hits_of(sum, "SysTick_Handler (SysTick)"), 15);
    snapshot_free(sum);
    /* Of the hits of the third it is not known whose they are. */
    assert_int_equal(snapshot_merge(parts, names, 3, &sum, text, sizeof(text)), SNAPSHOT_OK);
    assert_int_equal(sum->context_count, 0);
    snapshot_free(sum);
    for (size_t i = 0; i < COUNT(all); i++)
        snapshot_free(all[i]);
}

/* Each in place of a comment of the same length. */
/* Of runs that are put together, each has its own, and all together have the sum. */
static void test_runs(void **state)
{
    struct snapshot *parts[] = {make(contexts, COUNT(contexts)), make(contexts, 2)}, *joined;
    struct profile p;
    char text[200];

    for (int i = 0; i < 2; i++)
        parts[i]->time_ns = parts[i]->duration_ns = 1000 + i;
    assert_int_equal(snapshot_join(parts, 2, &joined, text, sizeof(text)), SNAPSHOT_OK);
    struct snapshot *s = checks_copy(joined);
    for (uint32_t run = 0; run <= 2; run++) {
        assert_int_equal(snapshot_run_profile(s, 0, run, false, &p, text, sizeof(text)),
                         SNAPSHOT_OK);
        assert_int_equal(p.by_context->row_count, run == 2 ? 2 : 4);
        assert_int_equal(p.by_context->rows[0].hits, run == 0 ? 30 : 15);
        profile_free(&p);
    }
    assert_int_equal(snapshot_forget_runs(&s, text, sizeof(text)), SNAPSHOT_OK);
    assert_int_equal(s->context_count, 4);
    snapshot_free(s);
    snapshot_free(joined);
    snapshot_free(parts[0]);
    snapshot_free(parts[1]);
}

static void test_wrong(void **state)
{
    static const char right[] = "mprof context=1353 512 task blink";
    static const char *const wrong[] = {
        "mprof context=1353 768 task blink", "mprof context=-353 512 task blink",
        "mprof context=1353 -12 task blink", "mprof context=1353,512 task blink",
        "mprof context=1353 512,task blink", "mprof context=99999999999999999999 ",
    };
    struct snapshot *s = make(contexts, COUNT(contexts)), *read;
    size_t len;
    uint8_t *bytes = snapshot_bytes(s, &len);
    char text[200];

    snapshot_free(s);
    uint8_t *at = memmem(bytes, len, right, strlen(right));
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_non_null(at);
        memset(at, ' ', strlen(right));
        memcpy(at, wrong[i], strnlen(wrong[i], strlen(right)));
        assert_int_equal(snapshot_read(bytes, len, "a.pb", &read, text, sizeof(text)),
                         SNAPSHOT_EFORMAT);
        assert_non_null(strstr(text, "has an impossible value"));
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
