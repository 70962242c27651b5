/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, reading and closing a GDB remote link to a fake server, each checked. */
#ifndef LINK_CHECKS_H
#define LINK_CHECKS_H

#include "fake_gdb.h"
#include "link_ops.h"

#define RAM 0x20000000U
#define BAD 0xf0000000U /* cannot be read */

/* *link is NULL unless GDBMI_OK. */
enum gdbmi_code try_open(struct fake_gdb *gdb, bool allow_halt, struct gdbmi_link **link,
                         struct gdbmi_error *error);
struct gdbmi_link *must_open(struct fake_gdb *gdb, bool allow_halt);

/* Frees the fake, too. */
void must_close(struct fake_gdb *gdb, struct gdbmi_link *link);

/* The bytes are those of the fake's memory. */
void check_read(struct gdbmi_link *link, uint64_t addr, size_t len);
void check_state(struct gdbmi_link *link, enum gdbmi_state expected);

/* text is one line and has part in it. */
void check_text(const char *text, const char *part);

#endif
