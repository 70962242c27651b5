/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs of the program. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include <stdbool.h>

#include <base/say.h>

/* One verb. The table of them is also the text of --help. */
struct command {
    const char *name;
    const char *summary;
    unsigned options;     /* enum option_group, or-ed: what it takes */
    bool files;           /* operands are files that take the place of a target */
    bool subject;         /* the first operand is no file, but what it is about */
    const char *alias;    /* another name; NULL: none */
    const char *operands; /* what it takes beside options, for --help; NULL: nothing */
    int (*run)(const struct command *self, int argc, char **argv);
};

/* Ends with a row whose name is NULL. */
extern const struct command commands[];

const struct command *command_find(const char *name);

/* What the program ends with when its verb ended with status. */
int command_end(int status);

int command_annotate(const struct command *self, int argc, char **argv);
int command_control(const struct command *self, int argc, char **argv);
int command_diff(const struct command *self, int argc, char **argv);
int command_export(const struct command *self, int argc, char **argv);
int command_log(const struct command *self, int argc, char **argv);
int command_report(const struct command *self, int argc, char **argv);
int command_shell(const struct command *self, int argc, char **argv);
int command_snapshot(const struct command *self, int argc, char **argv);
int command_stat(const struct command *self, int argc, char **argv);
int command_top(const struct command *self, int argc, char **argv);

#endif
