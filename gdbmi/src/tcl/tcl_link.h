/* SPDX-License-Identifier: 0BSD */
/* A link through OpenOCD's Tcl port. */
#ifndef GDBMI_SRC_TCL_LINK_H
#define GDBMI_SRC_TCL_LINK_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

/* Who answers at a Tcl port. */
enum tcl_peer {
    TCL_PEER_UNKNOWN,
    TCL_PEER_OPENOCD, /* has answered as only an OpenOCD does */
    TCL_PEER_GDB,     /* a gdb server, which may have halted its target */
};

/* Opens a link over a stream, like rsp_link_open(); of the options, target is used too. gdb_port is
 * the port of the wanted target's gdb server ("3333"), or NULL for any target. Sets *peer, on
 * failure too. */
enum gdbmi_code tcl_link_open(struct gdbmi_stream *stream, const char *address,
                              const char *gdb_port, const struct gdbmi_options *options,
                              struct gdbmi_link **link, enum tcl_peer *peer,
                              struct gdbmi_error *error);

#endif
