/* SPDX-License-Identifier: 0BSD */
/* A link to a process of this machine. */
#ifndef GDBMI_SRC_PID_LINK_H
#define GDBMI_SRC_PID_LINK_H

#include <gdbmi/link.h>

/* Opens a link to the Linux process options->pid, like gdbmi_link_open(). *error must hold no error
 * before the call. */
enum gdbmi_code pid_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
