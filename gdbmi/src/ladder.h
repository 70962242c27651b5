/* SPDX-License-Identifier: 0BSD */
/* Which way to a target is taken: OpenOCD's Tcl port before its gdb port. */
#ifndef GDBMI_SRC_LADDER_H
#define GDBMI_SRC_LADDER_H

#include <gdbmi/link.h>

/* gdbmi_link_open() of gdb and tcl, with default_tcl_port for OpenOCD's Tcl port. */
enum gdbmi_code ladder_open(const struct gdbmi_options *options, const char *default_tcl_port,
                            struct gdbmi_link **link, struct gdbmi_error *error);

#endif
