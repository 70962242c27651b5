/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pool of strings: keeps one copy of each, and gives it a number. */
#ifndef BASE_STRING_POOL_H
#define BASE_STRING_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a string in a pool, from 1 in the order of their first use. Equal strings have
 * equal numbers. 0 is no string. */
typedef uint32_t string_pool_id;

struct string_pool;

/* Creates an empty pool, which the caller frees. Returns NULL if memory runs out. */
struct string_pool *string_pool_new(void);
/* Frees a pool and its strings. NULL is allowed. */
void string_pool_free(struct string_pool *pool);

/* Return the number of a string, which is copied if it is new. string_pool_add_part() takes at most
 * len bytes of text, up to a NUL. Return 0 if text is NULL. If memory runs out they return 0, then
 * and in all later calls. */
string_pool_id string_pool_add(struct string_pool *pool, const char *text);
string_pool_id string_pool_add_part(struct string_pool *pool, const char *text, size_t len);

/* Returns the string of a number, which lives as long as the pool; NULL for 0. */
const char *string_pool_text(const struct string_pool *pool, string_pool_id id);

/* Returns the number of different strings, which is the largest number in use. */
size_t string_pool_count(const struct string_pool *pool);

/* Whether memory ran out. */
bool string_pool_failed(const struct string_pool *pool);

#endif
