/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins folders and files to names, each kept once. */
#define _POSIX_C_SOURCE 200809L

#include <dwarf/sources.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/string_pool.h>

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
    struct string_pool *texts;
    size_t entries; /* in all tables that are there */
    uint64_t work;  /* steps, for these */
};

struct sources *sources_new(struct units *units)
{
    struct sources *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->units = units;
    f->texts = string_pool_new();
    if (f->texts)
        return f;
    free(f);
    return NULL;
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
    string_pool_free(sources->texts);
    free(sources);
}

const char *sources_keep(struct sources *sources, const char *text)
{
    size_t count = string_pool_count(sources->texts);
    string_pool_id id = string_pool_add(sources->texts, text);
    bool is_new = string_pool_count(sources->texts) > count;

    if (is_new && !budget_take(sources->units->budget, strlen(text) + 1))
        return NULL;
    return string_pool_text(sources->texts, id);
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
