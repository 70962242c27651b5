/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four tasks on stacks of their own, which give way to each other, and an interrupt. Counts by
 * itself which samples each had, and how long each ran; stops after SAMPLES of them. */
#include <mprof/mprof.h>

#include "sampling.h"
#include "work.h"

#define TASKS 4
#ifndef SAMPLES
#define SAMPLES 900U
#endif

struct task {
    tskTCB block;
    uintptr_t stack[256];
} __attribute__((aligned(16)));

#ifdef __arm__

tskTCB *volatile pxCurrentTCB;
#define CURRENT pxCurrentTCB

/* The second CMSDK timer of the board counts down. The interrupt of the first one is number 8. */
#define TIMER0_CTRL     (*(volatile uint32_t *)0x40000000U)
#define TIMER0_RELOAD   (*(volatile uint32_t *)0x40000008U)
#define TIMER0_INTCLEAR (*(volatile uint32_t *)0x4000000CU)
#define TIMER1_CTRL     (*(volatile uint32_t *)0x40001000U)
#define TIMER1_VALUE    (*(volatile uint32_t *)0x40001004U)
#define TIMER1_RELOAD   (*(volatile uint32_t *)0x40001008U)
#define SYST_CSR        (*(volatile uint32_t *)0xE000E010U)
#define NVIC_ISER       (*(volatile uint32_t *)0xE000E100U)
#define NVIC_IPR        ((volatile uint8_t *)0xE000E400U)
#define TICKS_PER_MS    (CPU_HZ / 1000U)

static uint32_t now(void)
{
    return UINT32_MAX - TIMER1_VALUE;
}

static void clock_start(void)
{
    TIMER1_RELOAD = TIMER1_VALUE = UINT32_MAX;
    TIMER1_CTRL = 1;
    TIMER0_RELOAD = TICKS_PER_MS - 1;
    TIMER0_CTRL = 9;
    NVIC_IPR[8] = 0x80; /* samples come in between */
    NVIC_ISER = 1U << 8;
}

/* Nothing wakes the core any more. */
static void rest(void)
{
    TIMER0_CTRL = 0;
    SYST_CSR = 0;
    for (;;)
        __asm__ volatile("wfi");
}

__attribute__((naked)) static void swap(volatile uintptr_t **from, volatile uintptr_t *to)
{
    __asm__("push {r4-r11, lr}\n\t"
            "str sp, [r0]\n\t"
            "mov sp, r1\n\t"
            "pop {r4-r11, pc}");
    (void)from, (void)to;
}
#define SAVED 9
#define ENTRY 8

#else

struct z_kernel _kernel;
#define CURRENT      _kernel.current
#define TICKS_PER_MS (MTIME_HZ / 1000U)

static uint32_t now(void)
{
    return *(volatile uint32_t *)0x0200bff8U;
}

static void clock_start(void)
{
}

/* Nothing wakes the core any more. */
static void rest(void)
{
    __asm__ volatile("csrw mie, zero");
    for (;;)
        __asm__ volatile("wfi");
}

__attribute__((naked)) static void swap(volatile uintptr_t **from, volatile uintptr_t *to)
{
    __asm__("addi sp, sp, -64\n\t"
            "sw ra, 0(sp)\n\tsw s0, 4(sp)\n\tsw s1, 8(sp)\n\tsw s2, 12(sp)\n\t"
            "sw s3, 16(sp)\n\tsw s4, 20(sp)\n\tsw s5, 24(sp)\n\tsw s6, 28(sp)\n\t"
            "sw s7, 32(sp)\n\tsw s8, 36(sp)\n\tsw s9, 40(sp)\n\tsw s10, 44(sp)\n\t"
            "sw s11, 48(sp)\n\t"
            "sw sp, 0(a0)\n\t"
            "mv sp, a1\n\t"
            "lw ra, 0(sp)\n\tlw s0, 4(sp)\n\tlw s1, 8(sp)\n\tlw s2, 12(sp)\n\t"
            "lw s3, 16(sp)\n\tlw s4, 20(sp)\n\tlw s5, 24(sp)\n\tlw s6, 28(sp)\n\t"
            "lw s7, 32(sp)\n\tlw s8, 36(sp)\n\tlw s9, 40(sp)\n\tlw s10, 44(sp)\n\t"
            "lw s11, 48(sp)\n\t"
            "addi sp, sp, 64\n\t"
            "ret");
    (void)from, (void)to;
}
#define SAVED        16
#define ENTRY        0

#endif

static struct task tasks[TASKS];

/* What the test reads. */
volatile uint32_t counted[TASKS], interrupted, spent[TASKS], finished;

static volatile uint32_t since, in_handler;

static unsigned running(void)
{
    return (unsigned)((struct task *)CURRENT - tasks);
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

/* Both kinds of tasks, and the interrupt, call it. */
KEEP_APART static void shared_work(uint32_t ticks)
{
    uint32_t begin = now();

    while (now() - begin < ticks)
        work(8);
}

#ifdef __arm__
void External_Handler(void);
void External_Handler(void)
{
    uint32_t begin = now();

    TIMER0_INTCLEAR = 1;
    shared_work(TICKS_PER_MS / 10);
    in_handler += now() - begin;
}
#endif

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

static void make_task(unsigned i)
{
    struct task *t = &tasks[i];
    volatile uintptr_t *top = &t->stack[sizeof(t->stack) / sizeof(t->stack[0]) - SAVED];

    for (unsigned n = 0; names[i][n]; n++)
        NAME_OF(&t->block)[n] = names[i][n];
    top[ENTRY] = (uintptr_t)task;
    STACK_OF(&t->block) = top;
}

int main(void)
{
    volatile uintptr_t *main_stack;

    for (unsigned i = 0; i < TASKS; i++)
        make_task(i);
    CURRENT = &tasks[0].block;
    mprof_init();
    clock_start();
    since = now();
    sampling_start(10007);
    swap(&main_stack, STACK_OF(&tasks[0].block));
    for (;;)
        ;
}
