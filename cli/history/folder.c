/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a folder of snapshots, one file at a time. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/atomic_write.h>
#include <base/path.h>
#include <base/vec.h>
#include <history/history.h>
#include <ranking/rows.h>

#define TEXT_MAX (PATH_MAX + 400)

/* What mkstemp() puts behind the name of a file that is being written. */
#define UNFINISHED     ".pb.gz."
#define UNFINISHED_END 6

/* Of HISTORY_SAME_NAME_MAX. */
#define AGAIN_DIGITS 4

struct reader {
    struct history history;
    size_t capacity;
    bool ranked;
    bool (*stop)(void);
    history_skip *skip;
    void *context;
};

const char *history_file(const struct history_entry *entry)
{
    return path_base_name(entry->path);
}

static void free_entry(struct history_entry *e)
{
    free(e->path);
    free(e->build);
    free(e->elf);
    free(e->target);
    free(e->sampler);
    free(e->unit);
    free(e->function);
}

void history_free(struct history *history)
{
    for (size_t i = 0; i < history->count; i++)
        free_entry(&history->entries[i]);
    free(history->entries);
    free(history->folder);
    *history = (struct history){.folder = NULL};
}

static bool is_unfinished(const char *name)
{
    size_t len = strlen(name), end = strlen(UNFINISHED) + UNFINISHED_END;

    return len > end && strncmp(name + len - end, UNFINISHED, strlen(UNFINISHED)) == 0;
}

/* The row with most hits; of equal ones the first by name, so that it is always the same. */
static const struct view_row *first_row(const struct view_rows *rows)
{
    const struct view_row *first = NULL;

    for (size_t i = 0; i < rows->count; i++) {
        const struct view_row *row = &rows->rows[i];
        if (!first || row->hits > first->hits ||
            (row->hits == first->hits && row->function && first->function &&
             strcmp(row->function, first->function) < 0))
            first = row;
    }
    return first;
}

static bool name_first(const struct snapshot *s, const struct profile *profile,
                       struct history_entry *e)
{
    const struct symbol_naming naming = snapshot_naming(s);
    struct view_rows rows;

    if (!view_rows_build_named(profile, &naming, VIEW_BY_FUNCTION, NULL, &rows))
        return false;
    const struct view_row *first = first_row(&rows);
    if (first)
        e->share = first->share.value;
    if (first && first->function) {
        free(e->function);
        e->function = strdup(first->function);
    }
    view_rows_free(&rows);
    return e->function != NULL;
}

static bool describe(const struct snapshot *s, uint32_t type, const char *path,
                     struct history_entry *e)
{
    const struct snapshot_mapping *program = s->mapping_count ? &s->mappings[0] : NULL;
    const char *elf = s->conditions.elf;
    const char *unit = s->types[type].name;

    if (elf[0] == '\0' && program)
        elf = path_base_name(program->file);
    e->time_ns = s->time_ns > 0 ? s->time_ns : 0;
    e->duration_ns = s->duration_ns > 0 ? s->duration_ns : 0;
    e->runs = s->conditions.runs > 0 ? s->conditions.runs : 1;
    e->share = -1;
    e->differs = strncmp(s->conditions.identity, "differs", 7) == 0;
    e->path = strdup(path);
    e->build = strdup(program ? program->build_id : "");
    e->elf = strdup(elf);
    e->target = strdup(s->conditions.target);
    e->sampler = strdup(s->conditions.sampler);
    e->unit = strdup(unit);
    e->function = strdup("");
    return e->path && e->build && e->elf && e->target && e->sampler && e->unit && e->function;
}

/* false: text says why. */
static bool make_entry(const struct reader *r, const struct snapshot *s, const char *path,
                       struct history_entry *e, char *text)
{
    uint32_t type = snapshot_choose_type(s, NULL, false);
    struct profile profile;
    char reason[300];

    if (snapshot_profile(s, type, &profile, reason, sizeof(reason)) != SNAPSHOT_OK) {
        snprintf(text, TEXT_MAX, "%s: %s", path, reason);
        return false;
    }
    e->hits = profile.attributed;
    bool done = describe(s, type, path, e) && (!r->ranked || name_first(s, &profile, e));
    profile_free(&profile);
    if (!done)
        snprintf(text, TEXT_MAX, "%s: out of memory", path);
    return done;
}

