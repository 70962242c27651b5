/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks on stacks of their own that give way to each other: their switch, and clocks. */
#ifndef TASK_SWITCH_H
#define TASK_SWITCH_H

#include "board.h"
#include "kernel_block.h"

#ifdef __arm__

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

static inline uint32_t now(void)
{
    return UINT32_MAX - TIMER1_VALUE;
}

static inline void clock_start(void)
{
    TIMER1_RELOAD = TIMER1_VALUE = UINT32_MAX;
    TIMER1_CTRL = 1;
    TIMER0_RELOAD = TICKS_PER_MS - 1;
    TIMER0_CTRL = 9;
    NVIC_IPR[8] = 0x80; /* samples come in between */
    NVIC_ISER = 1U << 8;
}

/* Nothing wakes the core any more. */
static inline void rest(void)
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

#define TICKS_PER_MS (MTIME_HZ / 1000U)

static inline uint32_t now(void)
{
    return *(volatile uint32_t *)0x0200bff8U;
}

static inline void clock_start(void)
{
}

/* Nothing wakes the core any more. */
static inline void rest(void)
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

#if defined(KERNEL_THREADX)
block_t *volatile _tx_thread_current_ptr;
#elif defined(KERNEL_CHIBIOS)
os_instance_t ch0;
#elif defined(__arm__)
tskTCB *volatile pxCurrentTCB;
#else
struct z_kernel _kernel;
#endif

#ifndef BLOCK_IS_ABOVE
#define BLOCK_IS_ABOVE 0
#endif

#define STACK_WORDS 256

/* A task with its stack; the control block is where the kernel has it. */
struct task {
#if !BLOCK_IS_ABOVE
    block_t block;
#endif
    uintptr_t stack[STACK_WORDS];
#if BLOCK_IS_ABOVE
    block_t block;
#endif
} __attribute__((aligned(16)));

/* A new stack is filled as the kernel fills it. */
static inline void task_make(struct task *t, const char *name, void (*entry)(void))
{
    volatile uint8_t *bytes = (volatile uint8_t *)t->stack;
    volatile uintptr_t *top = &t->stack[STACK_WORDS - SAVED];

    for (unsigned i = 0; i < sizeof(t->stack); i++)
        bytes[i] = FILL;
    block_init(&t->block, name, t->stack, sizeof(t->stack));
    top[ENTRY] = (uintptr_t)entry;
    STACK_OF(&t->block) = top;
}

#endif
