/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of all sources, each once. */
#include "function_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

/* A name that stands for an address. */
#define NAME_MAX_LEN 300

static bool same(const void *context, uint32_t a, uint32_t b)
{
    const struct function_table *table = context;
    const struct export_function *f = &table->functions[a], *g = &table->functions[b];

    return f->line == g->line && f->named == g->named && strcmp(f->name, g->name) == 0 &&
           strcmp(f->file, g->file) == 0;
}

uint32_t function_table_put(struct function_table *table, const struct export_function *function)
{
    uint64_t hash = hash_bytes(HASH_START, function->name, strlen(function->name));
    uint32_t before;

    hash = hash_number(hash_bytes(hash, function->file, strlen(function->file)),
                       (uint64_t)function->line);
    if (!VEC_ROOM(table->functions, table->room, table->count, 1))
        return SNAPSHOT_NONE;
    table->functions[table->count] = *function;
    if (!dedupe_put(&table->known, hash, (uint32_t)table->count, same, table, &before))
        return SNAPSHOT_NONE;
    return before == DEDUPE_NONE ? (uint32_t)table->count++ : before;
}

uint32_t function_table_put_unnamed(struct function_table *table, const char *format, ...)
{
    char text[NAME_MAX_LEN];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    table->made = table->made ? table->made : string_pool_new();
    const char *name =
        table->made ? string_pool_text(table->made, string_pool_add(table->made, text)) : NULL;
    const struct export_function function = {.name = name, .file = ""};
    return name ? function_table_put(table, &function) : SNAPSHOT_NONE;
}

void function_table_free(struct function_table *table)
{
    string_pool_free(table->made);
    free(table->functions);
    dedupe_free(&table->known);
    *table = (struct function_table){.count = 0};
}
