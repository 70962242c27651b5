/* SPDX-License-Identifier: 0BSD */
/* A link to QEMU by QMP. */
#ifndef GDBMI_SRC_QMP_OPEN_H
#define GDBMI_SRC_QMP_OPEN_H

#include <gdbmi/link.h>

/* Opens a link to the machine of QEMU at options->qmp, like gdbmi_link_open(). *error must hold no
 * error before the call. */
enum gdbmi_code qmp_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
