/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and draws brackets: heavy lines, since the lines of jumps are light. */
#include "annotate_brackets.h"

/* Blocks are sorted by their first step. */
const struct annotate_block *brackets_find(const struct annotation *a, size_t step)
{
    size_t low = 0, high = a->block_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->blocks[middle].first <= step)
            low = middle + 1;
        else
            high = middle;
    }
    const struct annotate_block *block = low ? &a->blocks[low - 1] : NULL;
    return block && step - block->first < block->count && block->count > 1 ? block : NULL;
}

bool brackets_any(const struct annotation *a)
{
    for (size_t i = 0; i < a->block_count; i++) {
        if (a->blocks[i].count > 1)
            return true;
    }
    return false;
}

void brackets_draw(const struct annotation *a, size_t step, bool above, bool ascii,
                   struct text *text)
{
    static const char *const shapes[][2] = {{"┏", "/"}, {"┃", "|"}, {"┗", "\\"}};
    const struct annotate_block *block = brackets_find(a, step);
    size_t row = 1;

    if (block && above && step == block->first)
        block = NULL;
    else if (block && !above)
        row = step == block->first ? 0 : step + 1 == block->first + block->count ? 2 : 1;
    text_printf(text, "%s ", block ? shapes[row][ascii] : " ");
}

const char *brackets_sample(bool ascii)
{
    return ascii ? "|" : "┃";
}
