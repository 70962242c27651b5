/* SPDX-License-Identifier: 0BSD */
/* GDB remote packets as they stand on the wire, for passing them on unchanged; without any I/O. */
#ifndef GDBMI_SRC_PROXY_FRAME_H
#define GDBMI_SRC_PROXY_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

/* "$text#xx"; text needs no escapes. */
void proxy_packet_add(struct buffer *bytes, const char *text);

enum proxy_frame_kind {
    PROXY_FRAME_PACKET,
    PROXY_FRAME_NOTIFICATION,
    PROXY_FRAME_ACK,
    PROXY_FRAME_NAK,
    PROXY_FRAME_INTERRUPT, /* Ctrl-C */
};

/* Valid until the framer is fed again. */
struct proxy_frame {
    enum proxy_frame_kind kind;
    const char *raw; /* "$...#xx" as it came, and a NUL */
    size_t raw_len;
    const char *body; /* what stands between, with its escapes and run lengths */
    size_t len;
    bool right; /* the checksum is */
};

/* Zeroed memory is a new one. */
struct proxy_framer {
    struct buffer raw;
    unsigned char sum;
    int sum_digits; /* of the checksum that came, -1: not yet in it */
    bool taken;     /* raw was given out */
};

/* As gdbmi_rsp_feed(): 1: a frame, 0: more is needed, -1: too long a packet, or no memory. */
int proxy_framer_feed(struct proxy_framer *framer, const void *bytes, size_t len, size_t *used,
                      struct proxy_frame *frame) __attribute__((warn_unused_result));

/* Feeds all bytes and hands each frame on. Returns false where proxy_framer_feed() returns -1. */
typedef void proxy_taker(void *context, const struct proxy_frame *frame);
bool proxy_framer_take(struct proxy_framer *framer, const void *bytes, size_t len,
                       proxy_taker *take, void *context);

/* Leaves a new one. */
void proxy_framer_free(struct proxy_framer *framer);

/* What stands in a packet's body. */
bool proxy_starts(const struct proxy_frame *frame, const char *text);
bool proxy_is(const struct proxy_frame *frame, const char *text);
bool proxy_is_stop(const struct proxy_frame *frame);    /* of a core, or of the program */
bool proxy_is_console(const struct proxy_frame *frame); /* or an empty sign of life */
bool proxy_is_error(const struct proxy_frame *frame);
bool proxy_is_hex(const struct proxy_frame *frame); /* all digits, two for each byte */

#endif
