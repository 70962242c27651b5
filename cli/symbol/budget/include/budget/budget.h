/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits for the work and memory of reading a file, so that no malformed file can exhaust them. */
#ifndef SYMBOL_BUDGET_H
#define SYMBOL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Work is counted in steps: an attribute, a range, a byte of a line program or of a name. A step
 * takes some nanoseconds. Steps are counted and not timed, so the outcome is the same on every
 * machine.
 *
 * Both limits grow with the length of the file. Files of compilers need one to four steps for each
 * byte, and up to 20 if their debug information is compressed, which then unpacks to three to ten
 * times its length. WORK is steps, BYTES is bytes of memory.
 */
#define BUDGET_WORK_MIN       ((uint64_t)8 << 20)
#define BUDGET_WORK_PER_BYTE  64
#define BUDGET_BYTES_MIN      ((uint64_t)64 << 20)
#define BUDGET_BYTES_PER_BYTE 16

/* Steps that each query adds to the budget, up to the initial amount. */
#define BUDGET_WORK_REFILL ((uint64_t)1 << 16)

/* Largest number of steps that a query adds for information that was discarded to save memory, and
 * must be read again if it is needed. */
#define BUDGET_WORK_AGAIN ((uint64_t)1 << 22)

/* A budget. Zeroed memory is one that allows nothing. Its members are private, except for spent,
 * stopped and bytes, which may be read. */
struct budget {
    uint64_t credit;         /* steps until stop() is called the next time */
    uint64_t work, work_max; /* steps that are left without credit, and the initial steps */
    uint64_t bytes;          /* bytes of memory that are left */
    bool (*stop)(void);      /* returns true to end reading; NULL: never */
    uint64_t begun;          /* steps that were used when the query started */
    uint64_t dropped;        /* steps for discarded information that are not given back yet */
    uint32_t entry;          /* steps for one entry of debug information: see debug_bounds.h */
    bool spent;              /* more was needed than was left; stays set */
    bool stopped;            /* stop() has returned true; until budget_resume() */
};

/* Sets both limits for a file of len bytes. stop may be NULL. */
void budget_open(struct budget *budget, uint64_t len, bool (*stop)(void));

/* Starts a query: calls stop() again, and adds steps. The steps of a query that was stopped are
 * given back. Returns false if nothing may be read. */
bool budget_resume(struct budget *budget);

/* Calls stop() and returns its result. Changes nothing. */
bool budget_asked_to_stop(const struct budget *budget);

/* Counts steps like budget_work(), and calls stop(). Private to budget_work(). */
bool budget_pause(struct budget *budget, uint64_t steps);

/* Largest number of steps between two calls of stop(). */
#define BUDGET_ASK_EVERY ((uint64_t)1 << 14)

/* Tells the budget that the result of this number of steps was discarded: the next queries get them
 * back. */
void budget_drop(struct budget *budget, uint64_t steps);

/* Returns the steps used so far, without those that were given back. */
static inline uint64_t budget_used(const struct budget *budget)
{
    return budget->work_max - budget->work - budget->credit;
}

/* Whether nothing more may be read. */
static inline bool budget_is_over(const struct budget *budget)
{
    return budget->spent || budget->stopped;
}

/* Counts steps. Call it before or after the work. Returns false if reading must end. */
static inline bool budget_work(struct budget *budget, uint64_t steps)
{
    if (steps >= budget->credit) /* there is none once it is over */
        return budget_pause(budget, steps);
    budget->credit -= steps;
    return true;
}

/* Takes bytes of memory from the budget; call it before they are allocated. Returns false if fewer
 * are left: the budget is then spent. */
bool budget_take(struct budget *budget, uint64_t bytes);

/* Spends the budget, because the file is malformed on purpose: nothing more is read. */
void budget_refuse(struct budget *budget);

/* Gives back bytes of memory that were taken and freed. */
void budget_give(struct budget *budget, uint64_t bytes);

#endif
