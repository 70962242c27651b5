/* SPDX-License-Identifier: 0BSD */
/* The SysTick feeder: starts the timer and takes the interrupted program counter. */
#include <mprof/mprof.h>

#include "mprof_port.h"

/* The handler must stay in this file: who links an archive gets it with mprof_systick_start(), and
 * a weak handler of start-up code then gives way. */

/* ARMv7-M Architecture Reference Manual, B3.3 and B3.2.12 */
#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)
#define SHPR3    (*(volatile uint32_t *)0xE000ED20U)

#define CSR_ENABLE    0x1U
#define CSR_TICKINT   0x2U
#define CSR_CLKSOURCE 0x4U /* the processor's clock */
#define PERIOD_MIN    256U /* leaves the firmware some time, also if cpu_hz is wrongly 0 */
#define PERIOD_MAX    0x1000000U
#define SHPR3_SYSTICK 0xFF000000U

static uint32_t period_of(uint32_t cpu_hz, uint32_t sample_hz)
{
    uint32_t period = sample_hz == 0 ? PERIOD_MAX : cpu_hz / sample_hz;

    if (period < PERIOD_MIN)
        return PERIOD_MIN;
    return period > PERIOD_MAX ? PERIOD_MAX : period;
}

void mprof_systick_start(uint32_t cpu_hz, uint32_t sample_hz)
{
    uint32_t period = period_of(cpu_hz, sample_hz);

    s_prof.header.tick_hz = cpu_hz;
    s_prof.header.sample_hz = cpu_hz / period + (cpu_hz % period >= period - period / 2);
    SYST_CSR = 0;
    SHPR3 &= ~SHPR3_SYSTICK;
    SYST_RVR = period - 1;
    SYST_CVR = 0;
    SYST_CSR = CSR_CLKSOURCE | CSR_TICKINT | CSR_ENABLE;
}

/* Bit 2 of EXC_RETURN tells the stack of the interrupted code, whose PC was stored at +24, with or
 * without floating point registers behind. */
__attribute__((naked)) void SysTick_Handler(void)
{
    __asm__("tst lr, #4\n\t"
            "ite eq\n\t"
            "mrseq r0, msp\n\t"
            "mrsne r0, psp\n\t"
            "ldr r0, [r0, #24]\n\t"
            "b mprof_sample");
}
