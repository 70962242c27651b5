/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene to make screens of, and what holds for every screen. */
#ifndef SCREEN_CHECKS_H
#define SCREEN_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame_checks.h"

#define ROWS_MAX 400

/* A screen and all that it is made from. */
struct scene {
    struct view_layout layout;
    struct view_status status;
    struct profile profile;
    struct view_row row[ROWS_MAX];
    char names[ROWS_MAX][40];
    struct view_rows rows;
    struct view_usage usage;
};

/* The keys of a screen's last line. */
#define SCENE_HINTS 9
extern const struct view_key_hint scene_hints[SCENE_HINTS];

/* A row with that many of all hits, and all numbers that follow from them. */
struct view_row make_row(const char *function, const char *file, unsigned line, uint64_t hits,
                         uint64_t all);

/* A live screen of six rows, of which row 0 is idle and row 3 is a handler. */
void make_scene(struct scene *s, unsigned width, unsigned height);

/* The caller frees it with view_frame_free(). */
struct view_frame frame_of(struct scene *s);

/* Gives the scene a minute in which the hits of the rows rise, fall, come and go. The caller frees
 * it with sparklines_free(). */
struct sparklines *make_past(struct scene *s);

/* The line of a row, NULL if it is not on the screen. */
const struct view_line *line_of(const struct view_frame *frame, size_t row);

/* Checks what holds for every screen: its size, its rows, its cursor, its styles. */
void check_frame(const struct scene *s, const struct view_frame *frame);

/* Builds the scene's frame, checks it with check_frame(), and returns the first row shown. */
size_t show(struct scene *s);

#endif
