/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives functions the names that people know them by. */
#define _POSIX_C_SOURCE 200809L

#include "display_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <names/demangle.h>

/* Longer names keep their version. */
#define UNVERSIONED_MAX 2048

struct maker {
    struct functions *out;
    const struct candidates *from;
    char text[DEMANGLE_MAX + 64]; /* and a mark */
};

/* Linkers write a symbol's version behind its name: powf@@GLIBC_2.27, or with one '@' if it is not
 * the default one. Returns the length of the name without it. Names in which '@' means something
 * else have no word behind it (_f@8), or begin with '?'. */
static size_t unversioned_len(const char *name)
{
    size_t len = strcspn(name, "@");
    const char *version = name + len + strspn(name + len, "@");

    if (len == 0 || name[0] == '?' || version - (name + len) > 2 ||
        !(isalpha((unsigned char)version[0]) || version[0] == '_'))
        return strlen(name);
    for (const char *c = version; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("_.-", *c))
            return strlen(name);
    }
    return len;
}

/* What needs no other name keeps it: false. */
static bool read_name(const struct candidate *c, bool parameters, char text[DEMANGLE_MAX])
{
    const char *whole = c->goal ? c->goal : c->name;
    size_t len = unversioned_len(whole);
    char plain[UNVERSIONED_MAX];

    if (whole[len] != '\0' && len < sizeof(plain)) {
        memcpy(plain, whole, len);
        plain[len] = '\0';
        whole = plain;
    }
    if (demangle(whole, parameters, text))
        return true;
    if (whole != plain && !c->goal)
        return false;
    snprintf(text, DEMANGLE_MAX, "%s", whole);
    return true;
}

/* false: no memory, or the budget is over. */
static bool name_one(struct maker *m, size_t index, bool parameters)
{
    const struct candidate *c = &m->from->list[index];
    struct symtab_function *f = &m->out->functions[index];

    f->name = c->name;
    f->symbol = NULL;
    if (!read_name(c, parameters, m->text))
        return true;
    if (c->goal)
        snprintf(m->text + strlen(m->text), 64, "%s", c->mark);
    f->symbol = c->goal == c->name ? NULL : c->name;
    size_t len = strlen(m->text);
    struct budget *budget = m->from->budget;
    bool paid = budget_take(budget, len + 1) && budget_work(budget, len + 1);
    f->name = paid ? string_arena_add(&m->out->made, m->text, len) : NULL;
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

bool display_names_make(struct functions *functions, const struct candidates *candidates)
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
        functions->functions[i].is_label = candidates->list[i].is_label;
        if (!name_one(&m, i, false))
            return false;
    }
    return tell_all_apart(&m);
}
