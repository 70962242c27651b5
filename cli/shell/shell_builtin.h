/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that only a shell has. */
#ifndef SHELL_SHELL_BUILTIN_H
#define SHELL_SHELL_BUILTIN_H

#include <target/session.h>

struct shell_builtin {
    const char *name;
    const char *operands; /* NULL: none */
    const char *help;
    int (*run)(const struct shell_builtin *self, int argc, char **argv);
};

/* Ends with one whose name is NULL. */
extern const struct shell_builtin shell_builtins[];

/* NULL: there is none of that name. */
const struct shell_builtin *shell_builtin_find(const char *name);

/* What connect takes. */
extern const struct command shell_connect;

#endif
