/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs of the program, and how they complain. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Exit statuses, a contract (docs/mprof.1). */
enum status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_GATE = 3,
};

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

/* One line on stderr: "mprof: what failed, on what, what to do". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* While a screen is live nothing is printed: what was complained about is shown there. */
void complain_hold(bool hold);
/* How many there were. */
unsigned complaints(void);
/* What was said last, the beginning of it where it is long; "": nothing. */
const char *complained(void);
/* Where that is, said before it: "line 3"; NULL: nowhere. Borrowed. */
void complain_at(const char *where);
/* complain() with the text as it is; STATUS_FAILED, to be returned. */
int fail(const char *text);

/* The output to path, NULL: stdout, could not be written; why: NULL: that is not known. Says so,
 * unless nobody reads stdout any more: then command_end() dies of SIGPIPE, as other tools do, when
 * all is cleaned up. STATUS_FAILED, to be returned. */
int output_failed(const char *path, const char *why);

/* Whether nobody reads stdout any more. */
bool output_is_left(void);

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
