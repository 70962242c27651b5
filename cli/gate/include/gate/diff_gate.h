/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a diff against --fail-above and --budgets. */
#ifndef COMMAND_DIFF_GATE_H
#define COMMAND_DIFF_GATE_H

#include <options/options.h>
#include <ranking/change.h>

#include <gate/budgets.h>

/*
 * Checks every row against every threshold and budget, prints on stderr those that were exceeded,
 * and writes the file of --junit. Returns STATUS_GATE if one was exceeded, even if something else
 * failed, and STATUS_FAILED if a file could not be written or the rows could not be judged.
 */
int diff_gate(const struct options *options, const struct budgets *budgets,
              const struct view_changes *changes);

/* Writes the file of --junit, if given, for a diff that failed: it contains message as one error,
 * so that the file of an earlier run is not taken for the result. Returns a status of <base/say.h>;
 * prints a message on failure. */
int diff_gate_error(const struct options *options, const char *message);

#endif
