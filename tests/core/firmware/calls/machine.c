/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program needs of the machine: RAM full of something, and interrupts at any instruction.
 */
#ifdef __x86_64__
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>
#endif

#include "calls.h"

#include <mprof/mprof.h>

static uint32_t state = 2463534242U;

/* What RAM holds before it is set up, as far as the hooks are concerned. */
#ifdef __x86_64__
__attribute__((constructor))
#else
__attribute__((used))
#endif
UNHOOKED void
fill(void)
{
#ifdef FILL
    for (volatile uint8_t *byte = (volatile uint8_t *)&s_prof; byte < (uint8_t *)(&s_prof + 1);)
        *byte++ = FILL;
#ifdef WARM
    *(volatile uint32_t *)&s_prof.header.enable = MPROF_ENABLE_ALL;
#endif
#ifdef __x86_64__
    early();
#endif
#endif
}

static UNHOOKED uint32_t random_number(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

#if defined(__arm__)

#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)
#define ICSR     (*(volatile uint32_t *)0xE000ED04U)

#define CSR_START      0x7U
#define ICSR_PENDSTCLR 0x02000000U

/* Under -icount shift=10 an instruction takes 16 to 26 cycles: so up to 150 instructions. */
UNHOOKED void interrupts_on(void)
{
    SYST_RVR = 20 + random_number() % 4000;
    SYST_CVR = 0;
    SYST_CSR = CSR_START;
}

UNHOOKED void interrupts_off(void)
{
    SYST_CSR = 0;
    ICSR = ICSR_PENDSTCLR;
}

__attribute__((used)) UNHOOKED void on_tick(const uint32_t *stacked)
{
    interrupts_off();
    handle(stacked[6]);
    interrupts_on();
}

void SysTick_Handler(void);

__attribute__((naked)) UNHOOKED void SysTick_Handler(void)
{
    __asm__("mov r0, sp\n\t"
            "ldr r1, 1f\n\t"
            "bx r1\n\t"
            ".balign 4\n"
            "1: .word on_tick");
}

extern uint32_t stack_top[];
void Reset_Handler(void);

/* ARMv7-M Architecture Reference Manual, B3.2.20: the floating point unit is off after a reset. */
__attribute__((used)) static UNHOOKED void enable_fpu(void)
{
#ifdef __ARM_FP
    *(volatile uint32_t *)0xE000ED88U |= 0xFU << 20;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
#endif
}

__attribute__((naked)) static UNHOOKED void start_early(void)
{
    __asm__("bl enable_fpu\n\t"
            "bl fill\n\t"
            "bl early\n\t"
            "ldr r0, 1f\n\t"
            "bx r0\n\t"
            ".balign 4\n"
            "1: .word Reset_Handler");
}

/* Linked before the board's vectors. */
static const union {
    const uint32_t *stack;
    void (*handler)(void);
} vectors[16] __attribute__((section(".vectors"), used)) = {
    [0] = {.stack = stack_top},
    [1] = {.handler = start_early},
    [15] = {.handler = SysTick_Handler},
};

UNHOOKED unsigned long interrupts_mask(void)
{
    unsigned long mask;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(mask) : : "memory");
    return mask;
}

UNHOOKED void interrupts_unmask(unsigned long mask)
{
    __asm__ volatile("msr primask, %0" : : "r"(mask) : "memory");
}

#elif defined(__riscv)

#include "../mtimer.h"

/* An instruction takes 10 ticks: so up to 400 instructions. */
UNHOOKED static void set_timer(void)
{
    mtimer_start(10 + random_number() % 4000);
}

UNHOOKED uintptr_t interrupt_begin(void)
{
    uintptr_t pc;

    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    mtimer_stop();
    return pc;
}

UNHOOKED void interrupt_end(void)
{
    set_timer();
}

UNHOOKED void interrupts_on(void)
{
    set_timer();
    __asm__ volatile("csrs mie, %0\n\tcsrsi mstatus, 8" : : "r"(0x80) : "memory");
}

UNHOOKED void interrupts_off(void)
{
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
}

UNHOOKED unsigned long interrupts_mask(void)
{
    unsigned long mask;

    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(mask) : : "memory");
    return mask;
}

UNHOOKED void interrupts_unmask(unsigned long mask)
{
    if (mask & 8)
        __asm__ volatile("csrsi mstatus, 8" : : : "memory");
}

/* Linked before the board's start-up code. */
__attribute__((naked, used, section(".start"))) UNHOOKED void start_early(void)
{
    __asm__("la sp, stack_top\n\t"
            "call fill\n\t"
            "call early\n\t"
            "tail _start");
}

#else

static volatile bool is_stepping;

/* After each instruction; most of them are let go by. */
static UNHOOKED void on_step(int number, siginfo_t *info, void *data)
{
    ucontext_t *user = data;
    uintptr_t pc = (uintptr_t)user->uc_mcontext.gregs[REG_RIP];

    (void)number, (void)info;
    if (!is_stepping)
        user->uc_mcontext.gregs[REG_EFL] &= ~0x100;
    else if (is_in_hook(pc) ? random_number() % 4 == 0 : random_number() % 64 == 0)
        handle(pc);
}

UNHOOKED void interrupts_on(void)
{
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};

    is_stepping = true;
    sigaction(SIGTRAP, &action, NULL);
    __asm__ volatile("sub $128, %%rsp\n\t"
                     "pushfq\n\t"
                     "orq $0x100, (%%rsp)\n\t"
                     "popfq\n\t"
                     "add $128, %%rsp"
                     :
                     :
                     : "memory", "cc");
}

UNHOOKED void interrupts_off(void)
{
    is_stepping = false;
}

UNHOOKED unsigned long interrupts_mask(void)
{
    return 0;
}

UNHOOKED void interrupts_unmask(unsigned long mask)
{
    (void)mask;
}

#endif
