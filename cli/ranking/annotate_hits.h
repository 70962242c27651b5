/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An annotation in the making: which hits are whose. */
#ifndef RANKING_ANNOTATE_HITS_H
#define RANKING_ANNOTATE_HITS_H

#include <ranking/annotate.h>

#define NO_STEP SIZE_MAX

/* Code of a source line. Places are sorted by file and line: those of one line are one row. */
struct place {
    struct symtab_line line;
    uint64_t addr;
    size_t step;  /* the instruction at addr; or NO_STEP */
    size_t block; /* that has the code; or ANNOTATE_NO_BLOCK */
    size_t index; /* of the line in annotation.lines, if lines are known */
};

struct builder {
    struct annotation *a;
    const struct annotate_input *input;
    struct place *places;
    size_t place_count, place_room;
    bool *taken; /* see wander_list_take() */
};

/* Makes the blocks of the profile's hits, and a place of each step, and of each two bytes without
 * a listing. Returns false if memory runs out. */
bool annotate_give(struct builder *builder) __attribute__((warn_unused_result));

/* Computes the ranges of blocks, lines and steps, if lines are known. Returns false if memory runs
 * out. */
bool annotate_bound(struct builder *builder) __attribute__((warn_unused_result));

#endif
