/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, reading and closing a link to a fake Tcl port, each checked. */
#ifndef TCL_CHECKS_H
#define TCL_CHECKS_H

#include "fake_tcl.h"
#include "link_checks.h"
#include "link_ops.h"

/* An OpenOCD there can connect to us; from the other it can't. */
#define NEAR "127.0.0.1:6666"
#define FAR  "fake:6666"

/* *link is NULL unless GDBMI_OK. */
enum gdbmi_code try_open(struct fake_tcl *tcl, const char *address, const char *gdb_port,
                         const char *target, struct gdbmi_link **link, struct gdbmi_error *error);
struct gdbmi_link *must_open(struct fake_tcl *tcl, const char *address, const char *gdb_port);

/* Frees the fake, too. */
void must_close(struct fake_tcl *tcl, struct gdbmi_link *link);

/* No link opens from afar: the error has the code, and part of its one line is text. Frees the
 * fake. */
void check_refused(struct fake_tcl *tcl, const char *gdb_port, const char *target,
                   enum gdbmi_code code, const char *text);

#endif
