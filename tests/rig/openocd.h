/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real OpenOCD as a child, on the rig's JTAG port. */
#ifndef RIG_OPENOCD_H
#define RIG_OPENOCD_H

#include <stdbool.h>

#include "board.h"
#include "child.h"
#include "fault.h"
#include "options.h"
#include "port.h"

enum openocd_state {
    OPENOCD_NONE, /* not started, or stopped on purpose */
    OPENOCD_STARTING,
    OPENOCD_READY,
};

struct openocd {
    enum openocd_state state;
    struct child child;
    struct port gdb_ports[TARGETS_MAX]; /* of each target; none until it was started once, and of
                                         * the others of a group */
    struct port tcl_port;               /* none too if it has none */
};

/* A target as OpenOCD is told of it. */
struct openocd_target {
    const struct board *board;
    const char *name;
};

/* One that was not started; it may be ended. */
void openocd_init(struct openocd *openocd);

/*
 * Starts it; it connects to the unix socket jtag, which must listen already. A second start after
 * openocd_kill() takes the same ports. targets is a list of options->targets. 0 or -1.
 */
int openocd_start(struct openocd *openocd, const struct options *options,
                  const struct openocd_target *targets, const char *folder, const char *jtag,
                  struct fault *fault);

/* Looks whether one that is starting is ready: its log says that all its ports are open. It is
 * never connected to. */
void openocd_look(struct openocd *openocd, const struct options *options);

/* By SIGKILL: it takes leave of nothing. */
void openocd_kill(struct openocd *openocd);
void openocd_end(struct openocd *openocd);

#endif
