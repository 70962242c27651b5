/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of a link of any kind, each checked. */
#ifndef LINK_CHECKS_H
#define LINK_CHECKS_H

#include <gdbmi/link.h>

struct fake_stream;

/* What a function that opens a link has given: a link, which is returned. */
struct gdbmi_link *check_opened(enum gdbmi_code code, struct gdbmi_link *link,
                                const struct gdbmi_error *error);

/* Closes the link, and its stream with it. */
void check_close(struct gdbmi_link *link, const struct fake_stream *stream);

/* What a function that opens a link has given: none, an error with part in it, and the stream is
 * closed. */
void check_not_opened(const struct gdbmi_link *link, const struct gdbmi_error *error,
                      const struct fake_stream *stream, const char *part);

/* The bytes are those of the fake's memory. */
void check_read(struct gdbmi_link *link, uint64_t addr, size_t len);

/* A read that fails with that code and text, and touches no byte. */
void check_no_read(struct gdbmi_link *link, uint64_t addr, size_t len, enum gdbmi_code code,
                   const char *text);

/* An optional read of a running target, of more bytes than one request may ask for, ends when
 * nobody waits for it. Another one does not, nor one of a target that this link has halted. */
void check_given_up(struct gdbmi_link *link, uint64_t addr, size_t len);

void check_state(struct gdbmi_link *link, enum gdbmi_state expected);

/* text is one line and has part in it. */
void check_text(const char *text, const char *part);

#endif
