/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands within the process: at a prompt, in scripts, behind ':' in the live view. */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include <stdbool.h>

#include <options/command.h>
#include <target/session.h>

/* What shell_run() returns for quit and exit. */
#define SHELL_QUIT (-1)

/* What it returns for what a signal has ended, with the signal added. */
#define SHELL_SIGNAL 128

/* Words that the caller takes itself, tried first: true if it took them, and set *status. */
typedef bool shell_extra(void *context, int argc, char **argv, int *status);

/*
 * Runs one line of commands ("report --limit 5; stat -n 1") at the session that is kept. The first
 * one that fails ends it, unless shell_keep_going(). Returns its status, else STATUS_DONE; or one
 * of the above. Ctrl-C is forgotten then; a signal that ends the program stays noted in
 * signals_pending(). What went wrong is said by complain(). extra may be NULL.
 */
int shell_run(const char *line, shell_extra *extra, void *context);

/* Whether a command is called so. */
bool shell_knows(const char *name);

/* More words that shell_complete() and shell_unknown() offer as commands; ends with NULL, borrowed.
 * NULL: none. */
void shell_names_set(const char *const *names);

/* Writes that a command is unknown and which name is nearest, or else list, which says where the
 * commands are listed. COMMAND_UNKNOWN bytes are enough. */
void shell_unknown(const char *name, const char *list, char *text, size_t capacity);

/* From now on a command that fails does not end its line. Returns what was set before. */
bool shell_keep_going(bool keep_going);

/* The status of the first command that failed since the last call, STATUS_DONE: none did. */
int shell_first_failure(void);

/* mprof shell. */
int command_shell(const struct command *self, int argc, char **argv);

/* For readline's rl_attempted_completion_function, and for prompt_open(). */
char **shell_complete(const char *text, int start, int end);

/*
 * The live view's session: verbs run by shell_run() use its link, and its ELF file and options
 * where their lines name no others; top is refused. It must not be polled while one runs. NULL: no
 * more. Borrowed.
 */
void shell_keep(struct session *session);

#endif
