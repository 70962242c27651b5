/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps inside a function as lines beside its instructions. */
#ifndef ANNOTATE_ANNOTATE_LANES_H
#define ANNOTATE_ANNOTATE_LANES_H

#include <base/text.h>
#include <ranking/annotate.h>

/* More than so many beside each other are not drawn. */
#define LANES_MAX 5

/* All jumps to one instruction: one line, from the first to the last step that it touches. */
struct lanes_jump {
    size_t target, first, last;
};

struct lanes {
    struct lanes_jump *jumps;
    size_t count;
    uint32_t *at[LANES_MAX]; /* of each step: 1 + the jump whose line passes there; 0: none */
    unsigned char *ends;     /* of each step: bits of the lanes that it is a source of */
    unsigned used;           /* lanes that are drawn; 0 is beside the instructions */
};

/* false: no memory. To be freed in any case. */
bool lanes_build(const struct annotation *annotation, struct lanes *lanes)
    __attribute__((warn_unused_result));
void lanes_free(struct lanes *lanes);

/* Cells that they take. */
unsigned lanes_width(const struct lanes *lanes);

/* Adds what stands beside a step; or, above, beside a line that stands before it. */
void lanes_draw(const struct lanes *lanes, size_t step, bool above, bool ascii, struct text *text);

#endif
