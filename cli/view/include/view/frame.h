/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One refresh as lines of text, for a screen of any size or for a pipe. */
#ifndef VIEW_FRAME_H
#define VIEW_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <view/columns.h>

/* What is known about this refresh beside its rows. Strings are never NULL. */
struct view_status {
    const char *command;  /* "top" */
    const char *elf;      /* file name without folders */
    const char *build_id; /* hexadecimal, "" if there is none */
    const char *identity; /* "= flash", "differs" */
    const char *kind;     /* of the link */
    const char *server;   /* what serves it */
    const char *address;  /* of the link */
    const char *target;   /* the server's name of it */
    const char *arch;     /* in gdb's words */
    const char *state;    /* "RUNNING", "HALTED" */
    const char *sampler;  /* "table" */
    const char *origin;   /* files that it all is from; NULL: a link */
    const char *unit;     /* what is counted; NULL: as the profile says */
    const char *message;  /* one line: how we are connected, or what is wrong */
    bool warning;         /* the message is a warning */
    bool alarm;           /* it says that the numbers are not what they seem, in red */
    bool live;            /* memory is read while the target runs */
    uint64_t halts;       /* by us */
    double halted_ms;     /* by us, in all */
    double halted_share;  /* of the time since the link was opened */
    double poll_ms;       /* of the last poll; < 0: not known */
    double age_s;         /* of the data; below 0: it is of a time to come; NAN: not known */
    double time_s; /* since mprof started; of files: for how long they counted, < 0: not known */
    unsigned addr_size; /* bytes of an address */
};

/* "samples", "calls", or what the status says. */
const char *view_unit(const struct view_status *status, const struct profile *profile);

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
    size_t span_count;
    size_t row;    /* which one of the view_rows, or of what else the frame lists; VIEW_NO_ROW */
    bool selected; /* the cursor is on it */
};

struct view_frame {
    struct view_line *lines;
    size_t count;
};

struct view_layout {
    unsigned width;  /* cells; no line is longer */
    unsigned height; /* lines, 0: as many as there are rows */
    size_t limit;    /* rows, 0: all that fit */
    const struct view_fields *fields;
    const char *footer; /* last line of a screen, NULL: none */
};

/*
 * Builds the header, the headings and the rows in their order. What does not fit into the height is
 * counted in a last row "N others". false: no memory, *frame is untouched. Free with
 * view_frame_free().
 */
bool view_frame_build(const struct view_layout *layout, const struct view_status *status,
                      const struct profile *profile, const struct view_rows *rows,
                      struct view_frame *frame) __attribute__((warn_unused_result));
void view_frame_free(struct view_frame *frame);

#endif
