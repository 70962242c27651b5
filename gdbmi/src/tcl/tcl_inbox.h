/* SPDX-License-Identifier: 0BSD */
/* Messages that end with a byte 0x1a, out of a stream. */
#ifndef GDBMI_SRC_TCL_INBOX_H
#define GDBMI_SRC_TCL_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/stream.h>

#include "buffer.h"

#define TCL_END_OF_MESSAGE '\x1a'

struct tcl_inbox {
    struct gdbmi_stream *stream;
    size_t at;        /* bytes of in that were taken already */
    struct buffer in; /* all bytes received, those taken included */
    bool unknown;     /* of what is received, nothing has shown yet that it comes from OpenOCD */
};

/* Takes over the stream. */
void tcl_inbox_open(struct tcl_inbox *inbox, struct gdbmi_stream *stream);

/* Closes the stream, if there is one. */
void tcl_inbox_close(struct tcl_inbox *inbox);

/* Whether what was received begins as a gdb server does: with an ack or a packet. */
bool tcl_inbox_is_gdb(const struct tcl_inbox *inbox);

/*
 * Takes the next whole message, NUL-terminated; it is the caller's to change, until the next call.
 * GDBMI_ETIMEOUT without a text in *error: none came before the deadline. GDBMI_EPROTOCOL without a
 * text: unknown is set, and tcl_inbox_is_gdb().
 */
enum gdbmi_code tcl_inbox_take(struct tcl_inbox *inbox, uint64_t deadline, const char *address,
                               char **message, struct gdbmi_error *error);

/* Whether the received bytes begin with text. */
bool tcl_inbox_begins(const struct tcl_inbox *inbox, const char *text);

/* Whether the bytes received of the next message may be the beginning of word. */
bool tcl_inbox_may_begin(const struct tcl_inbox *inbox, const char *word);

#endif
