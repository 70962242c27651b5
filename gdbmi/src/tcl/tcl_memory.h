/* SPDX-License-Identifier: 0BSD */
/* Memory through OpenOCD's Tcl port: in pieces that keep the server busy for a short time each. */
#ifndef GDBMI_SRC_TCL_MEMORY_H
#define GDBMI_SRC_TCL_MEMORY_H

#include <gdbmi/link.h>

#include "link_ops.h"
#include "tcl_port.h"

struct tcl_memory {
    struct tcl_port *port;
    struct gdbmi_link *link; /* what reads cost, and who waits for them */
    bool big_endian;
    bool physical;  /* addresses are those of the bus */
    unsigned piece; /* elements (words, or bytes at the edges) of a piece, by the time they take */
};

void tcl_memory_init(struct tcl_memory *memory, struct tcl_port *port, struct gdbmi_link *link,
                     bool big_endian);

/* What "TARGET curstate" answers, as a state. */
enum gdbmi_state tcl_memory_state(const char *word);

/* Reads, and says what the target did just before, in one round trip for up to TCL_PIPE_MAX pieces.
 * *state may be NULL; bytes and *state are untouched unless GDBMI_OK. */
enum gdbmi_code tcl_memory_read(struct tcl_memory *memory, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state, struct gdbmi_error *error);

/* The value of a word of which these are the bytes. */
uint32_t tcl_memory_word(const struct tcl_memory *memory, const unsigned char bytes[4]);

enum gdbmi_code tcl_memory_write(struct tcl_memory *memory, uint64_t addr, const void *bytes,
                                 size_t len, struct gdbmi_error *error);

#endif
