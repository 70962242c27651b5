/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm's debug port over JTAG (JTAG-DP) with one memory access port (AHB-AP). */
#ifndef RIG_DAP_H
#define RIG_DAP_H

#include <stdbool.h>
#include <stdint.h>

#include "bus.h"
#include "jtag.h"

#define DAP_IDCODE  0x4ba00477U
#define DAP_IR_BITS 4U

struct dap {
    struct bus bus;
    struct bus_stats stats;
    uint32_t ctrl_stat;
    uint32_t select;
    uint32_t csw;
    uint32_t tar;
    uint32_t result; /* of the last read, captured by the next scan */
};

void dap_init(struct dap *dap, const struct bus *bus);

/* Loses all of its state but the counts. */
void dap_power_down(struct dap *dap);

/* What to give to jtag_add(); it points into dap. */
struct jtag_device dap_device(struct dap *dap);

#endif
