/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interrupts that interrupt each other, and the stack that the program runs on. */
#include <stdint.h>

#include "program.h"

/* Time between two of them, in microseconds: the test holds them back until it wants one. */
#define EVERY 400U

#ifdef __arm__

#include "board.h"

/* What tables refer to; a library's would need more of itself. */
void __aeabi_unwind_cpp_pr0(void);
void __aeabi_unwind_cpp_pr1(void);
void __aeabi_unwind_cpp_pr0(void)
{
}
void __aeabi_unwind_cpp_pr1(void)
{
}

#define WORD(address) (*(volatile uint32_t *)(address))
#define SYST_CSR      WORD(0xE000E010U)
#define SYST_RVR      WORD(0xE000E014U)
#define SYST_CVR      WORD(0xE000E018U)
#define SHPR3         WORD(0xE000ED20U)
#define NVIC_ISER     WORD(0xE000E100U)
#define NVIC_ISPR     WORD(0xE000E200U)

/* One that nothing else raises. */
#define IRQ 30

static volatile uint32_t ticks;

void External_Handler(void)
{
    interrupted(ticks);
}

/* Raises an interrupt of a higher priority every other time. */
void SysTick_Handler(void)
{
    uint32_t n = ++ticks;

    if (n & 1)
        NVIC_ISPR = 1U << IRQ;
    interrupted(n);
}

static void start_interrupts(void)
{
    SHPR3 = 0xC0000000U;
    NVIC_ISER = 1U << IRQ;
    SYST_RVR = CPU_HZ / 1000000U * EVERY;
    SYST_CVR = 0;
    SYST_CSR = 7;
}

__attribute__((used)) static void start(void)
{
    start_interrupts();
    go_round();
}

#ifdef ON_PROCESS_STACK

__attribute__((aligned(8), used)) static uint32_t process_stack[512];

/* As a thread of a kernel: it has no caller. */
__attribute__((naked)) int main(void)
{
    __asm__("ldr r0, 1f\n\t"
            "msr psp, r0\n\t"
            "movs r0, #2\n\t"
            "msr control, r0\n\t"
            "isb\n\t"
            "bl start\n\t"
            ".balign 4\n"
            "1: .word process_stack + 2048");
}

#else

int main(void)
{
    start();
    return 0;
}

#endif

#else

#include "../mtimer.h"

#define MIE_MTIE    0x80U
#define MSTATUS_MIE 0x8U

static volatile uint32_t ticks;

static void on_timer(void)
{
    mtimer_start(EVERY * 10);
    interrupted(++ticks);
}

/* The start-up code has it in mtvec. */
#ifdef ENTRY_IN_ASSEMBLY

/* A label, as in start-up code of many vendors. */
__asm__(".text\n"
        ".globl mprof_mtimer_entry\n"
        ".balign 4\n"
        "mprof_mtimer_entry:\n\t"
        "addi sp, sp, -80\n\t"
        "sw ra, 0(sp)\n\t"
        "sw t0, 4(sp)\n\t"
        "sw t1, 8(sp)\n\t"
        "sw t2, 12(sp)\n\t"
        "sw a0, 16(sp)\n\t"
        "sw a1, 20(sp)\n\t"
        "sw a2, 24(sp)\n\t"
        "sw a3, 28(sp)\n\t"
        "sw a4, 32(sp)\n\t"
        "sw a5, 36(sp)\n\t"
        "sw a6, 40(sp)\n\t"
        "sw a7, 44(sp)\n\t"
        "sw t3, 48(sp)\n\t"
        "sw t4, 52(sp)\n\t"
        "sw t5, 56(sp)\n\t"
        "sw t6, 60(sp)\n\t"
        "csrr t0, mepc\n\t"
        "sw t0, 64(sp)\n\t"
        "call on_timer_entry\n\t"
        "lw t0, 64(sp)\n\t"
        "csrw mepc, t0\n\t"
        "lw ra, 0(sp)\n\t"
        "lw t0, 4(sp)\n\t"
        "lw t1, 8(sp)\n\t"
        "lw t2, 12(sp)\n\t"
        "lw a0, 16(sp)\n\t"
        "lw a1, 20(sp)\n\t"
        "lw a2, 24(sp)\n\t"
        "lw a3, 28(sp)\n\t"
        "lw a4, 32(sp)\n\t"
        "lw a5, 36(sp)\n\t"
        "lw a6, 40(sp)\n\t"
        "lw a7, 44(sp)\n\t"
        "lw t3, 48(sp)\n\t"
        "lw t4, 52(sp)\n\t"
        "lw t5, 56(sp)\n\t"
        "lw t6, 60(sp)\n\t"
        "addi sp, sp, 80\n\t"
        "mret");

void on_timer_entry(void);
void on_timer_entry(void)
{
    on_timer();
}

#else

__attribute__((interrupt, aligned(4))) void mprof_mtimer_entry(void)
{
    on_timer();
}

#endif

int main(void)
{
    mtimer_start(EVERY * 10);
    __asm__ volatile("csrs mie, %0" : : "r"(MIE_MTIE));
    __asm__ volatile("csrsi mstatus, %0" : : "i"(MSTATUS_MIE));
    go_round();
    return 0;
}

#endif
