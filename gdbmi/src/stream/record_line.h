/* SPDX-License-Identifier: 0BSD */
/* The lines of a record: their words, and bytes written as text. docs/record.md has the format. */
#ifndef GDBMI_SRC_RECORD_LINE_H
#define GDBMI_SRC_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/error.h>

#include "buffer.h"

#define RECORD_MAGIC   "mprof-link-record "
#define RECORD_VERSION 1

/* What a line with a time says. The text that follows is in brackets. */
enum record_kind {
    RECORD_OPEN,     /* a connection was made [label] */
    RECORD_FAILED,   /* a connection was not made [label, word of the error, text] */
    RECORD_SENT,     /* mprof sent bytes [bytes] */
    RECORD_RECEIVED, /* mprof received bytes [bytes] */
    RECORD_SILENT,   /* nothing came in the time that mprof waited */
    RECORD_LOST,     /* reading failed [word of the error, text] */
    RECORD_UNSENT,   /* the bytes of the line before were not all sent [word of the error, text] */
    RECORD_CLOSED,   /* mprof closed the connection */
    RECORD_CHOSEN,   /* bytes that mprof chose by chance [bytes] */
    RECORD_CLOCK,    /* when mprof read its clock [µs since the time before, decimal] */
    RECORD_END,      /* mprof ended */
    RECORD_KINDS,
};

extern const char *const record_words[RECORD_KINDS];

/* Appends bytes as text: printable ASCII as it is, the rest and '\' as \xHH; a space at the end,
 * too. */
void record_escape(struct buffer *out, const void *bytes, size_t len);

/* Replaces text by the bytes that it stands for, and its length by theirs. False: it is damaged. */
bool record_unescape(char *text, size_t *len);

/* Appends an error as a word and, if its text begins with the address, what follows there: an
 * error text may have a name of the user's. */
void record_write_error(struct buffer *out, const struct gdbmi_error *error, const char *address);

/* Sets *error to the error that was written as text, with another address; the text is one line,
 * whatever was written. */
enum gdbmi_code record_read_error(const char *text, const char *address, struct gdbmi_error *error);

#endif
