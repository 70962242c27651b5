/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps inside a function, drawn as lines to the left of its instructions. */
#ifndef ANNOTATE_ANNOTATE_LANES_H
#define ANNOTATE_ANNOTATE_LANES_H

#include <base/text.h>
#include <ranking/annotate.h>

/* Largest number of lanes next to each other. Further jumps are not drawn. */
#define LANES_MAX 5

/* All jumps to one instruction: one line, from the first to the last step that it touches. */
struct lanes_jump {
    size_t target, first, last; /* indices of steps */
};

/* The jumps of an annotation, and in which lane (a column of cells) each is drawn. */
struct lanes {
    struct lanes_jump *jumps; /* count of them, owned */
    size_t count;
    uint32_t *at[LANES_MAX]; /* owned; by step: 1 + index of the jump whose line passes; 0: none */
    unsigned char *ends;     /* owned; by step: a bit for each lane in which it jumps */
    unsigned used;           /* lanes that are drawn; lane 0 is next to the instructions */
};

/* Finds the jumps and gives them lanes. The caller frees *lanes with lanes_free() in any case.
 * Returns false if memory runs out. */
bool lanes_build(const struct annotation *annotation, struct lanes *lanes)
    __attribute__((warn_unused_result));
void lanes_free(struct lanes *lanes);

/* Returns the width of the lanes, cells. */
unsigned lanes_width(const struct lanes *lanes);

/* Appends the cells of the lanes to text: those next to a step, or, if above is true, those next to
 * a line between the step before and this one. If ascii is true, writes only ASCII. */
void lanes_draw(const struct lanes *lanes, size_t step, bool above, bool ascii, struct text *text);

#endif
