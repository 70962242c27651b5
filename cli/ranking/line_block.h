/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By line: the row of a block that several lines share. Nothing tells which of them was hit. */
#ifndef RANKING_LINE_BLOCK_H
#define RANKING_LINE_BLOCK_H

#include <ranking/rows.h>

/* Moves the hits of a line in a block to the block's row. The line keeps its most. */
void line_block_take(struct view_row *block, struct view_row *line);

/* Completes the row when all lines were taken. hit is the block of the profile. */
void line_block_finish(struct view_row *block, const struct profile_hit *hit);

#endif
