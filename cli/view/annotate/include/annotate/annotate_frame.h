/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An annotated function as lines of text, for a screen or a pipe, or as JSON.
 *
 * An annotation (ranking/annotate.h) has the numbers and the instructions; a frame is how they look
 * at one width. The live screen builds frames of the parts and adds lines of its own.
 */
#ifndef ANNOTATE_ANNOTATE_FRAME_H
#define ANNOTATE_ANNOTATE_FRAME_H

#include <ranking/annotate.h>

/* What a line is. */
enum annotate_kind {
    ANNOTATE_HEADER,  /* the function and its numbers */
    ANNOTATE_NOTE,    /* what is missing or doubtful */
    ANNOTATE_HEADING, /* headings of columns */
    ANNOTATE_TITLE,   /* title of a part of the function, or of a list */
    ANNOTATE_INLINE,  /* name of an inlined function whose code follows */
    ANNOTATE_SOURCE,  /* a source line */
    ANNOTATE_STEP,    /* an instruction, or data */
    ANNOTATE_GAP,     /* a mark where lines are left out */
    ANNOTATE_BLANK,
};

/* How many of the function's hits a line has for certain; shown as a colour. */
enum annotate_heat {
    ANNOTATE_COLD, /* less than 0.5 % */
    ANNOTATE_WARM, /* 0.5 % or more */
    ANNOTATE_HOT,  /* 5 % or more */
};

/* From this share on, a line is warm. */
#define ANNOTATE_WARM_FROM 0.005

/* One line. */
struct annotate_text {
    enum annotate_kind kind;
    enum annotate_heat heat;
    size_t numbers; /* the first bytes of text that are numbers */
    char *text;     /* owned; without newline, control characters and blanks at its end */
    double share;   /* of the function's hits, 0 to 1, that are certain; 0: no numbers */
    double most;    /* the largest possible share */
    /* What the line is about, for a cursor. */
    const struct listing_item *item; /* an instruction, else NULL */
    bool has_addr;                   /* addr is valid */
    uint64_t addr;
    const char *file; /* NULL: none */
    unsigned line;    /* 0: none */
};

/* The lines. Zeroed memory is an empty frame. Lines point into the annotation and its listing,
 * which must live as long as the frame. */
struct annotate_frame {
    struct annotate_text *lines; /* owned */
    size_t count, capacity;
};

/* How to build a frame. */
struct annotate_layout {
    unsigned width;      /* cells; no line is wider */
    bool ascii;          /* write only ASCII */
    double min;          /* leave out instructions and lines with a smaller share, 0 to 1 */
    const char *program; /* name of the ELF file, "": not known */
};

/*
 * The next three functions build a frame; no line is wider than layout->width, and none has control
 * characters. The caller frees *frame with annotate_frame_free(). They return false if memory runs
 * out; *frame is unchanged then.
 */

/* Builds all that 'mprof annotate' prints: header, notes, the hottest lines, and the body. */
bool annotate_frame_build(const struct annotation *annotation, const struct annotate_layout *layout,
                          struct annotate_frame *frame) __attribute__((warn_unused_result));
/* Builds the body: one line of headings, and the source lines with their instructions. */
bool annotate_frame_body(const struct annotation *annotation, const struct annotate_layout *layout,
                         struct annotate_frame *frame) __attribute__((warn_unused_result));
/* Builds the notes alone: what is missing or doubtful. */
bool annotate_frame_notes(const struct annotation *annotation, const struct annotate_layout *layout,
                          struct annotate_frame *frame) __attribute__((warn_unused_result));
/* Frees the lines. The frame is empty afterwards. */
void annotate_frame_free(struct annotate_frame *frame);

/* Returns an annotation as one line of JSON without a newline. program is the name of the ELF file.
 * The caller frees the result with free(). Returns NULL if memory runs out. */
char *annotate_json(const struct annotation *annotation, const char *program);

#endif
