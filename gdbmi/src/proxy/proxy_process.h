/* SPDX-License-Identifier: 0BSD */
/* The process that holds the connection to the server, and the port for the user's gdb. */
#ifndef GDBMI_SRC_PROXY_PROCESS_H
#define GDBMI_SRC_PROXY_PROCESS_H

#include <gdbmi/link.h>

#include "proxy_listen.h"

/*
 * Starts it. *fd, which is the caller's, speaks proxy_request.h; at its end of file the process
 * undoes what we halted and ends: at once, or when the gdb that is attached has left. It is
 * nobody's child, has a session of its own and ignores signals, so that the user's gdb loses
 * nothing when we are interrupted or killed. The listeners are closed here, on failure too.
 */
enum gdbmi_code proxy_process_start(const struct gdbmi_options *options,
                                    struct proxy_listeners *listeners, int *fd,
                                    struct gdbmi_error *error) __attribute__((warn_unused_result));

#endif
