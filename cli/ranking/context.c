/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells handlers and idle functions from others, and groups rows by exception. */
#define _POSIX_C_SOURCE 200809L

#include <ranking/context.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/sorted.h>
#include <base/string_pool.h>

#define LABEL_MAX 512

/* What is not asked before it is needed, and then kept. */
struct kept {
    struct vectors *vectors;
    bool tried;
    char *labels[VECTORS_MAX];
};

struct view_contexts {
    struct symtab *symtab;
    const struct view_ignore *idle;
    struct kept *kept;
};

/* Where kernels, and programs without one, wait for the next interrupt. */
static const char *const idle_names[] = {
    /* FreeRTOS */
    "prvIdleTask",
    "prvIdleTask.*",
    "vApplicationIdleHook",
    "vApplicationMinimalIdleHook",
    "vApplicationPassiveIdleHook",
    "vPortSuppressTicksAndSleep",
    "prvMinimalIdleTask",
    "prvPassiveIdleTask",
    /* Zephyr */
    "idle",
    "arch_cpu_idle",
    "arch_cpu_atomic_idle",
    "k_cpu_idle",
    "k_cpu_atomic_idle",
    "z_idle",
    /* ThreadX */
    "_tx_thread_schedule",
    "__tx_ts_wait",
    "_tx_idle*",
    "tx_low_power_enter",
    /* RTX */
    "os_idle_demon",
    "osRtxIdleThread",
    "osRtxThreadIdle*",
    /* RT-Thread */
    "rt_thread_idle_entry",
    "idle_thread_entry",
    "rt_thread_idle_excute",
    "rt_thread_idle_execute",
    /* NuttX */
    "up_idle",
    "up_idlepm",
    "nx_idle*",
    "*_idlestack_loop",
    /* embOS, uC/OS, ChibiOS, RIOT, Contiki, Mbed, mynewt, Azure */
    "OS_Idle",
    "OS_TaskIdle",
    "OS_IdleTask",
    "OSTaskIdle*",
    "OSIdleTaskHook",
    "_idle_thread",
    "_idle_thread.*",
    "chSysIdle*",
    "idle_thread",
    "os_idle_task",
    "default_idle_hook",
    /* those of no kernel */
    "idle_task",
    "idle_loop",
    "idle_hook",
    "Idle_Task",
    "IdleTask",
    "cpu_idle",
    "cpu_idle_loop",
    "do_idle",
    "wait_for_interrupt",
    "__WFI",
    "__WFE",
    "HAL_PWR_EnterSLEEPMode",
    "HAL_PWR_EnterSTOPMode",
    "HAL_PWREx_EnterSTOP*Mode",
    "cpu_sleep",
    "sys_idle",
};

