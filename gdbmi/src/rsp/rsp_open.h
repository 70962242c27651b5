/* SPDX-License-Identifier: 0BSD */
/* A link to a server of the GDB remote protocol. */
#ifndef GDBMI_SRC_RSP_OPEN_H
#define GDBMI_SRC_RSP_OPEN_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

/* Opens a link over a stream, and takes the stream: it is closed on failure. address is the name of
 * the server for texts, and is copied. Of the options, held, serve, timeout_ms and allow_halt are
 * used. On success *link belongs to the caller, and its why says how it reads. On failure *link is
 * unchanged, *error says why, and the target is as it was unless error->left says otherwise. */
enum gdbmi_code rsp_link_open(struct gdbmi_stream *stream, const char *address,
                              const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
