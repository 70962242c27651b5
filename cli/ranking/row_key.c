/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is the same in all parts that make one row. */
#include <ranking/row_key.h>

#include <string.h>

#include <base/dedupe.h>
#include <base/path.h>
#include <profile/match.h>

static struct row_text whole_text(const char *text)
{
    return (struct row_text){.at = text, .len = 0};
}

struct row_key row_key_of(enum view_by by, bool exceptions, const struct view_row *row)
{
    if (by == VIEW_BY_CONTEXT && exceptions)
        return (struct row_key){.number = {row->exception}};
    if ((by == VIEW_BY_LINE || by == VIEW_BY_FILE) && row->file)
        return (struct row_key){.text = {whole_text(row->file)},
                                .number = {by == VIEW_BY_LINE ? row->line : 0}};
    if (by == VIEW_BY_ADDRESS)
        return (struct row_key){.number = {row->addr}};
    /* Padding has the address of its block, at which a function may begin. */
    return (struct row_key){
        .text = {whole_text(by == VIEW_BY_INLINE ? row->function : NULL)},
        .number = {row->addr, row->function != NULL, by == VIEW_BY_ARC ? row->caller_addr : 0}};
}

/* The name without what the compiler added. */
static struct row_text plain_name(const char *name)
{
    return (struct row_text){.at = name, .len = name ? match_name_len(name) : 0};
}

static struct row_key key_of_name(const struct view_row *row, bool placed)
{
    if (!row->function)
        return (struct row_key){.number = {placed ? row->addr : 0, placed}};
    return (struct row_key){.text = {plain_name(row->function), whole_text(row->file)}};
}

static struct row_key key_of_arc(const struct view_row *row, bool placed)
{
    bool filed = row->function && row->file;

    return (struct row_key){
        .text = {plain_name(row->function), plain_name(row->caller),
                 whole_text(filed ? path_base_name(row->file) : NULL)},
        .number = {!row->function && placed ? row->addr : 0,
                   !row->caller && placed ? row->caller_addr : 0, placed && !row->function},
    };
}

struct row_key row_key_across(enum view_by by, bool exceptions, bool same_place,
                              const struct view_row *row)
{
    bool placed = same_place && !row->unplaced;

    switch (by) {
    case VIEW_BY_ARC:
        return key_of_arc(row, placed);
    case VIEW_BY_FILE:
        return (struct row_key){.text = {whole_text(row->file)}};
    case VIEW_BY_FUNCTION:
    case VIEW_BY_INLINE:
    case VIEW_BY_TOTAL:
        return key_of_name(row, placed);
    case VIEW_BY_CONTEXT:
        if (!exceptions)
            return key_of_name(row, placed);
        break;
    case VIEW_BY_LINE:
    case VIEW_BY_ADDRESS:
        break;
    }
    return row_key_of(by, exceptions, row);
}

struct row_key row_key_of_function(const char *name, const char *file, int64_t line, bool named)
{
    return (struct row_key){.text = {whole_text(name), whole_text(file)},
                            .number = {(uint64_t)line, named}};
}

static size_t len_of(const struct row_text *text)
{
    if (!text->at)
        return 0;
    return text->len ? text->len : strlen(text->at);
}

static int compare_texts(const struct row_text *a, const struct row_text *b)
{
    if (a->at == b->at && a->len == b->len)
        return 0;
    if (!a->at || !b->at)
        return (a->at != NULL) - (b->at != NULL);
    size_t left = len_of(a), right = len_of(b);
    int order = memcmp(a->at, b->at, left < right ? left : right);
    return order ? order : (left > right) - (left < right);
}

int row_key_compare(const struct row_key *a, const struct row_key *b)
{
    int order = 0;

    for (size_t i = 0; order == 0 && i < ROW_KEY_TEXTS; i++)
        order = compare_texts(&a->text[i], &b->text[i]);
    for (size_t i = 0; order == 0 && i < ROW_KEY_NUMBERS; i++)
        order = (a->number[i] > b->number[i]) - (a->number[i] < b->number[i]);
    return order;
}

uint64_t row_key_hash(const struct row_key *key)
{
    uint64_t hash = HASH_START;

    for (size_t i = 0; i < ROW_KEY_TEXTS; i++) {
        const struct row_text *text = &key->text[i];
        hash = hash_bytes(hash, text->at, len_of(text));
        hash = hash_number(hash, text->at != NULL);
    }
    for (size_t i = 0; i < ROW_KEY_NUMBERS; i++)
        hash = hash_number(hash, key->number[i]);
    return hash;
}
