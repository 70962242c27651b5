/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main program counts events in one place, and an interrupt at any of their instructions moves
 * the focus there, or to another place. No count of one place is found in the other. */
#include <stdbool.h>

#include <mprof/mprof.h>

#include "alarm.h"
#include "semihost.h"
#include "work.h"

#define INTERRUPTS 60000U
#define DELAY_MAX  120U

/* Bases, and an address in each: of the first and of the third entry. */
#define HERE        0x10000U
#define THERE       0x11000U
#define HERE_ENTRY  0
#define THERE_ENTRY 2
#define THERE_PC    (THERE + THERE_ENTRY * MPROF_FOCUS_ERR)

static uint32_t seed = 521288629U;
static volatile uint32_t interrupts;
static volatile uint32_t done; /* events of the main program */

static struct {
    bool here;     /* where the focus is */
    uint32_t done; /* when it was moved there */
} moved;

static struct {
    uint32_t unserved; /* the event after a request did not serve it */
    uint32_t mixed;    /* counts of the other place */
    uint32_t lost, extra;
} faults;

/* As a host does it, and the event that serves it. */
static void move(uint32_t base, uint32_t pc)
{
    volatile struct mprof_header *header = &s_prof.header;

    header->focus_low = base;
    header->focus_request++;
    header->enable &= ~(MPROF_ENABLE_UNFOCUSED | MPROF_ENABLE_CALM);
    mprof_sample(pc);
    header->enable |= MPROF_ENABLE_CALM;
    faults.unserved += s_prof.focus_lead.done != header->focus_request;
    moved.here = base == HERE;
    moved.done = done;
}

/* One of the main program's events may be on its way, then and now. */
static void check(void)
{
    volatile uint32_t *entries = s_prof.focus;
    uint32_t events = 1 + (moved.here ? done - moved.done : 0);
    uint32_t counted = entries[moved.here ? HERE_ENTRY : THERE_ENTRY];

    for (uint32_t i = 0; i < MPROF_FOCUS_CNT; i++)
        faults.mixed += entries[i] != 0 && i != (moved.here ? HERE_ENTRY : THERE_ENTRY);
    faults.lost += counted + moved.here < events;
    faults.extra += counted > events + moved.here;
}

/* From its interrupt, in which no other one is to come. */
static void alarm_again(uint32_t ticks)
{
#ifdef __arm__
    alarm_set(ticks);
#else
    mtimer_start(ticks);
#endif
}

void on_alarm(uintptr_t pc)
{
    (void)pc;
    if (interrupts++ != 0)
        check();
    if (moved.here)
        move(THERE, THERE_PC);
    else
        move(HERE, HERE);
    seed = next_random(seed);
    if (interrupts < INTERRUPTS)
        alarm_again(ALARM_STEP * (2 + (seed >> 8) % DELAY_MAX));
}

int main(void)
{
    mprof_init();
    alarm_set(ALARM_STEP * DELAY_MAX);
    while (interrupts < INTERRUPTS) {
        mprof_sample(HERE);
        done++;
    }
    print_number(interrupts, " ");
    print_number(done, " ");
    print_number(faults.unserved, " ");
    print_number(faults.mixed, " ");
    print_number(faults.lost, " ");
    print_number(faults.extra, "\n");
    quit();
}
