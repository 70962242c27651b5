/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes times. */
#ifndef TABLE_TIME_H
#define TABLE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a time, ns since 1970, as local time with its offset: "2026-11-21 21:42:37 +01:00", or
 * with program in ISO 8601: "2026-11-21T21:42:37+01:00". Writes "" if it is 0, which is not known.
 */
void view_time(int64_t time_ns, bool program, char *text, size_t capacity);

/* Writes a duration with three digits after the point of a fitting unit: "3.250 us"; without
 * seconds, ticks. "-" if it is less than 0: not known. */
void view_duration(double time, bool seconds, char *text, size_t capacity);

#endif
