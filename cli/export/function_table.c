/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of all sources, each once. */
#include "function_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/vec.h>
#include <ranking/row_key.h>

/* A name that stands for an address. */
#define NAME_MAX_LEN 300

static struct row_key key_of(const struct export_function *f)
{
    return row_key_of_function(f->name, f->file, f->line, f->named);
}

static bool same(const void *context, uint32_t a, uint32_t b)
{
    const struct function_table *table = context;
    struct row_key one = key_of(&table->functions[a]), other = key_of(&table->functions[b]);

    return row_key_compare(&one, &other) == 0;
}

uint32_t function_table_put(struct function_table *table, const struct export_function *function)
{
    struct row_key key = key_of(function);
    uint32_t before;

    if (!VEC_ROOM(table->functions, table->room, table->count, 1))
        return SNAPSHOT_NONE;
    table->functions[table->count] = *function;
    if (!dedupe_put(&table->known, row_key_hash(&key), (uint32_t)table->count, same, table,
                    &before))
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
