/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of any language in cells of a terminal. */
#ifndef VIEW_CELLS_H
#define VIEW_CELLS_H

#include <view/text.h>

/* Cells that a text takes, as the locale counts them; what is not to be shown as what
 * stands for it. */
unsigned cells_width(const char *text);

/* As text_cell(), from the left. */
void cells_add(struct text *text, const char *from, unsigned width, bool pad);

#endif
