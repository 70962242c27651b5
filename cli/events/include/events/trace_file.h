/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands on a trace file, without a target. */
#ifndef EVENTS_TRACE_FILE_H
#define EVENTS_TRACE_FILE_H

#include <options/options.h>
#include <trace/reader.h>

/* Return whether the command line can be used for the trace file options->operands[0]: a single
 * one, and no option that a trace file has no use for. Print a message if not. */
bool trace_file_can_print(const struct options *options);
bool trace_file_can_report(const struct options *options);
bool trace_file_can_export(const struct options *options);

/* Prints the events of the file. Returns a status of <base/say.h>; prints messages, also about
 * bytes of the file that were left out. */
int trace_file_print(const struct options *options);

/* Prints a row for each function of the file. Returns as trace_file_print(). */
int trace_file_report(const struct options *options);

/* Writes the events of the file in the format of options->exporter. Returns as trace_file_print().
 */
int trace_file_export(const struct options *options);

/* Prints what of a file was left out, when all was read. Returns STATUS_FAILED if a part of it is
 * damaged or could not be read. */
int trace_file_say(const char *path, const struct trace_reader *reader);

#endif
