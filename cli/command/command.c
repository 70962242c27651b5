/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of verbs. */
#include "command.h"

#include <stdarg.h>
#include <string.h>

const struct command commands[] = {
    {.name = "top", .summary = "live ranking of where the time goes", .run = command_top},
    {.name = NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0)
            return c;
    }
    return NULL;
}

void complain(const char *format, ...)
{
    va_list args;

    fputs("mprof: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}
