/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bootloader that checks the application for a moment, and starts it. APP: where that is. MOVED:
 * how far behind its addresses in the ELF file. */
#include <stdint.h>

#define SCB_VTOR (*(volatile uint32_t *)0xe000ed08u)

extern uint32_t _estack;

void Reset_Handler(void);

__attribute__((section(".isr_vector"), used)) void (*const boot_vectors[16])(void) = {
    (void (*)(void)) & _estack,
    Reset_Handler,
};

__attribute__((noinline)) static uint32_t check(const uint32_t *image)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < 256; i++)
        sum = sum * 31 + image[i];
    return sum;
}

void Reset_Handler(void)
{
    const uint32_t *vectors = (const uint32_t *)APP;

    if (check(vectors) == 0)
        for (;;) {
        }
    SCB_VTOR = APP;
    __asm__ volatile("msr msp, %0\n\tbx %1" : : "r"(vectors[0]), "r"(vectors[1] + MOVED));
    __builtin_unreachable();
}
