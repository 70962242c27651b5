/* SPDX-License-Identifier: 0BSD */
/* Reads from any byte stream until a deadline of clock_deadline(). */
#ifndef GDBMI_SRC_STREAM_H
#define GDBMI_SRC_STREAM_H

#include <stdint.h>

#include <gdbmi/stream.h>

#include "buffer.h"

/*
 * Waits for bytes and reads at most capacity of them. Returns as gdbmi_stream_ops.read() does: the
 * number of bytes, 0 if the time is over, -1 with *error set. After the deadline it still returns
 * bytes that have arrived, but at most 256 times in a row, over calls: so a server that never stops
 * sending cannot keep the caller busy.
 */
int stream_read(struct gdbmi_stream *stream, void *bytes, size_t capacity, uint64_t deadline,
                struct gdbmi_error *error);

/* Reads like stream_read() and appends the bytes to a buffer. Only the free capacity is filled:
 * reserve it with buffer_reserve() before. */
int stream_read_more(struct gdbmi_stream *stream, struct buffer *buffer, uint64_t deadline,
                     struct gdbmi_error *error);

#endif
