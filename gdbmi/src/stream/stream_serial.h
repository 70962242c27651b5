/* SPDX-License-Identifier: 0BSD */
/* Byte streams over serial lines. */
#ifndef GDBMI_SRC_STREAM_SERIAL_H
#define GDBMI_SRC_STREAM_SERIAL_H

#include <gdbmi/stream.h>

#include "address.h"

/* Opens a serial line exclusively, in raw mode, at address->speed bits a second (0: unchanged).
 * Closing it restores its settings. On success *stream belongs to the caller, who frees it with
 * gdbmi_stream_close(). On failure *stream is unchanged and *error says why. */
enum gdbmi_code stream_serial_open(const struct address *address, struct gdbmi_stream **stream,
                                   struct gdbmi_error *error);

#endif
