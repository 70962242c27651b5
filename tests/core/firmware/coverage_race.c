/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A place is reached in the main program, and an interrupt at any instruction of that reaches
 * another one, which the same word counts. Neither is lost. */
#include <mprof/mprof.h>

#include "alarm.h"
#include "coverage_places.h"
#include "semihost.h"

#define DELAYS  90U
#define ROUNDS  40U

static volatile uint32_t interrupts;
static uint32_t lost, inside;
static volatile uint32_t busy; /* the main program is at its place */

void on_alarm(uintptr_t pc)
{
    (void)pc;
    place_b();
    inside += busy;
    interrupts++;
}

static uint32_t counted(uint32_t place)
{
    uint32_t offset = (uint32_t)((uintptr_t)places - (uintptr_t)(MPROF_COVERAGE_BASE));

    place += offset / MPROF_COVERAGE_ERR;
    uint32_t shift = place % MPROF_COVERAGE_FIELDS * MPROF_COVERAGE_BITS;
    uint32_t full = 0xffffffffU >> (32 - MPROF_COVERAGE_BITS);

    return s_prof.coverage[place / MPROF_COVERAGE_FIELDS] >> shift & full;
}

/* The interrupt comes after that many steps, wherever the main program is by then. */
static void meet(uint32_t delay)
{
    for (uint32_t i = 0; i < MPROF_COVERAGE_WORDS; i++)
        ((volatile uint32_t *)s_prof.coverage)[i] = 0;
    uint32_t before = interrupts;

    busy = 1;
    alarm_set(ALARM_STEP * (1 + delay));
    place_a();
    busy = 0;
    while (interrupts == before)
        ;
    lost += counted(PLACE_A) != 1 || counted(PLACE_B) != 1;
}

int main(void)
{
    mprof_init();
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t delay = 0; delay < DELAYS; delay++)
            meet(delay);
    print_number(interrupts, " ");
    print_number(inside, " ");
    print_number(lost, " ");
    /* Counters stay at their largest number. */
    uint32_t full = 0xffffffffU >> (32 - MPROF_COVERAGE_BITS);
    for (uint32_t i = 0; i < 300; i++)
        place_a();
    print_number(counted(PLACE_A) == (full < 301 ? full : 301), " ");
    print_number(counted(PLACE_B) == 1, " ");
    /* A reset, as the host asks for it. */
    s_prof.header.reset_request++;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    place_b();
    s_prof.header.enable |= MPROF_ENABLE_CALM;
    print_number(counted(PLACE_A) == 0 && counted(PLACE_B) == 1, "\n");
    quit();
}
