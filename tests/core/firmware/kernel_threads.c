/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firmware without a stub, whose threads are those of a kernel: they give way to each other, and an
 * interrupt comes in between. Counts by itself how long each ran. */
#include "shared_work.h"

#ifndef IDLE_IS_NONE
#define IDLE_IS_NONE 0
#endif

#define TASKS 3

static struct task tasks[TASKS];

/* What the test reads: ticks of each thread, and then of the interrupt. */
volatile uint32_t spent[TASKS + 1];

static volatile uint32_t since, handled;
static volatile unsigned running;

/* The parts of a round, in percent. */
#define IDLE 2
static const uint8_t parts[TASKS] = {50, 30, 20};
static const char *const names[TASKS] = {"blink", "a longer net", "IDLE"};

static void set_current(unsigned i)
{
    CURRENT = IDLE_IS_NONE && i == IDLE ? NULL : &tasks[i].block;
}

static void give_way(void)
{
    unsigned from = running, to = (from + 1) % TASKS;
    uint32_t time = now(), handler = in_handler - handled;

    handled += handler;
    spent[from] += time - since - handler;
    spent[TASKS] += handler;
    since = time;
    running = to;
    set_current(to);
    swap(&STACK_OF(&tasks[from].block), STACK_OF(&tasks[to].block));
}

/* Times vary, so that threads are in step with nothing. */
static void thread(void)
{
    static uint32_t random = 1;

    for (;;) {
        uint32_t ticks = TICKS_PER_MS * parts[running] / 100;
        random = next_random(random);
        shared_work(ticks / 2 + (ticks * (random >> 24) >> 8));
        give_way();
    }
}

int main(void)
{
    volatile uintptr_t *main_stack;

    for (unsigned i = 0; i < TASKS; i++)
        task_make(&tasks[i], names[i], thread);
    set_current(0);
    clock_start();
    since = now();
    swap(&main_stack, STACK_OF(&tasks[0].block));
    for (;;)
        ;
}
