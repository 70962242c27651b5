/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs of the program. */
#ifndef COMMAND_VERBS_H
#define COMMAND_VERBS_H

#include <options/command.h>

/* The text of --help, too. Ends with a row whose name is NULL. */
extern const struct command verbs[];

int command_annotate(const struct command *self, int argc, char **argv);
int command_control(const struct command *self, int argc, char **argv);
/* What control can do, for its --help. */
void command_control_actions(void);
int command_diff(const struct command *self, int argc, char **argv);
int command_export(const struct command *self, int argc, char **argv);
int command_log(const struct command *self, int argc, char **argv);
int command_report(const struct command *self, int argc, char **argv);
int command_snapshot(const struct command *self, int argc, char **argv);
int command_stat(const struct command *self, int argc, char **argv);
int command_top(const struct command *self, int argc, char **argv);

#endif
