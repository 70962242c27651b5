/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of frames, and what headers of screens and of pipes share. */
#ifndef SCREEN_FRAME_LINES_H
#define SCREEN_FRAME_LINES_H

#include <base/text.h>
#include <screen/frame.h>

/* Between two columns. */
#define FRAME_GAP 2

/* Percent of late samples that are worth a word. */
#define LATE_MIN 0.05

/* Adds the text, clipped to width cells and without blanks at its end; it is freed. false: no
 * memory. */
bool frame_add_text(struct view_frame *frame, enum view_style style, struct text *text,
                    unsigned width, size_t row) __attribute__((warn_unused_result));

/* The same of a text that has nothing unsafe in it. */
bool frame_add_clean(struct view_frame *frame, enum view_style style, struct text *text,
                     unsigned width, size_t row) __attribute__((warn_unused_result));

/* As people count: "12.3 s", "5 min", "7 h", "12 days", "3 years". */
void frame_show_age(double age_s, int digits, char *text, size_t capacity);

/* Events a second of the last interval that were not lost; < 0: not known. */
double frame_rate(const struct profile *profile);

/* "lost 12", and how many a second, if any was in the last interval. */
void frame_show_lost(const struct profile *profile, char *text, size_t capacity);

/* "rows 8 of 256": those with hits, and how many the target's table has, if that is known. "" for a
 * stream and a histogram. */
void frame_show_rows(const struct profile *profile, char *text, size_t capacity);

/* "996/s of 1000 Hz, jittered"; "": nothing is known. */
void frame_show_rate(const struct profile *profile, char *text, size_t capacity);

/* "halts 3, 27.1 ms (0.5% of time)", of one look "halts 3, 27.1 ms of 27.4 ms connected"; brief:
 * without the milliseconds. */
/* "stacks cut 0.4%"; "": no callers were sampled. */
void frame_show_cut(const struct profile *profile, char *text, size_t capacity);

void frame_show_halts(const struct view_status *status, bool brief, char *text, size_t capacity);

/* "stub ~0.2%": the part of the core's time that its samples take. "" if it is not known. */
void frame_show_stub(const struct view_status *status, const struct profile *profile, char *text,
                     size_t capacity);

/* Writes what to do if the rows do not have what they are grouped by, or if many hits were lost.
 * Returns false if there is nothing to do. */
bool frame_advice(const struct view_status *status, const struct view_rows *rows,
                  char text[VIEW_REMEDY_TEXT]);

/* "-- interrupts 12.1% of samples ----", over the whole width: the title of a section of rows, and
 * what else is to be said of it. false: no memory. */
bool frame_add_section(struct view_frame *frame, const struct view_layout *layout, size_t section,
                       double share, const char *unit, const char *rest)
    __attribute__((warn_unused_result));

/* Percent of samples that came late; < 0: not worth a word. */
double frame_late_percent(const struct profile *profile);

/* The share at the right end of bars. */
double frame_top_share(const struct view_rows *rows);

#endif
