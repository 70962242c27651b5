/* SPDX-License-Identifier: 0BSD */
/* A link through OpenOCD's Tcl port. */
#ifndef GDBMI_SRC_TCL_LINK_H
#define GDBMI_SRC_TCL_LINK_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

/* Opens a link over a stream, like rsp_link_open(); of the options, target is used too. gdb_port is
 * the port of the wanted target's gdb server ("3333"), or NULL for any target. Sets *is_openocd, on
 * failure too: the server has answered as only an OpenOCD does. */
enum gdbmi_code tcl_link_open(struct gdbmi_stream *stream, const char *address,
                              const char *gdb_port, const struct gdbmi_options *options,
                              struct gdbmi_link **link, bool *is_openocd,
                              struct gdbmi_error *error);

#endif
