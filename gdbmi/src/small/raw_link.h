/* SPDX-License-Identifier: 0BSD */
/* A link to a dump of the target's memory in a file. */
#ifndef GDBMI_SRC_RAW_LINK_H
#define GDBMI_SRC_RAW_LINK_H

#include <gdbmi/link.h>

/* As gdbmi_link_open(), of options that name it. */
enum gdbmi_code raw_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
