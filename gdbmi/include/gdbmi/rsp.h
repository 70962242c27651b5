/* SPDX-License-Identifier: 0BSD */
/* A parser and a builder for packets of the GDB remote serial protocol that do no I/O. */
#ifndef GDBMI_RSP_H
#define GDBMI_RSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest payload of a packet, bytes after decoding. A longer packet is a protocol error. */
#define GDBMI_RSP_MAX 65536

/* What was read (gdb manual, "Overview" in "GDB Remote Serial Protocol"). */
enum gdbmi_rsp_kind {
    GDBMI_RSP_PACKET,       /* $...#xx with a correct checksum */
    GDBMI_RSP_NOTIFICATION, /* %...#xx with a correct checksum */
    GDBMI_RSP_ACK,          /* + */
    GDBMI_RSP_NAK,          /* - */
    GDBMI_RSP_BAD,          /* a packet with a wrong checksum: answer it with NAK */
};

/* One message. It belongs to the reader, and is valid until the next call with that reader. */
struct gdbmi_rsp_message {
    enum gdbmi_rsp_kind kind;
    const char *data; /* the payload, with escapes and run lengths expanded; "" of + and - */
    size_t len;       /* bytes of data without the final NUL; data may contain NULs */
};

/* The parser's state: the packet that is not complete, and whether anything was damaged. */
struct gdbmi_rsp_reader;

/* Creates a reader, which the caller frees. Returns NULL if memory runs out. */
struct gdbmi_rsp_reader *gdbmi_rsp_reader_new(void);
/* NULL is allowed and does nothing. */
void gdbmi_rsp_reader_free(struct gdbmi_rsp_reader *reader);

/*
 * Reads bytes until a message is complete. They may be split anywhere. *used is the number of bytes
 * consumed, at most len. Skips bytes outside of packets, notifications with a wrong checksum
 * (servers do not repeat them), and a packet in whose middle another one starts.
 *
 * Returns 1 if *message holds a message: call again with the remaining bytes. Returns 0 if all
 * bytes are consumed and the packet is not complete. Returns -1 if a packet is too long, or has a
 * correct checksum and an invalid run length; every later call returns -1 as well.
 */
int gdbmi_rsp_feed(struct gdbmi_rsp_reader *reader, const void *bytes, size_t len, size_t *used,
                   struct gdbmi_rsp_message *message) __attribute__((warn_unused_result));

/* Number of bytes skipped so far because they were outside of packets. */
size_t gdbmi_rsp_skipped(const struct gdbmi_rsp_reader *reader);

/* Whether the last byte was in the middle of a packet. */
bool gdbmi_rsp_inside(const struct gdbmi_rsp_reader *reader);

/* Whether the connection damaged anything so far: bytes outside of packets, a wrong checksum, or a
 * packet in the middle of another one. */
bool gdbmi_rsp_damaged(const struct gdbmi_rsp_reader *reader);

/* Writes "$payload#xx" to out, escaped, without a final NUL. len is bytes of payload, capacity
 * bytes of out: 2 * len + 4 are always enough. Returns the bytes written, or 0 if they do not fit;
 * out is then undefined. */
size_t gdbmi_rsp_build(const void *payload, size_t len, char *out, size_t capacity)
    __attribute__((warn_unused_result));

/* Writes len bytes to out as lower-case hexadecimal digits and a NUL: 2 * len + 1 characters. */
void gdbmi_rsp_hex(const void *bytes, size_t len, char *out);

/* Decodes len hexadecimal digits of either case to out, which has room for capacity bytes. Returns
 * the number of bytes, or -1 if len is odd, a character is not a digit, or capacity is too small.
 */
long gdbmi_rsp_unhex(const char *text, size_t len, void *out, size_t capacity)
    __attribute__((warn_unused_result));

#endif
