/* SPDX-License-Identifier: 0BSD */
/* Vectors and start of firmware for any Cortex-M. */
#include <stdint.h>

int main(void);
void Reset_Handler(void);
void Default_Handler(void);
void HardFault_Handler(void) __attribute__((weak, alias("Default_Handler")));
void SysTick_Handler(void) __attribute__((weak, alias("Default_Handler")));
void External_Handler(void) __attribute__((weak, alias("Default_Handler")));

extern uint32_t stack_top[];
extern uint32_t data_start[], data_end[], data_load[];
extern uint32_t bss_start[], bss_end[];

typedef void (*vector_t)(void);

/* All external interrupts have one handler; the boards have 32 at least. */
#define EXTERNAL                    \
    {                               \
        .handler = External_Handler \
    }
#define EXTERNALS_8 EXTERNAL, EXTERNAL, EXTERNAL, EXTERNAL, EXTERNAL, EXTERNAL, EXTERNAL, EXTERNAL

static const union {
    const uint32_t *stack;
    vector_t handler;
} vectors[16 + 32] __attribute__((section(".vectors"), used)) = {
    [0] = {.stack = stack_top},
    [1] = {.handler = Reset_Handler},
    [2] = {.handler = Default_Handler},
    [3] = {.handler = HardFault_Handler},
    [4] = {.handler = Default_Handler},
    [5] = {.handler = Default_Handler},
    [6] = {.handler = Default_Handler},
    [7] = {.handler = Default_Handler},
    [11] = {.handler = Default_Handler},
    [12] = {.handler = Default_Handler},
    [14] = {.handler = Default_Handler},
    [15] = {.handler = SysTick_Handler},
    EXTERNALS_8,
    EXTERNALS_8,
    EXTERNALS_8,
    EXTERNALS_8,
};

/* ARMv7-M Architecture Reference Manual, B3.2.20: coprocessors 10 and 11 are the floating point
 * unit, which is off after a reset. */
static inline void enable_fpu(void)
{
#ifdef __ARM_FP
    *(volatile uint32_t *)0xE000ED88U |= 0xFU << 20;
    __asm__ volatile("dsb\n\t"
                     "isb"
                     :
                     :
                     : "memory");
#endif
}

/* The compiler must not make calls of memcpy and memset out of these loops: there is no library. */
__attribute__((noreturn, optimize("no-tree-loop-distribute-patterns"))) void Reset_Handler(void)
{
    const uint32_t *from = data_load;

    enable_fpu();
    for (uint32_t *to = data_start; to < data_end; to++)
        *to = *from++;
    for (uint32_t *to = bss_start; to < bss_end; to++)
        *to = 0;
    main();
    for (;;)
        ;
}

void Default_Handler(void)
{
    for (;;)
        ;
}
