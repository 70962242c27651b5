/* SPDX-License-Identifier: 0BSD */
/* A link through QEMU's machine protocol: reads while the machine runs. */
#include "link_ops.h"

enum gdbmi_code qmp_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    (void)options, (void)link;
    return gdbmi_error_set(error, GDBMI_EUNSUPPORTED, "--qmp is not in this version yet");
}
