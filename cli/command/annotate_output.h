/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an annotation to a terminal, a pipe or a file. */
#ifndef COMMAND_ANNOTATE_OUTPUT_H
#define COMMAND_ANNOTATE_OUTPUT_H

#include <options/options.h>
#include <ranking/annotate.h>

/* Writes an annotation in the format of options->format to stdout or options->output. program is
 * the name of the ELF file, "": not known. Returns a status of <base/say.h>; prints a message on
 * failure. */
int annotate_print(const struct options *options, const struct annotation *annotation,
                   const char *program);

#endif
