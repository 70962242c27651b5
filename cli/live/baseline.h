/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile to compare the live one with, whatever becomes of the firmware that it is of. */
#ifndef LIVE_BASELINE_H
#define LIVE_BASELINE_H

#include <screen/change_screen.h>
#include <target/watch.h>

struct baseline;

/* The profile that is shown becomes the base, with its names. NULL: text says why not. */
struct baseline *baseline_take(const struct watch *watch, const struct profile *profile, char *text,
                               size_t capacity);

/* A snapshot file becomes the base; "@1" and "@BUILD" are those in the folder of options->store
 *. NULL: text says why not. */
struct baseline *baseline_load(const struct options *options, const char *path, char *text,
                               size_t capacity);
void baseline_free(struct baseline *baseline);

/* The part of a core that reckoning what changed may take: with many functions, numbers are then
 * not reckoned anew with each frame, but names and what is asked for are at once. At first 0.01; 1:
 * with each frame. */
void baseline_set_effort(struct baseline *baseline, double part);

/* When it was taken, "14:03:07", or its file's name. */
const char *baseline_name(const struct baseline *baseline);

/*
 * A screen that says what changed: the header, the headline as its message, rows in the order of
 * options->change_sort with numbers of their own for the cursor, the keys. now is what is shown
 * without a base; of it, only what was counted after the base was taken is compared. It is reckoned
 * anew only where the numbers, the names or what is asked for changed, see baseline_set_effort().
 * false: text says why not, *frame is untouched; else to be freed with view_frame_free().
 */
bool baseline_frame(struct baseline *baseline, const struct watch *watch, const struct profile *now,
                    const struct options *options, const struct view_layout *layout,
                    struct view_frame *frame, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* All rows of the last frame; NULL: there was none. Until the next frame. */
const struct view_changes *baseline_changes(const struct baseline *baseline);

#endif
