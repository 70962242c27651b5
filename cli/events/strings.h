/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings and structures of a target that runs. */
#ifndef EVENTS_STRINGS_H
#define EVENTS_STRINGS_H

#include <symbol/symtab.h>
#include <target/watch_trace.h>
#include <trace/points.h>

/* Strings and structures that are read for the events of one reading: each takes at most two reads.
 */
#define STRINGS_MAX 16

/* Gives the points the string that is at addr now, as TRACE_NOW or TRACE_GONE, if they do not have
 * it and *left, which counts down, is not 0. symtab is the target's. Returns false if memory runs
 * out.
 */
bool strings_read(const struct watch *watch, const struct symtab *symtab,
                  struct trace_points *points, uint64_t addr, unsigned *left);

/* The same with len bytes of a structure, as TRACE_CONTENT_NOW, if the points have fewer of them.
 */
bool contents_read(const struct watch *watch, const struct symtab *symtab,
                   struct trace_points *points, uint64_t addr, size_t len, unsigned *left);

/* Gives the points the bytes of a structure, TRACE_STRUCTURE at most, as a name of a type. Returns
 * false if memory runs out. */
bool contents_add(struct trace_points *points, uint32_t type, uint64_t addr, const uint8_t *bytes,
                  size_t len);

#endif
