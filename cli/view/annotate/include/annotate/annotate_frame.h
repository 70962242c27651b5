/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's source and instructions, as lines of text for a screen or a pipe, or as JSON. */
#ifndef ANNOTATE_ANNOTATE_FRAME_H
#define ANNOTATE_ANNOTATE_FRAME_H

#include <ranking/annotate.h>

enum annotate_kind {
    ANNOTATE_HEADER,
    ANNOTATE_NOTE,
    ANNOTATE_HEADING,
    ANNOTATE_TITLE,  /* a part of the function, or a list */
    ANNOTATE_INLINE, /* whose code follows */
    ANNOTATE_SOURCE,
    ANNOTATE_STEP,
    ANNOTATE_GAP, /* what is left out */
    ANNOTATE_BLANK,
};

enum annotate_heat {
    ANNOTATE_COLD,
    ANNOTATE_WARM, /* from 0.5 % of the function's hits on */
    ANNOTATE_HOT,  /* from 5 % on */
};

struct annotate_text {
    enum annotate_kind kind;
    enum annotate_heat heat; /* of its numbers */
    size_t numbers;          /* so many bytes of the text are numbers */
    char *text;              /* no newline, nothing that a terminal obeys, no trailing blanks */
    double share;            /* that they say, 0 to 1; 0: there are none */
    /* For a cursor: what it stands for. */
    const struct listing_item *item; /* of an instruction, else NULL */
    bool has_addr;
    uint64_t addr;
    const char *file; /* NULL: none */
    unsigned line;    /* 0: none */
};

struct annotate_frame {
    struct annotate_text *lines;
    size_t count, capacity;
};

struct annotate_layout {
    unsigned width;      /* cells; no line is longer */
    bool ascii;          /* no characters beyond it are drawn */
    double min;          /* instructions and lines with a smaller share are left out, 0 to 1 */
    const char *program; /* the ELF file's name, "" not known */
};

/* false: no memory, *frame is untouched. Free with annotate_frame_free(). */
bool annotate_frame_build(const struct annotation *annotation, const struct annotate_layout *layout,
                          struct annotate_frame *frame) __attribute__((warn_unused_result));
/* Only the headings, one line, and what stands below them; only the notes. */
bool annotate_frame_body(const struct annotation *annotation, const struct annotate_layout *layout,
                         struct annotate_frame *frame) __attribute__((warn_unused_result));
bool annotate_frame_notes(const struct annotation *annotation, const struct annotate_layout *layout,
                          struct annotate_frame *frame) __attribute__((warn_unused_result));
void annotate_frame_free(struct annotate_frame *frame);

/* All of it as one line of JSON without a newline, to be freed; NULL: no memory. */
char *annotate_json(const struct annotation *annotation, const char *program);

#endif
