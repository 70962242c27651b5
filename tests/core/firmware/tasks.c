/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four tasks on stacks of their own, which give way to each other, and an interrupt. Counts by
 * itself which samples each had, and how long each ran; stops after SAMPLES of them. */
#include <mprof/mprof.h>

#include "sampling.h"
#include "shared_work.h"

#define TASKS 4
#ifndef SAMPLES
#define SAMPLES 900U
#endif

static struct task tasks[TASKS];

/* What the test reads. */
volatile uint32_t counted[TASKS], interrupted, spent[TASKS], finished;

static volatile uint32_t since;

static unsigned running(void)
{
    return (unsigned)((struct task *)((char *)CURRENT - offsetof(struct task, block)) - tasks);
}

/* MPROF_CUSTOM_SINK: each sample, in the interrupt that took it. */
void count_sample(uintptr_t pc, uintptr_t lr, uint32_t exception);
void count_sample(uintptr_t pc, uintptr_t lr, uint32_t exception)
{
    (void)pc, (void)lr;
    if (exception & MPROF_STREAM_EXCEPTION)
        interrupted++;
    else
        counted[running()]++;
}

static void give_way(void)
{
    unsigned from = running(), to = (from + 1) % TASKS;
    uint32_t time = now(), handler = in_handler;

    spent[from] += time - since - handler;
    in_handler = 0;
    since = time;
    CURRENT = &tasks[to].block;
    swap(&STACK_OF(&tasks[from].block), STACK_OF(&tasks[to].block));
}

/* The parts of a round, in percent. The last one never runs long enough to be sampled often. */
#define IDLE 19
static const uint8_t parts[TASKS] = {50, 30, IDLE, 1};
static const char *const names[TASKS] = {"blink", "net", "IDLE", "rare"};

static void stop_when_enough(void)
{
    if (finished || s_prof.header.heartbeat < SAMPLES)
        return;
    mprof_stop();
    finished = 1;
    rest();
}

uint32_t sleep_time(void)
{
    return now();
}

/* As long as the others do something. */
static void idle(uint32_t ticks)
{
    uint32_t begin = now();

    mprof_mark(parts[running()], begin);
    mprof_trace_sleep();
    shared_work(ticks);
    mprof_trace_wake();
}

static void task(void)
{
    for (;;) {
        uint32_t ticks = TICKS_PER_MS * parts[running()] / 100;
        if (parts[running()] == IDLE)
            idle(ticks);
        else
            shared_work(ticks);
        stop_when_enough();
        give_way();
    }
}

int main(void)
{
    volatile uintptr_t *main_stack;

    for (unsigned i = 0; i < TASKS; i++)
        task_make(&tasks[i], names[i], task);
    CURRENT = &tasks[0].block;
    mprof_init();
    clock_start();
    since = now();
    sampling_start(10007);
    swap(&main_stack, STACK_OF(&tasks[0].block));
    for (;;)
        ;
}
