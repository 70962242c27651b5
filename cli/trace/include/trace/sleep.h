/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a core has slept, by the marks of that (enum trace_sleep). */
#ifndef TRACE_SLEEP_H
#define TRACE_SLEEP_H

#include <trace/event.h>

/* Bytes of what is said of a mark. */
#define TRACE_SLEEP_TEXT 48

/* A core. Zeroed: it is not known to sleep. Zero it also when its events are lost, or its clock is
 * another one. */
struct trace_sleeper {
    bool asleep; /* since then, by the clock that goes on */
    uint32_t since;
};

/* Takes an event of the core whose point is a mark of sleep. Returns how long the core has slept if
 * it has woken up, in seconds; less than 0: not known, or it goes to sleep. */
double trace_sleep_take(struct trace_sleeper *sleeper, const struct trace_point *point,
                        const struct trace_event *event);

/* Writes "asleep", "awake after 0.000191 s" or "awake after an unknown time". seconds is what
 * trace_sleep_take() returned. */
void trace_sleep_text(char text[TRACE_SLEEP_TEXT], enum trace_sleep sleep, double seconds);

#endif
