/* SPDX-License-Identifier: 0BSD */
/* The GDB remote serial protocol as bytes: a reader and a builder that do no I/O. */
#ifndef GDBMI_RSP_H
#define GDBMI_RSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A packet's decoded payload may be this long; longer ones are a protocol error. */
#define GDBMI_RSP_MAX 65536

enum gdbmi_rsp_kind {
    GDBMI_RSP_PACKET,       /* $...#xx with a right checksum, escapes and run lengths undone */
    GDBMI_RSP_NOTIFICATION, /* %...#xx */
    GDBMI_RSP_ACK,          /* + */
    GDBMI_RSP_NAK,          /* - */
    GDBMI_RSP_BAD,          /* a packet whose checksum is wrong: to be answered with NAK */
};

/* One thing that was read. data is NUL-terminated behind len, and valid until the next call. */
struct gdbmi_rsp_message {
    enum gdbmi_rsp_kind kind;
    const char *data;
    size_t len;
};

struct gdbmi_rsp_reader;

/* NULL when there is no memory. */
struct gdbmi_rsp_reader *gdbmi_rsp_reader_new(void);
void gdbmi_rsp_reader_free(struct gdbmi_rsp_reader *reader);

/*
 * Feeds bytes as they came and takes messages: *used of the len bytes were consumed when it
 * returns. 1: *message holds one, call again with what is left; 0: all bytes are used, more are
 * needed; -1: the bytes are not of this protocol (too long a packet; with a right checksum, a run
 * length that stands after nothing or is out of range), and every later call says so too. Bytes
 * outside of packets are passed over; a notification with a wrong checksum too, because nobody
 * sends it again; a packet that is interrupted by the start of another gives way to it.
 */
int gdbmi_rsp_feed(struct gdbmi_rsp_reader *reader, const void *bytes, size_t len, size_t *used,
                   struct gdbmi_rsp_message *message) __attribute__((warn_unused_result));

/* For error texts: bytes that were passed over because they stood outside of packets, and whether a
 * packet has begun and not ended. */
size_t gdbmi_rsp_skipped(const struct gdbmi_rsp_reader *reader);
bool gdbmi_rsp_inside(const struct gdbmi_rsp_reader *reader);

/* Whether anything was damaged of what ever came: bytes stood outside of packets, a checksum was
 * wrong, or a packet was interrupted by another. */
bool gdbmi_rsp_damaged(const struct gdbmi_rsp_reader *reader);

/*
 * Builds "$payload#xx" with escapes into out. Returns its length, or 0 when capacity is too small
 * (2 * len + 4 is always enough). No NUL is appended.
 */
size_t gdbmi_rsp_build(const void *payload, size_t len, char *out, size_t capacity)
    __attribute__((warn_unused_result));

/* Hexadecimal digits of bytes (2 * len characters and a NUL), and back: returns the number of
 * bytes, or -1 when text holds an odd number of digits, another character, or more than capacity
 * bytes. */
void gdbmi_rsp_hex(const void *bytes, size_t len, char *out);
long gdbmi_rsp_unhex(const char *text, size_t len, void *out, size_t capacity)
    __attribute__((warn_unused_result));

#endif
