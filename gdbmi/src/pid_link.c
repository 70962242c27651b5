/* SPDX-License-Identifier: 0BSD */
/* A link to a process on this machine: no server at all. */
#include "link_ops.h"

enum gdbmi_code pid_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    (void)options, (void)link;
    return gdbmi_error_set(error, GDBMI_EUNSUPPORTED, "--pid is not in this version yet");
}
