/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A watched target that runs the older of two real builds, and counts hits in four of its
 * functions. */
#ifndef BASELINE_CHECKS_H
#define BASELINE_CHECKS_H

#include <base/say.h>
#include <options/option_table.h>
#include <target/time_range.h>

#include "baseline.h"

#include "fake_counts.h"

#define FUNCTIONS 4 /* alpha, beta, gamma and delta */
#define NEWER     COMMAND_FILES "/newer.elf"

struct target {
    struct options options;
    struct watch watch;
    struct time_range range;
    struct fake_counts counts;
    char folder[40];
    char text[WATCH_TEXT];
};

/* What cmocka calls before and after each test: *state is a struct target with an empty folder. */
int setup_target(void **state);
int teardown_target(void **state);

#define TARGET_TEST(name) cmocka_unit_test_setup_teardown(name, setup_target, teardown_target)

/* Another build is on the disk and in the flash. The target has started, with empty rows. */
void flash(struct target *t, const char *path);
void restart(struct target *t, uint32_t boot);

/* The target has counted so many more hits in each function, and was polled. */
void count_hits(struct target *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

uint64_t addr_of(const struct symtab *symtab, const char *name);
const struct profile *shown(const struct target *t);

/* A base of what is shown, which is compared at every frame. Free it with baseline_free(). */
struct baseline *take_base(struct target *t);

/* What a frame compares, or NULL. */
const struct view_changes *compare(struct target *t, struct baseline *b);

/* The hits that are compared on either side. */
void assert_sides(const struct view_changes *c, uint64_t base, uint64_t now);

#endif
