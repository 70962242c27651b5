/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of annotations are as all others. */
#include "cells.h"

unsigned cells_width(const char *s)
{
    return (unsigned)text_cells(s);
}

void cells_add(struct text *text, const char *from, unsigned width, bool pad)
{
    text_cell(text, from, width, false, pad);
}
