/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is the same in all parts that make one row. */
#include <ranking/row_key.h>

#include <string.h>

struct row_key row_key_of(enum view_by by, bool exceptions, const struct view_row *row)
{
    if (by == VIEW_BY_CONTEXT && exceptions)
        return (struct row_key){.number = {row->exception}};
    if ((by == VIEW_BY_LINE || by == VIEW_BY_FILE) && row->file)
        return (struct row_key){.text = row->file, .number = {by == VIEW_BY_LINE ? row->line : 0}};
    if (by == VIEW_BY_ADDRESS)
        return (struct row_key){.number = {row->addr}};
    /* Padding has the address of its block, at which a function may begin. */
    return (struct row_key){
        .text = by == VIEW_BY_INLINE ? row->function : NULL,
        .number = {row->addr, row->function != NULL, by == VIEW_BY_ARC ? row->caller_addr : 0}};
}

int row_key_compare(const struct row_key *a, const struct row_key *b)
{
    int order = (a->text != NULL) - (b->text != NULL);

    if (order == 0 && a->text && a->text != b->text)
        order = strcmp(a->text, b->text);
    for (size_t i = 0; order == 0 && i < sizeof(a->number) / sizeof(a->number[0]); i++)
        order = (a->number[i] > b->number[i]) - (a->number[i] < b->number[i]);
    return order;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

uint64_t row_key_hash(const struct row_key *key)
{
    uint64_t hash = 0xCBF29CE484222325u;

    for (const char *c = key->text; c && *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
    hash = mix(hash, key->text != NULL);
    for (size_t i = 0; i < sizeof(key->number) / sizeof(key->number[0]); i++)
        hash = mix(hash, key->number[i]);
    return hash;
}
