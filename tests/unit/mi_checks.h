/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing a link through GDB/MI to a fake gdb, each checked. */
#ifndef MI_CHECKS_H
#define MI_CHECKS_H

#include "fake_mi.h"
#include "link_checks.h"

/* A gdb that mprof has started, not the user's. */
#define OURS true

/* Of a link that is opened: short, since some tests wait for its end. */
#define MI_TIMEOUT_MS 50
extern int mi_timeout_ms;

/* *link is NULL unless GDBMI_OK. */
enum gdbmi_code try_open(struct fake_mi *mi, bool ours, bool allow_halt, struct gdbmi_link **link,
                         struct gdbmi_error *error);
struct gdbmi_link *must_open(struct fake_mi *mi, bool ours, bool allow_halt);

/* runs: the target is left running. Frees the fake, too. */
void must_close(struct fake_mi *mi, struct gdbmi_link *link, bool runs);

#endif
