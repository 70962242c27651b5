/* SPDX-License-Identifier: 0BSD */
/* A link through a gdb: one that is started, or the user's. */
#ifndef GDBMI_SRC_MI_START_H
#define GDBMI_SRC_MI_START_H

#include <gdbmi/link.h>

/* Opens a link to the gdb of options->mi or options->mi_attach, like gdbmi_link_open(). *error must
 * hold no error before the call. */
enum gdbmi_code mi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                             struct gdbmi_error *error);

#endif
