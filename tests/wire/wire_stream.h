/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A faulty wire around a byte stream in this process. */
#ifndef WIRE_STREAM_H
#define WIRE_STREAM_H

#include <gdbmi/stream.h>

#include "wire.h"

/* The stream's other end. inner is closed with it and outlives it. */
struct wire_stream {
    struct gdbmi_stream base;
    struct gdbmi_stream *inner;
    struct wire wire;
    char *queue; /* to the client; freed at close */
    size_t queue_at, queue_len, queue_capacity;
};

void wire_stream_init(struct wire_stream *stream, struct gdbmi_stream *inner,
                      const struct wire_plan *plan);

#endif
