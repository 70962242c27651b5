/* SPDX-License-Identifier: 0BSD */
/* A link through a gdb server with one client, which the user's gdb shares through us. */
#include "link_ops.h"

enum gdbmi_code proxy_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    (void)options, (void)link;
    return gdbmi_error_set(error, GDBMI_EUNSUPPORTED, "--serve is not in this version yet");
}
