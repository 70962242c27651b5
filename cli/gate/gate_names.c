/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of rows, told apart where two are alike. */
#define _POSIX_C_SOURCE 200809L

#include "gate_names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Patterns are checked for it where they are read. */
#define GLOB_MAX 1024

static char *name_of(const struct view_change *row, enum view_by by)
{
    size_t size = view_change_name(row, by, NULL, 0) + 1;
    char *name = malloc(size);

    if (name)
        (void)view_change_name(row, by, name, size);
    return name;
}

static char *with_file(const char *name, const char *file)
{
    const char *known = file ? file : "file not known";
    size_t size = strlen(name) + strlen(known) + sizeof(" ()");
    char *label = malloc(size);

    if (label)
        snprintf(label, size, "%s (%s)", name, known);
    return label;
}

static int order_names(const void *a, const void *b)
{
    const struct gate_name *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* Rows in the order of their names: those that are alike stand together. */
static bool make_labels(const struct view_changes *c, struct gate_names *n)
{
    struct gate_name **sorted = calloc(n->count + 1, sizeof(struct gate_name *));
    bool done = sorted != NULL;

    for (size_t i = 0; done && i < n->count; i++)
        sorted[i] = &n->all[i];
    if (done && n->count)
        qsort(sorted, n->count, sizeof(struct gate_name *), order_names);
    for (size_t i = 0; done && i < n->count; i++) {
        struct gate_name *name = sorted[i];
        bool alike = (i > 0 && strcmp(sorted[i - 1]->name, name->name) == 0) ||
                     (i + 1 < n->count && strcmp(sorted[i + 1]->name, name->name) == 0);
        const char *file = c->rows[name - n->all].file;
        name->label = alike ? with_file(name->name, file) : strdup(name->name);
        done = name->label != NULL;
    }
    free(sorted);
    return done;
}

bool gate_names_make(const struct view_changes *changes, struct gate_names *names)
{
    bool done;

    names->all = calloc(changes->count + 1, sizeof(*names->all));
    names->count = names->all ? changes->count : 0;
    done = names->all != NULL;
    for (size_t i = 0; done && i < names->count; i++) {
        names->all[i].name = name_of(&changes->rows[i], changes->by);
        names->all[i].old_name = changes->rows[i].old_name;
        done = names->all[i].name != NULL;
    }
    return done && make_labels(changes, names);
}

void gate_names_free(struct gate_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->all[i].name);
        free(names->all[i].label);
    }
    free(names->all);
    *names = (struct gate_names){.all = NULL};
}

const char *gate_name_matched(const struct gate_name *name, const char *glob, size_t len)
{
    char pattern[GLOB_MAX];

    if (len == 0)
        return name->name;
    snprintf(pattern, sizeof(pattern), "%.*s", (int)len, glob);
    if (fnmatch(pattern, name->name, 0) == 0)
        return name->name;
    return name->old_name && fnmatch(pattern, name->old_name, 0) == 0 ? name->old_name : NULL;
}
