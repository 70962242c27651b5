/* SPDX-License-Identifier: 0BSD */
/* A link to a process of this machine. */
#ifndef GDBMI_SRC_PID_LINK_H
#define GDBMI_SRC_PID_LINK_H

#include <gdbmi/link.h>

/* As gdbmi_link_open(), of options that name it. */
enum gdbmi_code pid_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
