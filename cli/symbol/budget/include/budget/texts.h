/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are freed together. */
#ifndef SYMBOL_TEXTS_H
#define SYMBOL_TEXTS_H

#include <stddef.h>

#include <budget/budget.h>

struct texts_block;

/* Zeroed, it is empty. */
struct texts {
    struct texts_block *blocks;
    struct budget *budget; /* that texts are taken from, NULL: none */
};

/* A copy of size bytes that lives until texts_free(). NULL: no memory, or the budget is over. */
char *texts_store(struct texts *texts, const char *bytes, size_t size);
void texts_free(struct texts *texts);

#endif
