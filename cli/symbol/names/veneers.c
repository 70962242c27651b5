/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of veneers, as GNU ld and lld give them. */
#include "veneers.h"

#include <string.h>

/* Underscores before a name that are tried to be left out. */
#define UNDERSCORES_MAX 8

/* The name between "__" and one of the endings; len 0: it has not that form. */
struct middle {
    const char *text;
    size_t len;
};

static struct middle middle_of(const char *name)
{
    static const char *const endings[] = {
        "_veneer",
        "_from_thumb",
        "_from_arm",
        "_change_to_arm",
    };
    size_t len = strlen(name);

    if (strncmp(name, "__", 2) != 0)
        return (struct middle){.len = 0};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        size_t ending = strlen(endings[i]);
        if (len > 2 + ending && strcmp(name + len - ending, endings[i]) == 0)
            return (struct middle){.text = name + 2, .len = len - 2 - ending};
    }
    return (struct middle){.len = 0};
}

bool veneer_has_form(const char *name)
{
    return middle_of(name).len != 0;
}

static int compare(const struct middle *key, const char *name)
{
    int order = strncmp(key->text, name, key->len);

    return order ? order : -(name[key->len] != '\0');
}

static const char *find(const struct middle *key, const char *const *names, size_t count)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, names[middle]);
        if (order == 0)
            return names[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *veneer_goal(const char *name, const char *const *names, size_t count)
{
    struct middle key = middle_of(name);
    const char *goal = NULL;

    for (unsigned i = 0; i < UNDERSCORES_MAX && key.len != 0 && !goal; i++) {
        goal = find(&key, names, count);
        /* Some linkers put more underscores before it than two. */
        if (key.text[0] != '_')
            break;
        key.text++;
        key.len--;
    }
    return goal;
}
