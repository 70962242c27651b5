/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brackets that join the instructions of a block, which has one number for all of them. */
#ifndef ANNOTATE_ANNOTATE_BRACKETS_H
#define ANNOTATE_ANNOTATE_BRACKETS_H

#include <base/text.h>
#include <ranking/annotate.h>

/* Cells of a bracket with the blank after it, next to the numbers. */
#define BRACKET_WIDTH 2

/* Returns the block whose bracket passes a step, or NULL: the step's number is its own. */
const struct annotate_block *brackets_find(const struct annotation *annotation, size_t step);

/* Returns whether the annotation has any bracket. */
bool brackets_any(const struct annotation *annotation);

/* Appends the bracket's cells next to a step, or, if above is true, those next to a line between
 * the step before and this one. If ascii is true, writes only ASCII. */
void brackets_draw(const struct annotation *annotation, size_t step, bool above, bool ascii,
                   struct text *text);

/* Returns a piece of a bracket, for the explanation. */
const char *brackets_sample(bool ascii);

#endif
