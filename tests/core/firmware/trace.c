/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes calls that an interrupt meets at every instruction, and writes down which it made: to the
 * files "thread" and "interrupt", and what the stub traced of them to the file "prof". With PAUSE,
 * makes the same calls again and again, without interrupts, and pauses in between. */
#include "trace.h"

#include <mprof/mprof.h>

#include "semihost.h"
#include "work.h"

#ifdef PAUSE

void note(char name)
{
    (void)name;
}

int main(void)
{
    mprof_init();
    for (;;) {
        for (uint32_t seed = 0; seed < 16; seed++)
            first(seed);
        work(PAUSE);
    }
}

#else

#include "alarm.h"

/* One of the thread, and one of the interrupt, whose names come after 'W'. */
static struct notes {
    char text[12 * ROUNDS];
    uint32_t len;
} notes[2];
static volatile uint32_t alarms;

void note(char name)
{
    struct notes *n = &notes[(name | 0x20) > 'w'];

    n->text[n->len++] = name;
}

void on_alarm(uintptr_t pc)
{
    (void)pc;
    in_interrupt(alarms % 3);
    alarms++;
}

/* One of Arm's CMSDK, which counts down. */
static void start_board_timer(void)
{
#ifdef BOARD_TIMER
    volatile uint32_t *timer = (volatile uint32_t *)BOARD_TIMER;
    enum { CTRL = 0, VALUE = 1, RELOAD = 2, ENABLE = 1 };

    timer[RELOAD] = timer[VALUE] = UINT32_MAX;
    timer[CTRL] = ENABLE;
#endif
}

int main(void)
{
    start_board_timer();
    mprof_init();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t before = alarms;

        alarm_set(2 + round * ALARM_STEP);
        first(round % 32);
        while (alarms == before)
            ;
    }
    save("thread", notes[0].text, notes[0].len);
    save("interrupt", notes[1].text, notes[1].len);
    save("prof", &s_prof, sizeof(s_prof));
    print_number(alarms, "\n");
    quit();
}

#endif
