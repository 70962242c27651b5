/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes rounds of calls by random numbers, each met by an interrupt somewhere. The host says by
 * allowed how many rounds there may be, and so how far the trace gets ahead of it. */
#include <mprof/mprof.h>

#include "alarm.h"
#include "trace.h"

/* In instructions. A round takes up to a thousand or so. */
#define LATEST_ALARM 1024U

/* The first round is made at once: its events tell the host that the firmware runs. */
volatile uint32_t allowed = 1;
/* After how many rounds it waited last, and how often it has: then it has called at_rest(). */
volatile uint32_t rested, rests;

static uint32_t state;
static volatile uint32_t alarms;

void note(char name)
{
    (void)name;
}

/* Its low bits are less random, and not used. */
static uint32_t draw(void)
{
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

void on_alarm(uintptr_t pc)
{
    (void)pc;
    in_interrupt(alarms % 7);
    alarms++;
}

int main(void)
{
    mprof_init();
    for (uint32_t made = 0;; made++) {
        if (made == allowed) {
            at_rest(0);
            rests++;
            rested = made;
        }
        while (made == allowed)
            ;
        uint32_t before = alarms;
        uint32_t bits = draw() % 24;

        alarm_set(2 + draw() % LATEST_ALARM * ALARM_STEP);
        first(draw() >> (23 - bits));
        while (alarms == before)
            ;
    }
}
