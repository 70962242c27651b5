/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins folders and files to names, each kept once. */
#define _POSIX_C_SOURCE 200809L

#include <dwarf/sources.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/string_arena.h>

#include "file_table.h"

#define NAME_MAX_LEN 8192

/* Tables that were read, together; then all go. Names stay. */
#define ENTRIES_MAX ((size_t)1 << 17)

struct unit_sources {
    struct file_table table;
    const char **names; /* those that were asked for, NULL: not yet */
};

struct sources {
    struct units *units;
    struct string_arena texts;
    const char **slots; /* a hash table of all names: a power of two of them */
    size_t slot_count, kept;
    size_t entries; /* in all tables that are there */
    uint64_t work;  /* steps, for these */
};

struct sources *sources_new(struct units *units)
{
    struct sources *f = calloc(1, sizeof(*f));

    if (f)
        f->units = units;
    return f;
}

static void drop_table(struct unit *unit)
{
    if (!unit->sources)
        return;
    file_table_free(&unit->sources->table);
    free(unit->sources->names);
    free(unit->sources);
    unit->sources = NULL;
}

static void drop_tables(struct sources *f)
{
    for (size_t i = 0; i < f->units->count; i++)
        drop_table(&f->units->list[i]);
    budget_drop(f->units->budget, f->work);
    f->entries = 0;
    f->work = 0;
}

void sources_free(struct sources *sources)
{
    if (!sources)
        return;
    drop_tables(sources);
    string_arena_free(&sources->texts);
    free(sources->slots);
    free(sources);
}

static size_t hash(const char *text)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* The slot of the text, or the free one where it belongs. */
static const char **slot_of(const char **slots, size_t count, const char *text)
{
    size_t at = hash(text) & (count - 1);

    while (slots[at] && strcmp(slots[at], text) != 0)
        at = (at + 1) & (count - 1);
    return &slots[at];
}

static bool grow(struct sources *f)
{
    size_t count = f->slot_count ? 2 * f->slot_count : 64;
    const char **slots = calloc(count, sizeof(*slots));

    if (!slots)
        return false;
    for (size_t i = 0; i < f->slot_count; i++)
        if (f->slots[i])
            *slot_of(slots, count, f->slots[i]) = f->slots[i];
    free(f->slots);
    f->slots = slots;
    f->slot_count = count;
    return true;
}

const char *sources_keep(struct sources *sources, const char *text)
{
    if (2 * (sources->kept + 1) > sources->slot_count && !grow(sources))
        return NULL;
    const char **slot = slot_of(sources->slots, sources->slot_count, text);
    if (!*slot) {
        size_t len = strlen(text);
        if (!budget_take(sources->units->budget, len + 1))
            return NULL;
        *slot = string_arena_add(&sources->texts, text, len);
        sources->kept += *slot != NULL;
    }
    return *slot;
}

static const char *folder_of(const struct file_table *t, uint64_t number)
{
    return number < t->folders.count ? ((const char **)t->folders.items)[number] : NULL;
}

/* NULL: a name that no file can have. A folder that is not absolute stays as the table has it. */
static const char *join(struct sources *s, const struct file_table *t,
                        const struct file_entry *entry)
{
    char name[NAME_MAX_LEN];
    const char *folder = folder_of(t, entry->folder);

    if (!entry->name || strnlen(entry->name, NAME_MAX_LEN) == NAME_MAX_LEN)
        return NULL;
    if (entry->name[0] == '/' || !folder)
        return entry->name;
    if (strnlen(folder, NAME_MAX_LEN) == NAME_MAX_LEN)
        return entry->name;
    int len = snprintf(name, sizeof(name), "%s/%s", folder, entry->name);
    return len < 0 || (size_t)len >= sizeof(name) ? entry->name : sources_keep(s, name);
}

static struct unit_sources *read_table(struct sources *f, struct unit *unit)
{
    if (f->entries > ENTRIES_MAX)
        drop_tables(f);
    struct unit_sources *u = calloc(1, sizeof(*u));
    if (!u)
        return NULL;
    unit->sources = u;
    uint64_t before = budget_used(f->units->budget);
    (void)file_table_read(&u->table, f->units, unit);
    if (budget_is_over(f->units->budget)) {
        drop_table(unit);
        return NULL;
    }
    f->work += budget_used(f->units->budget) - before;
    f->entries += u->table.files.count + u->table.folders.count + 1;
    u->names = calloc(u->table.files.count + 1, sizeof(*u->names));
    return u;
}

const char *sources_name(struct sources *sources, struct unit *unit, uint64_t number)
{
    struct unit_sources *u = unit->sources ? unit->sources : read_table(sources, unit);

    if (!u || !u->names || number >= u->table.files.count)
        return NULL;
    if (!u->names[number])
        u->names[number] =
            join(sources, &u->table, (const struct file_entry *)u->table.files.items + number);
    return u->names[number];
}