/* What handlers are called where no vector table says it: CMSIS, and RISC-V's trap entries. */
static const char *const handler_names[] = {
    "*_IRQHandler",
    "*_IRQHandler_*",
    "NMI_Handler",
    "HardFault_Handler",
    "MemManage_Handler",
    "BusFault_Handler",
    "UsageFault_Handler",
    "SecureFault_Handler",
    "SVC_Handler",
    "DebugMon_Handler",
    "PendSV_Handler",
    "SysTick_Handler",
    "trap_entry",
    "_trap_entry",
    "__trap_entry",
    "trap_handler",
    "_trap_handler",
    "handle_trap",
    "*_trap_vector",
    "irq_entry",
    "*_irq_handler",
    "*_isr",
    "*_ISR",
    "isr_*",
    "mtvec_handler",
    "mtrap_handler",
    "machine_trap*",
    "freertos_risc_v_trap_handler",
    "mprof_mtimer_entry",
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* fnmatch() for names whose one sign is '*'; in a locale of UTF-8 that makes wide characters of
 * both first, which would be a tenth of a frame's time. */
static bool matches(const char *glob, const char *name)
{
    const char *star = NULL, *from = NULL;

    while (*name) {
        if (*glob == '*') {
            star = glob++;
            from = name;
        } else if (*glob == *name) {
            glob++;
            name++;
        } else if (star) {
            glob = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return *glob == '\0';
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (matches(names[i], name))
            return true;
    return false;
}

struct view_contexts *view_contexts_new(struct symtab *symtab)
{
    struct view_contexts *c = calloc(1, sizeof(*c));

    if (c)
        *c = (struct view_contexts){.symtab = symtab, .kept = calloc(1, sizeof(*c->kept))};
    if (c && !c->kept) {
        free(c);
        return NULL;
    }
    return c;
}

void view_contexts_free(struct view_contexts *contexts)
{
    if (!contexts)
        return;
    vectors_free(contexts->kept->vectors);
    for (size_t i = 0; i < VECTORS_MAX; i++)
        free(contexts->kept->labels[i]);
    free(contexts->kept);
    free(contexts);
}

void view_contexts_set_idle(struct view_contexts *contexts, const struct view_ignore *idle)
{
    contexts->idle = idle;
}

const struct vectors *view_contexts_vectors(const struct view_contexts *contexts)
{
    struct kept *k = contexts->kept;

    if (!k->tried && contexts->symtab)
        k->vectors = vectors_new(contexts->symtab);
    k->tried = true;
    return k->vectors;
}

/* The function of a line that begins within the block at the row's address. NULL: none does. */
static const struct symtab_function *begun_in_block(const struct view_contexts *c,
                                                    const struct view_rows *rows,
                                                    const struct view_row *row)
{
    uint64_t last = row->addr + rows->profile->block_size - 1;
    size_t count = 0;
    const struct symtab_function *list = symtab_functions(c->symtab, &count);
    size_t i = sorted_up_to(SORTED_BY(list, count, struct symtab_function, addr), last);

    for (; i > 0 && list[i - 1].addr > row->addr; i--) {
        if (strcmp(list[i - 1].name, row->function) == 0)
            return &list[i - 1];
    }
    return NULL;
}

/* Where the row's function begins; rows of lines and addresses are within one. */
static uint64_t start_of(const struct view_contexts *c, const struct view_rows *rows,
                         const struct view_row *row)
{
    const struct symtab_function *f = NULL;

    if (c->symtab && rows->by == VIEW_BY_LINE && row->function)
        f = begun_in_block(c, rows, row);
    if (c->symtab && !f)
        f = symtab_find(c->symtab, row->addr);
    return f ? f->addr : row->addr;
}

bool view_is_idle(const struct view_ignore *idle, uint64_t addr, const char *function,
                  const char *symbol, const char *file)
{
    if (idle && view_ignore_hit(idle, addr, function, file))
        return true;
    return (function && is_among(idle_names, COUNT(idle_names), function)) ||
           (symbol && is_among(idle_names, COUNT(idle_names), symbol));
}

/* By the vector table, which knows aliases too; *number is 0 where only a name tells. */
static bool is_handler(const struct view_contexts *c, const struct view_rows *rows,
                       const struct view_row *row, unsigned *number)
{
    const struct vectors *v = view_contexts_vectors(c);

    *number = 0;
    if (v && vectors_count(v, NULL) != 0) {
        *number = row->unplaced ? 0 : vectors_number(v, start_of(c, rows, row));
        return *number != 0;
    }
    const char *arch = c->symtab ? symtab_elf(c->symtab)->arch : "";
    const char *name = row->symbol ? row->symbol : row->function;
    return name && strcmp(arch, "i386") != 0 && is_among(handler_names, COUNT(handler_names), name);
}

/* Of an idle function's row, what is not in a handler is idle. */
static void add_up(struct view_rows *rows, const struct view_row *row, bool idle)
{
    enum view_context rest = idle ? VIEW_CONTEXT_IDLE : VIEW_CONTEXT_TASK;
    /* A count that fell has no new ones. */
    uint64_t recent_in =
        row->recent_in_interrupt < row->recent ? row->recent_in_interrupt : row->recent;

    rows->in[VIEW_CONTEXT_INTERRUPT] += row->in_interrupt;
    rows->in[rest] += row->hits - row->in_interrupt;
    rows->recent_in[VIEW_CONTEXT_INTERRUPT] += recent_in;
    rows->recent_in[rest] += row->recent - recent_in;
}

/* What runs in tasks as well is theirs, unless that is less than a tenth of it: a function that is
 * called from both sides alike is not to change sides with each look. */
#define NEARLY_ALL 10

static void mark_row(const struct view_contexts *c, struct view_rows *rows, struct view_row *row)
{
    unsigned number;

    bool handler = !rows->exceptions && is_handler(c, rows, row, &number);

    if (handler) { /* also a line without certain hits */
        row->in_interrupt = row->hits;
        row->recent_in_interrupt = row->recent;
    }
    bool idle = view_is_idle(c->idle, row->addr, row->function, row->symbol, row->file);
    row->context = idle ? VIEW_CONTEXT_IDLE : VIEW_CONTEXT_TASK;
    if (handler ||
        (row->in_interrupt != 0 && row->in_interrupt >= row->hits - row->hits / NEARLY_ALL))
        row->context = VIEW_CONTEXT_INTERRUPT;
    add_up(rows, row, idle);
}

static const char *label_of(const struct view_contexts *c, unsigned number)
{
    const struct vectors *v = view_contexts_vectors(c);
    char text[LABEL_MAX];

    if (number >= VECTORS_MAX)
        return NULL;
    char **label = &c->kept->labels[number];
    if (*label)
        return *label;
    vectors_label(v, number, text, sizeof(text));
    *label = strdup(text);
    return *label;
}

/* What has no name of its own may be at a symbol. Returns NULL if memory runs out. */
static const char *label_of_task(const struct view_contexts *c, struct view_rows *rows,
                                 const struct profile_task *task)
{
    struct symtab_data data;
    char text[sizeof(data.name) + 10];

    if (task && !task->name[0] && c->symtab && task->word != 0 &&
        symtab_find_data(c->symtab, task->word, &data) && data.addr == task->word)
        snprintf(text, sizeof(text), "task %s", data.name);
    else
        view_task_label(task, text, sizeof(text));
    if (!rows->made)
        rows->made = string_pool_new();
    return rows->made ? string_pool_text(rows->made, string_pool_add(rows->made, text)) : NULL;
}

void view_task_label(const struct profile_task *task, char *text, size_t capacity)
{
    if (!task)
        snprintf(text, capacity, "other tasks");
    else if (task->name[0])
        snprintf(text, capacity, "task %s", task->name);
    else
        snprintf(text, capacity, "task 0x%" PRIx64, task->word);
}

/* FreeRTOS' idle task is "IDLE" or "IDLE0", Zephyr's "idle" or "idle 00". */
static bool is_idle_task(const struct profile_task *task)
{
    return task && strncasecmp(task->name, "idle", strlen("idle")) == 0;
}

static void name_task(const struct view_contexts *c, struct view_rows *rows, struct view_row *row)
{
    row->task = profile_tasks_find(rows->samples->tasks, row->exception);
    row->context = VIEW_CONTEXT_TASK;
    if (row->exception == PROFILE_OTHERS && !row->task && rows->profile != rows->samples)
        row->function = "other tasks and exceptions";
    else
        row->function = label_of_task(c, rows, row->task);
    if (is_idle_task(row->task))
        row->context = VIEW_CONTEXT_IDLE;
}

static void name_context(const struct view_contexts *c, struct view_rows *rows,
                         struct view_row *row)
{
    const struct vectors *v = view_contexts_vectors(c);
    const struct profile_task *kept = profile_tasks_find(rows->samples->tasks, row->exception);
    uint64_t addr;

    if (row->exception >= PROFILE_TASK_FIRST) {
        name_task(c, rows, row);
        return;
    }
    row->function = kept && kept->name[0] ? kept->name : label_of(c, row->exception);
    row->context = row->exception ? VIEW_CONTEXT_INTERRUPT : VIEW_CONTEXT_TASK;
    if (row->exception && v && vectors_handler(v, row->exception, &addr)) {
        struct symtab_line line;
        row->addr = addr;
        row->unplaced = false;
        if (symtab_find_line(c->symtab, addr, &line)) {
            row->file = line.file;
            row->line = line.line;
        }
    }
}

/* All that is no handler's is one row, as far as functions tell. Returns how many rows there are.
 */
static void group(const struct view_contexts *c, struct view_rows *rows)
{
    struct view_row *thread = NULL;
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++) {
        struct view_row row = rows->rows[i];
        if (is_handler(c, rows, &row, &row.exception)) {
            /* Of a default handler it is not known for which one it came. */
            if (row.exception != 0 && !vectors_is_shared(c->kept->vectors, row.exception))
                row.function = label_of(c, row.exception);
            row.context = VIEW_CONTEXT_INTERRUPT;
        } else {
            row.function = label_of(c, 0);
            row.symbol = row.file = NULL;
            row.line = 0;
            row.addr = 0;
            row.unplaced = true;
            row.twin = false;
            row.context = VIEW_CONTEXT_TASK;
            if (thread) {
                view_row_merge(thread, &row);
                continue;
            }
            thread = &rows->rows[kept];
        }
        rows->rows[kept++] = row;
    }
    rows->count = kept;
    if (thread)
        view_row_work_out(rows, thread);
}

/* Rows of files and of contexts do not say which function it was, and those of call stacks count a
 * sample several times: then functions are asked. */
static void sum_functions(const struct view_contexts *c, struct view_rows *rows)
{
    struct view_rows functions;

    if (!view_rows_build(rows->samples, c->symtab, VIEW_BY_FUNCTION, rows->ignore, &functions))
        return;
    view_contexts_mark(c, &functions);
    memcpy(rows->in, functions.in, sizeof(rows->in));
    memcpy(rows->recent_in, functions.recent_in, sizeof(rows->recent_in));
    view_rows_free(&functions);
}

/* Hits of exceptions and of idle tasks are what was counted, whatever functions they are in. What
 * no function is known of stays as it is. */
static void correct(uint64_t in[VIEW_CONTEXTS], uint64_t interrupts, uint64_t idle)
{
    uint64_t all = in[VIEW_CONTEXT_TASK] + in[VIEW_CONTEXT_INTERRUPT] + in[VIEW_CONTEXT_IDLE];

    if (interrupts != 0)
        in[VIEW_CONTEXT_INTERRUPT] = interrupts < all ? interrupts : all;
    all -= in[VIEW_CONTEXT_INTERRUPT];
    if (idle != 0)
        in[VIEW_CONTEXT_IDLE] = idle;
    if (in[VIEW_CONTEXT_IDLE] > all)
        in[VIEW_CONTEXT_IDLE] = all;
    in[VIEW_CONTEXT_TASK] = all - in[VIEW_CONTEXT_IDLE];
}

/* A part of hits that were counted by context, as a part of the samples: the two are read one after
 * the other. */
static uint64_t scale(uint64_t part, uint64_t counted, const uint64_t in[VIEW_CONTEXTS])
{
    uint64_t all = in[VIEW_CONTEXT_TASK] + in[VIEW_CONTEXT_INTERRUPT] + in[VIEW_CONTEXT_IDLE];

    return counted != 0 ? (uint64_t)llround((double)part * (double)all / (double)counted) : 0;
}

static void correct_sums(struct view_rows *rows)
{
    const struct profile *samples = rows->samples;
    uint64_t interrupts = 0, recent_interrupts = 0, idle = 0, recent_idle = 0;

    if (!samples || !samples->tasks ||
        (rows->ignore && (rows->ignore->count || rows->ignore->some_contexts)))
        return;
    const struct profile *p = samples->by_context ? samples->by_context : samples;
    for (size_t i = 0; i < p->row_count; i++) {
        const struct profile_hit *row = &p->rows[i];
        if (profile_is_exception(row->exception)) {
            interrupts += row->hits;
            recent_interrupts += row->recent;
        } else if (is_idle_task(profile_tasks_find(samples->tasks, row->exception))) {
            idle += row->hits;
            recent_idle += row->recent;
        }
    }
    rows->counted = interrupts != 0;
    if (p != samples) {
        interrupts = scale(interrupts, p->attributed, rows->in);
        idle = scale(idle, p->attributed, rows->in);
        recent_interrupts = scale(recent_interrupts, p->recent, rows->recent_in);
        recent_idle = scale(recent_idle, p->recent, rows->recent_in);
    }
    correct(rows->in, interrupts, idle);
    correct(rows->recent_in, recent_interrupts, recent_idle);
}

void view_contexts_mark(const struct view_contexts *contexts, struct view_rows *rows)
{
    memset(rows->in, 0, sizeof(rows->in));
    memset(rows->recent_in, 0, sizeof(rows->recent_in));
    if (rows->by != VIEW_BY_CONTEXT)
        for (size_t i = 0; i < rows->count; i++)
            mark_row(contexts, rows, &rows->rows[i]);
    else if (!rows->numbered && !rows->marked)
        group(contexts, rows);
    else if (rows->numbered)
        for (size_t i = 0; i < rows->count; i++)
            name_context(contexts, rows, &rows->rows[i]);
    bool others = rows->by == VIEW_BY_CONTEXT || rows->by == VIEW_BY_FILE || rows->stacks;
    if (others && contexts->symtab)
        sum_functions(contexts, rows);
    correct_sums(rows);
    rows->marked = true;
}
