/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives functions the names that people know them by. */
#define _POSIX_C_SOURCE 200809L

#include "titles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

struct maker {
    struct functions *out;
    const struct candidates *from;
    char text[DEMANGLE_MAX + 64]; /* and a mark */
};

/* false: no memory. What needs no other name keeps it. */
static bool name_one(struct maker *m, size_t index, bool parameters)
{
    const struct candidate *c = &m->from->list[index];
    struct symtab_function *f = &m->out->functions[index];
    const char *plain = c->goal ? c->goal : c->name;

    f->name = c->name;
    f->symbol = NULL;
    if (!demangle(plain, parameters, m->text)) {
        if (!c->goal)
            return true;
        snprintf(m->text, DEMANGLE_MAX, "%s", plain);
    }
    if (c->goal)
        snprintf(m->text + strlen(m->text), 64, "%s", c->mark);
    f->symbol = c->goal == c->name ? NULL : c->name;
    f->name = texts_store(&m->out->made, m->text, strlen(m->text) + 1);
    return f->name != NULL;
}

static int compare_names(const void *a, const void *b)
{
    const struct symtab_function *const *x = a;
    const struct symtab_function *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);

    return order ? order : (*x > *y) - (*x < *y);
}

static bool same_name(const struct symtab_function *a, const struct symtab_function *b)
{
    return strcmp(a->name, b->name) == 0;
}

/* Functions of one name that are not one symbol get their parameters. */
static bool tell_apart(struct maker *m, const struct symtab_function **sorted, size_t count)
{
    size_t end;

    for (size_t i = 0; i < count; i = end) {
        for (end = i + 1; end < count && same_name(sorted[i], sorted[end]);)
            end++;
        for (size_t k = i; end - i > 1 && k < end; k++) {
            if (!name_one(m, (size_t)(sorted[k] - m->out->functions), true))
                return false;
        }
    }
    return true;
}

static bool tell_all_apart(struct maker *m)
{
    size_t count = 0;
    const struct symtab_function **sorted = malloc((m->out->count + 1) * sizeof(*sorted));

    if (!sorted)
        return false;
    for (size_t i = 0; i < m->out->count; i++)
        if (m->out->functions[i].symbol && !m->from->list[i].goal)
            sorted[count++] = &m->out->functions[i];
    qsort(sorted, count, sizeof(*sorted), compare_names);
    bool done = tell_apart(m, sorted, count);
    free(sorted);
    return done;
}

bool titles_make(struct functions *functions, const struct candidates *candidates)
{
    struct maker m = {.out = functions, .from = candidates};

    if (candidates->count == 0)
        return true;
    functions->functions = calloc(candidates->count, sizeof(*functions->functions));
    if (!functions->functions)
        return false;
    functions->count = candidates->count;
    for (size_t i = 0; i < functions->count; i++) {
        functions->functions[i].addr = candidates->list[i].addr;
        functions->functions[i].size = candidates->list[i].size;
        if (!name_one(&m, i, false))
            return false;
    }
    return tell_all_apart(&m);
}
