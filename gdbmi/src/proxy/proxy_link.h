/* SPDX-License-Identifier: 0BSD */
/* A link through a gdb server with one client, which the user's gdb shares. */
#ifndef GDBMI_SRC_PROXY_LINK_H
#define GDBMI_SRC_PROXY_LINK_H

#include <gdbmi/link.h>

/* Opens a link to options->gdb that the user's gdb shares at options->serve, like
 * gdbmi_link_open(). *error must hold no error before the call. */
enum gdbmi_code proxy_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error);

#endif
