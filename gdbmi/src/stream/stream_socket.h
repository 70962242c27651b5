/* SPDX-License-Identifier: 0BSD */
/* Sockets whose connection a guardian holds, too. */
#ifndef GDBMI_SRC_STREAM_SOCKET_H
#define GDBMI_SRC_STREAM_SOCKET_H

#include <gdbmi/stream.h>

#include "guardian.h"

/* gdbmi_stream_connect() with a guardian, which has each socket before it connects. Takes the
 * guardian over: it is dismissed with the stream, and here on failure. */
enum gdbmi_code stream_connect_guarded(const char *text, int timeout_ms, struct guardian *guardian,
                                       struct gdbmi_stream **stream, struct gdbmi_error *error)
    __attribute__((warn_unused_result));

#endif
