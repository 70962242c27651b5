/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that outlive where they came from, each kept once. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a text, in the order in which they came: equal texts have equal numbers. 0: no
 * text. */
typedef uint32_t pool_id;

struct pool;

/* NULL: no memory. */
struct pool *pool_new(void);
void pool_free(struct pool *pool);

/* The number of a copy of text (of its first len bytes); of NULL, and when there is no memory, 0.
 */
pool_id pool_add(struct pool *pool, const char *text);
pool_id pool_add_part(struct pool *pool, const char *text, size_t len);

/* The text, which lives as long as the pool; of 0, NULL. */
const char *pool_text(const struct pool *pool, pool_id id);

/* Whether there was no memory for some text. */
bool pool_failed(const struct pool *pool);

#endif
