/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firmware for a Cortex-M3 that nobody prepared: no stub, no timer. Three functions take 50, 30 and
 * 20 % of the time. */
#include <stdint.h>

volatile uint32_t sink;

/* Blocks of instructions are short, so that the simulated DWT_PCSR tells where in them it is. */
#define WORK(name)                                      \
    __attribute__((noinline)) void name(uint32_t turns) \
    {                                                   \
        for (uint32_t i = 0; i < turns; i++)            \
            sink += i;                                  \
    }

WORK(work_half)
WORK(work_third)
WORK(work_fifth)

int main(void)
{
    for (;;) {
        work_half(500);
        work_third(300);
        work_fifth(200);
    }
}

__attribute__((noreturn)) void on_reset(void)
{
    main();
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {
    0x20010000, (uintptr_t)on_reset, (uintptr_t)on_reset, (uintptr_t)on_reset};
