/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that outlive where they came from, each kept once. */
#ifndef BASE_STRING_POOL_H
#define BASE_STRING_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a text, from 1 in the order in which they came: equal texts have equal numbers. 0:
 * no text. */
typedef uint32_t string_pool_id;

struct string_pool;

/* NULL: no memory. */
struct string_pool *string_pool_new(void);
void string_pool_free(struct string_pool *pool);

/* The number of a copy of text (of its first len bytes, at most to a NUL among them); 0 if text is
 * NULL or memory runs out, and from then on. */
string_pool_id string_pool_add(struct string_pool *pool, const char *text);
string_pool_id string_pool_add_part(struct string_pool *pool, const char *text, size_t len);

/* The text, which lives as long as the pool; of 0, NULL. */
const char *string_pool_text(const struct string_pool *pool, string_pool_id id);

/* How many texts there are: the largest number. */
size_t string_pool_count(const struct string_pool *pool);

/* Whether there was no memory for some text. */
bool string_pool_failed(const struct string_pool *pool);

#endif
