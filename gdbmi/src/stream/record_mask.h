/* SPDX-License-Identifier: 0BSD */
/* What a gdb says, without what may be names of the user's. */
#ifndef GDBMI_SRC_RECORD_MASK_H
#define GDBMI_SRC_RECORD_MASK_H

#include <stdbool.h>

#include "buffer.h"

/* What a gdb has said so far. Zeroed memory is nothing. */
struct record_mask {
    struct buffer line; /* a line whose end has not come yet */
    bool asked;         /* its console answers a question of mprof's */
};

/* Takes bytes that were sent to gdb. */
void record_mask_sent(struct record_mask *mask, const char *bytes, size_t len);

/* Takes bytes of gdb, and appends the lines that they complete to out, with names and texts
 * replaced by 'x': all but results that mprof reads, answers to its questions, and the beginnings
 * of packets in gdb's log. */
void record_mask_received(struct record_mask *mask, const char *bytes, size_t len,
                          struct buffer *out);

void record_mask_free(struct record_mask *mask);

#endif
