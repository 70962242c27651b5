/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An annotated function of a live profile: its source and instructions, its callers and callees. */
#ifndef LIVE_ZOOM_H
#define LIVE_ZOOM_H

#include <ranking/annotate.h>
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
 * its time. Callers and callees are those of zoom_take_arcs(). Does not use the link. Returns false
 * if memory runs out; the caller then closes the zoom.
 */
bool zoom_update(struct zoom *zoom, struct watch *watch, const struct profile *profile)
    __attribute__((warn_unused_result));

/* Stores the address and size of each part of the function, for focus_begin(): zoom_update() shows
 * what a focus of the watch has counted. Returns the number of parts, 0 if none is needed. */
size_t zoom_focus_parts(const struct zoom *zoom, const struct profile *profile,
                        struct symtab_function parts[ANNOTATE_PARTS_MAX]);

/* Reads the target's arcs, with a sampler of its own. The caller frees it with zoom_arcs_free(),
 * which may be given NULL; NULL: out of memory. */
struct zoom_arcs;
struct zoom_arcs *zoom_arcs_new(void);
void zoom_arcs_free(struct zoom_arcs *arcs);

/* Whether the arcs should be read: callers and callees are shown, profile has none, and they were
 * not read within the last second. */
bool zoom_wants_arcs(const struct zoom *zoom, const struct profile *profile);

/* Reads the arcs of a session's target, if that needs no halt. No other thread may use the session
 * or arcs meanwhile. */
void zoom_arcs_read(struct zoom_arcs *arcs, const struct session *session);

/* Copies what zoom_arcs_read() has read, for the next zoom_update(). Returns false if memory runs
 * out. */
bool zoom_take_arcs(struct zoom *zoom, const struct zoom_arcs *arcs)
    __attribute__((warn_unused_result));

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
 * function or its hottest line. The first hits take it to the hottest line, if nobody has moved it
 * from where this has put it; so begin with line 0. */
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
