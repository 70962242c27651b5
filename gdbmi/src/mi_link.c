/* SPDX-License-Identifier: 0BSD */
/* A link through gdb's machine interface: a gdb of ours, or the one in which the user is debugging.
 */
#include "link_ops.h"

enum gdbmi_code mi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                             struct gdbmi_error *error)
{
    (void)options, (void)link;
    return gdbmi_error_set(error, GDBMI_EUNSUPPORTED,
                           "--mi and --mi-attach is not in this version yet");
}
