/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of other programs, written by hand and not by the encoder. */
#ifndef FOREIGN_CHECKS_H
#define FOREIGN_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot_checks.h"

struct message {
    uint8_t bytes[4096];
    size_t len;
};

/* Fields of a message of pprof: by their number, and those of a profile. Names and units are
 * numbers of strings; leaf and caller are those of locations, inner and outer of functions; outer
 * 0: nothing is inlined. */
void add_number(struct message *m, unsigned field, uint64_t value);
void add_message(struct message *m, unsigned field, const struct message *from);
void add_string(struct message *m, const char *text);
void add_type(struct message *m, uint64_t name, uint64_t unit);
void add_sample(struct message *m, bool packed, uint64_t leaf, uint64_t caller, uint64_t value);
void add_location(struct message *m, uint64_t id, uint64_t addr, uint64_t inner, uint64_t outer);
void add_function(struct message *m, uint64_t id, uint64_t name);

/* Three functions, ids that are far apart; addr 0: a profile without addresses. */
struct message make_pprof(bool packed, uint64_t addr);

/* A number of gmon.out with so many bytes. */
void add_int(struct message *m, bool big, unsigned size, uint64_t value);

/* A gmon.out whose addresses have so many bytes, with one arc or none. */
struct message make_gmon(bool big, unsigned size, uint64_t low, uint64_t high, unsigned buckets,
                         bool arcs);

/* It is no snapshot: one line says why. */
void check_refused(const struct message *m, const char *why);

#endif
