/* SPDX-License-Identifier: 0BSD */
/* A link to what a target sends by itself: over a serial line, or kept in a file. */
#ifndef GDBMI_SRC_RECORDS_LINK_H
#define GDBMI_SRC_RECORDS_LINK_H

#include <gdbmi/link.h>

/* Opens a link to the file or serial line options->records, like gdbmi_link_open(). *error must
 * hold no error before the call. */
enum gdbmi_code records_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                  struct gdbmi_error *error);

#endif
