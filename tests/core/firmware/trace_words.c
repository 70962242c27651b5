/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls functions with known arguments in changing tasks, marks each round, and is interrupted at
 * every instruction by such calls. Writes the trace to the file "prof". */
#include <mprof/mprof.h>

#include "alarm.h"
#include "semihost.h"
#include "trace_words.h"

volatile uint32_t running_task;
static volatile uint32_t alarms, wrong;

void on_alarm(uintptr_t pc)
{
    (void)pc;
    if (in_interrupt(alarms, 1000) != alarms - 1000)
        wrong++;
    alarms++;
}

int main(void)
{
    mprof_init();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t before = alarms;
        struct parts parts = {.x = (uint16_t)round, .y = -3, .z = ~round, .last = 5};

        running_task = 0x100 + round % 5;
        alarm_set(2 + round * ALARM_STEP);
        mprof_mark(round, ~round);
        if (with_four(round, 2 * round, ~round, 9) != round + 6 * round + 5 * ~round + 63 ||
            with_structure(round, 9, parts) != round + 10 || with_one(round) != ~round)
            wrong++;
        while (alarms == before)
            ;
    }
    save("prof", &s_prof, sizeof(s_prof));
    print_number(wrong, "\n");
    quit();
}
