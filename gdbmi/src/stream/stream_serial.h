/* SPDX-License-Identifier: 0BSD */
/* Byte streams over serial lines. */
#ifndef GDBMI_SRC_STREAM_SERIAL_H
#define GDBMI_SRC_STREAM_SERIAL_H

#include <gdbmi/stream.h>

#include "address.h"

/* Opens the line for us alone, raw, at address->speed or at the speed that it has; closing it puts
 * its settings back. On success *stream is the caller's; otherwise it is untouched. */
enum gdbmi_code stream_serial_open(const struct address *address, struct gdbmi_stream **stream,
                                   struct gdbmi_error *error);

#endif
