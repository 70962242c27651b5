/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks of sleep carry the time of a clock of 32 bits, whose rate is their point's callee. */
#include <trace/sleep.h>

#include <stdio.h>

double trace_sleep_take(struct trace_sleeper *sleeper, const struct trace_point *point,
                        const struct trace_event *event)
{
    const struct trace_sleeper before = *sleeper;
    uint32_t time = (uint32_t)event->arguments[0];

    *sleeper = (struct trace_sleeper){.asleep = point->sleep == TRACE_ASLEEP && point->callee != 0,
                                      .since = time};
    if (point->sleep != TRACE_AWAKE || !before.asleep || point->callee == 0)
        return -1;
    return (double)(uint32_t)(time - before.since) / (double)point->callee;
}

void trace_sleep_text(char text[TRACE_SLEEP_TEXT], enum trace_sleep sleep, double seconds)
{
    if (sleep == TRACE_ASLEEP)
        snprintf(text, TRACE_SLEEP_TEXT, "asleep");
    else if (seconds >= 0)
        snprintf(text, TRACE_SLEEP_TEXT, "awake after %.6f s", seconds);
    else
        snprintf(text, TRACE_SLEEP_TEXT, "awake after an unknown time");
}
