/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing a GDB remote link to a fake server, each checked. */
#ifndef RSP_CHECKS_H
#define RSP_CHECKS_H

#include "fake_gdb.h"
#include "link_checks.h"
#include "link_ops.h"

/* *link is NULL unless GDBMI_OK. */
enum gdbmi_code try_open(struct fake_gdb *gdb, bool allow_halt, struct gdbmi_link **link,
                         struct gdbmi_error *error);
struct gdbmi_link *must_open(struct fake_gdb *gdb, bool allow_halt);

/* Frees the fake, too. */
void must_close(struct fake_gdb *gdb, struct gdbmi_link *link);

/* A fake of gdbserver: its program has threads, and was stopped by the attaching or by a signal. */
void init_gdbserver(struct fake_gdb *gdb, unsigned threads, int signal);

#endif
