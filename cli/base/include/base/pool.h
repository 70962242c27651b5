/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that outlive where they came from, each kept once. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a text, from 1 in the order in which they came: equal texts have equal numbers. 0:
 * no text. */
typedef uint32_t pool_id;

struct pool;

/* NULL: no memory. */
struct pool *pool_new(void);
void pool_free(struct pool *pool);

/* The number of a copy of text (of its first len bytes, at most to a NUL among them); 0 if text is
 * NULL or memory runs out, and from then on. */
pool_id pool_add(struct pool *pool, const char *text);
pool_id pool_add_part(struct pool *pool, const char *text, size_t len);

/* The text, which lives as long as the pool; of 0, NULL. */
const char *pool_text(const struct pool *pool, pool_id id);

/* How many texts there are: the largest number. */
size_t pool_count(const struct pool *pool);

/* Whether there was no memory for some text. */
bool pool_failed(const struct pool *pool);

#endif
