/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of all sources, each once. */
#include "book.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

/* A name that stands for an address. */
#define NAME_MAX_LEN 300

static bool same(const void *context, uint32_t a, uint32_t b)
{
    const struct book *book = context;
    const struct book_function *f = &book->functions[a], *g = &book->functions[b];

    return f->line == g->line && f->named == g->named && strcmp(f->name, g->name) == 0 &&
           strcmp(f->file, g->file) == 0;
}

uint32_t book_put(struct book *book, const struct book_function *function)
{
    uint64_t hash = hash_bytes(HASH_START, function->name, strlen(function->name));
    uint32_t before;

    hash = hash_number(hash_bytes(hash, function->file, strlen(function->file)),
                       (uint64_t)function->line);
    if (!VEC_ROOM(book->functions, book->room, book->count, 1))
        return SNAPSHOT_NONE;
    book->functions[book->count] = *function;
    if (!dedupe_put(&book->known, hash, (uint32_t)book->count, same, book, &before))
        return SNAPSHOT_NONE;
    return before == DEDUPE_NONE ? (uint32_t)book->count++ : before;
}

uint32_t book_put_unnamed(struct book *book, const char *format, ...)
{
    char text[NAME_MAX_LEN];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    book->made = book->made ? book->made : string_pool_new();
    const char *name =
        book->made ? string_pool_text(book->made, string_pool_add(book->made, text)) : NULL;
    const struct book_function function = {.name = name, .file = ""};
    return name ? book_put(book, &function) : SNAPSHOT_NONE;
}

void book_free(struct book *book)
{
    string_pool_free(book->made);
    free(book->functions);
    dedupe_free(&book->known);
    *book = (struct book){.count = 0};
}
