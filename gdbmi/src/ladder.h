/* SPDX-License-Identifier: 0BSD */
/* Chooses between OpenOCD's Tcl port and a gdb port: the ladder of gdbmi_link_open(). */
#ifndef GDBMI_SRC_LADDER_H
#define GDBMI_SRC_LADDER_H

#include <gdbmi/link.h>

/* Opens a link to options->gdb or options->tcl, like gdbmi_link_open(). default_tcl_port ("6666")
 * is tried on the host of gdb if tcl is NULL. */
enum gdbmi_code ladder_open(const struct gdbmi_options *options, const char *default_tcl_port,
                            struct gdbmi_link **link, struct gdbmi_error *error);

#endif
