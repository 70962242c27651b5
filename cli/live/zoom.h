/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An annotated function of a live profile: its source and instructions, its callers and callees. */
#ifndef LIVE_ZOOM_H
#define LIVE_ZOOM_H

#include <screen/frame.h>
#include <target/watch.h>

/* The function, its numbers, and the gdb that disassembles it. */
struct zoom;

/*
 * Opens the function of a row, or the one that contains the row's line or address, with its cold
 * part. Source lines can be shown at once; a gdb in the background reads the instructions. watch
 * must live as long as the zoom, and the row is copied. The caller closes it with zoom_close(). If
 * the row has no function, or the ELF file is not what the target runs, returns NULL and writes one
 * line to text.
 */
struct zoom *zoom_open(struct watch *watch, const struct view_row *row, char *text,
                       size_t capacity);

/* Ends the gdb and frees the zoom. NULL is allowed. */
void zoom_close(struct zoom *zoom);

/*
 * Takes new numbers. Must be called after each watch_poll(), which may load the ELF file again, and
 * when zoom_fd() is readable. profile is the one that is shown: the watch's, or that of a part of
 * its time. While callers and callees are shown, reads the target's arcs at most once a second, if
 * that needs no halt; signals are held meanwhile. Returns false if memory runs out; the caller then
 * closes the zoom.
 */
bool zoom_update(struct zoom *zoom, struct watch *watch, const struct profile *profile)
    __attribute__((warn_unused_result));

/* Points the stub's focus at the function, if the stub has one: zoom_update() then shows what it
 * has counted. Returns a status, and prints a message on failure. Signals must be held. */
int zoom_focus(const struct zoom *zoom, struct watch *watch);

/* Builds a frame of layout->height lines and layout->width cells. layout->first and
 * layout->selected are indices of lines of the panel that is shown, as are all lines in this file.
 * The caller frees *frame with view_frame_free(). Returns false if memory runs out. */
bool zoom_frame(struct zoom *zoom, const struct view_layout *layout, struct view_frame *frame)
    __attribute__((warn_unused_result));

/* Returns a descriptor that is readable when the gdb has answered, or -1 if none is running. */
int zoom_fd(const struct zoom *zoom);

/* Switches between source with instructions, and callers with callees. */
void zoom_next_panel(struct zoom *zoom);

/* Returns what zoom_next_panel() would show, for the footer: "callers" or "code", a constant. */
const char *zoom_next_panel_name(const struct zoom *zoom);

/* Returns where the cursor belongs after zoom_update() or zoom_next_panel(), if it was on line
 * before: on the same instruction or source line, or, if the panel or its contents are new, on the
 * function or its hottest line. */
size_t zoom_follow(struct zoom *zoom, size_t line);

/* Stores the path of the source file that was found, borrowed from the zoom, and the number of the
 * line in it, for an editor. Returns false if the line has none or the file was not found. */
bool zoom_place(const struct zoom *zoom, size_t line, const char **file, unsigned *number);

/* Returns the hottest line if after is VIEW_NO_ROW or a line that is not hot, otherwise the next
 * less hot one; after the last one, the hottest again. Lines are instructions, or source lines if
 * there are no instructions. Returns VIEW_NO_ROW if none is hot. */
size_t zoom_hottest(const struct zoom *zoom, size_t after);

/* Stores the function that a line refers to, as a row for zoom_open(): a caller or callee, or the
 * target of a call or a jump out of the function. Returns false, and leaves *row unchanged, if
 * there is none. */
bool zoom_target_row(const struct zoom *zoom, size_t line, struct view_row *row);

#endif
