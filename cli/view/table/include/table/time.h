/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as people and programs read them. */
#ifndef TABLE_TIME_H
#define TABLE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Local time and its offset: "2026-11-21 21:42:37 +01:00"; for programs
 * "2026-11-21T21:42:37+01:00".
 * "": not known. */
void view_time(int64_t time_ns, bool program, char *text, size_t capacity);

#endif
