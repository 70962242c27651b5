/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds verbs. */
#include <options/command.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <base/nearest.h>

static const struct command none[] = {{.name = NULL}};

const struct command *commands = none;

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0 || (c->alias && strcmp(c->alias, name) == 0))
            return c;
    }
    return NULL;
}

void command_unknown(struct nearest *nearest, const char *list, char *text, size_t capacity)
{
    char hint[NEAREST_HINT];

    for (const struct command *c = commands; c->name; c++) {
        nearest_offer(nearest, c->name);
        nearest_offer(nearest, c->alias);
    }
    nearest_hint(nearest, "", hint, sizeof(hint));
    snprintf(text, capacity, "unknown command '%.200s'%s%s", nearest->typed, hint[0] ? hint : "; ",
             hint[0] ? "" : list);
}
