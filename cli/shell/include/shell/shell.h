/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs verbs in this process: at a prompt, in scripts, and after ':' in the live screen. */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include <stdbool.h>

#include <options/option_table.h>
#include <target/session.h>

/* The result of shell_run() for quit and exit. */
#define SHELL_QUIT (-1)

/* The result of shell_run() for a command that a signal has ended: this plus its number. */
#define SHELL_SIGNAL 128

/* Executes a command of the caller, before those of the shell are tried. Returns true and sets
 * *status if it knows the command; argv[0] is its name. */
typedef bool shell_extra(void *context, int argc, char **argv, int *status);

/*
 * Runs a line of commands ("report --limit 5; stat -n 1") with the session that is kept. A command
 * that fails ends the line, unless shell_keep_going() is on. extra may be NULL. Messages are
 * printed by complain().
 *
 * Returns the status of the first command that failed, or STATUS_DONE, or one of the results above.
 * No command is run while signals_pending(), even if the signal came before the line. The signal
 * stays there, Ctrl-C too: a caller whose line a person typed calls signals_clear() before and
 * after.
 */
int shell_run(const char *line, shell_extra *extra, void *context);

/* Whether the shell has a command of this name. */
bool shell_knows(const char *name);

/* A further command, and what its argument is. */
struct shell_name {
    const char *name;
    enum option_value takes;
};

/* Sets further commands for shell_complete() and shell_unknown(), the last one with the name NULL;
 * borrowed until the next call. NULL: none. */
void shell_names_set(const struct shell_name *names);

/* Writes that a command is unknown and which name is nearest, or else list, which says where the
 * commands are listed. COMMAND_UNKNOWN bytes are enough. */
void shell_unknown(const char *name, const char *list, char *text, size_t capacity);

/* Sets whether a line continues after a command that fails. Returns the setting before. */
bool shell_keep_going(bool keep_going);

/* Returns the status of the first command that failed since the last call; STATUS_DONE if none did.
 */
int shell_first_failure(void);

/* Executes the verb 'mprof shell'. */
int command_shell(const struct command *self, int argc, char **argv);

/* Returns completions, for readline's rl_attempted_completion_function and for prompt_open(). */
char **shell_complete(const char *text, int start, int end);

/*
 * Makes shell_run() use the session of the live screen: its link, and its ELF file and options if a
 * command names no others. 'top' is then refused. The session must not be polled while a command
 * runs. It is borrowed until the next call; NULL: none.
 */
void shell_keep(struct session *session);

#endif
