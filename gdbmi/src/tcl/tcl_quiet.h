/* SPDX-License-Identifier: 0BSD */
/* The quiet channel: OpenOCD connects back to mprof, so that results need not be Tcl results, which
 * it prints on the console of every gdb that is attached. */
#ifndef GDBMI_SRC_TCL_QUIET_H
#define GDBMI_SRC_TCL_QUIET_H

#include <stdbool.h>
#include <stddef.h>

#include <gdbmi/stream.h>

/* Whether a server with that address may reach 127.0.0.1 of ours. */
bool tcl_quiet_is_near(const char *address);

/* Fills text with count random hexadecimal characters and a NUL; false: there is no randomness. */
bool tcl_quiet_random(char *text, size_t count);

/* Listens on a free port of 127.0.0.1. Returns a file descriptor, to be closed, or -1. */
int tcl_quiet_listen(unsigned *port);

/* Takes the connection that says the nonce first; any other is closed. NULL: none came in time. It
 * can only be read. */
struct gdbmi_stream *tcl_quiet_accept(int listener, const char *nonce, int timeout_ms);

#endif
