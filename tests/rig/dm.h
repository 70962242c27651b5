/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug module of a RISC-V chip with one hart: run control and abstract commands. */
#ifndef RIG_DM_H
#define RIG_DM_H

#include <stdbool.h>
#include <stdint.h>

#include "bus.h"
#include "core.h"
#include "dtm.h"
#include "hart.h"
#include "sysbus.h"
#include "triggers.h"

#define DM_DATA 2

struct dm {
    struct core *core;
    struct hart hart;
    struct triggers triggers;
    struct sysbus sysbus;
    struct bus bus;
    struct bus_stats stats;
    uint32_t data[DM_DATA];
    uint32_t dcsr;
    uint32_t dscratch[2];
    unsigned error; /* cmderr */
    bool active;
    bool in_reset; /* ndmreset is asserted */
    bool resume_ack;
    bool have_reset;
    bool halt_on_reset;
};

/* Makes core one of this kind. Without a system bus the debugger reaches memory through the halted
 * hart only. 0, or -1: QEMU is gone, or not of this kind. */
int dm_init(struct dm *dm, struct core *core, bool system_bus);

/* What to give to dtm_init(); it points to dm. */
struct dmi dm_interface(struct dm *dm);

/* Takes over what the hart did by itself. To be called after core_poll(). 0, or -1: QEMU is gone.
 */
int dm_update(struct dm *dm);

/* Resets the chip, whoever asks for it; the hart runs, or stands if it is to halt on reset. 0 or
 * -1. */
int dm_reset(struct dm *dm);

#endif
