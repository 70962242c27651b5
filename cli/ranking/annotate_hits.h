/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An annotation in the making: which hits are whose. */
#ifndef RANKING_ANNOTATE_HITS_H
#define RANKING_ANNOTATE_HITS_H

#include <ranking/annotate.h>

#define NO_STEP SIZE_MAX

/* Lines are kept by file and line: those of one line have one row. */
struct place {
    struct symtab_line line;
    uint64_t addr, hits, inherited, least, most;
    bool shared;
    size_t step; /* that it is of; or NO_STEP */
};

/* What was divided among steps: hits of a block, from a step on. */
struct division {
    size_t from, count;
    uint64_t hits;
    bool split; /* the block has other functions, too */
};

/* What the hits are given to. */
struct builder {
    struct annotation *a;
    const struct annotate_input *input;
    struct place *places;
    size_t place_count, place_room;
    struct division *divisions;
    size_t division_count, division_room;
};

bool annotate_same_line(const struct symtab_line *a, const struct symtab_line *b);

/* Of the steps that share a block: whether one is an instruction; then data has no weight. */
bool annotate_has_code(const struct annotation *a, size_t from, size_t count);
uint64_t annotate_weight(const struct annotate_step *step, bool any_code);

/* Gives the profile's hits to the steps, and each step and what no step has to a place. false: no
 * memory. */
bool annotate_give(struct builder *builder) __attribute__((warn_unused_result));

/* The shares of steps and lines, when the places have become lines. */
bool annotate_bound(struct builder *builder) __attribute__((warn_unused_result));

#endif
