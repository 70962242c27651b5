/* SPDX-License-Identifier: 0BSD */
/* A link to a server of the GDB remote protocol. */
#ifndef GDBMI_SRC_RSP_OPEN_H
#define GDBMI_SRC_RSP_OPEN_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

/* Opens one over a stream, which is the link's from the call on, on failure too; the target is then
 * as it was. Of the options held, serve, timeout_ms and allow_halt count. The link's why holds what
 * is to stand behind the caller's. */
enum gdbmi_code rsp_link_open(struct gdbmi_stream *stream, const char *address,
                              const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
