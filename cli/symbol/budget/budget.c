/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts steps and bytes against limits in proportion to a file. */
#include <budget/budget.h>

static uint64_t limit(uint64_t min, uint64_t per_byte, uint64_t len)
{
    return len > (UINT64_MAX - min) / per_byte ? UINT64_MAX : min + len * per_byte;
}

void budget_open(struct budget *budget, uint64_t len, bool (*stop)(void))
{
    *budget = (struct budget){
        .work = limit(BUDGET_WORK_MIN, BUDGET_WORK_PER_BYTE, len),
        .bytes = limit(BUDGET_BYTES_MIN, BUDGET_BYTES_PER_BYTE, len),
        .stop = stop,
        .entry = 1,
    };
    budget->work_max = budget->work;
}

bool budget_asked_to_stop(const struct budget *budget)
{
    return budget->stop && budget->stop();
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void refill(struct budget *budget)
{
    uint64_t used = budget_used(budget);
    uint64_t done = budget->stopped ? least(used, budget->begun) : used;
    uint64_t again = least(budget->dropped, BUDGET_WORK_AGAIN);

    budget->begun = done - least(done, BUDGET_WORK_REFILL + again);
    budget->dropped = least(budget->dropped - again, budget->begun);
    budget->work += used - budget->begun;
}

void budget_drop(struct budget *budget, uint64_t steps)
{
    uint64_t used = budget_used(budget);

    budget->dropped = steps < used ? least(budget->dropped + steps, used) : used;
}

bool budget_resume(struct budget *budget)
{
    refill(budget);
    budget->stopped = budget_asked_to_stop(budget);
    if (budget->stopped) {
        budget->work += budget->credit;
        budget->credit = 0;
    }
    return !budget_is_over(budget);
}

bool budget_pause(struct budget *budget, uint64_t steps)
{
    budget->work += budget->credit;
    budget->credit = 0;
    if (budget_is_over(budget))
        return false;
    budget->stopped = budget_asked_to_stop(budget);
    if (budget->stopped)
        return false;
    budget->spent = steps >= budget->work;
    budget->work -= budget->spent ? budget->work : steps;
    budget->credit = budget->work < BUDGET_ASK_EVERY ? budget->work : BUDGET_ASK_EVERY;
    budget->work -= budget->credit;
    return !budget->spent;
}

void budget_refuse(struct budget *budget)
{
    budget->spent = true;
    budget->work += budget->credit;
    budget->credit = 0;
}

bool budget_take(struct budget *budget, uint64_t bytes)
{
    if (bytes > budget->bytes)
        budget_refuse(budget);
    else if (!budget->spent)
        budget->bytes -= bytes;
    return !budget->spent;
}

void budget_give(struct budget *budget, uint64_t bytes)
{
    budget->bytes += bytes;
}
