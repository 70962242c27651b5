/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile to compare the live one with. It stays valid when the firmware is replaced. */
#ifndef LIVE_BASELINE_H
#define LIVE_BASELINE_H

#include <screen/change_screen.h>
#include <target/watch.h>

/* The base of a comparison: a profile with its names, and the last comparison. */
struct baseline;

/* Makes a base of the profile that is shown, with the names of watch; copies both. The caller frees
 * it with baseline_free(). On failure returns NULL and writes one line to text. */
struct baseline *baseline_take(const struct watch *watch, const struct profile *profile, char *text,
                               size_t capacity);

/* Makes a base of a snapshot file; "@1" and "@BUILD" are files in the folder options->store. The
 * caller frees it with baseline_free(). On failure returns NULL and writes one line to text. */
struct baseline *baseline_load(const struct options *options, const char *path, char *text,
                               size_t capacity);

/* Frees a base. NULL is allowed. */
void baseline_free(struct baseline *baseline);

/* Sets the part of one CPU's time that comparing may take, from 0 (exclusive) to 1; 0.01 by
 * default. With many rows, new counts are then not compared for each frame. A change of the names
 * or of the options is always compared at once. 1: compares for each frame. */
void baseline_set_effort(struct baseline *baseline, double part);

/* Returns when the base was taken, "14:03:07", or the name of its file. Lives as long as the base.
 */
const char *baseline_name(const struct baseline *baseline);

/*
 * Builds a screen of changes: the header with the result as its message, the rows in the order of
 * options->change_sort, whose indices are those for the cursor, and the footer. now is the profile
 * that is shown without a base; only what was counted after the base was taken is compared.
 *
 * The caller frees *frame with view_frame_free(). On failure returns false and writes one line to
 * text; *frame is unchanged then.
 */
bool baseline_frame(struct baseline *baseline, const struct watch *watch, const struct profile *now,
                    const struct options *options, const struct view_layout *layout,
                    struct view_frame *frame, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Returns all rows of the last frame, which are valid until the next one. Returns NULL if none was
 * built. */
const struct view_changes *baseline_changes(const struct baseline *baseline);

#endif
