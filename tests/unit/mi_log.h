/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader of GDB/MI finds in bytes, as text that a test can compare. */
#ifndef MI_LOG_H
#define MI_LOG_H

#include <stddef.h>

#include <gdbmi/mi.h>

#define LOG_MAX 16384

/* What was read, as text: one line a message, each value in brackets of its own. */
struct taken {
    char log[LOG_MAX];
    size_t len;
    size_t count;
    int result; /* of the last feed */
};

/* Adds what the reader finds in these bytes. */
void feed_reader(struct gdbmi_mi_reader *reader, const char *bytes, size_t len, struct taken *t);

/* What a new reader finds in these bytes. */
void read_all(const char *bytes, size_t len, struct taken *t);

/* A new reader takes all bytes, and finds just that. */
void check_log(const char *wire, const char *expected);

#endif
