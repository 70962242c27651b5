/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Firmware as a vendor's project has it: its own startup code, no stub, nothing that mprof needs.
 *
 * FAST   the words before functions that may run from RAM
 * MOVED  how far behind its addresses in the ELF file a loader puts the program; it is position
 *        independent
 *
 * Of 10 rounds 5 are of crc_block(), 3 of fir_block() and 2 of pid_step(), which take as long as
 * each other.
 */
#include <stdint.h>

extern uint32_t _estack, _sidata, _sdata, _edata, _sbss, _ebss;

void Reset_Handler(void);
int main(void);

static void Default_Handler(void)
{
    for (;;) {
    }
}

void NMI_Handler(void) __attribute__((weak, alias("Default_Handler")));
void HardFault_Handler(void) __attribute__((weak, alias("Default_Handler")));
void SysTick_Handler(void) __attribute__((weak, alias("Default_Handler")));

__attribute__((section(".isr_vector"), used)) void (*const g_pfnVectors[16])(void) = {
    (void (*)(void)) & _estack, Reset_Handler,          NMI_Handler,
    HardFault_Handler,          [15] = SysTick_Handler,
};

uint32_t SystemCoreClock = 25000000; /* so that there is something to copy */
static volatile uint32_t result;

#define BLOCK(name, constant)                      \
    FAST __attribute__((noinline)) void name(void) \
    {                                              \
        uint32_t sum = result;                     \
        for (uint32_t i = 0; i < 2000; i++)        \
            sum = (sum ^ i) * (constant);          \
        result = sum;                              \
    }

BLOCK(crc_block, 0x04c11db7u)
BLOCK(fir_block, 0x1edc6f41u)
BLOCK(pid_step, 0x741b8cd7u)

void Reset_Handler(void)
{
    const uint32_t *from = &_sidata + MOVED / sizeof(*from);

    for (uint32_t *to = &_sdata; to < &_edata;)
        *to++ = *from++;
    for (uint32_t *to = &_sbss; to < &_ebss;)
        *to++ = 0;
    main();
}

int main(void)
{
    for (;;) {
        for (int i = 0; i < 5; i++)
            crc_block();
        for (int i = 0; i < 3; i++)
            fir_block();
        for (int i = 0; i < 2; i++)
            pid_step();
        SystemCoreClock++;
    }
}
