/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much work and memory a file may cost: no file, however it was made, takes all of either. */
#ifndef SYMBOL_BUDGET_H
#define SYMBOL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Work counts in steps: an attribute, a range, a byte of a line program or of a name, each some
 * nanoseconds. Steps are counted and not timed, so a file has the same outcome on every machine.
 *
 * Both limits grow with the file's length. An honest file has one to four steps per byte; one
 * whose debug information is compressed has up to 20, and unpacks to three to ten times its length.
 */
#define BUDGET_WORK_MIN       ((uint64_t)8 << 20)
#define BUDGET_WORK_PER_BYTE  64
#define BUDGET_BYTES_MIN      ((uint64_t)64 << 20)
#define BUDGET_BYTES_PER_BYTE 16

/* Steps that each question adds, until the full amount is left. */
#define BUDGET_WORK_REFILL ((uint64_t)1 << 16)

/* The limit of what a question adds for work on what was dropped since, to save memory:
 * whoever asks for it again has it read again, for as long as he asks. */
#define BUDGET_WORK_AGAIN ((uint64_t)1 << 22)

/* Zeroed, it allows nothing. */
struct budget {
    uint64_t credit;         /* steps that may be done before stop is asked once more */
    uint64_t work, work_max; /* steps that are left beside these, and that there were at first */
    uint64_t bytes;          /* of memory that are left */
    bool (*stop)(void);      /* the caller wants no more; NULL: the caller never stops it */
    uint64_t begun;          /* steps that were done when the question began */
    uint64_t dropped;        /* steps for what was dropped, still to be given back */
    uint32_t entry;          /* steps for one entry of debug information: see debug_bounds.h */
    bool spent;              /* more was wanted than was left: it stays so */
    bool stopped;            /* stop said so: until budget_resume() */
};

/* Sets both limits for a file of len bytes. */
void budget_open(struct budget *budget, uint64_t len, bool (*stop)(void));

/* Begins a question: asks stop again and refills the work; a question that was stopped has cost
 * none. Returns false if nothing may be read. */
bool budget_resume(struct budget *budget);

/* Whether stop says so now. Counts nothing, and nothing else is stopped by it. */
bool budget_asked_to_stop(const struct budget *budget);

/* As budget_work(), and asks stop. */
bool budget_pause(struct budget *budget, uint64_t steps);

/* Steps after which stop is asked once more, at the latest. */
#define BUDGET_ASK_EVERY ((uint64_t)1 << 14)

/* Says that what cost this number of steps was dropped: the next questions add them. */
void budget_drop(struct budget *budget, uint64_t steps);

/* Steps that were done so far, but for those that were added again. */
static inline uint64_t budget_used(const struct budget *budget)
{
    return budget->work_max - budget->work - budget->credit;
}

static inline bool budget_is_over(const struct budget *budget)
{
    return budget->spent || budget->stopped;
}

/* Counts steps that are about to be done or were just done. Returns false if reading must end. */
static inline bool budget_work(struct budget *budget, uint64_t steps)
{
    if (steps >= budget->credit) /* there is none once it is over */
        return budget_pause(budget, steps);
    budget->credit -= steps;
    return true;
}

/* Takes memory that is about to be allocated. Returns false, and takes none, if there is not so
 * much left; then the budget is spent. */
bool budget_take(struct budget *budget, uint64_t bytes);

/* Says that the file is made to harm: nothing more is read. */
void budget_refuse(struct budget *budget);

/* Gives back what was taken. */
void budget_give(struct budget *budget, uint64_t bytes);

#endif
