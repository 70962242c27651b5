/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of snapshots share: a program that is made up, and profiles of it. */
#ifndef SNAPSHOT_CHECKS_H
#define SNAPSHOT_CHECKS_H

#include <ranking/rows.h>
#include <snapshot/snapshot.h>

/* Names of a program at 0x1000: functions of all sizes that meet inside blocks, with code from
 * another file in some, padding, two functions of one name, and some without lines. */
struct symbol_naming checks_naming(void);

/* A number that only depends on *seed, which goes on. */
uint32_t checks_random(uint32_t *seed);

/* A profile of that program, of random hits; to be freed by profile_free(). */
struct profile checks_profile(uint32_t seed, unsigned block_size, bool arcs);

struct snapshot *checks_make(const struct profile *profile, const char *target);
struct snapshot *checks_read(const void *bytes, size_t len);

/* That it is the same in a file: *copy is what was read back. */
struct snapshot *checks_copy(const struct snapshot *s);
bool checks_same(const struct snapshot *a, const struct snapshot *b);

/* That both give the same rows; grouped in all ways. */
void checks_rows_by(enum view_by by, const struct profile *a, const struct symbol_naming *names_a,
                    const struct profile *b, const struct symbol_naming *names_b);
void checks_rows(const struct profile *a, const struct symbol_naming *names_a,
                 const struct profile *b, const struct symbol_naming *names_b);
struct profile checks_back(const struct snapshot *s, const char *type);

#endif
