/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of a target that runs. */
#ifndef EVENTS_STRINGS_H
#define EVENTS_STRINGS_H

#include <symbol/symtab.h>
#include <target/watch_trace.h>
#include <trace/points.h>

/* Strings that are read for the events of one reading: each takes at most two reads. */
#define STRINGS_MAX 16

/* Gives the points the string that is at addr now, as TRACE_NOW or TRACE_GONE, if they do not have
 * it and *left, which counts down, is not 0. elf is the target's. Returns false if memory runs out.
 */
bool strings_read(const struct watch *watch, const struct symtab_elf *elf,
                  struct trace_points *points, uint64_t addr, unsigned *left);

#endif
