/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts small texts into large blocks. */
#include <budget/texts.h>

#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 15)

struct texts_block {
    struct texts_block *next;
    size_t used, size;
    char bytes[];
};

char *texts_store(struct texts *texts, const char *bytes, size_t size)
{
    struct texts_block *b = texts->blocks;

    if (texts->budget && (!budget_take(texts->budget, size) || !budget_work(texts->budget, size)))
        return NULL;
    if (!b || size > b->size - b->used) {
        size_t room = size > BLOCK ? size : BLOCK;
        b = malloc(sizeof(*b) + room);
        if (!b)
            return NULL;
        *b = (struct texts_block){.next = texts->blocks, .size = room};
        texts->blocks = b;
    }
    char *at = b->bytes + b->used;
    memcpy(at, bytes, size);
    b->used += size;
    return at;
}

void texts_free(struct texts *texts)
{
    while (texts->blocks) {
        struct texts_block *next = texts->blocks->next;
        free(texts->blocks);
        texts->blocks = next;
    }
}
