/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls functions, while an interrupt that comes at every instruction changes which of them the
 * trace records, three of four, twice each time: so both lists change behind an event that searches
 * one, and many an event is wanted by all of them. Writes
 * the calls to the file "calls", the changes to "changes", and the trace to "prof". */
#include <mprof/mprof.h>

#include "alarm.h"
#include "semihost.h"
#include "trace.h"
#include "work.h"

#define FUNCTIONS 4
#define LISTS     2
/* Where the hook's call is, from the start of a function on. */
#define NEAR_ENTRY 32

/* How many notes there were, and which functions were chosen then, by the bits of a byte each. */
struct change {
    uint16_t notes;
    uint8_t chosen[LISTS];
};

static char notes[12 * ROUNDS];
static uint32_t notes_len;
static struct change changes[ROUNDS];
static volatile uint32_t alarms;

void note(char name)
{
    notes[notes_len++] = name;
}

static uintptr_t start_of(step_t *function)
{
    return (uintptr_t)function & ~(uintptr_t)1;
}

/* A host's writes. The functions come in any order. */
static void choose(uint32_t chosen)
{
    uint32_t other =
        (s_prof.header.traced & MPROF_TRACED_FIRST) == 0 ? MPROF_TRACED_ENTRIES / 2 : 0;
    volatile mprof_range_t *list = &s_prof.traced[other];
    uint32_t count = 0;

    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        uint32_t at = count;
        if (!(chosen >> i & 1))
            continue;
        for (; at > 0 && list[at - 1].start > start_of(steps[i]); at--) {
            list[at].start = list[at - 1].start;
            list[at].end = list[at - 1].end;
        }
        list[at].start = start_of(steps[i]);
        list[at].end = start_of(steps[i]) + NEAR_ENTRY;
        count++;
    }
    list[count].start = list[count].end = UINTPTR_MAX;
    s_prof.header.traced =
        ((s_prof.header.traced + MPROF_TRACED_STEP) & ~MPROF_TRACED_FIRST) + other;
}

void on_alarm(uintptr_t pc)
{
    static uint32_t random;
    struct change *change = &changes[alarms];

    (void)pc;
    change->notes = (uint16_t)notes_len;
    for (uint32_t i = 0; i < LISTS; i++) {
        random = random * 1664525 + 1013904223;
        change->chosen[i] = (uint8_t)(15 ^ 1U << (random >> 30));
        choose(change->chosen[i]);
    }
    alarms++;
}

int main(void)
{
    mprof_init();
    choose(0);
    s_prof.header.enable &= ~MPROF_ENABLE_UNFILTERED;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t before = alarms;

        alarm_set(2 + round * ALARM_STEP);
        first(round % 32);
        while (alarms == before)
            ;
    }
    save("calls", notes, notes_len);
    save("changes", changes, sizeof(changes));
    save("prof", &s_prof, sizeof(s_prof));
    print_number(alarms, "\n");
    quit();
}
