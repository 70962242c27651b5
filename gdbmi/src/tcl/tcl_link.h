/* SPDX-License-Identifier: 0BSD */
/* A link through OpenOCD's Tcl port. */
#ifndef GDBMI_SRC_TCL_LINK_H
#define GDBMI_SRC_TCL_LINK_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

/* As rsp_link_open(); target counts too. Searches the server for the target whose gdb port is
 * gdb_port ("3333"); NULL takes any. *is_openocd: an OpenOCD proved itself there, on failure too.
 */
enum gdbmi_code tcl_link_open(struct gdbmi_stream *stream, const char *address,
                              const char *gdb_port, const struct gdbmi_options *options,
                              struct gdbmi_link **link, bool *is_openocd,
                              struct gdbmi_error *error);

#endif