static bool read_file(struct reader *r, const char *path, char *text)
{
    struct history_entry entry = {.path = NULL};
    struct snapshot *s = NULL;

    if (!VEC_ROOM(r->history.entries, r->capacity, r->history.count, 1)) {
        snprintf(text, TEXT_MAX, "%s: out of memory", path);
        return false;
    }
    if (snapshot_load(path, &s, text, TEXT_MAX) != SNAPSHOT_OK)
        return false;
    bool done = make_entry(r, s, path, &entry, text);
    snapshot_free(s);
    if (done)
        r->history.entries[r->history.count++] = entry;
    else
        free_entry(&entry);
    return done;
}

static void read_name(struct reader *r, const char *name)
{
    char path[PATH_MAX], text[TEXT_MAX];

    if (name[0] == '.' || is_unfinished(name))
        return;
    snprintf(text, sizeof(text), "%s: its path is too long", name);
    if (snprintf(path, sizeof(path), "%s/%s", r->history.folder, name) < (int)sizeof(path)) {
        if (!atomic_write_stands(path) || read_file(r, path, text))
            return;
        if (access(path, F_OK) != 0 && errno == ENOENT) /* gone meanwhile */
            return;
    }
    r->history.skipped++;
    r->skip(r->context, text);
}

/* What history_name() puts at the end of a name that others have too; 1: nothing. *len: of what
 * comes before that. */
static unsigned again_of(const char *name, size_t *len)
{
    static const char end[] = ".pb.gz";
    size_t all = strlen(name), at = all, digits;
    unsigned number = 0;

    *len = all;
    if (all < strlen(end) || strcmp(name + all - strlen(end), end) != 0)
        return 1;
    at -= strlen(end);
    *len = at;
    for (digits = 0; at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9'; digits++)
        at--;
    if (digits == 0 || digits > AGAIN_DIGITS || at == 0 || name[at - 1] != '-')
        return 1;
    for (size_t i = 0; i < digits; i++)
        number = 10 * number + (unsigned)(name[at + i] - '0');
    *len = at - 1;
    return number;
}

/* The second file of a name was written after the first one. */
static int order_files(const char *x, const char *y)
{
    size_t x_len, y_len;
    unsigned x_again = again_of(x, &x_len), y_again = again_of(y, &y_len);

    int order = strncmp(x, y, x_len < y_len ? x_len : y_len);

    if (order == 0)
        order = (x_len > y_len) - (x_len < y_len);
    if (order == 0)
        order = (x_again < y_again) - (x_again > y_again);
    return order ? order : strcmp(x, y);
}

static int order_entries(const void *a, const void *b)
{
    const struct history_entry *x = a, *y = b;
    int order = (x->time_ns < y->time_ns) - (x->time_ns > y->time_ns);

    return order ? order : order_files(history_file(x), history_file(y));
}

static int order_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names {
    char **names;
    size_t count, capacity;
};

static bool add_name(struct names *n, const char *name)
{
    if (!VEC_ROOM(n->names, n->capacity, n->count, 1))
        return false;
    n->names[n->count] = strdup(name);
    return n->names[n->count++] != NULL;
}

static void free_names(struct names *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->names[i]);
    free(n->names);
}

/* 0, or an errno. */
static int list_names(const char *folder, struct names *n)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int wrong = 0;

    if (!dir)
        return errno;
    while (!wrong && (errno = 0, entry = readdir(dir)))
        wrong = add_name(n, entry->d_name) ? 0 : ENOMEM;
    if (!wrong && !entry)
        wrong = errno;
    closedir(dir);
    /* What is said of the files comes in an order that does not depend on the disk. */
    if (n->count)
        qsort(n->names, n->count, sizeof(*n->names), order_names);
    return wrong;
}

bool history_open(const char *folder, bool ranked, bool (*stop)(void), history_skip *skip,
                  void *context, struct history *history, char *text, size_t capacity)
{
    struct reader r = {.ranked = ranked, .stop = stop, .skip = skip, .context = context};
    struct names names = {.names = NULL};
    int wrong = list_names(folder, &names);

    r.history.folder = wrong ? NULL : strdup(folder);
    if (!wrong && !r.history.folder)
        wrong = ENOMEM;
    for (size_t i = 0; !wrong && i < names.count && !(stop && stop()); i++)
        read_name(&r, names.names[i]);
    free_names(&names);
    if (wrong) {
        if (wrong == ENOENT)
            snprintf(text, capacity, "%s: no such folder; 'mprof snapshot --store %s' makes it",
                     folder, folder);
        else
            snprintf(text, capacity, "%s: %s; --store takes a folder of snapshots", folder,
                     strerror(wrong));
        return false;
    }
    if (r.history.count)
        qsort(r.history.entries, r.history.count, sizeof(*r.history.entries), order_entries);
    *history = r.history;
    return true;
}
