/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and prints JSON, the same for all objects of --format json. */
#ifndef TABLE_JSON_PARTS_H
#define TABLE_JSON_PARTS_H

#include <jansson.h>
#include <stdint.h>

/* Return a new string; the caller owns it. json_text() returns null for NULL and "", which are not
 * known, and replaces bytes that are not UTF-8 by '?'. json_time() returns local time in ISO 8601
 * for ns since 1970, and null for 0. Return NULL if memory runs out. */
json_t *json_text(const char *text);
json_t *json_time(int64_t time_ns);

/* Prints an object like json_dumps(), with control characters and hidden characters (utf8_shown())
 * escaped. The caller frees the result with free(). Returns NULL if memory runs out or object is
 * NULL. */
char *json_print(const json_t *object, size_t flags);

/* Prints an object on one line without a newline, and frees the object. The caller frees the result
 * with free(). Returns NULL if memory runs out. */
char *json_line(json_t *object);

#endif
