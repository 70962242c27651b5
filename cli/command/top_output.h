/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where refreshes go that no live screen shows: text or data. */
#ifndef COMMAND_TOP_OUTPUT_H
#define COMMAND_TOP_OUTPUT_H

#include <stdbool.h>

#include <options/options.h>
#include <screen/frame.h>

struct top_output;

/* Whether it is to be a live screen: stdin and stdout are terminals and nothing else was asked for.
 */
bool top_output_wants_live(const struct options *options);

/* Opens stdout, or the file. Returns a status; what went wrong is said. */
int top_output_open(const struct options *options, struct top_output **output);

/* NULL does nothing. */
void top_output_close(struct top_output *output);

/* Shows one refresh and nothing else, in a file whole or not at all. A status; what went wrong is
 * said, but for a signal that came meanwhile. */
int top_output_once(const struct options *options, const struct view_status *status,
                    const struct profile *profile, const struct view_rows *rows);

/* Shows one refresh; false: no memory, or it could not be written. */
bool top_output_show(struct top_output *output, const struct view_status *status,
                     const struct profile *profile, const struct view_rows *rows)
    __attribute__((warn_unused_result));

#endif
