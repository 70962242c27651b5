/* SPDX-License-Identifier: 0BSD */
/* A link through a gdb server with one client, which the user's gdb shares. */
#ifndef GDBMI_SRC_PROXY_LINK_H
#define GDBMI_SRC_PROXY_LINK_H

#include <gdbmi/link.h>

/* As gdbmi_link_open(), of options that name it. */
enum gdbmi_code proxy_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error);

#endif
