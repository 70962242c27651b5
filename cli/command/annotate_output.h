/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an annotation goes: a terminal, a file, a pipe. */
#ifndef COMMAND_ANNOTATE_OUTPUT_H
#define COMMAND_ANNOTATE_OUTPUT_H

#include <options/options.h>
#include <ranking/annotate.h>

/* Prints it as the options say. A status; what went wrong is said. */
int annotate_print(const struct options *options, const struct annotation *annotation,
                   const char *program);

#endif
