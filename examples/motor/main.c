/* SPDX-License-Identifier: 0BSD */
/* A motor's controller: an interrupt takes currents 2000 times a second and filters them, the main
 * loop works out the next step and sends a telegram, and waits for the next interrupt. */
#include <mprof/mprof.h>

#include "motor.h"
#include "sampling.h"
#include "work.h"

#define SAMPLE_HZ  997U
#define CONVERT_HZ 2000U
#define PHASES     3U
#define TELEGRAM   512U

/* The first CMSDK timer of the board counts down from RELOAD. Its interrupt is number 8. */
#define TIMER_CTRL     (*(volatile uint32_t *)0x40000000U)
#define TIMER_VALUE    (*(volatile uint32_t *)0x40000004U)
#define TIMER_RELOAD   (*(volatile uint32_t *)0x40000008U)
#define TIMER_INTCLEAR (*(volatile uint32_t *)0x4000000CU)
#define CTRL_ENABLE    0x1U
#define CTRL_IRQ       0x8U
#define NVIC_ISER      (*(volatile uint32_t *)0xE000E100U)
#define NVIC_PRIORITY  ((volatile uint8_t *)0xE000E400U)
#define TIMER_IRQ      8U

/* Below SysTick, which is to see what the interrupt does. */
#define PRIORITY 0x80U

struct phase {
    int16_t values[FILTER_TAPS];
    int32_t current;
};

static struct phase s_phases[PHASES];
static volatile uint32_t s_conversions;
static volatile uint32_t s_random = 2463534242U;
static volatile uint32_t s_duty[PHASES];
static uint8_t s_telegram[TELEGRAM];
static volatile uint32_t s_sent;

static void take_value(struct phase *phase)
{
    for (size_t i = FILTER_TAPS - 1; i > 0; i--)
        phase->values[i] = phase->values[i - 1];
    phase->values[0] = (int16_t)(s_random >> 20);
    phase->current = fir_filter(phase->values);
}

void External_Handler(void);
void External_Handler(void)
{
    TIMER_INTCLEAR = 1;
    s_random = next_random(s_random);
    for (size_t i = 0; i < PHASES; i++)
        take_value(&s_phases[i]);
    s_conversions++;
}

static void conversions_start(void)
{
    TIMER_RELOAD = CPU_HZ / CONVERT_HZ - 1;
    TIMER_VALUE = CPU_HZ / CONVERT_HZ - 1;
    TIMER_CTRL = CTRL_ENABLE | CTRL_IRQ;
    NVIC_PRIORITY[TIMER_IRQ] = PRIORITY;
    NVIC_ISER = 1U << TIMER_IRQ;
}

/* A proportional and integral controller for each phase. */
KEEP_APART static void control_step(void)
{
    static int32_t integral[PHASES];

    for (size_t i = 0; i < PHASES; i++) {
        int32_t error = 1000 - fir_filter(s_phases[i].values);
        integral[i] += error / 7;
        s_duty[i] = (uint32_t)(error * 3 + integral[i]) % 4096U;
    }
}

KEEP_APART static void send_telegram(void)
{
    for (size_t i = 0; i < TELEGRAM; i++)
        s_telegram[i] = (uint8_t)(s_duty[i % PHASES] >> (i % 8));
    s_sent = crc32_update(0, s_telegram, TELEGRAM);
}

/* Waits as a loop: QEMU's clock stands still while a core sleeps. */
KEEP_APART __attribute__((no_instrument_function)) static void idle(void)
{
    work(8);
}

int main(void)
{
    uint32_t seen = 0;

    mprof_init();
    fir_init();
    sampling_start(SAMPLE_HZ);
    conversions_start();
    for (;;) {
        if (s_conversions == seen) {
            idle();
            continue;
        }
        seen = s_conversions;
        control_step();
        send_telegram();
        mprof_iteration(); /* 'mprof diff' compares time per turn */
    }
}
