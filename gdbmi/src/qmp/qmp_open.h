/* SPDX-License-Identifier: 0BSD */
/* A link to QEMU by QMP. */
#ifndef GDBMI_SRC_QMP_OPEN_H
#define GDBMI_SRC_QMP_OPEN_H

#include <gdbmi/link.h>

/* As gdbmi_link_open(), of options that name it. */
enum gdbmi_code qmp_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
