/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh as lines of text, for a screen of any size or for a pipe. */
#ifndef SCREEN_FRAME_H
#define SCREEN_FRAME_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ranking/usage.h>
#include <table/ranking_columns.h>
#include <table/status.h>

enum view_style {
    VIEW_STYLE_NORMAL,
    VIEW_STYLE_DIM,
    VIEW_STYLE_TITLE,   /* the first line */
    VIEW_STYLE_HEADING, /* titles of columns */
    VIEW_STYLE_WARNING,
    VIEW_STYLE_ALARM, /* red */
    VIEW_STYLE_ROW,
    VIEW_STYLE_WORSE,  /* a row that takes more, red */
    VIEW_STYLE_BETTER, /* one that takes less, green */
    VIEW_STYLE_FOOTER,
    VIEW_STYLE_SECTION, /* the title of a group of rows */
    VIEW_STYLE_BAR,     /* of parts of lines, from here on */
    VIEW_STYLE_HOT,
    VIEW_STYLE_WARM,
    VIEW_STYLE_KEY,   /* what is to be typed */
    VIEW_STYLE_MATCH, /* what was searched for */
    VIEW_STYLE_SOURCE,
    VIEW_STYLE_INLINE,
};

/* Cells of a line that look different from the rest of it. */
struct view_span {
    unsigned column, cells;
    enum view_style style;
};

#define VIEW_NO_ROW SIZE_MAX

struct view_line {
    enum view_style style;
    char *text; /* UTF-8 as it came from the ELF, no newline; control characters are gone */
    struct view_span *spans; /* from left to right, none over another; NULL: none */
    size_t span_count, span_capacity;
    size_t row;    /* which one of the view_rows, or of what else the frame lists; VIEW_NO_ROW */
    bool selected; /* the cursor is on it */
};

/* A heading that can be pointed at. */
struct view_title {
    unsigned column, cells;
    const struct view_column *what;
};

struct view_frame {
    struct view_line *lines;
    size_t count, capacity;
    /* Of rows on a screen: scrolled to; shown; in all. */
    size_t first, shown, total;
    size_t heading; /* the line of the headings; SIZE_MAX: there is none */
    struct view_title titles[VIEW_FIELDS_MAX];
    size_t title_count;
};

/* A key of the footer: "s", "sort". */
struct view_key_hint {
    const char *key, *label;
};

struct view_layout {
    unsigned width;  /* cells; no line is longer */
    unsigned height; /* lines of a screen */
    size_t limit;    /* rows, 0: all that fit; a screen, which scrolls, has no limit */
    const struct view_fields *fields; /* NULL, on a screen: what suits its width */
    bool spare_fields;  /* nobody asked for these fields: some go before names are cut */
    const char *footer; /* last line of a screen, NULL: none */
    bool screen;     /* a live screen of height lines: spans, a cursor, a footer; else lines for a
                      * pipe, and of what follows only by matters */
    bool ascii;      /* nothing beyond ASCII is drawn */
    enum view_by by; /* of the rows */
    size_t first;    /* the first row shown, of the rows as they stand on the screen */
    size_t selected; /* the row that the cursor is on, of view_rows; VIEW_NO_ROW: none */
    const struct view_column *sort; /* marked in the headings; NULL: none */
    bool reversed;                  /* against its own order */
    const char *search; /* marked where it stands in names; small letters are of either case. NULL:
                         * nothing */
    const regex_t *pattern;              /* the same, in its place; NULL: none */
    const struct sparklines *sparklines; /* for the last minute; NULL: not known */
    const struct view_usage *usage;      /* for the CPU line; NULL: none */
    const char *time_range;              /* what the counts cover: "since reset"; NULL: not said */
    const struct view_key_hint *hints; /* the footer: as many as fit, the last two first; NULL: the
                                        * text above */
    size_t hint_count;
};

/*
 * Builds the header, the headings and the rows in their order, handlers of interrupts and what is
 * idle in sections after the other rows. What is beyond the limit, or does not fit into a section
 * of a screen, is counted in a row "N others". On a screen the cursor is always in sight: first is
 * moved for that, and there are exactly height lines. false: no memory, *frame is untouched. Free
 * with view_frame_free().
 */
bool view_frame_build(const struct view_layout *layout, const struct view_status *status,
                      const struct profile *profile, const struct view_rows *rows,
                      struct view_frame *frame) __attribute__((warn_unused_result));
void view_frame_free(struct view_frame *frame);

/*
 * For all who build frames, which are zeroed at first. Adds a line; text (malloc) is taken over and
 * is to be clean and as narrow as the screen. row: what the line stands for. false: no memory, and
 * text is freed.
 */
bool view_frame_add(struct view_frame *frame, enum view_style style, char *text, size_t row)
    __attribute__((warn_unused_result));

/* Adds a text, broken at blanks, in at most this number of lines, of which the last one is cut;
 * lines 0: in all that it needs. An empty text has one line. Returns false if memory runs out. */
bool view_frame_wrap(struct view_frame *frame, enum view_style style, const char *text,
                     unsigned width, size_t lines) __attribute__((warn_unused_result));

/* Gives cells of the last line another style; spans come from left to right. None without cells.
 * false: no memory. */
bool view_frame_span(struct view_frame *frame, unsigned column, unsigned cells,
                     enum view_style style) __attribute__((warn_unused_result));

/* Adds a screen's header alone: identity, link, counts, CPU, message; where the layout's height is
 * small one line of what matters most. rows may be NULL. false: no memory; the frame is to be freed
 * as ever. */
bool view_frame_header(const struct view_layout *layout, const struct view_status *status,
                       const struct profile *profile, const struct view_rows *rows,
                       struct view_frame *frame) __attribute__((warn_unused_result));

/* Adds the footer: layout->hints as far as there is room, or else layout->footer. false as above.
 */
bool view_frame_footer(const struct view_layout *layout, struct view_frame *frame)
    __attribute__((warn_unused_result));

#endif
