/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'mprof report' of snapshots. */
#ifndef COMMAND_REPORT_FILES_H
#define COMMAND_REPORT_FILES_H

#include <options/options.h>

/* Adds up the files of options->operands, of which there must be at least one, and prints one
 * ranking. Returns a status of <base/say.h>; prints a message on failure. */
int report_files(const struct options *options);

#endif
