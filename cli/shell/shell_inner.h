/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the shell share. */
#ifndef SHELL_SHELL_INNER_H
#define SHELL_SHELL_INNER_H

#include <stdbool.h>
#include <stddef.h>

#include <symbol/symtab.h>

/* Longer lines are refused. */
#define SHELL_LINE_MAX 65536

/* Reads commands at a terminal until quit, Ctrl-D, or a signal that ends us. A status, or
 * SHELL_SIGNAL with the signal. */
int console_run(int wake_fd);

/* Makes readline complete as the shell does; at every use of it, since prompts and the console
 * differ in it. */
void shell_use_readline(void);

/*
 * One of the lists of lines that can be had back, by its name: "commands", the shell's, which is
 * kept in a file, or another, which lives as long as the process. From now on it is readline's.
 * false: no memory.
 */
bool shell_history_use(const char *name);
/* Adds a line to it, unless it is empty or the last one again. */
void shell_history_add(const char *line);

/* The functions of the ELF file that commands would use; NULL: there is none. Borrowed until the
 * next call. */
const struct symtab *shell_symtab(const char *elf);

/* Snapshots in the folder that commands would use (NULL: no option named it), 0: there is none. */
size_t shell_snapshots(const char *store);

#endif
