/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing a link through GDB/MI to a fake gdb, each checked. */
#ifndef MI_CHECKS_H
#define MI_CHECKS_H

#include "fake_mi.h"
#include "link_checks.h"

/* A gdb that mprof has started, not the user's. */
#define OURS true

/* Time for an answer, of a link that is opened: it ends for no machine that is slow. */
#define MI_PATIENT_MS 300000
/* Of one whose gdb does not answer. */
#define MI_HURRIED_MS 50
extern int mi_timeout_ms;

/* *link is NULL unless GDBMI_OK. */
enum gdbmi_code try_open(struct fake_mi *mi, bool ours, bool allow_halt, struct gdbmi_link **link,
                         struct gdbmi_error *error);
struct gdbmi_link *must_open(struct fake_mi *mi, bool ours, bool allow_halt);

/* Makes the time for an answer MI_HURRIED_MS. */
void hurry(struct gdbmi_link *link);

/* runs: the target is left running. Frees the fake, too. */
void must_close(struct fake_mi *mi, struct gdbmi_link *link, bool runs);

#endif
