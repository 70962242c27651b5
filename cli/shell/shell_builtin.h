/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that only a shell has. */
#ifndef SHELL_SHELL_BUILTIN_H
#define SHELL_SHELL_BUILTIN_H

#include <shell/shell.h>
#include <target/session.h>

#define SHELL_NOT_IN_VIEW "not available in the live view; press q first"

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

/* What shell_names_set() was given; empty: nothing. The last one has the name NULL. */
const struct shell_name *shell_names(void);

/* Complains of a command that there is not. STATUS_USAGE, to be returned. */
int shell_refuse(const char *name);

/* What connect takes. */
extern const struct command shell_connect;

#endif
