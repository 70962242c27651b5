/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All parts together: children, core, debug port and control, served by one loop. */
#ifndef RIG_RIG_H
#define RIG_RIG_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "chip.h"
#include "control.h"
#include "fault.h"
#include "folder.h"
#include "jtag.h"
#include "openocd.h"
#include "options.h"
#include "probe.h"

struct rig {
    const struct options *options;
    struct fault fault;
    struct chip chips[TARGETS_MAX];
    int chip_count; /* those that were opened */
    struct openocd openocd;
    uint64_t openocd_deadline_ns;
    struct jtag jtag;
    struct probe probe;
    struct control control;
    char folder[SOCKET_PATH_MAX];
    char jtag_path[SOCKET_PATH_MAX + 16];
    char control_path[PATH_MAX];
    int signals;       /* signalfd */
    int jtag_listener; /* -1: none */
    int jtag_client;   /* -1: none */
    uint64_t started_at_ns;
    bool done;
};

/* Starts everything and returns when it answers. 0, or -1 with rig->fault. Either way the rig is to
 * be closed. options must live as long. It points into itself: do not move it. */
int rig_open(struct rig *rig, const struct options *options);

/* Serves until it is told to end (0) or something has died (-1). */
int rig_serve(struct rig *rig);

void rig_close(struct rig *rig);

/* Starts OpenOCD, which is ready only some rounds later. 0 or -1. */
int rig_start_openocd(struct rig *rig);

/* Kills it; its gdb and Tcl clients are left alone, and the JTAG line is free. */
void rig_stop_openocd(struct rig *rig);

/* The port of the server that a profiler talks to. */
unsigned rig_gdb_port(const struct rig *rig);

#endif
