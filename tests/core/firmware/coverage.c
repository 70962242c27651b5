/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs code whose coverage is recorded, with interrupts, and saves what the stub has of it. */
#include <mprof/mprof.h>

#include "alarm.h"
#include "coverage.h"
#include "semihost.h"

static uint32_t interrupts;

void on_alarm(uintptr_t pc)
{
    (void)pc;
    in_interrupt(interrupts++);
}

int main(void)
{
    before_init();
    mprof_init();
    for (uint32_t n = 0; n < 40; n++) {
        alarm_set(ALARM_STEP * (1 + n * 7));
        work(n);
    }
#ifdef STAY
    print("ready\n");
    for (;;)
        work(39);
#endif
    alarm_set(UINT32_MAX >> 8);
    save("coverage.bin", &s_prof, sizeof(s_prof));
    quit();
}
