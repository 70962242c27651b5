/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs of the program: 'mprof VERB'. */
#ifndef OPTIONS_COMMAND_H
#define OPTIONS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* What the first operand of a verb is, for completion. */
enum command_operand {
    COMMAND_OPERAND_FILE,
    COMMAND_OPERAND_FUNCTION,
    COMMAND_OPERAND_CONTROL, /* an action of mprof control */
};

#define COMMAND_EXAMPLES 3

/* An example for --help: a command line as it is typed, and what it does. */
struct command_example {
    const char *line, *text;
};

/* One verb. All strings are constants. */
struct command {
    const char *name;
    const char *summary; /* one imperative phrase without a full stop */
    unsigned options;    /* enum option_group, or-ed: the options that it has */
    unsigned formats;    /* those that --format accepts, 1 << enum view_format, or-ed; 0: all */
    bool files;          /* operands are snapshots, and a target is needed only without them */
    bool subject;        /* the first operand is not a file, but a function or an action */
    bool partial;        /* works without an ELF file, or without a server */
    bool program;        /* operands are a program and its arguments: options end there */
    enum command_operand operand;
    const char *alias;        /* another name; NULL: none */
    const char *operands;     /* the operands in the usage line; NULL: none */
    void (*print_more)(void); /* prints the rest of --help to stdout; NULL: nothing */
    struct command_example examples[COMMAND_EXAMPLES]; /* unused ones have a line NULL */
    /* Executes the verb. argv[0] is its name. Prints messages, and returns the exit status. */
    int (*run)(const struct command *self, int argc, char **argv);
};

/* All verbs; the last entry has the name NULL. Set by main(). */
extern const struct command *commands;

/* Returns the verb with this name or alias, or NULL. */
const struct command *command_find(const char *name);

/* Bytes that command_unknown() needs for any name. */
#define COMMAND_UNKNOWN 400

struct nearest;
/* Writes that nearest->typed, which ends with a zero byte, is an unknown command, and what to do:
 * to type the nearest name (of a verb, or offered before), or else list, which says where the names
 * are listed. */
void command_unknown(struct nearest *nearest, const char *list, char *text, size_t capacity);

#endif
