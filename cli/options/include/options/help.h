/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints --help, and the usage line if an argument is missing. */
#ifndef OPTIONS_HELP_H
#define OPTIONS_HELP_H

#include <options/command.h>
#include <table/column.h>

/* Prints the usage line, options by headings, columns, formats and examples of a verb to standard
 * output, within the width of the terminal, or 80 cells if it is none. */
void help_print(const struct command *command);

/* Prints one row of a list: a name, padded to name_width cells, and a text that is wrapped next
 * to it; a longer name has a line of its own. */
void help_row(const char *name, unsigned name_width, const char *text);

/* Prints a list of columns, with a heading. */
void help_columns(const char *heading, const struct view_columns *columns);

/* Complains about what is missing, then prints the usage line and one example to standard error.
 * Returns STATUS_USAGE. */
int help_missing(const struct command *command, const char *what);

#endif
