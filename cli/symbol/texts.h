/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are freed together. */
#ifndef SYMBOL_TEXTS_H
#define SYMBOL_TEXTS_H

#include <stddef.h>

struct texts_block;

/* Zeroed, it is empty. */
struct texts {
    struct texts_block *blocks;
};

/* A copy of size bytes that lives until texts_free(). NULL: no memory. */
char *texts_store(struct texts *texts, const char *bytes, size_t size);
void texts_free(struct texts *texts);

#endif
