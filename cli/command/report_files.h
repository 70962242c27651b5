/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof report of files. */
#ifndef COMMAND_REPORT_FILES_H
#define COMMAND_REPORT_FILES_H

#include <options/options.h>

/* Adds up the files of the operands, which are some, and prints one ranking. A status; what went
 * wrong is said. */
int report_files(const struct options *options);

#endif
