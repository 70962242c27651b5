/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QEMU's machine protocol (QMP), as much of it as the rig needs. */
#ifndef RIG_MONITOR_H
#define RIG_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"
#include "line.h"

struct monitor {
    struct line line;
    uint64_t stops;      /* times that the machine stopped, whoever asked for it */
    uint64_t resets;     /* times that it was reset */
    uint64_t stopped_us; /* for how long it was stopped, by QEMU's clock; past stops only */
    uint64_t stop_us;    /* QEMU's time of the last stop */
    bool running;
};

/* Takes fd's greeting and enters command mode. 0 or -1. */
int monitor_open(struct monitor *monitor, int fd, struct fault *fault);

/* Takes the events that are there. 0, or -1 when QEMU has gone. */
int monitor_poll(struct monitor *monitor);

/* Takes the events of everything that has happened up to now: QEMU tells them before it answers. 0,
 * or -1. */
int monitor_sync(struct monitor *monitor, struct fault *fault);

/* Runs a command given as JSON; *answer, valid until the next call, is its whole line. 0 or -1. */
int monitor_command(struct monitor *monitor, const char *json, char **answer, struct fault *fault);

/* QEMU's virtual address of the RAM at addr. 0, or -1 when there is no RAM. */
int monitor_host_address(struct monitor *monitor, uint32_t addr, uint64_t *host,
                         struct fault *fault);

/* The TCP port that -gdb tcp:... has got. 0 or -1. */
int monitor_gdb_port(struct monitor *monitor, unsigned *port, struct fault *fault);

/* Resets the machine and waits until that is done; it runs or stands as before. 0 or -1. */
int monitor_reset(struct monitor *monitor, struct fault *fault);

#endif
