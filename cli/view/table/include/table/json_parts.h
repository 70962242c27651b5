/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all objects of --format json are made of. */
#ifndef TABLE_JSON_PARTS_H
#define TABLE_JSON_PARTS_H

#include <jansson.h>
#include <stdint.h>

/* null for NULL and "", which are not known; of what is no UTF-8, '?' for each wrong byte. */
json_t *json_text(const char *text);
/* Local time as ISO 8601 has it; null for 0. */
json_t *json_time(int64_t time_ns);

/* As json_dumps(), with nothing in it that a terminal obeys or that turns a line around: that is
 * escaped. To be freed; NULL: no memory, or object is NULL. */
char *json_print(const json_t *object, size_t flags);

/* The object, which is taken, on one line without an end, to be freed; NULL: no memory. */
char *json_line(json_t *object);

#endif
