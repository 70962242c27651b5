/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes calls that an interrupt meets, and sends the trace of them over the serial line meanwhile,
 * a few records at a time. The trace that the ring then has is saved to the file "prof". */
#include <mprof/mprof.h>

#include "alarm.h"
#include "semihost.h"
#include "trace.h"

static volatile uint32_t alarms;

void note(char name)
{
    (void)name;
}

void on_alarm(uintptr_t pc)
{
    (void)pc;
    in_interrupt(alarms % 3);
    alarms++;
}

#ifdef __arm__
/* Arm Cortex-M System Design Kit, "APB UART". */
#define UART ((volatile uint32_t *)0x40004000U)

static void begin(void)
{
    UART[4] = 16; /* BAUDDIV */
    UART[2] = 1;  /* CTRL: transmit */
}

static void put(char c)
{
    while (UART[1] & 1) /* STATE: full */
        ;
    UART[0] = (unsigned char)c;
}
#else
/* A 16550. */
#define UART ((volatile uint8_t *)0x10000000U)

static void begin(void)
{
}

static void put(char c)
{
    while (!(UART[5] & 0x20)) /* LSR: the holding register is empty */
        ;
    UART[0] = (uint8_t)c;
}
#endif

int main(void)
{
    uint32_t sent = 0;

    begin();
    mprof_init();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t before = alarms;

        alarm_set(2 + round * ALARM_STEP);
        first(round % 32);
        if (round % 8 == 0)
            mprof_mark(round, ~round);
        /* The alarm may come while records are copied. */
        sent += mprof_trace_send(put, round % 16);
        while (alarms == before)
            ;
    }
    for (unsigned last = 1; last != 0; sent += last)
        last = mprof_trace_send(put, 100);
    save("prof", &s_prof, sizeof(s_prof));
    print_number(sent, "\n");
    quit();
}
