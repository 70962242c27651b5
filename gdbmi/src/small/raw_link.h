/* SPDX-License-Identifier: 0BSD */
/* A link to a dump of the target's memory in a file. */
#ifndef GDBMI_SRC_RAW_LINK_H
#define GDBMI_SRC_RAW_LINK_H

#include <gdbmi/link.h>

/* Opens a link to the file options->raw, like gdbmi_link_open(). *error must hold no error
 * before the call. */
enum gdbmi_code raw_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error);

#endif
