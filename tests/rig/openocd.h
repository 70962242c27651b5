/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real OpenOCD as a child, on the rig's JTAG port. */
#ifndef RIG_OPENOCD_H
#define RIG_OPENOCD_H

#include <stdbool.h>

#include "child.h"
#include "fault.h"
#include "options.h"

struct openocd {
    struct child child;
    unsigned gdb_port; /* 0 until openocd_ready() */
    unsigned tcl_port; /* 0 too if it has none */
};

/* Starts it; it connects to the unix socket jtag, which must listen already. 0 or -1. */
int openocd_start(struct openocd *openocd, const struct options *options, const char *folder,
                  const char *jtag, struct fault *fault);

/* True once its log says that all its ports are open. It is never connected to. */
bool openocd_ready(struct openocd *openocd, const struct options *options);
void openocd_end(struct openocd *openocd);

#endif
