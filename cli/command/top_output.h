/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes refreshes as text or data, without a live screen. */
#ifndef COMMAND_TOP_OUTPUT_H
#define COMMAND_TOP_OUTPUT_H

#include <stdbool.h>

#include <options/options.h>
#include <screen/frame.h>

/* An open output: stdout or a file. */
struct top_output;

/* Whether to show the live screen: stdin and stdout are terminals, and no option asks for other
 * output. */
bool top_output_wants_live(const struct options *options);

/* Opens stdout, or the file of --output; the caller closes *output with top_output_close(). Returns
 * a status of <base/say.h>; prints a message on failure. */
int top_output_open(const struct options *options, struct top_output **output);

/* Closes an output. NULL is allowed. */
void top_output_close(struct top_output *output);

/* Opens the output, writes one refresh and closes it; a file is replaced only if all was written.
 * Returns a status of <base/say.h>; prints a message on failure, unless a signal is the reason. */
int top_output_once(const struct options *options, const struct view_status *status,
                    const struct profile *profile, const struct view_rows *rows);

/* Writes one refresh. Returns false if memory runs out or it cannot be written. */
bool top_output_show(struct top_output *output, const struct view_status *status,
                     const struct profile *profile, const struct view_rows *rows)
    __attribute__((warn_unused_result));

#endif
