/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a diff may pass: the thresholds and budgets that were given. */
#ifndef COMMAND_DIFF_GATE_H
#define COMMAND_DIFF_GATE_H

#include <options/options.h>
#include <ranking/change.h>

#include "budgets.h"

/*
 * Holds every row against every threshold and budget, says on stderr which were broken, and writes
 * the JUnit file. STATUS_GATE: something was broken, whatever else failed. STATUS_FAILED: a file
 * could not be written, or it cannot be said that nothing is beyond a threshold: a gate that cannot
 * close is not passed.
 */
int diff_gate(const struct options *options, const struct budgets *budgets,
              const struct view_changes *changes);

/* A JUnit file, if one is wanted, for a diff that did not come so far: one error, where that of the
 * last run would say that all is well. A status; what went wrong is said. */
int diff_gate_error(const struct options *options, const char *message);

#endif
