/* SPDX-License-Identifier: 0BSD */
/* Connections that a guardian can use if this process dies. */
#ifndef GDBMI_SRC_STREAM_SOCKET_H
#define GDBMI_SRC_STREAM_SOCKET_H

#include <gdbmi/stream.h>

#include "guardian.h"

/* Connects like gdbmi_stream_connect(), and lends each socket to the guardian before it connects.
 * The stream owns the guardian from the call on: closing the stream dismisses it, and so does a
 * failure here. guardian may be NULL. */
enum gdbmi_code stream_connect_guarded(const char *text, int timeout_ms, struct guardian *guardian,
                                       struct gdbmi_stream **stream, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

#endif
