/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A frame: one refresh as lines of text, for a screen of any size or for a pipe.
 *
 * A frame knows no terminal: its lines have styles, which cli/live/ turns into colours, and which a
 * pipe ignores. A column is a cell of the terminal: a wide character takes two.
 */
#ifndef SCREEN_FRAME_H
#define SCREEN_FRAME_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ranking/usage.h>
#include <table/ranking_columns.h>
#include <table/status.h>

/* The style of a line or a part of it: what the text is, not which colour it has. */
enum view_style {
    VIEW_STYLE_NORMAL,
    VIEW_STYLE_DIM,
    VIEW_STYLE_TITLE,   /* the first line */
    VIEW_STYLE_HEADING, /* headings of columns */
    VIEW_STYLE_WARNING,
    VIEW_STYLE_ALARM, /* red */
    VIEW_STYLE_ROW,
    VIEW_STYLE_WORSE,  /* a row that became slower, red */
    VIEW_STYLE_BETTER, /* a row that became faster, green */
    VIEW_STYLE_FOOTER,
    VIEW_STYLE_SECTION, /* the title of a group of rows */
    VIEW_STYLE_BAR,     /* this and the following ones are for parts of lines */
    VIEW_STYLE_HOT,
    VIEW_STYLE_WARM,
    VIEW_STYLE_KEY,   /* the name of a key */
    VIEW_STYLE_MATCH, /* what was searched */
    VIEW_STYLE_SOURCE,
    VIEW_STYLE_INLINE,
};

/* A part of a line with a style of its own. */
struct view_span {
    unsigned column, cells; /* its first cell, from 0 on, and its width */
    enum view_style style;
};

/* The row of a line that is not a row. */
#define VIEW_NO_ROW SIZE_MAX

/* One line. Cells that no span covers have the style of the line. */
struct view_line {
    enum view_style style;
    char *text;              /* owned; UTF-8 without newlines and control characters */
    struct view_span *spans; /* owned; from left to right, without overlaps */
    size_t span_count, span_capacity;
    size_t row;    /* index in view_rows or in another list that is shown, or VIEW_NO_ROW */
    bool selected; /* the cursor is on this line */
};

/* Where the heading of a column is, so that a click on it can sort. */
struct view_title {
    unsigned column, cells; /* its first cell, from 0 on, and its width */
    const struct view_column *what;
};

/* The lines. Zeroed memory is an empty frame; view_frame_free() frees it. */
struct view_frame {
    struct view_line *lines; /* owned */
    size_t count, capacity;
    /* Of rows on a screen: the first one shown, the number shown, and the number of all. */
    size_t first, shown, total;
    size_t heading; /* index of the line of headings; SIZE_MAX: there is none */
    struct view_title titles[VIEW_FIELDS_MAX];
    size_t title_count;
};

/* A key in the footer: "s", "sort". Both strings are borrowed. */
struct view_key_hint {
    const char *key, *label;
};

/* How to build a frame. All is borrowed for a call. */
struct view_layout {
    unsigned width;                   /* cells; no line is wider */
    unsigned height;                  /* lines of a screen */
    size_t limit;                     /* largest number of rows, 0: all; not for a screen */
    const struct view_fields *fields; /* NULL, on a screen: those for its width */
    bool spare_fields;                /* the user did not ask for these columns: some are left
                                       * out before names are cut */
    const char *footer;               /* last line of a screen, if hints is NULL; NULL: none */
    bool screen; /* the frame is for a live screen, else for a pipe: then only width, limit, fields,
                  * spare_fields, by and sparklines are used */
    bool ascii;  /* write only ASCII */
    enum view_by by;                /* grouping of the rows */
    size_t first;                   /* the row on top, in the order of the screen */
    size_t selected;                /* index of the row under the cursor, or VIEW_NO_ROW */
    const struct view_column *sort; /* column to mark in the headings; NULL: none */
    bool reversed;                  /* rows are sorted in reverse order */
    const char *search; /* text to mark in names; without capitals, case is ignored. NULL: none */
    const regex_t *pattern;              /* regular expression to mark in names; NULL: none */
    const struct sparklines *sparklines; /* NULL: not known */
    const struct view_usage *usage;      /* for the CPU line; NULL: none */
    const char *time_range;              /* what the counts cover: "since reset"; NULL: nothing */
    const struct view_key_hint *hints;   /* keys for the footer; NULL: footer */
    size_t hint_count;
};

/*
 * Builds a frame: header, headings, and rows in their order, with interrupt handlers and idle
 * functions in sections at the end. Rows beyond the limit, or without room in a section, are
 * counted in a line "N others". A frame for a screen has exactly height lines, and the row under
 * the cursor is always in it: first is changed for that.
 *
 * The caller frees *frame with view_frame_free(). Returns false if memory runs out; *frame is
 * unchanged then.
 */
bool view_frame_build(const struct view_layout *layout, const struct view_status *status,
                      const struct profile *profile, const struct view_rows *rows,
                      struct view_frame *frame) __attribute__((warn_unused_result));
/* Frees the lines. The frame is empty afterwards. */
void view_frame_free(struct view_frame *frame);

/* Functions that append to a frame. They return false if memory runs out; the caller frees the
 * frame in any case. */

/* Appends a line. Takes text, which is from malloc(), without control characters and not wider than
 * the screen; frees it on failure. */
bool view_frame_add(struct view_frame *frame, enum view_style style, char *text, size_t row)
    __attribute__((warn_unused_result));

/* Appends a text, wrapped at blanks to width cells, in at most lines lines, of which the last one
 * is cut; 0: in as many as it needs. "" is one empty line. */
bool view_frame_wrap(struct view_frame *frame, enum view_style style, const char *text,
                     unsigned width, size_t lines) __attribute__((warn_unused_result));

/* Adds a span to the last line; spans must be added from left to right. Does nothing if cells is 0.
 */
bool view_frame_span(struct view_frame *frame, unsigned column, unsigned cells,
                     enum view_style style) __attribute__((warn_unused_result));

/* Appends the header of a screen: identity, link, counts, CPU and message; a small screen has one
 * line with the most important. rows may be NULL. */
bool view_frame_header(const struct view_layout *layout, const struct view_status *status,
                       const struct profile *profile, const struct view_rows *rows,
                       struct view_frame *frame) __attribute__((warn_unused_result));

/* Appends the footer: those of layout->hints that fit, where the last ones have priority, or
 * layout->footer. */
bool view_frame_footer(const struct view_layout *layout, struct view_frame *frame)
    __attribute__((warn_unused_result));

#endif
