/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs of the program. */
#ifndef COMMAND_VERBS_H
#define COMMAND_VERBS_H

#include <options/command.h>

/* All verbs, from which --help, completion and the manual are made; the last entry has the name
 * NULL. */
extern const struct command verbs[];

/* The verbs: command.run of their entries. */
int command_annotate(const struct command *self, int argc, char **argv);
int command_control(const struct command *self, int argc, char **argv);
/* Prints the actions of control, for its --help. */
void command_control_actions(void);
int command_coverage(const struct command *self, int argc, char **argv);
int command_diff(const struct command *self, int argc, char **argv);
int command_doctor(const struct command *self, int argc, char **argv);
int command_export(const struct command *self, int argc, char **argv);
int command_instrument(const struct command *self, int argc, char **argv);
int command_log(const struct command *self, int argc, char **argv);
int command_report(const struct command *self, int argc, char **argv);
/* Prints the columns of a trace file, for the --help of report. */
void command_report_columns(void);
void command_diff_columns(void);
int command_run(const struct command *self, int argc, char **argv);
int command_snapshot(const struct command *self, int argc, char **argv);
int command_stat(const struct command *self, int argc, char **argv);
int command_top(const struct command *self, int argc, char **argv);
int command_trace(const struct command *self, int argc, char **argv);

#endif
