/* SPDX-License-Identifier: 0BSD */
/* A link to a file that holds a piece of a target's memory. */
#include "link_ops.h"

enum gdbmi_code raw_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    (void)options, (void)link;
    return gdbmi_error_set(error, GDBMI_EUNSUPPORTED, "--raw is not in this version yet");
}
