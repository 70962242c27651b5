/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zooming into a row of a live ranking: a function from inside, and who calls it. */
#ifndef LIVE_ZOOM_H
#define LIVE_ZOOM_H

#include <screen/frame.h>
#include <target/watch.h>

struct zoom;

/*
 * Opens the function of a row of the watch's ELF, or the one that holds its line or address; cold
 * parts of it that stand elsewhere belong to it. The source lines are there at once, the
 * instructions come from a gdb in the background. NULL: text (capacity bytes) says in one line why
 * not: the row is of no function, or names are not believed.
 */
struct zoom *zoom_open(const struct watch *watch, const struct view_row *row, char *text,
                       size_t capacity);

/* Ends what goes on in the background at once; NULL does nothing. */
void zoom_close(struct zoom *zoom);

/*
 * New numbers: due after each watch_poll(), since that may have loaded the ELF again and everything
 * that was known of the old one is gone, and when zoom_fd() is readable. profile is what is shown:
 * the watch's, or a part of its time. While callers and callees are shown, and the target counts
 * arcs and is not halted for reading them, they are read at most once a second, with signals held.
 * false: no memory; the zoom is to be closed then.
 */
bool zoom_update(struct zoom *zoom, const struct watch *watch, const struct profile *profile)
    __attribute__((warn_unused_result));

/* layout.height lines of layout.width cells, as view_zoom_frame() makes them. layout.first and
 * layout.selected are lines of the panel, and so are all lines below. false: no memory. */
bool zoom_frame(struct zoom *zoom, const struct view_layout *layout, struct view_frame *frame)
    __attribute__((warn_unused_result));

/* Readable when the background has news; -1: there is none. */
int zoom_fd(const struct zoom *zoom);

/* Source and instructions, callers and callees, and again. */
void zoom_next_panel(struct zoom *zoom);

/* After zoom_update() or zoom_next_panel(): where the cursor belongs now that was on that line
 * before: on the same instruction, or line of the source; in another panel, and when callers and
 * callees come late, on the function or its hottest line. The same line where nothing moved. */
size_t zoom_follow(struct zoom *zoom, size_t line);

/* For an editor: the path of the source file as it was found, and the line in it. false: there is
 * none, or it was not found. */
bool zoom_place(const struct zoom *zoom, size_t line, const char **file, unsigned *number);

/* The hottest line, with VIEW_NO_ROW or a cold line; behind a hot one the next less hot one, and
 * behind the last one the hottest again. Instructions where they are there, else source lines.
 * VIEW_NO_ROW: none is hot. */
size_t zoom_hottest(const struct zoom *zoom, size_t after);

/* The function that a line of callers and callees, or a call or a jump out of the function, names,
 * as a row that zoom_open() takes. false: none that is another one, and *row is untouched. */
bool zoom_target_row(const struct zoom *zoom, size_t line, struct view_row *row);

#endif
