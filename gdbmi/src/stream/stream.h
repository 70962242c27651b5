/* SPDX-License-Identifier: 0BSD */
/* Reading from any byte stream until a deadline. */
#ifndef GDBMI_SRC_STREAM_H
#define GDBMI_SRC_STREAM_H

#include <stdint.h>

#include <gdbmi/stream.h>

#include "buffer.h"

/*
 * Reads what comes until a deadline of clock_deadline(), as the stream's own read does. What has
 * arrived by the deadline is still given out when it has passed; a server that never stops sending
 * gets 0 (the time is over) after some hundred reads, counted over calls.
 */
int stream_read(struct gdbmi_stream *stream, void *bytes, size_t capacity, uint64_t deadline,
                struct gdbmi_error *error);

/* Reads what comes behind what a buffer holds, into room that was reserved: as stream_read(). */
int stream_read_more(struct gdbmi_stream *stream, struct buffer *buffer, uint64_t deadline,
                     struct gdbmi_error *error);

#endif
