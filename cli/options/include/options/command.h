/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a verb of the program is, and which there are. */
#ifndef OPTIONS_COMMAND_H
#define OPTIONS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* What its first operand names. */
enum command_operand {
    COMMAND_OPERAND_FILE,
    COMMAND_OPERAND_FUNCTION,
    COMMAND_OPERAND_CONTROL, /* a word of mprof control */
};

#define COMMAND_EXAMPLES 3

/* A command line of the verb as it is typed, and what it does. */
struct command_example {
    const char *line, *text;
};

struct command {
    const char *name;
    const char *summary; /* what it does, in the imperative, without a full stop */
    unsigned options;    /* enum option_group, or-ed: what it takes */
    bool files;          /* operands are files that take the place of a target */
    bool subject;        /* the first operand is no file, but what it is about */
    enum command_operand operand;
    const char *alias;        /* another name; NULL: none */
    const char *operands;     /* arguments besides options, for the usage line; NULL: none */
    void (*print_more)(void); /* prints what else --help says; NULL: nothing */
    struct command_example examples[COMMAND_EXAMPLES];
    int (*run)(const struct command *self, int argc, char **argv);
};

/* The table that main() hands down; ends with one whose name is NULL. */
extern const struct command *commands;

/* NULL: there is none of that name. */
const struct command *command_find(const char *name);

/* Bytes that command_unknown() needs for any name. */
#define COMMAND_UNKNOWN 400

struct nearest;
/* Writes that nearest->typed, which ends with a zero byte, is an unknown command, and what to do:
 * to type the nearest name (of a verb, or offered before), or else list, which says where the names
 * are listed. */
void command_unknown(struct nearest *nearest, const char *list, char *text, size_t capacity);

#endif
