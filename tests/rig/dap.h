/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm's debug port over JTAG (JTAG-DP) with one memory access port (AHB-AP). */
#ifndef RIG_DAP_H
#define RIG_DAP_H

#include <stdbool.h>
#include <stdint.h>

#include "jtag.h"

#define DAP_IDCODE 0x4ba00477U

/* The bus of the memory access port. size is 1, 2 or 4 bytes and addr is a multiple of it; *value
 * has the bytes in its low bits. 0, or -1 for a bus fault, after which *value means nothing. */
struct dap_bus {
    int (*read)(void *context, uint32_t addr, unsigned size, uint32_t *value);
    int (*write)(void *context, uint32_t addr, unsigned size, uint32_t value);
    void *context;
};

struct dap_stats {
    uint64_t reads;  /* on the bus, of any size */
    uint64_t writes; /* on the bus */
    uint64_t faults; /* those that the bus refused */
};

struct dap {
    struct dap_bus bus;
    struct dap_stats stats;
    uint32_t ctrl_stat;
    uint32_t select;
    uint32_t csw;
    uint32_t tar;
    uint32_t result; /* of the last read, captured by the next scan */
};

void dap_init(struct dap *dap, const struct dap_bus *bus);

/* What to give to jtag_init(); it points into dap. */
struct jtag_device dap_device(struct dap *dap);

#endif
